"""Numbers in the docs that the code gives are those that it gives."""

from collections.abc import Callable

import pytest

from pytest_todeval.reports.comparison.comparing import ALPHA
from pytest_todeval.statistics.level import goals_to_reach
from pytest_todeval.statistics.paired import difference_of
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
