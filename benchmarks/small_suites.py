"""Suites of 1 to 50 goals: what a broken bot comes to, by the code that gates runs and files.

    python benchmarks/small_suites.py [--runs 20]        # a few minutes

Each cell: the share of runs that exit with 10, with another code than 0, and with 0. A baseline in
which all goals passed, or flipped as the run does, stands beside a run of which all, half, one or
no goals broke. `sure`: nothing is left to chance. `flips 5 %`, `flips 20 %`: each dialogue fails as
often by itself, then and now, live. No dialogue is played: entries are made up, and go through what
`pytest --todeval-baseline`, `todeval gate` and `--todeval-sequential` go through.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from gate_world import results_of

from pytest_todeval.reports.comparison.comparing import compare_runs
from pytest_todeval.reports.gates.deciding import decide
from pytest_todeval.reports.gates.ruling import Ruling
from pytest_todeval.reports.sequential.planned_run import PlannedGoal, PlannedRun
from pytest_todeval.reports.table import aligned

SIZES = (1, 2, 3, 5, 7, 10, 20, 50)
BROKEN: Mapping[str, Callable[[int], int]] = {
    "all": lambda goals: goals,
    "half": lambda goals: (goals + 1) // 2,
    "one": lambda _: 1,
    "none": lambda _: 0,
}
FLIPS: Mapping[str, float | None] = {"sure": None, "flips 5 %": 0.05, "flips 20 %": 0.2}
HOW = ("baseline", "gate", "both", "sequential")
GATE = "booking >= 0.85"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    rows = [["broken, chance, held to", *(f"{n} goals" for n in SIZES)]]
    for broken in BROKEN:
        for chance in FLIPS:
            for how in HOW:
                cells = [_cell(n, broken, chance, how, runs) for n in SIZES]
                rows.append([f"{broken}, {chance}, {how}", *cells])
    print("exit codes: share of 10 / share of 1, 11, 12 / share of 0")
    print("\n".join(aligned(rows)))


def _cell(goals: int, broken: str, chance: str, how: str, runs: int) -> str:
    codes: Counter[int] = Counter()
    times = 1 if FLIPS[chance] is None else runs
    for number in range(times):
        draw = random.Random(f"{goals} {broken} {chance} {how} {number}")
        codes[_code(draw, goals, BROKEN[broken](goals), FLIPS[chance], how)] += 1
    worse, right = codes[10], codes[0]
    return "/".join(f"{100 * n / times:.0f}" for n in (worse, times - worse - right, right))


def _code(draw: random.Random, goals: int, broken: int, flips: float | None, how: str) -> int:
    before = results_of([_entry(draw, n, flips, broken=False) for n in range(goals)])
    entries = [_entry(draw, n, flips, broken=n < broken) for n in range(goals)]
    draw.shuffle(entries)
    base: Any = None if how == "gate" else before
    gates = [] if how == "baseline" else [GATE]
    now: Any = results_of(entries)
    if how == "sequential":
        run = PlannedRun([PlannedGoal(e["goal"], [e["test"]]) for e in entries], gates, base)
        played = []
        for entry in entries:
            if not run.decided:
                played.append(entry)
                run.finish(entry["test"], entry)  # type: ignore[arg-type]
        run.end()
        now = results_of(played)
        decided, compared = run.findings(now)
    else:
        decided = decide(gates, now["dialogues"])
        compared = None if base is None else compare_runs(base, now)
    return Ruling.of(now["dialogues"], decided, base, compared, "baseline.json", None).exit_code


def _entry(
    draw: random.Random, number: int, flips: float | None, *, broken: bool
) -> dict[str, Any]:
    passed = not broken and draw.random() >= (flips or 0.0)
    return {
        "test": f"t[{number}]",
        "goal": f"g/{number}",
        "trial": 0,
        "outcome": "passed" if passed else "failed",
        "metrics": {"booking": passed, "success": passed},
        "scores": {},
        "rules": {},
        "turns": [],
        "chance": [] if flips is None else ["live calls of the system"],
    }


if __name__ == "__main__":
    main()
