"""What each installed pytest plugin costs a suite that does not use it: CPU time of whole runs.

    python benchmarks/plugin_cost.py [--runs 12]

A run is one process over 100 empty tests. It is made with no plugin (`-p no:NAME` for each), with
each plugin alone, and with all of them; the kinds take turns, and of each the least CPU time (user
and system) counts, which is what other work on the machine disturbs least.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import entry_points
from pathlib import Path

TEST = "import pytest\n@pytest.mark.parametrize('n', range(100))\ndef test_it(n): pass\n"
NONE, ALL = "(none)", "(all)"


def cpu_seconds(folder: str, without: Iterable[str]) -> float:
    """User and system time of one pytest process without these plugins."""
    blocked = [argument for name in without for argument in ("-p", f"no:{name}")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *blocked]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {run.returncode}")
    return usage.ru_utime + usage.ru_stime


def measure(runs: int) -> dict[str, float]:
    """The least CPU seconds by what was installed: no plugin, each alone, all."""
    plugins = sorted({entry.name for entry in entry_points(group="pytest11")})
    kinds = {NONE: plugins, **{p: [q for q in plugins if q != p] for p in plugins}, ALL: []}
    least = dict.fromkeys(kinds, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_unrelated.py").write_text(TEST)
        for _ in range(runs):
            for kind, without in kinds.items():
                least[kind] = min(least[kind], cpu_seconds(folder, without))
    return least


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=12)
    least = measure(parser.parse_args().runs)
    bare = least[NONE]
    print("| plugins | CPU ms | more than none |\n| --- | ---: | ---: |")
    for kind, seconds in least.items():
        more = seconds - bare
        print(f"| {kind} | {1000 * seconds:.0f} | {1000 * more:+.0f} ms, {more / bare:+.1%} |")


if __name__ == "__main__":
    main()
