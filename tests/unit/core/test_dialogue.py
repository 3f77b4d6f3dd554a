"""What a dialogue tells of all its turns."""

import copy
import pickle
from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.latency import Latency
from pytest_todeval.core.outcome import StopReason

CALLS = ToolCall("find"), ToolCall("book"), ToolCall("pay")
TALK = Dialogue(
    Goal("1", "own", ()),
    (Turn(1, "Hi", "Hello", CALLS[:2]), Turn(2, "So?", "Hm"), Turn(3, "Bye", "Bye", CALLS[2:])),
    detail="broken\npipe",
)


def test_its_calls_are_those_of_all_turns_in_order() -> None:
    assert TALK.tool_calls == CALLS


def test_it_is_shown_by_its_goal_and_its_end() -> None:
    ended = replace(TALK, stop_reason=StopReason.USER_GAVE_UP)
    assert repr(ended) == f"<Dialogue {TALK.goal.name}, user_gave_up in turn 3>"


def test_a_verdict_that_it_lacks_is_told() -> None:
    with pytest.raises(AttributeError, match=r"no verdict 'booking' .*it has not been evaluated"):
        TALK.booking  # noqa: B018


def test_a_misspelt_field_of_a_turn_is_told_and_turns_are_copied_as_ever() -> None:
    turn = TALK.turns[0]
    with pytest.raises(AttributeError, match="no attribute 'sytem': did you mean 'system'"):
        turn.sytem  # type: ignore[attr-defined]  # noqa: B018
    assert copy.deepcopy(turn) == pickle.loads(pickle.dumps(turn)) == turn


def test_only_the_first_line_of_why_it_ended_is_told() -> None:
    (first, *_) = TALK.explain().splitlines()
    assert first.endswith("(broken)")


def test_percentiles_of_many_turns_are_exact() -> None:
    found = Latency.of({turn: float(turn) for turn in range(1, 1001)})
    assert (found.p50, found.p90, found.worst) == (500, 900, 1000)
