"""Garbage is the simulator's, whatever it names of its goal; who is clumsy and honest is a user."""

from collections.abc import Iterator

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.simulation.llm_user import STRATEGIES
from tests.support.garbage_world import BOTS, TABLES, ScriptTable, outcome, play

Case = tuple[str, str, str, str]


def cases(expected: str, step: int = 1) -> Iterator[tuple[ScriptTable, str]]:
    """Each script that is expected to be so, or each `step`th."""
    tables = (table for table in TABLES if table.expected == expected)
    found = [(table, name) for table in tables for name in table.scripts]
    yield from found[::step]


def wrong(expected: str, strategies: int, step: int = 1) -> dict[Case, str]:
    """What does not come to what it should; each script is played by so many strategies in turn."""
    found, names, bots = {}, list(STRATEGIES), list(BOTS)
    for at, (table, name) in enumerate(cases(expected, step)):
        for n in range(at, at + strategies):
            strategy, bot = names[n % len(names)], bots[(at + n) % len(bots)]
            told = outcome(play(table, name, strategy, bot))
            if (told == Outcome.SIMULATOR_FAULT) != (expected == "garbage"):
                found[table.goal, name, strategy, bot] = told
    return found


@pytest.mark.parametrize(("expected", "step"), [("garbage", 9), ("clumsy", 8)])
def test_some_scripts_come_to_what_they_are(expected: str, step: int) -> None:
    assert len(list(cases(expected))) >= {"garbage": 100, "clumsy": 30}[expected]
    assert wrong(expected, 1, step) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("expected", ["garbage", "clumsy"])
def test_all_scripts_come_to_what_they_are(expected: str) -> None:
    """Each by three strategies in turn; `benchmarks/garbage_users.py` plays them by each."""
    assert wrong(expected, 3) == {}


@pytest.mark.parametrize("bot", BOTS)
def test_half_a_goal_that_was_not_served_either_is_no_pass(bot: str) -> None:
    for table, name in cases("either"):
        assert outcome(play(table, name, "llm", bot)) != Outcome.PASSED
