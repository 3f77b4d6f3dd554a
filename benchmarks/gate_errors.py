"""How often gates, comparisons and sequential runs err: simulated runs, the commands' own code.

    python benchmarks/gate_errors.py                          # 10 minutes of a CPU
    python benchmarks/gate_errors.py --fast --part alarms     # a tenth of the runs, one table
    python benchmarks/gate_errors.py --plots docs/images      # and the plots of the docs

The runs are those of `gate_world.py`: no dialogue is played. Equal options give equal tables.
"""

import argparse
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import figures
from gate_world import DAMAGES, TONE, WORLDS, World, results_of, run_of, tone_of
from svg_chart import Curve, Panel, chart

from pytest_todeval.runs.reports.comparison.comparing import Change, compare_runs
from pytest_todeval.runs.reports.gates.deciding import Decided, decide
from pytest_todeval.runs.reports.sequential.planned_run import PlannedGoal, PlannedRun
from pytest_todeval.runs.reports.table import aligned
from pytest_todeval.runs.statistics import level, more_goals, paired

AIRLINE, BETTER = WORLDS["airline"], WORLDS["retail, better bot"]
ALL, FEW = DAMAGES
SIZES = (50, 100, 200)
MARGIN = 0.05
LONGEST = 10
"""Times the goals of a run, to which it is extended to see when it is decided."""

BASE_POINTS = (-30, -20, -10, -5, 0, 10)
BASE_TITLE = "sequential, baseline, {:+d} points, trials 1"
GATE_POINTS = (-20, -10, -5, 5, 10, 20)
GATE_TITLE = "sequential, gate, {:+d} points from the bound, trials 1"
PARTS = {
    "alarms": "shares of runs that err where nothing is to be found; 5 % are promised at most",
    "not claimed": "the same where no promise is made: it is about this run, and goals like these",
    "power": "shares of runs in which a loss is found, airline",
    "played": "what a run that ends once it is decided plays and finds",
    "estimates": "what is said of other sizes, and how often it is so",
}

COPIES = {0.1: "", 0.0: "five copies", 0.05: "five near-copies"}
"""Share of dialogues in which verdicts come out on their own, and what they are called."""

Play = Callable[[random.Random], Counter[str]]
"""One simulated run: what it counts."""


@dataclass(frozen=True)
class Row:
    """A row of a table: what is simulated many times over, by number of goals."""

    part: str
    title: str
    play: Callable[[int], Play]
    shown: Mapping[str, str]
    """What is shown of the counts, by what it is called."""
    out_of: str = "runs"
    """The count of which the others are shares."""


