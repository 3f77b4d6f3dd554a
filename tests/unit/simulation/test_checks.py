"""Checks after turns in `run_dialogue`: what raises ends the dialogue, and is raised again."""

import asyncio
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import Lane, here
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.loop import CheckFailed, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.testing import ScriptedSystem

GOAL = Goal("one", "checks", ())


def play(check: Any, *lines: Any, backend: Any = None) -> Dialogue:
    user = ScriptedUser(lines or ["Hi", "A table", "Bye"])
    return run_dialogue(
        GOAL, user, ScriptedSystem(["Hello.", "No.", "Bye."]), backend, after_turn=check
    )


def test_a_check_sees_each_turn_and_the_dialogue_so_far() -> None:
    seen = []

    def check(dialogue: Dialogue, turn: Turn) -> None:
        seen.append((turn.system, len(dialogue.turns), dialogue.stop_reason, here()))

    assert play(check).stop_reason is StopReason.USER_DONE
    assert [each[:3] for each in seen] == [
        ("Hello.", 1, StopReason.UNDER_WAY),
        ("No.", 2, StopReason.UNDER_WAY),
        ("Bye.", 3, StopReason.UNDER_WAY),
    ]
    assert {place.lane for *_, place in seen if place} == {Lane.JUDGE}


def test_it_sees_what_stands_booked_by_then() -> None:
    class Backend:
        trace: tuple[Any, ...] = ()
        asked = 0

        def bookings(self) -> list[Booking]:
            self.asked += 1
            return [Booking("restaurant", f"R{self.asked}")]

    seen = []
    play(lambda d, turn: seen.append(d.final_bookings[0].reference), backend=Backend())
    assert seen == ["R2", "R3", "R4"]


async def waits(dialogue: Dialogue, turn: Turn) -> None:
    await asyncio.sleep(0)
    assert turn.system != "No."


def refuses(dialogue: Dialogue, turn: Turn) -> None:
    assert turn.system != "No."


@pytest.mark.parametrize("check", [waits, refuses])
def test_what_a_check_raises_ends_the_dialogue_there(check: Any) -> None:
    with pytest.raises(CheckFailed, match="the check after turn 2 raised AssertionError") as found:
        play(check)
    assert isinstance(found.value.__cause__, AssertionError)
    assert found.value.__cause__.__notes__ == ["in the check after turn 2 of checks/one"]
    stopped = found.value.dialogue
    assert (len(stopped.turns), stopped.stop_reason) == (2, StopReason.CHECK_FAILED)
    assert stopped.fault is None
    assert not stopped.satisfied.applicable


def test_an_assertion_in_a_line_of_a_script_is_a_check() -> None:
    def line(turn: Turn) -> str:
        assert turn.system == "Nothing."
        return "Thank you"

    with pytest.raises(CheckFailed, match="the check after turn 1 raised"):
        play(None, "Hi", line)


def test_another_error_of_a_line_is_the_scripts_own() -> None:
    assert play(None, "Hi", lambda turn: turn.sytem).stop_reason is StopReason.SIMULATOR_FAULT


def test_on_a_running_loop_too() -> None:
    user = ScriptedUser(["Hi", "A table"])
    bot = ScriptedSystem(["Hello.", "No."])
    with pytest.raises(CheckFailed):
        asyncio.run(asyncio.to_thread(run_dialogue, GOAL, user, bot, after_turn=refuses))


def test_what_cannot_be_called_is_refused() -> None:
    with pytest.raises(UsageError, match="after_turn is 3, expected a function"):
        play(3)
