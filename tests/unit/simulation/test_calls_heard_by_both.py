"""Whole dialogues with bots whose tools have other names and answers than ours."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from tests.support.dialogue_world import BOOK, DATABASE, restaurant_goal

GOAL = restaurant_goal(book=BOOK, request=("phone",))


class Renamed(RuleSystem):
    """The reference bot over a backend that nobody else sees; reports its calls in its own way."""

    def __init__(self, goal: Goal, **more: Any) -> None:
        super().__init__(MultiwozBackend(DATABASE, goal))
        self.more, self.told = more, 0

    def respond(self, text: str) -> Reply:
        reply = super().respond(text)
        made = [self.reported(call) for call in self.backend.trace[self.told :]]
        self.told = len(self.backend.trace)
        check = self.more.get("check")
        extra = [] if check is None else [ToolCall(check, {"day": "friday"}, {"available": True})]
        return replace(reply, tool_calls=(*extra, *made))

    def reported(self, call: ToolCall) -> ToolCall:
        if not call.name.startswith("book_"):
            return call
        name = self.more.get("book", call.name)
        wrap = self.more.get("wrap", lambda result: result)
        return ToolCall(name, call.arguments, wrap(call.result), call.error)


def play(bot: Renamed, goal: Goal = GOAL) -> Dialogue:
    user = AgendaUser(goal, DATABASE.vocabulary(), seed=1)
    return run_dialogue(goal, user, bot)


@pytest.mark.parametrize(
    "check",
    [
        "check_booking", "check_room_reservation", "get_booking", "list_bookings",
        "facebook_lookup", "order_history", "can_book", "bookingAvailability",
    ],
)  # fmt: skip
def test_a_look_up_with_a_bookings_name_is_no_booking_for_anybody(check: str) -> None:
    played = play(Renamed(GOAL, check=check))
    assert played.stop_reason is StopReason.USER_DONE
    verdicts = evaluate(played)
    assert all(verdicts[name] for name in ("inform", "success", "booking"))


@pytest.mark.parametrize("book", ["book_table", "makeReservation", "place_order", "reserve"])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda result: {"success": True, "data": result},
        lambda result: {"status": "confirmed", "booking": result},
        lambda result: f"Booked. Reference: {result['reference']}",
        lambda result: None,
    ],
)
def test_a_booking_is_one_by_any_name_and_in_any_wrapping(book: str, wrap: Any) -> None:
    played = play(Renamed(GOAL, book=book, wrap=wrap))
    assert played.stop_reason is StopReason.USER_DONE
    assert evaluate(played)["booking"]


class Refused(Renamed):
    """Its tool refuses, in its own way, and the bot says that it has booked."""

    def reported(self, call: ToolCall) -> ToolCall:
        if not call.name.startswith("book_"):
            return call
        return ToolCall(call.name, call.arguments, self.more["refusal"])


@pytest.mark.parametrize(
    "refusal",
    [{"success": False}, {"error": "full"}, {"status": 409}, "Sorry, no table is free."],
)
def test_a_refusal_is_no_booking_whatever_the_bot_says(refusal: Any) -> None:
    played = play(Refused(GOAL, refusal=refusal))
    verdict = evaluate(played)["booking"]
    assert not verdict
    assert "the bot says it is booked, but no call booked it" in verdict.reason
