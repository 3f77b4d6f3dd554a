"""What it takes to collect goals, beside as many tests of bare pytest: CPU time and memory.

    python benchmarks/collection.py [--runs 3] [--goals 100 1000 10000]

Each figure is one whole process (with `-n 2` three): the least CPU time (user and system) of the
runs, which take turns, and the peak memory of the largest process. Serial runs are
`--collect-only`; with `-n 2` all tests are deselected after collection, since xdist starts no
worker to collect only. Bare pytest has integers for goals, and no plugin of ours.

Below the table: what each further goal takes, from one number of goals to the next. Of a YAML file
libyaml's own scanner takes about as much as bare pytest takes for as many tests.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

CONFTEST = """
import pytest

@pytest.fixture(scope="session")
def tod_system():
    return lambda text: "Hello."
"""
OURS = "import pytest\n@pytest.mark.goals('goals.{}')\ndef test_it(dialogue): pass\n"
BARE = "import pytest\n@pytest.mark.parametrize('n', range({}))\ndef test_it(n): pass\n"
KINDS = ("bare", "json", "yaml")
WAYS = {"serial": ["--collect-only"], "-n 2": ["-n", "2", "-k", "nothing_is_called_so"]}
NOTHING_TO_RUN = 5


class Cost(NamedTuple):
    """Of one run."""

    cpu: float
    """Seconds."""
    peak: float
    """Megabytes."""


def goals(count: int) -> list[dict[str, Any]]:
    """Goals of two domains and some 25 values each."""
    areas = ("north", "south", "east", "west", "centre")
    return [
        {
            "id": f"goal-{n:05d}",
            "message": f"You want a place in the {areas[n % 5]}, number {n}.",
            "domains": {
                "hotel": {
                    "inform": {"area": areas[n % 5], "stars": n % 5 + 1},
                    "book": {"day": "monday", "people": n % 7 + 1, "stay": 2},
                    "fail_book": {"day": "sunday"},
                    "request": ["phone"],
                },
                "spa": {"inform": {"treatment": f"kind {n % 40}"}, "request": ["address"]},
            },
        }
        for n in range(count)
    ]


def write_suite(folder: Path, kind: str, count: int) -> None:
    """A test file over so many goals or integers."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    if kind == "bare":
        (folder / "test_it.py").write_text(BARE.format(count))
        return
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(OURS.format(kind))
    with (folder / f"goals.{kind}").open("w") as file:
        if kind == "json":
            json.dump(goals(count), file, indent=1)
        for goal in goals(count) if kind == "yaml" else ():
            file.write(yaml.dump([goal]))  # all at once they would take 100 MB, which runs inherit


def collect(folder: Path, kind: str, way: str) -> Cost:
    """Run pytest there once."""
    without = ["-p", "no:todeval"] if kind == "bare" else []
    plain = ["-q", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    command = [sys.executable, "-m", "pytest", *plain, *without, *WAYS[way]]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode not in (0, NOTHING_TO_RUN):
        raise SystemExit(f"{' '.join(command)} in {folder}: exit code {run.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def least(way: str, count: int, runs: int) -> dict[str, Cost]:
    """The least of some runs, by kind."""
    found: dict[str, list[Cost]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory() as name:
        for kind in KINDS:
            Path(name, kind).mkdir()
            write_suite(Path(name, kind), kind, count)
        for _ in range(runs):
            for kind, costs in found.items():
                costs.append(collect(Path(name, kind), kind, way))
    return {
        kind: Cost(min(cost.cpu for cost in costs), min(cost.peak for cost in costs))
        for kind, costs in found.items()
    }


def row(count: int, way: str, costs: dict[str, Cost]) -> str:
    """A row of the table."""
    bare = costs["bare"]
    cells = [f"{bare.cpu:.2f} s, {bare.peak:.0f} MB"]
    cells += [
        f"{cost.cpu:.2f} s ({cost.cpu / bare.cpu:.2f} x), {cost.peak - bare.peak:+.0f} MB"
        for kind, cost in costs.items()
        if kind != "bare"
    ]
    return f"| {count} | {way} | {' | '.join(cells)} |"


def slope(kind: str, way: str, costs: dict[int, Cost]) -> str:
    """What each further goal takes: straight lines have one slope."""
    parts = [
        f"{few} to {many}: {1e6 * (costs[many].cpu - costs[few].cpu) / (many - few):.0f} us and "
        f"{1024 * (costs[many].peak - costs[few].peak) / (many - few):.1f} kB"
        for few, many in pairwise(sorted(costs))
    ]
    return f"{kind}, {way}: {'; '.join(parts)}"


def main() -> None:
    """Print a table, and the slopes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--goals", type=int, nargs="+", default=[100, 1000, 10000])
    arguments = parser.parse_args()
    found: dict[tuple[str, int], dict[str, Cost]] = {}
    print("| goals | | bare | json | yaml |\n| ---: | --- | ---: | ---: | ---: |")
    for count in arguments.goals:
        for way in WAYS:
            found[way, count] = least(way, count, arguments.runs)
            print(row(count, way, found[way, count]), flush=True)
    print("\nA further goal takes:")
    for way in WAYS:
        for kind in KINDS:
            print(slope(kind, way, {n: found[way, n][kind] for n in arguments.goals}))


if __name__ == "__main__":
    main()
