"""Deeds that a goal's own domain or action names, and bookings that their reference tells."""

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue, Turn
from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.facts.dialogue import gather

TRANSFER = DomainGoal("transfer", book={"amount": "$50"}, wants_booking=True)
CARD = DomainGoal("card", book={"card": "4471", "action": "block"}, wants_booking=True)
RIDE = DomainGoal("ride", book={"destination": "airport"}, wants_booking=True)
TABLE = DomainGoal("table", book={"people": "2"}, wants_booking=True)


def heard(part: DomainGoal, reply: str, *booked: Booking) -> set[tuple[Act, str | None]]:
    turn = Turn(1, "Please do that.", reply, booked=booked)
    (facts,) = gather(Dialogue(Goal("g", "test", (part,)), (turn,))).turns
    return {(c.act, c.value) for c in facts.heard if c.holds and not c.doubt}


@pytest.mark.parametrize(
    ("part", "reply", "done"),
    [
        (TRANSFER, "The transfer went through.", True),
        (TRANSFER, "I've transferred $50 to Amy.", True),
        (TRANSFER, "Shall I transfer $50 to Amy?", False),
        (TRANSFER, "Once I have transferred it, you get a text.", False),
        (TRANSFER, "I could not transfer it.", False),
        (CARD, "I've blocked the card.", True),
        (CARD, "Your card has been blocked.", True),
        (CARD, "Your card has not been blocked yet.", False),
        (RIDE, "Your cab is on its way.", True),
        (TABLE, "I've blocked the card.", False),
    ],
)
def test_a_deed_is_heard_by_the_verb_of_the_goals_domain(
    part: DomainGoal, reply: str, done: bool
) -> None:
    assert ((Act.BOOKED, None) in heard(part, reply)) is done


@pytest.mark.parametrize(
    "reply",
    ["Your cab is on its way.", "Your order is on the way!", "The table is on the terrace."],
)
def test_a_way_or_a_terrace_is_no_address(reply: str) -> None:
    assert not any(act is Act.INFORM for act, _ in heard(RIDE, reply))


@pytest.mark.parametrize(
    ("reply", "slot", "value"),
    [
        ("The postcode is cb2 1a.", "postcode", "cb2 1a"),
        ("The postcode is CB2 1AB.", "postcode", "cb2 1ab"),
        ("It can be cancelled free of charge.", "entrance fee", None),
        ("Entry is free of charge.", "entrance fee", "free"),
    ],
)
def test_what_is_told_of_codes_cut_short_and_of_what_is_free(
    reply: str, slot: str, value: str | None
) -> None:
    part = DomainGoal("attraction", request=(slot,))
    turn = Turn(1, f"What is the {slot}?", reply)
    (facts,) = gather(Dialogue(Goal("g", "test", (part,)), (turn,))).turns
    assert [c.value for c in facts.acts(Act.INFORM) if c.slot == slot] == [value] * bool(value)


MADE = Booking("table", "PO4137")


@pytest.mark.parametrize(
    "reply",
    ["RECEIPT\nItem: table\nNo.: PO4137", "We hold it for you, kindly quote PO-4137.", "PO 4137"],
)
def test_the_reference_of_what_was_just_booked_confirms_it(reply: str) -> None:
    assert {(Act.BOOKED, None), (Act.REFERENCE, "PO4137")} <= heard(TABLE, reply, MADE)


@pytest.mark.parametrize(
    ("reply", "booked"),
    [
        ("No.: PO4138", (MADE,)),
        ("No.: XPO4137", (MADE,)),
        ("No.: PO4137", ()),
        ("It is for 12 people.", (Booking("table", "12"),)),
    ],
)
def test_another_code_confirms_nothing(reply: str, booked: tuple[Booking, ...]) -> None:
    assert (Act.BOOKED, None) not in heard(TABLE, reply, *booked)
