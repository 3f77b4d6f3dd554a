"""Suites of 1 to 50 goals: what a broken bot comes to, by size, by what is left to chance.

    python benchmarks/small_suites.py [--runs 40]      # simulated: 10 minutes of a CPU
    python benchmarks/small_suites.py --played         # by pytest itself: 15 minutes of a CPU

Baseline: all goals passed, or flipped as the run does. Then all, half, one or no goals break.
`sure`: nothing is left to chance. `flips 5 %`, `flips 20 %`: each dialogue fails as often by
itself, then and now. The gate is one that the bot meets if nothing broke. Simulated: entries are
made up, and go through the code of `pytest --todeval-baseline`, `todeval gate` and
`--todeval-sequential`.
Played: a bot and its goals in a folder, each line a command that a user would give.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from gate_world import results_of

from pytest_todeval.reports.comparison.comparing import compare_runs
from pytest_todeval.reports.gates.deciding import decide
from pytest_todeval.reports.gates.ruling import Ruling
from pytest_todeval.reports.sequential.planned_run import PlannedGoal, PlannedRun
from pytest_todeval.reports.table import aligned
from pytest_todeval.statistics import level, paired

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


def simulated(runs: int, sizes: Sequence[int]) -> Iterator[str]:
    """Shares of exit codes."""
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


def played(folder: Path, sizes: Sequence[int]) -> Iterator[str]:
    """Exit codes and first lines of pytest itself, each as soon as it is known."""
    for goals in sizes:
        _suite(folder / str(goals), goals)
    sure = [Cell(*each) for each in product(BROKEN, ["sure"], PLAYED, sizes)]
    flipping = [Cell(*each) for each in product(["all"], list(FLIPS)[1:], PLAYED, sizes)]
    cells = [*sure, *flipping]
    wrong, beside, unnamed = list[str](), 0, list[str]()
    with ThreadPoolExecutor(2) as pool:
        for cell, found in zip(cells, pool.map(partial(_played, folder), cells), strict=True):
            named = f"{cell.broken}, {cell.chance}, {cell.how}, {cell.goals} goals"
            yield f"{found.code:3}  {named}: {found.first_line:.150}"
            if (cell.broken == "none") == bool(found.code):
                wrong.append(named)
            if cell in sure and cell.how not in ("gate", "sequential"):
                beside += 1
                unnamed += [] if found.named else [named]
    yield f"broken and exit code 0, or not broken and another: {len(wrong)} of {len(cells)}"
    yield f"broken goals that are not named, beside a baseline: {len(unnamed)} of {beside}"
    yield from [*wrong, *unnamed]


def _suite(folder: Path, goals: int) -> None:
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q -p no:cacheprovider\n")
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
    program = "pytest" if command.startswith("pytest") else "pytest_todeval.cli"
    words = re.sub(r"^\w+", f"{sys.executable} -m {program}", command)
    chosen = {"BROKEN": " ".join(broken), "FLIPS": str(flips)}
    done = subprocess.run(
        ["sh", "-c", words],
        cwd=folder,
        env={**os.environ, **chosen, "COLUMNS": "2000", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=40, help="simulated for each cell")
    parser.add_argument("--goals", type=int, nargs="+", default=SIZES, metavar="N")
    parser.add_argument("--played", action="store_true", help="by pytest, not simulated")
    options = parser.parse_args()
    if options.played:
        with TemporaryDirectory() as place:
            for line in played(Path(place), options.goals):
                print(line, flush=True)
    else:
        print("\n".join(simulated(options.runs, options.goals)))


if __name__ == "__main__":
    main()
