"""The goal that a recorded user spoke for: its digest, and what a run says of another one."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.integration.recording import goal_digest
from pytest_todeval.runs.reports.results import dialogue_entry
from pytest_todeval.runs.reports.terminal import OTHER_GOAL, other_goal_lines

GOAL = Goal(
    "g",
    "own",
    (DomainGoal("spa", {"treatment": "sauna", "day": "monday"}),),
    ("You want a sauna.",),
    opening=(Turn(0, "Hello?", "Hello."),),
    raw={"actions": [{"name": "book", "kwargs": {"people": 2, "by": 1.5}}], "tags": {"b", "a"}},
)

CHANGES: dict[str, dict[str, Any]] = {
    "message": {"message": ("You want a bath.",)},
    "slot": {"domains": (DomainGoal("spa", {"treatment": "bath", "day": "monday"}),)},
    "opening": {"opening": (Turn(0, "Hello?", "Yes?"),)},
    "solution": {"solution": "Turn it off."},
    "actions": {"raw": {"actions": []}},
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_told_or_rewarded_makes_another_goal(change: str) -> None:
    assert goal_digest(replace(GOAL, **CHANGES[change])) != goal_digest(GOAL)


def test_where_a_goal_comes_from_and_the_order_of_its_slots_make_no_other_goal() -> None:
    slots = {"day": "monday", "treatment": "sauna"}
    same = replace(GOAL, source="elsewhere", published=True, domains=(DomainGoal("spa", slots),))
    assert goal_digest(same) == goal_digest(GOAL)


def test_every_process_and_version_finds_the_same_goal() -> None:
    """A digest that changes makes every cassette in the world one of another goal."""
    assert goal_digest(GOAL) == "2cd5e6bd54b6"


def told(*tests: str) -> list[str]:
    noted = Dialogue(GOAL, notes=("another note", OTHER_GOAL))
    silent = dialogue_entry(replace(noted, notes=("x",)), test="t::y", outcome=Outcome.PASSED)
    entries = [dialogue_entry(noted, test=test, outcome=Outcome.FAILED) for test in tests]
    return list(other_goal_lines([silent, *entries]))


def test_tests_whose_user_was_recorded_for_another_goal_are_listed_and_counted() -> None:
    assert told() == []
    lines = told(*(f"t::{n:02}" for n in reversed(range(12))))
    assert [line.partition("test ")[2][:5] for line in lines[:10]] == [
        f"t::{n:02}" for n in range(10)
    ]
    assert lines[10:] == ["  and 2 more tests whose user was recorded for another goal"]


def test_a_hostile_name_of_a_test_reaches_neither_terminal_nor_shell() -> None:
    (line,) = told("t::x[\x1b[2J$(rm)]")
    assert "\x1b" not in line
    assert '"t::x[\\x1b[2J\\$(rm)]"' in line
