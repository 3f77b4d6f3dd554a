"""Without a backend and calls, what stands booked is what the bot says, and has not taken back."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.metrics.choices import claimed_bookings
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.facts.dialogue import gather
from tests.support.dialogue_world import (
    BOOK,
    TABLE,
    backend,
    dialogue,
    found,
    restaurant_goal,
    said,
)
from tests.support.dialogue_world import KETTLE as ROW

WANTED = restaurant_goal(book=BOOK)
KETTLE = DialogueAct(Act.OFFER, "restaurant", "name", "the copper kettle")
BOOKED = DialogueAct(Act.BOOKED, "restaurant")


def inform(slot: str, value: str, of: str | None = None) -> DialogueAct:
    return DialogueAct(Act.INFORM, "restaurant", slot, value, of)


def reference(value: str) -> DialogueAct:
    return DialogueAct(Act.REFERENCE, "restaurant", "reference", value)


def played(*turns: tuple[DialogueAct, ...]) -> Dialogue:
    told = [
        Turn(at, "Yes.", "Well.", claims=claims, claims_by="bot")
        for at, claims in enumerate(turns, 1)
    ]
    return replace(dialogue(WANTED), turns=tuple(told))


def claimed(*turns: tuple[DialogueAct, ...]) -> list[tuple[str, str, dict[str, str]]]:
    bookings = claimed_bookings(gather(played(*turns)))
    return [(b.domain, b.reference, dict(b.slots)) for b in bookings]


def said_so(claim: DialogueAct, factuality: Factuality) -> DialogueAct:
    return replace(claim, factuality=factuality)


def test_only_what_is_said_to_be_so_counts() -> None:
    assert claimed((BOOKED,)) == [("restaurant", "", {})]
    for factuality in Factuality:
        if factuality is not Factuality.ASSERTED:
            assert claimed((said_so(BOOKED, factuality),)) == []


def test_a_claim_repeated_is_one_and_learns_its_reference() -> None:
    assert claimed((BOOKED,), (BOOKED, reference("A1")), (BOOKED,)) == [("restaurant", "A1", {})]
    two = claimed((BOOKED, reference("A1")), (BOOKED, reference("B2")))
    assert [number for _, number, _ in two] == ["A1", "B2"]


def test_a_claim_may_be_taken_back() -> None:
    denied = said_so(BOOKED, Factuality.DENIED)
    assert claimed((BOOKED,), (denied,)) == []
    assert claimed((BOOKED,), (replace(denied, domain="hotel"),)) != []
    assert claimed((KETTLE, BOOKED), (replace(denied, of="saffron garden"),)) != []
    assert claimed((KETTLE, BOOKED), (replace(denied, of="copper kettle"),)) == []
    assert claimed((BOOKED,), (denied, BOOKED)) != []
    assert claimed((denied,), (BOOKED,)) != []


def test_a_booking_has_the_values_of_its_venue_and_not_of_others() -> None:
    of = replace(BOOKED, of="the copper kettle")
    values = (inform("day", "friday", "copper kettle"), inform("day", "sunday", "saffron garden"))
    assert claimed((of, *values)) == [
        ("restaurant", "", {"day": "friday", "name": "the copper kettle"})
    ]


def test_a_bot_that_says_it_can_have_it_booked_has_booked_nothing() -> None:
    bound = "How about The Copper Kettle? I can have it booked in no time."
    boasts = dialogue(WANTED, said("Italian?", bound), said("Yes, please.", bound))
    assert not evaluate(boasts)["booking"].passed
    assert not evaluate(boasts)["booking"].doubt


def test_a_name_that_is_denied_is_no_offer() -> None:
    wanted = restaurant_goal(inform={"name": "the copper kettle"})
    denies = "Sorry, I have no information on The Copper Kettle in my records."
    no = dialogue(wanted, said("I want The Copper Kettle.", "There is no Copper Kettle."))
    assert not evaluate(no, backend())["inform"].passed
    denied = DialogueAct(Act.NO_OFFER, "restaurant", "name", "the copper kettle")
    told = Turn(1, "The Copper Kettle?", denies, claims=(denied,), claims_by="bot")
    assert not evaluate(replace(no, turns=(told,)), backend())["inform"].passed


def test_a_check_is_no_booking() -> None:
    checks = ToolCall("check_booking", TABLE, {"available": True, "reference": "AB12"})
    offer = said("Italian?", "The Copper Kettle is nice.", found("restaurant", ROW))
    asks = said("Book it.", "It is free. Shall I book it?", checks)
    assert not evaluate(dialogue(WANTED, offer, asks))["booking"].passed
    books = ToolCall("book_table", TABLE, {"reference": "AB12"})
    done = dialogue(WANTED, offer, asks, said("Yes.", "It is booked.", books))
    assert evaluate(done)["booking"]
    for result in ({"success": False}, {"error": "full"}, "Sorry, the restaurant is full."):
        refused = said("Yes.", "Sorry.", ToolCall("book_table", TABLE, result))
        assert not evaluate(dialogue(WANTED, offer, asks, refused))["booking"]


RIDE = Goal(
    "G-ride",
    "own",
    (
        DomainGoal(
            "taxi", inform={"departure": "the docks"}, request=("phone",), wants_booking=True
        ),
    ),
)


def ride(text: str) -> list[str]:
    turn = said("A taxi from the docks, please.", text)
    return [b.domain for b in claimed_bookings(gather(dialogue(RIDE, turn)))]


def test_a_taxi_of_which_car_and_number_are_told_is_booked() -> None:
    assert ride("It will be a grey skoda. The contact number is 07123456789.") == ["taxi"]
    assert ride("The contact number is 07123456789.") == []
    assert ride("It could be a grey skoda, call 07123456789. Shall I book it?") == []
    assert ride("I was unable to book the grey skoda with the number 07123456789.") == []


def test_a_word_of_another_domain_takes_no_claim_away_from_ones_own() -> None:
    part = DomainGoal("pottery_class", inform={"level": "first"}, wants_booking=True)
    wanted = Goal("G-pots", "own", (part,))
    turns = (
        said("I need help with pottery class.", "The room is Kiln 2. Shall I reserve your table?"),
        said("Yes, please.", "Your place is booked. The reference is PO4411."),
    )
    found = claimed_bookings(gather(dialogue(wanted, *turns)))
    assert [(b.domain, b.reference) for b in found] == [("pottery_class", "PO4411")]
    other = said("I need help with pottery class.", "I have booked you a hotel: reference HO1234.")
    assert [b.domain for b in claimed_bookings(gather(dialogue(wanted, other)))] == ["hotel"]


def test_a_taxi_that_is_only_said_to_be_booked_need_not_have_been_told_whole() -> None:
    (wish,) = RIDE.domains
    asks = replace(RIDE, domains=(replace(wish, inform={**wish.inform, "leaveAt": "17:00"}),))
    turn = said("A taxi from the docks, please.", "A grey skoda is booked, call 07123456789.")
    found = evaluate(replace(dialogue(RIDE, turn), goal=asks))["booking"]
    assert found.passed


@pytest.mark.parametrize(
    ("answer", "doubted"),
    [
        ("Your table for 4 people, Friday at 18:30.", True),
        ("Your table for 4 people, Friday at 18:30?", False),  # it only asks
        ("Would you like 4 people on Friday?", False),
        ("Sorry, 4 people on Friday is not possible.", False),
        ("Very well.", False),
    ],
)
def test_an_answer_that_repeats_what_is_to_be_booked_may_mean_that_it_is(
    answer: str, doubted: bool
) -> None:
    offer = said("Italian in the centre?", "The Copper Kettle is nice.")
    asked = said("Book it for 4 people on Friday at 18:30.", answer)
    found = evaluate(dialogue(WANTED, offer, asked))["booking"]
    assert not found.passed or found.doubt
    assert bool(found.doubt) is doubted
    assert evaluate(dialogue(WANTED, offer, asked, bookings=[]))["booking"].doubt == ""
