"""Suites of 1 to 50 goals: what a broken bot comes to, by size, by what is left to chance.

    python benchmarks/small_suites.py [--runs 40]      # simulated: 10 minutes of a CPU
    python benchmarks/small_suites.py --played         # by pytest itself: 15 minutes of a CPU
    python benchmarks/small_suites.py --played --goals 3 --broken all    # some of it

Baseline: all goals passed, or flipped as the run does. Then all, half, one or no goals break.
`sure`: nothing is left to chance. `flips 5 %`, `flips 20 %`: each dialogue fails as often by
itself, then and now. The gate is one that the bot meets if nothing broke. Simulated: entries are
made up, and go through the code of `pytest --todeval-baseline`, `todeval gate` and
`--todeval-sequential`.
Played: a bot and its goals in a folder, each line a command that a user would give. Each runs in a
process of its own, forked from one that has imported what they import.
"""

import argparse
import json
import os
import random
import re
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache, partial
from glob import glob
from importlib import import_module
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

import figures
import pytest
from gate_world import results_of

from pytest_todeval import cli
from pytest_todeval.runs.reports.comparison.comparing import compare_runs
from pytest_todeval.runs.reports.gates.deciding import decide
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.sequential.planned_run import PlannedGoal, PlannedRun
from pytest_todeval.runs.reports.table import aligned
from pytest_todeval.runs.statistics import level, paired

SIZES = (1, 2, 3, 5, 7, 10, 20, 50)
BROKEN: Mapping[str, Callable[[int], int]] = {
    "all": lambda goals: goals,
    "half": lambda goals: (goals + 1) // 2,
    "one": lambda _: 1,
    "none": lambda _: 0,
}
FLIPS: Mapping[str, float | None] = {"sure": None, "flips 5 %": 0.05, "flips 20 %": 0.2}
HOW = ("baseline", "gate", "both", "sequential")
PLAYED = (*HOW, "shards", "-n 2")
GATE = "booking >= 0.75"
NO_CHANGE = 5
"""Times the runs where nothing changed: a share of 5 % takes more of them."""


class Cell(NamedTuple):
    """One kind of run."""

    broken: str
    chance: str
    how: str
    goals: int


# Simulated.


def simulated(runs: int, sizes: Sequence[int], *, noted: bool) -> Iterator[str]:
    """Shares of exit codes; `noted`: among the figures of the docs."""
    level.first_goals = paired.first_goals = lambda *_: None  # "N goals more" decides nothing
    cells = [Cell(*each) for each in product(BROKEN, FLIPS, HOW, sizes)]
    times = [_times(cell, runs) for cell in cells]
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip(cells, pool.map(_codes, cells, times, chunksize=4), strict=True))
    yield "exit codes: share of 10 / share of 1, 11, 12 / share of 0"
    rows = [["broken, chance, held to", *(f"{n} goals" for n in sizes)]]
    for broken, chance, how in product(BROKEN, FLIPS, HOW):
        each = [_shares(found[Cell(broken, chance, how, n)]) for n in sizes]
        rows.append([f"{broken}, {chance}, {how}", *each])
    yield from aligned(rows)
    alarms = {
        cell: codes[10] / codes.total() for cell, codes in found.items() if cell.broken == "none"
    }
    passed = [cell for cell, codes in found.items() if cell.broken == "all" and codes[0]]
    yield f"all broken, and exit code 0: {len(passed)} of {_number(found, 'all')} cells"
    worst = max(alarms, key=lambda cell: alarms[cell])
    where = ", ".join(map(str, worst))
    yield f"nothing changed, and exit code 10: {alarms[worst]:.1%} at most ({where})"
    if noted:
        beside = found[Cell("none", "flips 5 %", "baseline", 50)]
        told = [
            f"nothing changed, {100 * alarms[worst]:.0f} % of runs at most exit with 10",
            f"{100 * beside[11] / beside.total():.0f} % of runs beside a baseline are undecided",
        ]
        figures.keep("docs/measurements.md", told)


def _number(found: Mapping[Cell, object], broken: str) -> int:
    return sum(cell.broken == broken for cell in found)


def _times(cell: Cell, runs: int) -> int:
    if FLIPS[cell.chance] is None:
        return 1
    return runs * (NO_CHANGE if cell.broken == "none" else 1)


def _shares(codes: Counter[int]) -> str:
    worse, right, total = codes[10], codes[0], codes.total()
    return "/".join(f"{100 * n / total:.0f}" for n in (worse, total - worse - right, right))


