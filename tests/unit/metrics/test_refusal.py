"""Goals that nothing meets: the right answer is to say so, and to book nothing."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.core.dialogue import Booking, Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import JudgeFault
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from tests.support.dialogue_world import (
    BOOK,
    DATABASE,
    TABLE,
    backend,
    booking,
    dialogue,
    goal,
    said,
)

VOLCANO = DomainGoal("hotel", {"area": "crater of a volcano"}, refusal=True)
MINUS = DomainGoal("restaurant", {"area": "centre"}, book={**BOOK, "people": "-2"}, refusal=True)
ASKS = "A table for -2 people in the centre, please, on Friday at 18:30."
KETTLE = DomainGoal("restaurant", {"area": "centre"}, request=("phone",))
BOOKED = "Your table is booked, the reference is AB12CD34."


def evaluated(
    part: DomainGoal | Sequence[DomainGoal],
    *turns: Turn,
    bookings: Sequence[Booking] | None = (),
) -> Dialogue:
    parts = (part,) if isinstance(part, DomainGoal) else part
    played = dialogue(goal(*parts), *turns, bookings=bookings)
    return replace(played, verdicts=evaluate(played, backend()))


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, there is no hotel in the crater of a volcano.",
        "I could not find any hotel there.",
        "Nothing matches your request, I am afraid. Would another area do?",
    ],
)
def test_saying_that_there_is_none_is_right(reply: str) -> None:
    played = evaluated(VOLCANO, said("A hotel in the crater of a volcano?", reply))
    assert played.refusal
    assert played.refusal.applicable
    assert played.refusal.turns == (1,)
    assert played.success
    assert not played.inform.applicable
    assert not played.booking.applicable


def test_saying_that_it_cannot_be_booked_is_right() -> None:
    played = evaluated(MINUS, said(ASKS, "I can't book a table for -2 people."))
    assert played.refusal
    assert played.success


@pytest.mark.parametrize(
    "reply", ["Goodbye.", "How many people will there be?", "The Copper Kettle is in the centre."]
)
def test_who_does_not_say_so_fails(reply: str) -> None:
    played = evaluated(MINUS, said(ASKS, reply))
    assert not played.refusal
    assert "never said that it cannot be had" in played.refusal.reason
    assert not played.success


def test_no_booking_may_stand_whatever_was_said() -> None:
    made = [booking("restaurant", **{**TABLE, "people": "2"})]
    refuses = said(ASKS, "I can't book a table for -2 people.")
    played = evaluated(MINUS, refuses, said("Then?", BOOKED), bookings=made)
    for verdict in (played.refusal, played.booking, played.success):
        assert not verdict
        assert "booked the copper kettle" in verdict.reason


def test_a_booking_that_is_only_said_is_no_refusal() -> None:
    for bookings in ((), None):
        played = evaluated(MINUS, said(ASKS, BOOKED), bookings=bookings)
        assert not played.refusal
        assert "says it is booked" in played.refusal.reason


def test_an_unread_reply_that_repeats_the_wish_is_nobodys_failure() -> None:
    played = evaluated(MINUS, said(ASKS, "A party of -2, that would be a sight!"))
    assert played.refusal.undecided
    with pytest.raises(JudgeFault, match="a sight"):
        bool(played.success)


def test_an_echo_is_no_refusal() -> None:
    assert not evaluated(MINUS, said(ASKS, ASKS)).refusal


def test_the_other_domains_have_to_be_served() -> None:
    refuses = said("A hotel in the crater of a volcano?", "There is no such hotel, sorry.")
    wants = (VOLCANO, KETTLE)
    alone = evaluated(wants, refuses)
    assert alone.refusal
    assert not alone.success
    told = said(
        "And a restaurant in the centre? Which phone?",
        "The Copper Kettle is a restaurant in the centre. Its phone is 01999111222.",
    )
    assert evaluated(wants, refuses, told).success


def test_other_goals_have_no_such_verdict() -> None:
    played = evaluated(KETTLE, said("A restaurant?", "The Copper Kettle, phone 01999111222."))
    assert "refusal" not in played.verdicts
    assert not played.refusal.applicable


def test_without_a_backend_it_is_only_claimed() -> None:
    turn = said("A hotel in a volcano?", "There is no such hotel.")
    played = evaluated(VOLCANO, turn, bookings=None)
    played = replace(played, verdicts=evaluate(replace(played, backend_known=False)))
    assert played.refusal.basis == "claimed, not verified"


def plays(part: DomainGoal | Sequence[DomainGoal], *replies: str) -> Dialogue:
    parts = (part,) if isinstance(part, DomainGoal) else part
    wanted, left = goal(*parts), list(replies)
    world = backend(wanted)

    def respond(text: str) -> str:
        return left.pop(0) if len(left) > 1 else left[0]

    user = AgendaUser(wanted, world.database.vocabulary(), seed=1)
    played = run_dialogue(wanted, user, respond, backend=world)
    return replace(played, verdicts=evaluate(played, world))


def test_the_agenda_user_takes_a_refusal() -> None:
    played = plays(VOLCANO, "I'm sorry, there is no hotel in the crater of a volcano.")
    assert played.stop_reason is StopReason.USER_DONE
    assert len(played.turns) == 1
    assert played.satisfied
    assert played.success


def test_the_agenda_user_takes_a_refused_booking() -> None:
    offer = "The Copper Kettle is in the centre. Shall I book it?"
    played = plays(MINUS, offer, "I'm sorry, I can't book a table for -2 people.")
    assert played.stop_reason is StopReason.USER_DONE
    assert played.success


def test_the_agenda_user_gives_up_if_nobody_refuses() -> None:
    played = plays(VOLCANO, "Willow Lodge is a hotel in the east.")
    assert played.stop_reason is StopReason.USER_GAVE_UP
    assert not played.satisfied
    assert not played.refusal


def test_who_gives_up_after_a_refusal_is_satisfied() -> None:
    played = evaluated(VOLCANO, said("A hotel in a volcano?", "There is no such hotel."))
    played = replace(played, stop_reason=StopReason.USER_GAVE_UP, detail="no hotel")
    assert played.satisfied
    assert "as the goal expects" in played.satisfied.reason


def test_a_goal_that_expects_a_refusal_of_what_there_is_cannot_be_right() -> None:
    """Nobody could both serve it and refuse it: the goal is at fault."""
    there = DomainGoal("restaurant", {"area": "centre"}, request=("phone",), refusal=True)
    told = unsatisfiable(goal(there), DATABASE)
    assert told == (
        "the goal expects a refusal, but the copper kettle is a restaurant that meets it"
    )
    assert unsatisfiable(goal(VOLCANO, MINUS), DATABASE) is None
