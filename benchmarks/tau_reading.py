"""How long reading tasks takes: every split of tau-bench, each domain of tau2, in one process.

    TAU_BENCH_HOME=... TAU2_BENCH_HOME=... python benchmarks/tau_reading.py --repeats 5

Per goal set: goals, and seconds of the first reading (with the fingerprint over all its files) and
of the median of the others (in which unchanged files are not hashed again). The aim is at most
0.5 s for the first reading of tau-bench's four splits together.
"""

import argparse
import statistics
import time
from pathlib import Path

from pytest_todeval.errors import DataMissing
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.registry import GoalSet

AIM = 0.5
"""Seconds."""
TAU_BENCH = (("retail", "test"), ("retail", "train"), ("retail", "dev"), ("airline", "test"))
TAU2 = ("airline", "retail", "telecom", "mock", "banking_knowledge")


def read(source: str, split: str, homes: dict[str, Path | None]) -> tuple[GoalSet, float]:
    """The goal set, and how many seconds it took."""
    started = time.perf_counter()
    goal_set = registry.load(source, split=split, settings=homes)
    return goal_set, time.perf_counter() - started


def measure(source: str, split: str, homes: dict[str, Path | None], repeats: int) -> float | None:
    """Print a line; the seconds of the first reading, or None where there is nothing to read."""
    try:
        goal_set, first = read(source, split, homes)
    except DataMissing as error:
        print(f"{source} {split}: {str(error).splitlines()[0]}")
        return None
    others = [read(source, split, homes)[1] for _ in range(repeats)]
    again = f", again {statistics.median(others):.3f} s" if others else ""
    print(f"{source} {split}: {len(goal_set.goals)} goals, first {first:.3f} s{again}")
    return first


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tau-home", type=Path, help="tau-bench checkout (else TAU_BENCH_HOME)")
    parser.add_argument("--tau2-home", type=Path, help="tau2-bench checkout (else TAU2_BENCH_HOME)")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    homes = {"tau_bench": arguments.tau_home, "tau2": arguments.tau2_home}
    firsts = [
        measure(f"tau_bench/{domain}", split, homes, arguments.repeats)
        for domain, split in TAU_BENCH
    ]
    for domain in TAU2:
        measure(f"tau2/{domain}", "base", homes, arguments.repeats)
    if None not in firsts:
        print(f"tau-bench, four splits: {sum(filter(None, firsts)):.3f} s (aim: {AIM} s)")


if __name__ == "__main__":
    main()