def _codes(cell: Cell, times: int) -> Counter[int]:
    return Counter(_code(random.Random(f"{cell} {number}"), cell) for number in range(times))


def _code(draw: random.Random, cell: Cell) -> int:
    flips, broken = FLIPS[cell.chance], BROKEN[cell.broken](cell.goals)
    before: Any = results_of([_entry(draw, n, flips, broken=False) for n in range(cell.goals)])
    entries = [_entry(draw, n, flips, broken=n < broken) for n in range(cell.goals)]
    draw.shuffle(entries)
    base = None if cell.how == "gate" else before
    gates = [] if cell.how == "baseline" else [GATE]
    now: Any = results_of(entries)
    if cell.how == "sequential":
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


# Played.

CONFTEST = """
import os, random
import pytest
from pytest_todeval.systems import RuleSystem

BROKEN, FLIPS = os.environ["BROKEN"].split(), float(os.environ["FLIPS"])

class Bot:
    def __init__(self, backend, goal_id):
        broken = any(name.endswith(goal_id) for name in BROKEN)
        fails = broken or (FLIPS and random.random() < FLIPS)
        self._bot = None if fails else RuleSystem(backend)

    def respond(self, text):
        return "Something went wrong." if self._bot is None else self._bot.respond(text)

@pytest.fixture
def tod_system():
    return Bot
"""
TEST = """
import pytest
from pytest_todeval import synthetic

@pytest.mark.goals(synthetic("demo", 100, seed=3), booking=True, limit={goals})
def test_books(dialogue):
    assert dialogue.booking
"""
QUIET = "filterwarnings = ignore::pytest.PytestAssertRewriteWarning\n"
"""Of what was imported before."""
BASE = "--todeval-baseline=baseline.json"
COMMANDS: Mapping[str, Sequence[str]] = {
    "baseline": [f"pytest {BASE}"],
    "gate": [f"pytest --todeval-gate='{GATE}'"],
    "both": [f"pytest {BASE} --todeval-gate='{GATE}'"],
    "sequential": [f"pytest {BASE} --todeval-gate='{GATE}' --todeval-sequential=1"],
    "shards": [
        *(
            f"pytest --todeval-shard={n}/2 --todeval-gate='faults <= 0.1' "
            f"--todeval-undecided=later --todeval-json=shard{n}.json"
            for n in (1, 2)
        ),
        "todeval merge shard*.json --json all.json",
        f"todeval gate all.json '{GATE}' --baseline baseline.json",
    ],
    "-n 2": [f"pytest -n 2 {BASE} --todeval-gate='{GATE}'"],
}


class Played(NamedTuple):
    """What the last command came to."""

    code: int
    first_line: str
    named: bool
    """Whether it printed each broken goal's name."""


def played(
    folder: Path, sizes: Sequence[int], broken: Sequence[str], processes: int
) -> Iterator[str]:
    """First lines of pytest itself, each as soon as it is known; then the exit codes."""
    for goals in sizes:
        _suite(folder / str(goals), goals)
    rows = [
        (which, chance, how)
        for which, chance, how in product(broken, FLIPS, PLAYED)
        if chance == "sure" or which == "all"  # other flips: hundreds of runs, simulated
    ]
    cells = [Cell(*row, n) for row in rows for n in sizes]
    found: dict[Cell, Played] = {}
    with ProcessPoolExecutor(processes) as pool:
        for cell, done in zip(cells, pool.map(partial(_played, folder), cells), strict=True):
            found[cell] = done
            yield f"{done.code:3}  {_name(cell)}: {done.first_line:.150}"
    table = [["exit codes: broken, chance, held to", *(f"{n} goals" for n in sizes)]]
    for row in rows:
        table.append([", ".join(row), *(str(found[Cell(*row, n)].code) for n in sizes)])
    yield from ["", *aligned(table)]
    yield from _verdicts(found)


def _verdicts(found: Mapping[Cell, Played]) -> Iterator[str]:
    """What must not be, counted and named."""
    sure = [cell for cell in found if cell.chance == "sure"]
    beside = [c for c in sure if c.how not in ("gate", "sequential")]
    kinds = {
        "all broken, and exit code 0": (
            cells := [cell for cell in found if cell.broken == "all"],
            [cell for cell in cells if not found[cell].code],
        ),
        "nothing left to chance: broken and exit code 0, or not broken and another": (
            sure,
            [cell for cell in sure if (cell.broken == "none") == bool(found[cell].code)],
        ),
        "nothing left to chance, beside a baseline: a broken goal that is not named": (
            beside,
            [cell for cell in beside if not found[cell].named],
        ),
    }
    for what, (of, wrong) in kinds.items():
        yield f"{what}: {len(wrong)} of {len(of)}"
        yield from (f"  {_name(cell)}" for cell in wrong)


