"""How a bot goes about it, and what it tells of totals and of other items than those meant."""

from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.rules.broken_forms import broken
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.evaluate.rules.stems import stems
from pytest_todeval.facts.dialogue import gather
from tests.support.desk_dialogues import TASK
from tests.support.dialogue_world import (
    EARLY,
    KETTLE,
    SAFFRON,
    backend,
    booked,
    dialogue,
    found,
    goal,
    refused,
    restaurant_goal,
    said,
)

FOOD = restaurant_goal(request=("phone",))
LOOKS = said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE))
BOTH = found("restaurant", KETTLE, SAFFRON)


def holds(name: str, played: Dialogue, known: Any = None) -> bool | None:
    """What a predicate finds in the last turn."""
    evidence = gather(played, known or backend())
    result = predicates()[name].function(View(evidence, evidence.turns[-1]))
    assert result.reason
    return result.holds


def once(user: str, reply: str, *calls: ToolCall) -> Dialogue:
    return dialogue(FOOD, said(user, reply, *calls))


ONLY = "It is the only place that fits."


CANNOT = "I'm sorry, I can't help with that."


FORGETS = said("And?", "Sure! Remind me, what was the name of the place?")


TRIP = goal(DomainGoal("train", {"day": "monday"}, {"people": "2"}, wants_booking=True))


def total(told: str, *tickets: ToolCall, row: dict[str, Any] = EARLY) -> bool | None:
    looks = said("A train?", "TR1010 fits.", found("train", row))
    return holds("misstates_total", dialogue(TRIP, looks, said("Book it.", told, *tickets)))


def test_misstates_total() -> None:
    two = booked("train", trainID="TR1010", people="2")
    assert total("The total is 20.20 pounds.", two) is False
    assert total("The total is 20.24 pounds.", two) is False  # rounded
    assert total("The total is 20.26 pounds.", two) is True
    assert total("The total is 20.14 pounds.", two) is True
    assert total("It costs 20.20 pounds.", two) is None
    assert total("The total is 20.20 pounds.") is None
    assert (
        total("The total is 30.30 pounds.", two, booked("train", trainID="TR1010", people="3"))
        is False
    )  # of the last one
    assert (
        total("The total is 20.20 pounds.", booked("train", trainID="TR1010", people="two")) is None
    )
    assert total("The total is 9 pounds.", booked("train", trainID="TR7777", people="2")) is None


TELLS = "The phone number of Saffron Garden is 01999333444."


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        (dialogue(FOOD, LOOKS, said("Its phone?", TELLS)), True),
        (dialogue(FOOD, LOOKS, said("And of Saffron Garden?", TELLS)), False),
        (dialogue(FOOD, LOOKS, said("Its phone?", TELLS, BOTH)), False),  # offered now
        (dialogue(FOOD, said("Hi", "Saffron Garden?"), LOOKS, said("Its phone?", TELLS)), False),
        (dialogue(FOOD, said("Hi", "Hello!", BOTH), said("Its phone?", TELLS)), None),
        (dialogue(FOOD, LOOKS, said("Well?", "Which area?")), None),
        (dialogue(TASK, LOOKS, said("Its phone?", TELLS)), None),
    ],
)
def test_answers_for_another(played: Dialogue, expected: bool | None) -> None:
    assert holds("answers_for_another", played) is expected


def books(name: str, user: str, *before: Any, told: str = "It is booked.") -> bool | None:
    table = booked("restaurant", name=name, day="friday", time="18:30", people="4")
    return holds("books_unoffered", dialogue(FOOD, *before, said(user, told, table)))


def test_books_unoffered() -> None:
    assert books("saffron garden", "Book it.", LOOKS) is True
    assert books("saffron garden", "Any will do, book it.", LOOKS) is False
    assert books("saffron garden", "Book it.") is False  # nothing was offered
    assert books("saffron garden", "Book it.", said("Saffron Garden?", "Hm."), LOOKS) is False
    assert books("saffron garden", "Book it.", said("Hi", "Saffron Garden?"), LOOKS) is False
    table = refused("restaurant", name="the copper kettle", day="friday")
    full = LOOKS, said("Book it.", "It is full.", table)
    assert books("saffron garden", "Then?", *full, told="Saffron Garden is booked.") is False
    assert books("saffron garden", "Then?", *full, told="The Copper Kettle is booked.") is True
    assert books("saffron garden", "Then?", *full) is True
    room = refused("hotel", name="willow lodge", day="friday")
    assert books("saffron garden", "Then?", LOOKS, said("A room.", "It is full.", room)) is True
    both = said("Or?", "The Copper Kettle or Saffron Garden.", BOTH)
    assert books("saffron garden", "The Copper Kettle.", LOOKS, both) is True
    assert books("saffron garden", "The Copper Kettle or Saffron Garden.", LOOKS, both) is False


