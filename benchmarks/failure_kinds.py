"""Kinds of failures, told by rule, on trajectories whose fault is known because it was put there.

    python benchmarks/failure_kinds.py                               # the service desk
    python benchmarks/failure_kinds.py --tau-home ../tau-bench       # and tau-bench's two domains
    python benchmarks/failure_kinds.py --tau2-home ../tau2-bench     # and two of tau2's

The table has the fault that was made (`tests/support/failure_kinds.py`), and what the kinds of
`todeval score` say of the trajectory.
"""

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pytest_todeval.worlds.registry import load
from tests.support.failure_kinds import Bench, Tau2Bench, confusion


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tau-home", type=Path)
    parser.add_argument("--tau2-home", type=Path)
    args = parser.parse_args()
    benches = [Bench("service_desk", load("service_desk"))]
    if args.tau_home:
        settings = {"tau-home": args.tau_home}
        benches += [
            Bench(name, load(name, settings=settings))
            for name in ("tau_bench/retail", "tau_bench/airline")
        ]
    if args.tau2_home:
        settings = {"tau2-home": args.tau2_home}
        benches += [
            Tau2Bench(name, load(name, settings=settings), args.tau2_home)
            for name in ("tau2/airline", "tau2/retail")
        ]
    with tempfile.TemporaryDirectory() as folder:
        for bench in benches:
            _print(bench.name, confusion(bench, Path(folder)))


def _print(name: str, found: Counter[tuple[str, str]]) -> None:
    right = sum(count for (made, told), count in found.items() if made == told)
    sys.stdout.write(f"{name}: {right} of {found.total()} as made\n")
    width = max(len(made) for made, _ in found)
    for (made, told), count in sorted(found.items()):
        mark = "" if made == told else "  <--"
        sys.stdout.write(f"  {made:{width}}  told {told}: {count}{mark}\n")


if __name__ == "__main__":
    main()