def _name(cell: Cell) -> str:
    return f"{cell.broken}, {cell.chance}, {cell.how}, {cell.goals} goals"


def _suite(folder: Path, goals: int) -> None:
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q -p no:cacheprovider\n" + QUIET)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_bot.py").write_text(TEST.format(goals=goals))
    _run(folder, "pytest --todeval-json=passed.json", [], 0.0)
    _run(folder, "todeval baseline update passed.json baseline.json", [], 0.0)
    live = json.loads((folder / "baseline.json").read_text())
    for entry in live["dialogues"]:
        entry["chance"] = ["random numbers of the bot"]
    (folder / "live.json").write_text(json.dumps(live))


def _played(folder: Path, cell: Cell) -> Played:
    flips, suite = FLIPS[cell.chance] or 0.0, folder / str(cell.goals)
    names = [entry["goal"] for entry in json.loads((suite / "live.json").read_text())["dialogues"]]
    broken = names[: BROKEN[cell.broken](cell.goals)]
    code, printed = 0, ""
    with TemporaryDirectory(dir=folder) as place:
        for path in suite.iterdir():
            if path.is_file():
                (Path(place) / path.name).write_bytes(path.read_bytes())
        if flips:
            (Path(place) / "live.json").rename(Path(place) / "baseline.json")
        for command in COMMANDS[cell.how]:
            code, printed = _run(Path(place), command, broken, flips)
    lines = printed.splitlines()
    ruled = re.compile(r"(passed|failed|undecided|unreliable|open)\b.*: ")
    first = next((line for line in lines if ruled.match(line)), lines[-1] if lines else "")
    return Played(code, first, all(name in printed for name in broken))


def _run(folder: Path, command: str, broken: Sequence[str], flips: float) -> tuple[int, str]:
    """Exit code and output of a command, by a fork of this process."""
    _import_all()
    with TemporaryFile("w+") as out:
        pid = os.fork()
        if not pid:
            os.environ |= {"BROKEN": " ".join(broken), "FLIPS": str(flips)}
            os._exit(_end(folder, command, out.fileno()))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        return code, out.read()


def _end(folder: Path, command: str, out: int) -> int:
    """The exit code; prints into the file. Of a fork that ends now."""
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.chdir(folder)
    os.environ |= {"COLUMNS": "2000", "NO_COLOR": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    os.environ["PYTEST_PLUGINS"] = "pytest_todeval.plugin,xdist.plugin"  # of any others, nothing
    random.seed()
    program, *words = shlex.split(command)
    words = [each for word in words for each in (sorted(glob(word)) if "*" in word else [word])]
    try:
        code = int(pytest.main(words) if program == "pytest" else cli.main(words))
    except SystemExit as error:
        code = int(error.code or 0)
    sys.stdout.flush()
    sys.stderr.flush()
    return code


@cache
def _import_all() -> None:
    """Import what a run imports, found by one, so that the forks need not."""
    with TemporaryDirectory() as place, TemporaryFile("w+") as out:
        folder = Path(place)
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "test_bot.py").write_text(TEST.format(goals=2))
        pid = os.fork()
        if not pid:
            os.environ |= {"BROKEN": "/", "FLIPS": "0"}
            _end(folder, f"pytest --todeval-gate='{GATE}' --todeval-json=r.json", out.fileno())
            _end(folder, "todeval gate r.json 'booking >= 0' --baseline r.json", out.fileno())
            (folder / "names").write_text(" ".join(sys.modules))
            os._exit(0)
        os.waitpid(pid, 0)
        names = (folder / "names").read_text().split()
    for name in names:
        if name.partition(".")[0] in ("pytest_todeval", "pydantic", "yaml"):
            with suppress(ImportError):
                import_module(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=40, help="simulated for each cell")
    parser.add_argument("--goals", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--broken", nargs="+", choices=BROKEN, default=list(BROKEN))
    parser.add_argument("--processes", type=int, default=2, help="of those that are played")
    parser.add_argument("--played", action="store_true", help="by pytest, not simulated")
    parser.add_argument(
        figures.OPTION, action="store_true", help="note what docs/measurements.md says"
    )
    options = parser.parse_args()
    if options.played:
        with TemporaryDirectory() as place:
            for line in played(Path(place), options.goals, options.broken, options.processes):
                print(line, flush=True)
    else:
        print("\n".join(simulated(options.runs, options.goals, noted=options.figures)))


if __name__ == "__main__":
    main()
