"""What the plugin costs a suite that does not use it: modules it imports, and the time they take.

    python benchmarks/plugin_cost.py [--runs 20]

Each run starts a Python that has pytest loaded, times what pytest does with the plugin in an
unrelated suite (import it, configure it, ask its hooks for each of 100 tests), and compares it with
the time of the whole unrelated run.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROBE = """
import sys, time
import pytest
start = time.perf_counter()
import pytest_todeval.plugin as plugin
seconds = time.perf_counter() - start
spent = [seconds]
for name in [n for n in dir(plugin) if n.startswith("pytest_")]:
    hook = getattr(plugin, name)
    if name in ("pytest_runtest_call", "pytest_runtest_makereport"):
        continue
    def timed(*args, _hook=hook, **kwargs):
        start = time.perf_counter()
        try:
            return _hook(*args, **kwargs)
        finally:
            spent.append(time.perf_counter() - start)
    timed.__wrapped__ = hook
    timed.__dict__.update(hook.__dict__)
    setattr(plugin, name, timed)
start = time.perf_counter()
pytest.main(["-q", "-p", "no:cacheprovider", "--no-header", "--no-summary"])
whole = time.perf_counter() - start
ours = sorted(name for name in sys.modules if name.startswith("pytest_todeval"))
print("COST", sum(spent), whole, len(ours))
"""


def measure(runs: int) -> list[tuple[float, float, int]]:
    """(seconds spent in the plugin, seconds of the whole run, modules of ours) per run."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        test = "import pytest\n@pytest.mark.parametrize('n', range(100))\ndef test_it(n): pass\n"
        Path(folder, "test_unrelated.py").write_text(test)
        for _ in range(runs):
            shown = subprocess.run(
                [sys.executable, "-c", PROBE],
                cwd=folder,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            cost = next(line for line in shown.splitlines() if line.startswith("COST"))
            spent, whole, modules = cost.split()[1:]
            found.append((float(spent), float(whole), int(modules)))
    return found


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    found = measure(parser.parse_args().runs)
    spent = statistics.median(run[0] for run in found)
    whole = statistics.median(run[1] for run in found)
    print(f"plugin: {1000 * spent:.1f} ms of {1000 * whole:.0f} ms, {found[0][2]} modules of ours")


if __name__ == "__main__":
    main()