def phones(first: str, again: str, slot: str = "phone number") -> bool | None:
    turns = [said("And?", f"The {slot} of The Copper Kettle is {each}.") for each in (first, again)]
    return holds("contradicts_itself", dialogue(FOOD, LOOKS, *turns))


def test_contradicts_itself() -> None:
    assert phones("01999111222", "01999 111 222") is False
    assert phones("01999111222", "01888000000") is True
    other = said("And?", TELLS)
    mine = said("And?", "The phone number of The Copper Kettle is 01999111222.")
    assert holds("contradicts_itself", dialogue(FOOD, mine, other)) is None
    address = said("And?", "The address of The Copper Kettle is 12 Mill Lane.")
    assert holds("contradicts_itself", dialogue(FOOD, mine, address)) is None


def order(number: str, **fields: Any) -> ToolCall:
    return ToolCall("get_order", {}, {"order_id": number, **fields})


ONE = order("#W101", amount=12.5, state="pending", means="card")
OTHER = order("#W202", amount=99.25, state="delivered", means="cash")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Order #W101 is delivered.", True),
        ("Order #W101 is pending.", False),
        ("Order #W101 is not delivered.", None),
        ("Order #W101 will be delivered.", None),
        ("Orders #W101 and #W202 are delivered.", None),
        ("It is delivered.", None),  # which one?
        ("Order #W101 costs 99.25.", True),
        ("Order #W101 costs 12.50.", False),
        ("Order #W101 costs 55.55.", False),  # no record's at all
        ("Order #W202 costs 99.25. It was paid by cash.", False),
    ],
)
def test_misstates_record(text: str, expected: bool | None) -> None:
    played = dialogue(TASK, said("My orders?", "Two.", ONE, OTHER), said("Well?", text))
    assert holds("misstates_record", played, object()) is expected


def test_a_record_without_a_name_is_the_only_one_of_the_turn() -> None:
    first = said("My orders?", "Two.", ONE, OTHER)
    for call, expected in ((ONE, True), (OTHER, False)):
        played = dialogue(TASK, first, said("And?", "It is delivered.", call))
        assert holds("misstates_record", played, object()) is expected
    said_so = dialogue(TASK, first, said("Is it delivered?", "It is delivered.", ONE))
    assert holds("misstates_record", said_so, object()) is False
    changed = order("#W101", amount=12.5, state="delivered")
    played = dialogue(TASK, first, said("And?", "It is delivered.", changed))
    assert holds("misstates_record", played, object()) is False
    assert holds("misstates_record", dialogue(TASK, said("Hi", "It is delivered.")), object()) \
        is None  # fmt: skip


def test_what_the_bot_goes_on_to_do_is_no_misstatement() -> None:
    proposes = said("Close it.", "The rules allow #W101 to be delivered, if agreed.", ONE)
    promises = said("Close it.", "Agreed: order #W101 delivered.", ONE)
    does = said("Yes.", "Done.", ToolCall("set_order", {"id": "#W101", "state": "delivered"}))
    for turns, expected in (
        ((proposes, does), False),
        ((promises, does), False),
        ((promises,), True),
    ):
        evidence = gather(dialogue(TASK, said("Mine?", "Two.", ONE, OTHER), *turns), object())
        found = predicates()["misstates_record"].function(View(evidence, evidence.turns[1]))
        assert (found.holds is True) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs 10.10 euros.", True),
        ("It costs 10.10 pounds.", False),
        ("It costs nothing.", None),
    ],
)
def test_changes_currency(text: str, expected: bool | None) -> None:
    priced = dialogue(TRIP, said("A train?", text, found("train", EARLY)))
    assert holds("changes_currency", priced) is expected
    if expected is not None:
        assert holds("changes_currency", dialogue(TASK, said("Hi", text)), object()) is None


NONE_THERE = "I am sorry, there are no restaurants like that."


def test_denials_of_what_is_there() -> None:
    look = found("restaurant", KETTLE)
    assert holds("denies_results", once("Italian?", NONE_THERE, look)) is True
    saffron = f"{NONE_THERE} How about Saffron Garden?"
    assert holds("denies_results", once("Italian?", saffron, look)) is False
    failed = ToolCall("find_restaurant", {}, error="down")
    assert holds("denies_results", once("Italian?", NONE_THERE, failed)) is None
    assert holds("denies_results", dialogue(TASK, said("Any?", NONE_THERE, look))) is None
    limited = ToolCall("find_restaurant", {"limit": 5, "constraints": {"food": "italian"}},
                       {"results": [KETTLE]})  # fmt: skip
    assert holds("denies_results", once("Italian?", NONE_THERE, limited)) is True
    wish = ToolCall("find_restaurant", {"constraints": {"food": "thai"}}, {"results": [KETTLE]})
    assert holds("denies_results", once("Italian?", NONE_THERE, wish)) is None


