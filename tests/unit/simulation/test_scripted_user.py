"""A user that says what it was told to say."""

from typing import Any

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.simulation.user import UserSimulator, Utterance


def test_says_its_lines_then_is_done() -> None:
    user = ScriptedUser(["Hello", "A hotel, please"])
    assert isinstance(user, UserSimulator)
    assert user.respond(None) == Utterance("Hello")
    assert user.respond(Turn(1, "Hello", "Hi")) == Utterance("A hotel, please")
    last = user.respond(Turn(2, "A hotel, please", "Sure"))
    assert last.stop is StopReason.USER_DONE
    assert user.respond(None).stop is StopReason.USER_DONE


def test_callables_see_the_turn_and_may_skip_or_leave() -> None:
    gone = Utterance("Bye", StopReason.USER_GAVE_UP, "no use")
    user = ScriptedUser(
        ["Hello", lambda turn: f"{turn.system}?" if turn else None, lambda _: None, lambda _: gone]
    )
    user.respond(None)
    assert user.respond(Turn(1, "Hello", "Hi")).text == "Hi?"
    assert user.respond(Turn(2, "Hi?", "Hm")) is gone


@pytest.mark.parametrize("turns", ["Hello", 5, {"Hello"}])
def test_a_script_must_be_a_list(turns: Any) -> None:
    with pytest.raises(UsageError, match="takes a list of turns, got"):
        ScriptedUser(turns)


def test_a_line_of_the_wrong_type_is_named_by_its_index() -> None:
    wrong: Any = ["Hello", "Bye", 3]
    with pytest.raises(UsageError, match=r"turn 2 of the script: got int 3, expected text or"):
        ScriptedUser(wrong)


def test_a_callable_that_returns_the_wrong_type_is_named_by_its_index() -> None:
    answer: Any = lambda _: 3  # noqa: E731
    user = ScriptedUser(["Hello", answer])
    user.respond(None)
    with pytest.raises(UsageError, match="turn 1 of the script returned int 3"):
        user.respond(Turn(1, "Hello", "Hi"))