@dataclass(frozen=True)
class Pair:
    """Two runs of one bot, the second after a loss."""

    world: World
    goals: int
    trials: tuple[int, int] = (1, 1)
    loss: float = 0.0
    damage: str = ALL
    metrics: int = 0
    apart: float = 1.0
    """How far the metrics are no copies of the test, see `run_of`."""
    judged: bool = False
    shock: float = 0.0
    """Standard deviation of what a whole run's rate is off by, such as in a bad hour."""

    def runs(self, draw: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
        """Their results files."""
        likely = [self.world.probability(draw) for _ in range(self.goals)]
        lost = self.loss / self.world.rate + draw.gauss(0, self.shock)
        after = [DAMAGES[self.damage](draw, each, lost) for each in likely]
        low = [tone_of(draw) for _ in likely] if self.judged else []
        make = partial(run_of, draw, low=low, metrics=self.metrics, apart=self.apart)
        return results_of(make(likely, self.trials[0])), results_of(make(after, self.trials[1]))


# What a simulated run counts.


def gated(world: World, goals: int, trials: int, draw: random.Random) -> Counter[str]:
    """A gate whose bound is the truth: it should be neither passed nor failed."""
    entries = run_of(draw, [world.probability(draw) for _ in range(goals)], trials)
    return Counter({_gate(f"passed >= {world.rate:.6f}", entries).finding: 1})


def gated_score(goals: int, trials: int, draw: random.Random) -> Counter[str]:
    low = [tone_of(draw) for _ in range(goals)]
    entries = run_of(draw, [0.5] * goals, trials, low=low)
    return Counter({_gate(f"tone >= {TONE:.6f}", entries).finding: 1})


def gated_families(goals: int, draw: random.Random) -> Counter[str]:
    """Goals come in families of five, such as one task in five words: all pass alike."""
    families = [AIRLINE.probability(draw) for _ in range(goals // 5)]
    entries = run_of(draw, [families[number // 5] for number in range(goals)], 1)
    return Counter({_gate(f"passed >= {AIRLINE.rate:.6f}", entries).finding: 1})


def _gate(text: str, entries: Sequence[Any]) -> Decided:
    return decide([text], entries)[-1]


def compared(pair: Pair, draw: random.Random) -> Counter[str]:
    """What is found of the verdict `passed`, and whether any value is worse."""
    changes = _changes(pair, draw)
    worse = any(change.finding == "worse" for change in changes)
    return Counter({changes[0].finding: 1, "any worse": int(worse)})


def compared_score(pair: Pair, draw: random.Random) -> Counter[str]:
    return Counter({_named(_changes(pair, draw), "tone").finding: 1})


def _changes(pair: Pair, draw: random.Random) -> tuple[Change, ...]:
    before, now = pair.runs(draw)
    return compare_runs(before, now, margin=MARGIN).changes  # type: ignore[arg-type]


def _named(changes: Sequence[Change], name: str) -> Change:
    return next(change for change in changes if change.name == name)


def sequential(pair: Pair, draw: random.Random) -> Counter[str]:
    """A run beside a baseline that ends once it is decided: findings, and goals played."""
    before, now = pair.runs(draw)
    run, entries = _planned(now["dialogues"], [], before)
    _, found = run.findings(results_of(entries))  # type: ignore[arg-type]
    finding = found.changes[0].finding if found else "open"
    worse = found is not None and found.worse
    return Counter({finding: 1, "any worse": int(worse), "played": _played(run)})


def sequential_gate(
    world: World, goals: int, trials: int, off: float, draw: random.Random
) -> Counter[str]:
    """A gate in such a run; `off`: how much the bound lies above the truth."""
    entries = run_of(draw, [world.probability(draw) for _ in range(goals)], trials)
    run, played = _planned(entries, [f"passed >= {world.rate + off:.6f}"], None)
    decided, _ = run.findings(results_of(played))  # type: ignore[arg-type]
    return Counter({decided[-1].finding: 1, "played": _played(run)})


def _planned(
    entries: Sequence[dict[str, Any]], gates: Sequence[str], before: Any
) -> tuple[PlannedRun, list[dict[str, Any]]]:
    """The run in the order in which its goals were drawn, which is a random one."""
    tests: dict[str, list[str]] = {}
    for entry in entries:
        tests.setdefault(entry["goal"], []).append(entry["test"])
    run = PlannedRun([PlannedGoal(*each) for each in tests.items()], gates, before)
    played = []
    for entry in entries:
        if run.decided:
            break
        run.finish(entry["test"], entry)  # type: ignore[arg-type]
        played.append(entry)
    run.end()
    return run, played


def _played(run: PlannedRun) -> int:
    return run.how_far("")["goals"]


def estimated(
    world: World, goals: int, trials: int, off: float, draw: random.Random
) -> Counter[str]:
    """A gate that is undecided, played on with ever more goals until it is not."""
    text = f"passed >= {world.rate + off:.6f}"
    entries = run_of(draw, [world.probability(draw) for _ in range(LONGEST * goals)], trials)
    first = _gate(text, entries[: goals * trials])
    if first.finding != "undecided" or first.level is None:
        return Counter()
    needed = first.level.goals_needed(first.gate.bound)
    least, most = float(goals), float(LONGEST * goals)
    while most > 1.2 * least:  # more goals decide more, by and large
        middle = math.sqrt(least * most)
        undecided = _gate(text, entries[: int(middle) * trials]).finding == "undecided"
        least, most = (middle, most) if undecided else (least, middle)
    size = math.sqrt(least * most)
    within = needed is not None and size / 2 <= needed <= 2 * size
    return Counter({"undecided": 1, "within": int(within), "less": int((needed or 0) < size / 2)})


def detected(pair: Pair, draw: random.Random) -> Counter[str]:
    """A loss of the size that a run says it would find 4 times of 5."""
    claimed = _changes(pair, draw)[0].difference.detectable
    if claimed > pair.world.rate:
        return Counter()
    worse = _changes(replace(pair, loss=claimed), draw)[0].finding == "worse"
    return Counter({"claimed": 1, "found": int(worse)})


# The tables.


def rows() -> Iterator[Row]:
    """All that is simulated."""
    yield from _alarms()
    yield from _power()
    yield from _played_shares()
    yield from _estimates()


def _alarms() -> Iterator[Row]:
    wrong = {"passes": "passed", "fails": "failed"}
    worse = {"worse": "any worse"}
    for world in (AIRLINE, BETTER):
        for trials in (1, 4):
            title = f"gate at the truth, {world.name}, trials {trials}"
            yield Row("alarms", title, _sized(gated, world, trials), wrong)
    yield Row("alarms", "gate on a score at the truth, trials 1", _goals(gated_score, 1), wrong)
    yield Row("alarms", "gate on a score at the truth, trials 4", _goals(gated_score, 4), wrong)
    for world in (AIRLINE, BETTER):
        unlike = ((1, 4), (4, 1)) if world is BETTER else ()
        for trials in ((1, 1), (4, 4), *unlike):
            title = f"nothing changed, {world.name}, trials {trials[0]} and {trials[1]}"
            yield Row("alarms", title, _pairs(compared, world=world, trials=trials), worse)
    of_five = _pairs(compared, world=AIRLINE, metrics=4)
    yield Row("alarms", "nothing changed in 5 verdicts, airline", of_five, worse)
    score = _pairs(compared_score, world=AIRLINE, judged=True)
    yield Row("alarms", "nothing changed in a score", score, {"worse": "worse"})
    for world in (AIRLINE, BETTER):
        for damage in DAMAGES:
            for each in (1, 4):
                title = f"worse by the margin, {world.name}, {damage}, trials {each}"
                lost = _pairs(
                    compared, world=world, trials=(each, each), loss=MARGIN, damage=damage
                )
                yield Row("alarms", title, lost, {"no worse": "no worse"})
    for world in (AIRLINE, BETTER):
        for each in (1, 4):
            title = f"sequential, nothing changed, {world.name}, trials {each}"
            same = _pairs(sequential, world=world, trials=(each, each))
            yield Row("alarms", title, same, worse)
            title = f"sequential, worse by the margin, {world.name}, trials {each}"
            lost = _pairs(sequential, world=world, trials=(each, each), loss=MARGIN, damage=FEW)
            yield Row("alarms", title, lost, {"no worse": "no worse"})
            title = f"sequential gate at the truth, {world.name}, trials {each}"
            yield Row("alarms", title, _sized(sequential_gate, world, each, 0.0), wrong)
    early = _pairs(sequential, world=BETTER, trials=(1, 4))
    yield Row("alarms", "sequential, nothing changed, trials 1 and 4", early, worse)
    yield Row(
        "not claimed",
        "gate at the truth, families of 5 goals that are alike",
        _goals(gated_families),
        wrong,
    )
    hour = _pairs(compared, world=AIRLINE, shock=0.1)
    yield Row(
        "not claimed",
        "same bot, but the second run is off by 4 points (sd), as in a bad hour",
        hour,
        worse,
    )


def _power() -> Iterator[Row]:
    for points in (10, 20):
        how = {"world": BETTER, "loss": points / 100}
        for apart, called in COPIES.items():
            play = _pairs(compared, metrics=4 if called else 0, apart=apart, **how)
            title = f"-{points} points, {called or 'one verdict'}, better bot"
            yield Row("power", title, play, {"any worse": "any worse"})
    for damage in DAMAGES:
        for trials in (1, 4):
            for points in (5, 10, 20):
                title = f"{damage}, -{points} points, trials {trials}"
                how = {"trials": (trials, trials), "loss": points / 100, "damage": damage}
                yield Row(
                    "power", title, _pairs(compared, world=AIRLINE, **how), {"worse": "worse"}
                )
                if damage == ALL:
                    play = _pairs(sequential, world=AIRLINE, **how)
                    told = {"worse": "worse", "goals played": "played"}
                    yield Row("power", f"sequential, {title}", play, told)


def _played_shares() -> Iterator[Row]:
    shown = {"goals played": "played", "worse": "worse", "no worse": "no worse"}
    for points in BASE_POINTS:
        play = _pairs(sequential, world=BETTER, loss=-points / 100)
        yield Row("played", BASE_TITLE.format(points), play, shown)
    for points in GATE_POINTS:
        gate = _sized(sequential_gate, AIRLINE, 1, -points / 100)
        told = {"goals played": "played", "passes": "passed", "fails": "failed"}
        yield Row("played", GATE_TITLE.format(points), gate, told)


def _estimates() -> Iterator[Row]:
    for points in (3, 6, 10):
        play = _sized(estimated, AIRLINE, 1, points / 100)
        told = {"within a factor of 2": "within", "too few by more": "less"}
        yield Row("estimates", f"goals needed, gate {points} points off", play, told, "undecided")
    for trials in (1, 4):
        play = _pairs(detected, world=AIRLINE, trials=(trials, trials))
        title = f"detectable difference, trials {trials}"
        yield Row("estimates", title, play, {"found (said: 80 %)": "found"}, "claimed")


def _sized(play: Callable[..., Counter[str]], world: World, *more: Any) -> Callable[[int], Play]:
    return lambda goals: lambda draw: play(world, goals, *more, draw)


def _goals(play: Callable[..., Counter[str]], *more: Any) -> Callable[[int], Play]:
    return lambda goals: lambda draw: play(goals, *more, draw)


def _pairs(play: Callable[..., Counter[str]], **how: Any) -> Callable[[int], Play]:
    return lambda goals: lambda draw: play(Pair(goals=goals, **how), draw)


Counts = dict[str, dict[str, int]]
"""What was counted, by row and number of goals."""
Shares = dict[tuple[str, str, int], float]
"""By a row's title, what is shown of it, and the number of goals."""


def main() -> None:
    options = _options()
    chosen = [
        row for row in rows() if options.part in (None, row.part) and options.only in row.title
    ]
    found = _shares(chosen, options.goals, _simulated(chosen, options))
    for part in dict.fromkeys(row.part for row in chosen):
        print(f"\n{part}: {PARTS[part]}")
        table = [["", *(f"{goals} goals" for goals in options.goals)]]
        for row in (row for row in chosen if row.part == part):
            for name in row.shown:
                shares = (found[row.title, name, goals] for goals in options.goals)
                table.append([f"{row.title}: {name}", *(f"{share:.1%}" for share in shares)])
        print("\n".join(aligned(table)))
    if options.plots:
        draw_plots(found, options.plots)
    if options.figures:
        said = worst_rows(found) if options.part == "alarms" else copies_said(found)
        figures.keep("docs/measurements.md", list(said))


WORST = {
    "a gate passes a bot at its bound": ("gate", "passes"),
    "a gate fails a bot at its bound": ("gate", "fails"),
    "`worse`, and nothing changed": ("nothing changed", "worse"),
    "`no worse by 0.05`, and 5 points worse": ("worse by the margin", "no worse"),
}
"""By row of the table in docs/measurements.md: how the titles begin, and what is shown of them."""


def worst_rows(found: Shares) -> Iterator[str]:
    """The table in the docs: the worst of all simulated bots, by number of goals."""
    for before in ("", "sequential: "):
        for said, (kind, shown) in WORST.items():
            start = (before and "sequential, ") + kind
            if before and kind == "gate":
                start = "sequential gate at the truth"
            worst = (
                max(
                    share
                    for (title, name, goals), share in found.items()
                    if (title.startswith(start), name, goals) == (True, shown, size)
                )
                for size in SIZES
            )
            cells = (f"{100 * share:.1f} %" for share in worst)
            yield f"| {before}{said} | {' | '.join(cells)} |"


def copies_said(found: Shares) -> Iterator[str]:
    """What docs/measurements.md says of verdicts that are alike."""
    titles = [f"-10 points, {called or 'one verdict'}, better bot" for called in COPIES.values()]
    shares = [f"{100 * found[title, 'any worse', 50]:.0f} %" for title in titles]
    yield (
        "a loss of 10 points is found by 50 goals in {} of runs with one verdict, in {} with five "
        "copies of it, in {} with five near-copies".format(*shares)
    )


def _shares(chosen: Sequence[Row], sizes: Sequence[int], counts: Counts) -> Shares:
    found: Shares = {}
    for row in chosen:
        for goals in sizes:
            total = counts[_key(row, goals)]
            for name, counted in row.shown.items():
                whole = total.get(row.out_of, 0) * (goals if counted == "played" else 1)
                share = total.get(counted, 0) / whole if whole else math.nan
                found[row.title, name, goals] = share
    return found


def draw_plots(found: Shares, folder: Path) -> None:
    """The figures of docs/measurements.md."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [str(goals) for goals in SIZES]

    def curve(name: str, title: str, shown: str, colour: int, *, dashed: bool = False) -> Curve:
        return Curve(name, [found[title, shown, goals] for goals in SIZES], colour, dashed)

    def alarms(trials: int) -> Panel:
        gate = f"gate at the truth, airline, trials {trials}"
        return Panel(
            f"Errors, {trials} trial{'s' * (trials > 1)} a goal",
            "goals",
            sizes,
            0.1,
            [
                curve("gate passes a bot below its bound", gate, "passes", 0),
                curve("gate fails a bot above its bound", gate, "fails", 1),
                curve(
                    "`worse`, and nothing changed",
                    f"nothing changed, airline, trials {trials} and {trials}",
                    "worse",
                    2,
                ),
                curve(
                    "the same, in a sequential run",
                    f"sequential, nothing changed, airline, trials {trials}",
                    "worse",
                    3,
                ),
            ],
            limit=0.05,
        )

    def power(damage: str) -> Panel:
        return Panel(
            f"Losses found: {damage}",
            "goals",
            sizes,
            1.0,
            [
                curve(
                    f"-{points} points, {trials} trial{'s' * (trials > 1)} a goal",
                    f"{damage}, -{points} points, trials {trials}",
                    "worse",
                    colour,
                    dashed=trials == 1,
                )
                for colour, points in enumerate((20, 10, 5))
                for trials in (4, 1)
            ],
        )

    def played(what: str, x_title: str, title: str, points: Sequence[int]) -> Panel:
        return Panel(
            what,
            x_title,
            [f"{each:+d}" if each else "0" for each in points],
            1.0,
            [
                Curve(
                    f"{goals} goals planned",
                    [found[title.format(each), "goals played", goals] for each in points],
                    colour,
                )
                for colour, goals in enumerate(SIZES)
            ],
        )

    figures = {
        "gate_alarms": [alarms(1), alarms(4)],
        "gate_power": [power(damage) for damage in DAMAGES],
        "gate_played": [
            played("Goals played: gate", "points from the bound", GATE_TITLE, GATE_POINTS),
            played("Goals played: baseline", "points from the baseline", BASE_TITLE, BASE_POINTS),
        ],
    }
    for name, panels in figures.items():
        (folder / f"{name}.svg").write_text(chart(panels), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--part", choices=PARTS, help="only this table")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with this in their title")
    parser.add_argument("--goals", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--runs", type=int, default=400, help="simulated for each number")
    parser.add_argument("--fast", action="store_true", help="a tenth of them")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="JSON", help="go on from what stands there")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw the figures there, too")
    parser.add_argument(
        figures.OPTION, action="store_true", help="note what docs/measurements.md says"
    )
    options = parser.parse_args()
    copies = (options.part, options.only, options.goals) == ("power", "better bot", [50])
    if options.figures and not copies and (options.part != "alarms" or options.only):
        parser.error('--figures: --part alarms, or --part power --only "better bot" --goals 50')
    if options.plots and (options.part or options.only or options.goals != SIZES):
        parser.error("--plots draws from all tables: leave out --part, --only and --goals")
    options.runs = max(1, options.runs // (10 if options.fast else 1))
    return options


def _simulated(chosen: Sequence[Row], options: argparse.Namespace) -> Counts:
    """What is counted of each row and number of goals, unless it is kept."""
    kept: Counts = {}
    if options.keep and options.keep.exists():
        kept = json.loads(options.keep.read_text("utf-8"))
    places = {row.title: place for place, row in enumerate(rows())}
    with ProcessPoolExecutor(options.processes) as pool:
        asked = {
            pool.submit(_counted, places[row.title], goals, options.runs): _key(row, goals)
            for row in chosen
            for goals in options.goals
            if kept.get(_key(row, goals), {}).get("runs", 0) < options.runs
        }
        for done in as_completed(asked):
            kept[asked[done]] = dict(done.result())
            if options.keep:
                options.keep.write_text(json.dumps(kept, indent=1, sort_keys=True), "utf-8")
    return kept


def _key(row: Row, goals: int) -> str:
    return f"{row.title}, {goals} goals"


def _counted(place: int, goals: int, runs: int) -> Counter[str]:
    """Summed up over the runs, whose seeds hang on the row and the goals alone."""
    row = list(rows())[place]
    if row.part != "estimates":  # "N goals more", which decides nothing, takes most of the time
        level.first_goals = paired.first_goals = lambda *_: None
    else:
        level.first_goals = paired.first_goals = more_goals.first_goals
    play, total = row.play(goals), Counter({"runs": runs})
    for number in range(runs):
        total.update(play(random.Random(f"{_key(row, goals)} {number}")))
    return total


if __name__ == "__main__":
    main()
