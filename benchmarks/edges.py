"""Statistics at their edges: few labels, few games, steady series, odd values, reruns, copies.

    python benchmarks/edges.py [--runs 200]      # 5 minutes of a CPU
    python benchmarks/edges.py --only history    # one of the tables

Simulated; what is found comes from the code that the commands call. Each line says what is promised
of it and ends in `short` where that was missed.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from gate_errors import BETTER, COPIES, Pair, compared
from gate_world import results_of

from pytest_todeval.integration.record import Run
from pytest_todeval.research.agreement.correction import corrected
from pytest_todeval.research.agreement.ratings import Ratings
from pytest_todeval.research.arena.games import Said
from pytest_todeval.research.arena.standings import standings
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.deciding import decide
from pytest_todeval.runs.reports.table import aligned
from pytest_todeval.runs.statistics import level, paired
from pytest_todeval.runs.statistics.change_point import change_points

Line = tuple[str, str, str, bool]
"""What is simulated, what is promised, what came, and whether that is enough."""


def reruns(runs: int) -> Iterator[Line]:
    """A bot at the bound, whose failed tests are run again: the first attempt counts."""
    for goals in (50, 100):
        passed = sum(_with_reruns(random.Random(f"{goals} {n}"), goals) for n in range(runs))
        yield _share(
            f"0.7 at `passed >= 0.7`, {goals} goals, 1 rerun: passes", passed, runs, most=5
        )


def _with_reruns(draw: random.Random, goals: int) -> bool:
    record = Run()
    for goal in range(goals):
        for _ in range(2):
            entry = _entry(goal, passed=draw.random() < 0.7)
            record._attempt(entry)
            if entry["outcome"] == "passed":
                break
    return decide(["passed >= 0.7"], record.entries)[-1].finding == "passed"


def off_scale(_: int) -> Iterator[Line]:
    """Rewards beyond 0 to 1 are a mean of what they are; no dialogue is dropped."""
    for rewards, holds in (((-1, -1, -1, 1), False), ((0.5, 1.5), True), ((3, 3, 3, -9), False)):
        entries = [_entry(n, reward=rewards[n % len(rewards)]) for n in range(40)]
        decided = decide(["reward >= 0.85"], entries)[-1]
        mean = sum(rewards) / len(rewards)
        right = decided.value == mean and (decided.finding == "passed") <= holds
        found = f"{decided.value}: {decided.finding}"
        yield f"rewards {rewards}, `reward >= 0.85`", f"{mean}, {holds}", found, right
    before: Any = results_of([_entry(n, reward=1) for n in range(100)])
    now: Any = results_of([_entry(n, reward=-1 if n < 60 else 1) for n in range(100)])
    (change,) = (each for each in compare_runs(before, now).changes if each.name == "reward")
    yield "60 of 100 rewards 1 -> -1, compared", "worse", change.finding, change.finding == "worse"


def rates(runs: int) -> Iterator[Line]:
    """Intervals of a judge's corrected rate, of 500 items: how often they hold the true rate."""
    for labels in (20, 50, 100):
        for rate, right_no in ((0.98, 0.8), (0.95, 0.8), (0.9, 0.5), (0.8, 0.8), (0.5, 0.8)):
            held: Counter[str] = Counter()
            for number in range(runs):
                draw = random.Random(f"{labels} {rate} {number}")
                found = corrected(_ratings(draw, labels, rate, right_no), "judge", 1, samples=400)
                held["powered"] += _holds(found.powered.interval, rate)
                if found.rogan_gladen.interval:
                    held["rogan_gladen"] += _holds(found.rogan_gladen.interval, rate)
                    held["told"] += 1
            what = f"{labels} labels, true rate {rate}"
            yield _share(f"{what}: prediction-powered holds it", held["powered"], runs, least=90)
            told = f"{what}: Rogan-Gladen, where told"
            yield _share(told, held["rogan_gladen"], held["told"], least=90)


