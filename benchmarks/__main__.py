"""Every figure in one run, as ratios: the benchmarks that compare, one after the other.

    python -m benchmarks [--only NAME ...] [--environments DIR] [--write FILE]

Each row of the table is a benchmark of this folder, which can be run by itself. Prints a Markdown
table with the versions and the load of the machine, and writes it to FILE. The peers in
environments of their own are compared if `--environments` says where those are, or go.
"""

import argparse
import os
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PACKAGES = ("pytest-todeval", "pytest", "pytest-xdist", "openai", "vcrpy", "pydantic")
AT_ONCE = r"^(?P<of>\S.*?)\s+[\d.]+ s \((?P<wall>[\d.]+)\)  CPU +[\d.]+ s \((?P<CPU>[\d.]+)\)"


class Benchmark(NamedTuple):
    """What is run, and what of its output is a figure."""

    title: str
    command: str
    figure: str
    """A pattern of lines: the group `of` says what is measured, the others are ratios by name."""


TABLE = {
    "many": Benchmark("40 live dialogues, x bare asyncio", "many_at_once.py --runs 5", AT_ONCE),
    "peers": Benchmark("40 live dialogues by peers, x bare asyncio", "peers.py --runs 5", AT_ONCE),
    "collection": Benchmark(
        "Collection, x bare pytest",
        "collection.py",
        r"^\| (?P<of>\d+ \| [^|]*?) \| [^|]*\| [\d.]+ s \((?P<json>[\d.]+) x\)[^|]*\| [\d.]+ s "
        r"\((?P<yaml>[\d.]+) x\)",
    ),
    "replay": Benchmark(
        "Replay of a dialogue, x an in-memory transport",
        "recording_replay.py --sizes 10 --stock-sizes",
        r"^  (?P<of>tape|stock vcrpy \+ body) +[\d.]+ ms +(?P<wall>[\d.]+)x",
    ),
    "plugins": Benchmark(
        "An unrelated suite with a plugin, more CPU than with none",
        "plugin_cost.py",
        r"^\| (?P<of>[^|]+?) \| \d+ \| .*, (?P<CPU>[-+][\d.]+%)",
    ),
    "log": Benchmark(
        "Helpers of the log outside a test, x a disabled logging call",
        "log_cost.py",
        r"^(?P<of>\w+) +(?P<CPU>[\d.]+) x$",
    ),
}


def figures(title: str, pattern: str, output: str) -> list[str]:
    """The rows of the table that a benchmark's output gives."""
    rows = []
    for found in re.finditer(pattern, output, re.M):
        named = found.groupdict()
        what = named.pop("of").replace("|", ",")
        ratios = ", ".join(f"{name} {value}" for name, value in named.items())
        rows.append(f"| {title} | {what} | {ratios} |")
    return rows


def measured(name: str, options: list[str]) -> list[str]:
    """Run one benchmark, and show what it prints."""
    benchmark = TABLE[name]
    script, *given = benchmark.command.split()
    print(f"== {script}", file=sys.stderr, flush=True)
    command = [sys.executable, str(HERE / script), *given, *options]
    made = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    print(made.stdout, file=sys.stderr, flush=True)
    rows = figures(benchmark.title, benchmark.figure, made.stdout)
    if made.returncode or not rows:
        rows.append(f"| {benchmark.title} | failed: {script}, exit code {made.returncode} | |")
    return rows


def main() -> None:
    """Run the benchmarks and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--only", nargs="+", choices=TABLE)
    parser.add_argument("--environments", type=Path, help="where those of the peers are, or go")
    parser.add_argument("--write", type=Path, help="a Markdown file for the table")
    args = parser.parse_args()
    names = args.only or [name for name in TABLE if name != "peers" or args.environments]
    told = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    load = "/".join(f"{each:.1f}" for each in os.getloadavg())
    machine = f"{platform.system()} on {os.cpu_count()} processors, load {load} at the beginning"
    rows = [f"Python {platform.python_version()}, {told}; {machine}.", ""]
    rows += ["| benchmark | of | ratios |", "| --- | --- | --- |"]
    for name in names:
        given = [f"--environments={args.environments}"] if name == "peers" else []
        rows += measured(name, given)
    text = "\n".join(rows) + "\n"
    print(text)
    if args.write:
        args.write.write_text(text)
    sys.exit(any("| failed:" in row for row in rows))


if __name__ == "__main__":
    main()
