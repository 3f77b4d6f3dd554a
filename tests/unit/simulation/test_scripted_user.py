"""A user that says what it was told to say."""

from collections.abc import Sequence
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import CheckFailed, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser, proceed
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
    with pytest.raises(UsageError, match=r"turn 2 of the script: got int 3, expected text, `pro"):
        ScriptedUser(wrong)


def test_a_callable_that_returns_the_wrong_type_is_named_by_its_index() -> None:
    answer: Any = lambda _: 3  # noqa: E731
    user = ScriptedUser(["Hello", answer])
    user.respond(None)
    with pytest.raises(UsageError, match="turn 1 of the script returned int 3"):
        user.respond(Turn(1, "Hello", "Hi"))


class Counts:
    """A simulated user of so many turns."""

    notes = ("it counts",)

    def __init__(self, turns: int, stop: StopReason = StopReason.USER_DONE) -> None:
        self.turns, self.stop, self.said = turns, stop, 0

    def respond(self, turn: Turn | None) -> Utterance:
        self.said += 1
        if self.said > self.turns:
            return Utterance("Bye", self.stop, "it has counted")
        return Utterance(f"number {self.said}")


class CountsLater(Counts):
    """The same, awaited."""

    async def respond(self, turn: Turn | None) -> Utterance:  # type: ignore[override]
        return super().respond(turn)


def played(script: Sequence[Any], user: Any) -> Dialogue:
    return run_dialogue(Goal("g", "f", ()), ScriptedUser(script, user), lambda text: f"({text})")


@pytest.mark.parametrize("kind", [Counts, CountsLater])
@pytest.mark.parametrize(
    ("script", "turns", "says", "reason"),
    [
        (["a", proceed(2), "b"], 9, ["a", "number 1", "number 2", "b"], "the script has ended"),
        ([proceed(1), "b", proceed(1)], 9, ["number 1", "b", "number 2"], "the script has ended"),
        ([proceed(), "b"], 2, ["number 1", "number 2", "b"], "it has counted"),
        (["a", proceed(3), proceed(), "b"], 1, ["a", "number 1", "b"], "it has counted"),
        (["a", proceed()], 2, ["a", "number 1", "number 2"], "it has counted"),
        ([], 2, [], "the script has ended"),
    ],
)
def test_a_script_may_hand_over_to_the_simulated_user(
    kind: type[Counts], script: list[Any], turns: int, says: list[str], reason: str
) -> None:
    dialogue = played(script, kind(turns))
    assert [turn.user for turn in dialogue.turns] == says
    assert (dialogue.stop_reason, dialogue.detail) == (StopReason.USER_DONE, reason)
    assert dialogue.notes == ("it counts",)


def test_it_leaves_as_the_simulated_user_did() -> None:
    gave_up = played([proceed(), "One more."], Counts(1, StopReason.USER_GAVE_UP))
    assert [turn.user for turn in gave_up.turns] == ["number 1", "One more."]
    assert gave_up.stop_reason is StopReason.USER_GAVE_UP
    fault = played([proceed(), "One more."], Counts(1, StopReason.SIMULATOR_FAULT))
    assert [turn.user for turn in fault.turns] == ["number 1"]
    assert fault.stop_reason is StopReason.SIMULATOR_FAULT


def test_a_check_in_between_sees_the_turn_just_played() -> None:
    seen = []

    def check(turn: Turn | None) -> None:
        seen.append(turn and turn.user)
        assert len(seen) < 2, "twice is too much"

    with pytest.raises(CheckFailed) as failed:
        played([proceed(2), check, proceed(1), check, "never"], Counts(9))
    assert seen == ["number 2", "number 3"]
    assert len(failed.value.dialogue.turns) == 3


def test_the_agenda_user_goes_on_from_what_was_said() -> None:
    goal = Goal("g", "f", (DomainGoal("hotel", {"area": "north", "stars": "4"}),))
    script: list[Any] = ["Good evening!", proceed(1), "One moment.", proceed(1)]
    user = ScriptedUser(script, AgendaUser(goal))
    dialogue = run_dialogue(goal, user, lambda text: "How can I help you?")
    assert [turn.user for turn in dialogue.turns][::2] == ["Good evening!", "One moment."]
    assert "north" in dialogue.turns[1].user


@pytest.mark.parametrize("turns", [0, -1, 1.5, True, "2"])
def test_turns_to_play_are_a_number(turns: Any) -> None:
    with pytest.raises(UsageError, match="expected how many turns to play"):
        proceed(turns)


def test_there_has_to_be_a_user_to_hand_over_to() -> None:
    with pytest.raises(UsageError, match=r"turn 1 of the script hands over.*user_simulator\)"):
        ScriptedUser(["Hello", proceed(1)])