def _ratings(draw: random.Random, labels: int, rate: float, right_no: float) -> Ratings:
    rows: list[list[Any]] = []
    for number in range(500):
        good = draw.random() < rate
        said = draw.random() < (0.95 if good else 1 - right_no)
        rows.append([int(good) if number < labels else None, int(said)])
    return Ratings.of([0, 1], rows, raters=["person", "judge"])


def _holds(interval: Any, rate: float) -> bool:
    return interval is not None and interval.low <= rate <= interval.high


def history(_: int) -> Iterator[Line]:
    """A steady bot that broke: named after each later run, however many."""
    for level_after in (0.5, 0.9):
        for steady in (3, 12, 40):
            lengths = range(3, 121)
            lost = []
            for after in lengths:
                series = [1.0] * steady + [level_after] * after
                places = [each.place for each in change_points(series, [50] * len(series))]
                lost += [] if places == [steady] else [after]
            named = f"{len(lengths) - len(lost)} of {len(lengths)} lengths"
            what = f"{steady} runs at 1.000, then 3 to 120 at {level_after}"
            yield what, "named at each length", named, not lost


def copies(runs: int) -> Iterator[Line]:
    """A loss of 10 points, seen with one value and with five that are nearly the same."""
    level.first_goals = paired.first_goals = lambda *_: None
    found = {}
    for apart, called in COPIES.items():
        pair = Pair(BETTER, 50, loss=0.1, metrics=4 if called else 0, apart=apart)
        seen = (compared(pair, random.Random(f"{n}"))["any worse"] for n in range(runs))
        found[called] = 100 * sum(seen) / runs
    for called, share in found.items():
        what = f"-10 points, 50 goals, {called or 'one value'}: found"
        by_chance = 250 * (0.5 / runs) ** 0.5
        enough = share >= found[""] - 5 - by_chance
        yield what, "not 5 points below one value", f"{share:.1f} %", enough


def arena(runs: int) -> Iterator[Line]:
    """Two bots that are alike, after a few games: none is surely the first."""
    for goals in (1, 2, 3, 5, 20):
        sure = points = 0
        for number in range(runs):
            draw = random.Random(f"{goals} {number}")
            bots = standings(
                {str(goal): Counter([_game(draw.random() < 0.5)]) for goal in range(goals)},
                samples=200,
            ).bots
            sure += any(bot.place == (1, 1) for bot in bots)
            points += any(bot.interval and bot.interval.low == bot.interval.high for bot in bots)
        yield _share(f"{goals} goals: one is surely first", sure, runs, most=5)
        yield _share(f"{goals} goals: an interval without width", points, runs, most=0)


def _game(first: bool) -> Said:
    return Said("a", "b") if first else Said("b", "a")


def _entry(number: int, *, passed: bool = True, reward: float | None = None) -> Any:
    return {
        "test": f"t[{number}]",
        "goal": f"g/{number}",
        "trial": 0,
        "outcome": "passed" if passed else "failed",
        "metrics": {} if reward is None else {"reward": reward},
        "scores": {},
        "rules": {},
        "turns": [],
        "chance": ["live calls of the system"],
    }


def _share(what: str, times: int, runs: int, *, most: float = 100, least: float = 0) -> Line:
    """A share of runs; 2.5 standard errors of chance are allowed for."""
    share = 100 * times / runs if runs else 100.0
    promised = f"at least {least} %" if least else f"at most {most} %"
    bound = (least or most) / 100
    spread = 250 * (bound * (1 - bound) / max(runs, 1)) ** 0.5
    enough = share >= least - spread if least else share <= most + spread
    return what, promised, f"{share:.1f} % of {runs}", enough


TABLES: dict[str, Callable[[int], Iterator[Line]]] = {
    each.__name__: each for each in (reruns, off_scale, rates, history, copies, arena)
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=200, help="simulated for each line")
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    options = parser.parse_args()
    short = 0
    for name in options.only:
        lines = list(TABLES[name](options.runs))
        short += sum(not enough for *_, enough in lines)
        print(f"\n{name}: {TABLES[name].__doc__}")
        print("\n".join(aligned([[*cells, "" if enough else "short"] for *cells, enough in lines])))
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
