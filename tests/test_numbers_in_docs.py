"""Numbers in the docs that the code gives are those that it gives."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from pytest_todeval.runs.reports.comparison.comparing import ALPHA
from pytest_todeval.runs.statistics.level import goals_to_reach
from pytest_todeval.runs.statistics.paired import difference_of
from pytest_todeval.worlds import registry
from tests.conftest import PROJECT


def goals_of(name: str) -> int:
    return len(registry.load(name).goals)


def steady_goals() -> int:
    """How many goals, all as before, show that a bot is no worse by 0.05."""
    every = range(50, 100)
    return next(
        n
        for n in every
        if difference_of({str(g): (1.0, 1.0) for g in range(n)}).interval.low >= -0.05
    )


def least_broken() -> int:
    return next(n for n in range(1, 20) if 0.5**n <= ALPHA)


NUMBERS: dict[str, tuple[str, str, Callable[[], int | None]]] = {
    "goals of the demo": (
        "README.md",
        "{} goals of an invented town",
        lambda: goals_of("demo"),
    ),
    "goals of the desk": ("docs/goals.md", "{} tasks over tools", lambda: goals_of("service_desk")),
    "no worse": (
        "docs/gates.md",
        "it takes {} of them to show that a bot is no worse",
        steady_goals,
    ),
    "a gate": (
        "docs/gates.md",
        "booking >= 0.85 even at their best (it takes {})",
        lambda: goals_to_reach(">=", 0.85, (0.0, 1.0)),
    ),
    "a baseline": ("docs/gates.md", "at least {} have to break", least_broken),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_what_the_code_gives(name: str) -> None:
    path, text, number = NUMBERS[name]
    said = " ".join((PROJECT / path).read_text(encoding="utf-8").split())
    assert text.format(number()) in said


COMMAND = re.compile(r"`(python benchmarks/[^`]+)`")
FIGURES = json.loads((PROJECT / "benchmarks" / "figures.json").read_text("utf-8"))
"""What benchmarks noted, by command."""
NOT_NOTED = {
    "python benchmarks/failure_kinds.py",
    'python benchmarks/gate_errors.py --part power --only "better bot" --goals 50',
    "python benchmarks/goals_from_conversations.py",
    "python benchmarks/gold_alarms.py",
    "python benchmarks/log_cost.py",
    "python benchmarks/made_up_goals.py",
    "python benchmarks/small_suites.py",
    "python benchmarks/tau_steps.py",
    "python benchmarks/train_classifier.py --measure",
    "python benchmarks/variations.py --data FOLDER --show failed",
}
"""Commands whose figures their benchmark has not noted yet, see `benchmarks/figures.py`."""


def flat(document: str) -> str:
    return " ".join((PROJECT / document).read_text(encoding="utf-8").split())


def figures_said() -> Iterator[str]:
    """The commands that stand beside a figure in the docs, or above a table of them."""
    for path in (PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))):
        text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        blocks = [*re.split(r"\n\s*\n", text), ""]
        for block, following in pairwise(blocks):
            figures = re.search(r"\d", re.sub(r"`[^`]*`", "", block)) or following.startswith("|")
            if figures and not block.startswith("|"):
                yield from (" ".join(each.split()) for each in COMMAND.findall(block))


@pytest.mark.parametrize("command", FIGURES)
def test_a_figure_is_what_its_benchmark_noted(command: str) -> None:
    text = flat(FIGURES[command]["document"])
    assert f"`{command}`" in text.replace('"', "'")
    assert [each for each in FIGURES[command]["says"] if " ".join(each.split()) not in text] == []


def test_each_figure_with_a_command_was_noted() -> None:
    noted = {command.replace("'", '"') for command in FIGURES}
    assert {*figures_said()} - noted == NOT_NOTED


@pytest.mark.thorough
def test_statistics_hold_at_their_edges() -> None:
    words = ["benchmarks/edges.py", "--runs", "60", "--only", "off_scale", "history", "arena"]
    done = subprocess.run([sys.executable, *words], cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