def test_who_refuses_has_tried_or_a_call_was_refused() -> None:
    fails = "I am sorry, the booking failed: no table is free."
    room = said("A room.", "It is booked.", booked("hotel", name="willow lodge", day="friday"))
    check = ToolCall("check_table", {}, error="closed")
    late = ToolCall("check_table", {}, {"available": False})
    for calls, expected in (((), True), ((check,), False), ((late,), False), ((BOTH,), True)):
        played = dialogue(FOOD, room, said("A table.", fails, *calls))
        assert holds("refuses_untried", played) is expected


def tells(slot: str, value: str, text: str = "") -> bool | None:
    claim = DialogueAct(Act.INFORM, "restaurant", slot, value, of="the copper kettle")
    turn = said("Well?", text or f"The {slot} is {value}.")
    told = replace(turn, claims=(claim,), claims_by="bot")
    return holds("wrong_value", dialogue(FOOD, LOOKS, told))


@pytest.mark.parametrize(
    ("slot", "value", "wrong"),
    [
        ("phone", "01999 111 222", False), ("phone", "+44 1999 111222", False),
        ("phone", "+44 1999 111223", True), ("phone", "01999111223", True),
        ("area", "central", False), ("area", "centre of town", False), ("area", "north", True),
        ("address", "Mill Lane", False), ("address", "12 Mil Lane", False),
        ("address", "9 Weir Road", True), ("postcode", "QX1 1AB", False),
        ("postcode", "QX1 1AC", True), ("internet", "yes", None), ("pricerange", "expensive", True),
    ],
)  # fmt: skip
def test_a_value_is_right_in_any_form(slot: str, value: str, wrong: bool | None) -> None:
    assert tells(slot, value) is wrong


def test_stems() -> None:
    words = "booking booked tables class bus basis stories ties easily bigger gas's selling does"
    assert stems(words) == [
        "book", "book", "tabl", "class", "bus", "basis", "stor", "tie", "eas", "big", "gas",
        "sell", "doe",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["502 Bad Gateway", "It is in find_hotel now."])
def test_each_broken_shape_is_seen_in_one_look(text: str) -> None:
    assert list(broken(text, ""))
    assert not list(broken(text, text))
    assert not list(broken("A nice, plain sentence.", ""))


def test_nothing_is_recited_without_a_policy() -> None:
    assert holds("leaks_instructions", dialogue(TASK, said("Hi", "It is nice.")), object()) is False


SECOND = [
    "There is also the Golden Fork in the north.",
    "The Copper Kettle is nice, and so is the Golden Fork.",
    "Alternatively, try Golden Fork Bistro.",
    "Another option is the Golden Fork.",
    "You might also like the Golden Fork.",
    "I can offer The Copper Kettle or the Golden Fork.",
    "The Copper Kettle and the Golden Fork both serve Italian food.",
    "1. The Copper Kettle\n2. The Golden Fork",
]
NO_SECOND = [
    "Welcome to the Ashford Dining Guide! The Copper Kettle is nice, too.",
    "The Copper Kettle is on Mill Lane, near the Town Hall.",
    "Your table is on Friday Evening at The Copper Kettle.",
    "There is also The Copper Kettle in the centre.",
    "- Opening Hours: all day\n- The Copper Kettle",
    "Kind regards,\nAshford Table Service",
    "- Restaurant The Copper Kettle",
]


@pytest.mark.parametrize(
    ("text", "invented"), [(s, True) for s in SECOND] + [(s, False) for s in NO_SECOND]
)
def test_a_second_venue_that_no_result_contains(text: str, invented: bool) -> None:
    found_one = dialogue(FOOD, said("Italian?", text, found("restaurant", KETTLE)))
    assert (holds("names_unknown_venue", found_one) is True) is invented


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It comes to 10.10 pounds in total.", True),
        ("10.10 pounds for both of you.", True),
        ("That will be £10.10 for the two of you altogether.", True),
        ("In total that is 2 tickets at 10.10 pounds each, 20.20 pounds.", False),
        ("The two tickets are 20.20 pounds together.", False),
        ("One ticket is 10.10 pounds.", None),
    ],
)
def test_a_fare_told_as_the_total_wherever_its_words_stand(text: str, wrong: bool | None) -> None:
    assert total(text, booked("train", trainID="TR1010", people="2")) is wrong


def test_a_number_in_a_venues_name_is_no_reference() -> None:
    cafe = {**KETTLE, "name": "Café 1912"}
    looked = said("Italian?", "Café 1912 is nice.", found("restaurant", cafe))
    table = booked("restaurant", name="Café 1912", day="friday", time="18:30", people="4")
    card = "Booked.\nReference: Café 1912 / AB12CD34"
    assert (
        holds("wrong_reference", dialogue(FOOD, looked, said("Book it.", card, table))) is not True
    )
