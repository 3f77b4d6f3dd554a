"""Every predicate: when it holds, when it does not, and when nothing tells."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.rules.finding import Found, View
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.facts.dialogue import gather
from tests.support.dialogue_world import (
    BOOK,
    EARLY,
    KETTLE,
    SAFFRON,
    TABLE,
    backend,
    booked,
    booking,
    dialogue,
    found,
    goal,
    refused,
    restaurant_goal,
    said,
)

WANTED = restaurant_goal(book=BOOK)
LOOKS = said("Italian?", "The Copper Kettle is nice.", found("restaurant", KETTLE))
TAXI = goal(DomainGoal("taxi", {"leaveAt": "17:00"}, wants_booking=True))


def ask(name: str, played: Dialogue, known: Any = None, **arguments: Any) -> Found:
    """What a predicate finds in the last turn."""
    evidence = gather(played, known)
    found: Found = predicates()[name].function(View(evidence, evidence.turns[-1]), **arguments)
    assert found.reason
    return found


def last(system: str, *calls: ToolCall, user: str = "Hello", known: Any = None) -> Dialogue:
    return dialogue(WANTED, said(user, system, *calls))


@pytest.mark.parametrize(
    ("name", "arguments", "holding", "other"),
    [
        ("phrase", {"text": "special offer"}, "A Special  offer!", "Nothing special, no offering"),
        ("pattern", {"expression": r"\d+ ?% off"}, "Now 20% off!", "Now 20 per cent less"),
        ("asks_for", {"things": ["card number"]}, "What is your card number?", "I have no card."),
        (
            "asks_for",
            {"things": ["date of birth"]},
            "Please give me your date of birth.",
            "I don't need your date of birth.",
        ),
        (
            "asks_for",
            {"things": ["your password"]},
            "What is your current password?",
            "Shall I reset your password?",
        ),
        ("requests", {"slot": "people"}, "For how many people?", "It seats many people."),
        ("tells", {"slot": "phone"}, "The phone number is 01999111222.", "It has a phone."),
        ("says", {"act": Act.BYE}, "Goodbye!", "Which area?"),
        ("says", {"act": Act.OFFER}, "The Copper Kettle is nice.", "Which area?"),
        ("claims_booking", {}, "Your table is booked.", "Shall I book a table?"),
    ],
)
def test_what_the_bot_says(
    name: str, arguments: Mapping[str, Any], holding: str, other: str
) -> None:
    assert ask(name, last(holding), backend(), **arguments).holds is True
    assert ask(name, last(other), backend(), **arguments).holds is False


def test_offers_more_than() -> None:
    two = last("I have The Copper Kettle and Saffron Garden.")
    assert ask("offers_more_than", two, backend(), count=1).holds is True
    assert ask("offers_more_than", two, backend(), count=2).holds is False


def test_what_the_user_says_and_what_it_is_about() -> None:
    played = last("Yes?", user="I want a refund")
    assert ask("user_says", played, text="A Refund").holds is True
    assert ask("user_says", played, text="refunds").holds is False
    assert ask("about", played, domain="restaurant").holds is True
    assert ask("about", played, domain="hotel").holds is False
    assert ask("turn_after", played, turn=0).holds is True
    assert ask("turn_after", played, turn=1).holds is False


def test_calls() -> None:
    played = dialogue(WANTED, LOOKS)
    assert ask("calls", played, tool="find_restaurant").holds is True
    assert ask("calls", played, tool="book_restaurant").holds is False
    assert ask("calls", last("Hi"), tool="find_restaurant").holds is None
    assert ask("calls_anything", played).holds is True
    assert ask("calls_anything", dialogue(WANTED, LOOKS, said("Hm", "Yes?"))).holds is False
    assert ask("calls_anything", last("Hi")).holds is None


SLOTS = {"domain": "restaurant", "slots": ["name", "day", "time", "people"]}


@pytest.mark.parametrize(
    ("user", "missing"),
    [
        ("Book it for four people on Friday at 6:30 pm.", None),
        ("Book it for friday at 18:30.", "people '4'"),
        ("Book it for 4 people at 18:30.", "day 'friday'"),
        ("Book it for 4 people on friday.", "time '18:30'"),
    ],
)
def test_missing_slots(user: str, missing: str | None) -> None:
    books = said(user, "Booked.", booked("restaurant", **TABLE))
    result = ask("missing_slots", dialogue(WANTED, LOOKS, books), **SLOTS)
    assert result.holds is (missing is not None)
    assert missing is None or missing in result.reason


def test_slots_are_known_from_earlier_turns_and_from_the_state() -> None:
    bare = said("Yes, book it.", "Booked.", booked("restaurant", **TABLE))
    before = said("4 people, friday, 18:30.", "All right: The Copper Kettle?")
    state = {"restaurant": {**TABLE}}
    stated = said("For the usual party.", "Shall I book it?", state=state)
    invented = said("Yes.", "Booked.", booked("restaurant", **TABLE), state=state)
    assert ask("missing_slots", dialogue(WANTED, before, bare), **SLOTS).holds is False
    assert ask("missing_slots", dialogue(WANTED, stated, bare), **SLOTS).holds is False
    assert ask("missing_slots", dialogue(WANTED, bare), **SLOTS).holds is True
    assert ask("missing_slots", dialogue(WANTED, invented), **SLOTS).holds is True


def test_slots_are_not_missing_where_nothing_is_booked() -> None:
    tries = said("Book it.", "It is full.", refused("restaurant", **TABLE))
    assert ask("missing_slots", dialogue(WANTED, LOOKS, tries), **SLOTS).holds is None
    without = said("Book it.", "Booked.", booked("restaurant", name="the copper kettle"))
    assert "without a day" in ask("missing_slots", dialogue(WANTED, LOOKS, without), **SLOTS).reason


def test_a_single_traveller_says_me() -> None:
    books = said(
        "A table for me, friday 18:30.", "Ok", booked("restaurant", **{**TABLE, "people": "1"})
    )
    assert ask("missing_slots", dialogue(WANTED, LOOKS, books), **SLOTS).holds is False


CLAIM = "Your table is booked, the reference number is AB12CD34."
BOOKS = said("Book it.", CLAIM, booked("restaurant", **TABLE))
SILENT = said("Book it.", "Let me see.", booked("restaurant", **TABLE))


def test_booking_made() -> None:
    assert ask("booking_made", dialogue(WANTED, BOOKS)).holds is True
    assert ask("booking_made", dialogue(WANTED, BOOKS), domain="hotel").holds is False
    assert ask("booking_made", dialogue(WANTED, BOOKS, said("Hi", "Hi"))).holds is False
    assert ask("booking_made", dialogue(WANTED, LOOKS)).holds is None


def test_booking_missing() -> None:
    claims = said("Book it.", "Your table is booked.")
    assert ask("booking_missing", dialogue(WANTED, BOOKS)).holds is False
    assert ask("booking_missing", dialogue(WANTED, BOOKS, claims)).holds is False
    assert ask("booking_missing", dialogue(WANTED, claims)).holds is None
    assert ask("booking_missing", dialogue(WANTED, LOOKS)).holds is None
    held = dialogue(WANTED, claims, bookings=[booking("restaurant", **TABLE)])
    assert ask("booking_missing", held).holds is False
    phantom = ask("booking_missing", dialogue(WANTED, claims, bookings=[]))
    assert phantom.holds is True
    assert phantom.reason == (
        "says the restaurant is booked, but the backend holds no such booking"
    )
    tries = said("Book it.", "Your table is booked.", refused("restaurant", **TABLE))
    assert "no reported call" in ask("booking_missing", dialogue(WANTED, tries)).reason


def test_booking_untold() -> None:
    assert ask("booking_untold", dialogue(WANTED, BOOKS)).holds is False
    assert ask("booking_untold", dialogue(WANTED, LOOKS)).holds is None
    assert ask("booking_untold", dialogue(WANTED, SILENT)).holds is True
    evidence = gather(dialogue(WANTED, SILENT, said("And?", CLAIM)))
    untold = predicates()["booking_untold"].function
    assert untold(View(evidence, evidence.turns[0])).holds is False


def test_wrong_reference() -> None:
    wrong = said("Book it.", "Booked, the reference number is ZZ99ZZ99.")
    assert ask("wrong_reference", dialogue(WANTED, BOOKS)).holds is False
    assert ask("wrong_reference", dialogue(WANTED, LOOKS)).holds is None
    assert ask("wrong_reference", dialogue(WANTED, wrong)).holds is None
    held = dialogue(WANTED, wrong, bookings=[booking("restaurant", **TABLE)])
    assert ask("wrong_reference", held).reason == (
        "tells reference ZZ99ZZ99, but the booking has AB12CD34"
    )
    none = ask("wrong_reference", dialogue(WANTED, wrong, bookings=[]))
    assert none.reason == "tells reference ZZ99ZZ99, but nothing is booked"


@pytest.mark.parametrize(
    "text",
    [
        "I recommend The Golden Dragon.",
        "Try Jade Palace!",
        "How about Saffron Garden?",
        "There is train TR9999.",
    ],
)
def test_names_unknown_venue(text: str) -> None:
    played = dialogue(WANTED, LOOKS, said("Another one?", text))
    result = ask("names_unknown_venue", played, backend())
    assert result.holds is True
    assert "which no result contains" in result.reason


def test_names_that_are_known() -> None:
    again = dialogue(WANTED, LOOKS, said("Well?", "The Copper Kettle it is."))
    assert ask("names_unknown_venue", again, backend()).holds is False
    nothing = dialogue(WANTED, LOOKS, said("Well?", "Which area?"))
    assert ask("names_unknown_venue", nothing, backend()).holds is None
    named = said("Is there a Saffron Garden?", "How about Saffron Garden?")
    assert ask("names_unknown_venue", dialogue(WANTED, LOOKS, named), backend()).holds is False
    denied = said("Is there a Golden Sun?", "I know nothing of Golden Sun.")
    assert not ask("names_unknown_venue", dialogue(WANTED, LOOKS, denied), backend()).holds
    untraced = dialogue(WANTED, said("Italian?", "How about The Copper Kettle?"))
    assert ask("names_unknown_venue", untraced, backend()).holds is False
    assert ask("names_unknown_venue", untraced).holds is None


PHONE = {"slots": ["phone"]}


def test_wrong_value() -> None:
    both = said("Any?", "The Copper Kettle is nice.", found("restaurant", KETTLE, SAFFRON))
    right = said("Their phone?", "The phone number is 01999 111222.")
    other = said("Their phone?", "The phone number is 01999333444.")
    invented = said("Their phone?", "The phone number is 01888000000.")
    assert ask("wrong_value", dialogue(WANTED, both, right), **PHONE).holds is False
    assert ask("wrong_value", dialogue(WANTED, both, other), **PHONE).reason == (
        "tells the phone of the copper kettle as '01999333444'; it is '01999111222' "
        "('01999333444' is that of saffron garden)"
    )
    assert ask("wrong_value", dialogue(WANTED, both, invented), **PHONE).holds is True
    assert ask("wrong_value", dialogue(WANTED, both, invented), slots=["price"]).holds is None
    assert ask("wrong_value", dialogue(WANTED, invented), **PHONE).holds is None


DENIES = "I am sorry, there are no restaurants like that."


def test_denies_results() -> None:
    denies = DENIES
    assert ask("denies_results", last(denies, found("restaurant", KETTLE))).holds is True
    assert ask("denies_results", last(denies, found("restaurant"))).holds is False
    assert ask("denies_results", last(denies)).holds is None
    assert ask("denies_results", dialogue(WANTED, LOOKS)).holds is None


@pytest.mark.parametrize(
    ("calls", "holds"),
    [
        ([found("restaurant", food="thai", area="north"), found("restaurant", KETTLE)], False),
        ([found("restaurant", food="thai"), found("restaurant", KETTLE, food="italian")], False),
        ([found("restaurant", KETTLE, food="thai"), found("restaurant")], True),
        ([found("restaurant", KETTLE, food="italian")], None),
    ],
)
def test_a_denial_goes_by_the_look_up_for_the_wish(
    calls: list[ToolCall], holds: bool | None
) -> None:
    played = last(DENIES, *calls, user="A thai restaurant in the north, please.")
    assert ask("denies_results", played).holds is holds


def test_denies_unlooked() -> None:
    late = dialogue(WANTED, said("Hm", "Yes?", found("restaurant")), said("Italian?", DENIES))
    other = dialogue(WANTED, said("Hm", "Yes?", found("hotel", KETTLE)), said("Italian?", DENIES))
    assert ask("denies_unlooked", late, backend()).holds is False
    assert ask("denies_unlooked", other, backend()).holds is True
    assert ask("denies_unlooked", other).holds is None
    assert ask("denies_unlooked", last(DENIES, found("restaurant")), backend()).holds is False
    assert ask("denies_unlooked", last(DENIES), backend()).holds is None
    books = said("Italian?", DENIES, booked("restaurant", **TABLE))
    assert ask("denies_unlooked", dialogue(WANTED, other.turns[0], books), backend()).holds is False
    assert ask("denies_unlooked", dialogue(WANTED, LOOKS), backend()).holds is None


def test_refuses_untried() -> None:
    refuses = "I am sorry, the booking failed: no table is free."
    books = said("Book it.", "Booked.", booked("hotel", name="willow lodge"))
    tries = said("Book it.", refuses, refused("restaurant", **TABLE))
    assert ask("refuses_untried", dialogue(WANTED, books, said("A table.", refuses))).holds is True
    assert ask("refuses_untried", dialogue(WANTED, books, tries)).holds is False
    assert ask("refuses_untried", dialogue(WANTED, tries, said("Sure?", refuses))).holds is False
    assert ask("refuses_untried", dialogue(WANTED, LOOKS, said("A table.", refuses))).holds is None
    assert ask("refuses_untried", dialogue(WANTED, LOOKS)).holds is None


def amount(user: str, value: str) -> Turn:
    """Told of nothing by name."""
    told = DialogueAct(Act.INFORM, "restaurant", "price", value)
    return replace(said(user, f"It is {value}."), claims=(told,), claims_by="bot")


def test_another_amount_of_the_item_and_an_echo_are_no_wrong_values() -> None:
    priced = {**KETTLE, "price": "20 pounds", "deposit": "5 pounds"}
    looks = said("Cheap?", "The Copper Kettle.", found("restaurant", priced))
    deposit = amount("And the deposit?", "5 pounds")
    assert ask("wrong_value", dialogue(WANTED, looks, deposit), slots=["price"]).holds is False
    wrong = amount("And the price?", "7 pounds")
    assert ask("wrong_value", dialogue(WANTED, looks, wrong), slots=["price"]).holds is True
    moved = said("Send it to 9 Weir Lane.", "I will send it to 9 Weir Lane.")
    assert ask("wrong_value", dialogue(WANTED, LOOKS, moved), slots=["address"]).holds is None


def test_without_slots_every_value_told_of_an_item_is_held_against_it() -> None:
    looks = said("Italian?", "The Copper Kettle is in the north.", found("restaurant", KETTLE))
    assert ask("wrong_value", dialogue(WANTED, looks)).holds is True
    right = said("Italian?", "The Copper Kettle is in the centre.", found("restaurant", KETTLE))
    assert ask("wrong_value", dialogue(WANTED, right)).holds is False
    count = said("In the north?", "I have 3 places in the north.", found("restaurant", KETTLE))
    assert ask("wrong_value", dialogue(WANTED, count)).holds is None


@pytest.mark.parametrize(("fare", "holds"), [("20.20", False), ("10.10", False), ("30.30", True)])
def test_a_fare_is_that_of_those_who_travel(fare: str, holds: bool) -> None:
    wanted = goal(DomainGoal("train", {"day": "monday"}, {"people": "2"}, wants_booking=True))
    looks = said("To merton on monday?", "TR1010 fits.", found("train", EARLY))
    seats = booked("train", trainID="TR1010", people="2")
    told = f"Booked, reference AB12CD34. The total fare of TR1010 is {fare} pounds."
    played = dialogue(wanted, looks, said("2 people.", told, seats))
    assert ask("wrong_value", played, slots=["price"]).holds is holds


def confirmed(reply: str, **slots: str) -> Dialogue:
    """A table is booked in the last turn."""
    table = {**TABLE, **slots}
    return dialogue(
        WANTED,
        LOOKS,
        said("Book it for 4 people on friday at 18:30.", reply, booked("restaurant", **table)),
        bookings=[booking("restaurant", **table)],
    )


@pytest.mark.parametrize(
    ("told", "holds"),
    [
        ("for 4 people on friday at 18:30", False),
        ("for 4 people on friday at 6:30 pm", False),
        ("for 6 people on friday at 18:30", True),
        ("for 4 people on sunday at 18:30", True),
        ("for 4 people on friday at 19:30", True),
    ],
)
def test_misstates_booking(told: str, holds: bool) -> None:
    played = confirmed(f"Your table is booked {told}, reference AB12CD34.")
    assert ask("misstates_booking", played).holds is holds
    assert ask("misstates_booking", dialogue(WANTED, LOOKS)).holds is None


def test_reference_untold() -> None:
    silent, told = confirmed("Your table is booked."), confirmed("Booked, reference AB12CD34.")
    assert ask("reference_untold", silent).holds is True
    assert ask("reference_untold", told).holds is False
    late = dialogue(WANTED, *silent.turns, said("Sure?", "Reference: AB12CD34."))
    late_evidence = gather(late)
    view = View(late_evidence, late_evidence.turns[1])
    assert predicates()["reference_untold"].function(view).holds is False
    gone = replace(silent, final_bookings=())
    assert ask("reference_untold", gone).holds is None
    assert ask("reference_untold", dialogue(WANTED, LOOKS)).holds is None


TABLE_AND_TAXI = restaurant_goal(book=BOOK), {"departure": "here", "phone": "0123456789"}


def ordered(text: str) -> Dialogue:
    """A taxi is ordered after a table was booked."""
    table = said("Book it.", CLAIM, booked("restaurant", **TABLE))
    taxi = said("A taxi.", text, booked("taxi", "TX98TX98", **TABLE_AND_TAXI[1]))
    return dialogue(TABLE_AND_TAXI[0], table, taxi)


@pytest.mark.parametrize(
    ("name", "text", "holds"),
    [
        ("wrong_reference", "Ordered.\nYour bookings:\n1. The Copper Kettle: AB12CD34", False),
        ("wrong_reference", "Ordered, the reference number is AB12CD34.", True),
        ("booking_untold", "A grey van comes for you. The driver's number is 0123456789.", False),
        ("booking_untold", "A grey van, what a thought.", True),
        ("misstates_booking", "What else would make your stay a happy one?", None),
    ],
)
def test_a_taxi_after_a_table(name: str, text: str, holds: bool | None) -> None:
    assert ask(name, ordered(text)).holds is holds


def test_the_reference_of_an_earlier_booking_is_wrong_for_a_new_one() -> None:
    room = said("A room.", "Booked, reference ZZ11YY22.", booked("hotel", "ZZ11YY22", name="inn"))
    for number, holds in (("ZZ11YY22", True), ("AB12CD34", False)):
        reply = f"Your table is booked, the reference number is {number}."
        played = dialogue(WANTED, room, said("A table.", reply, booked("restaurant", **TABLE)))
        assert ask("wrong_reference", played).holds is holds


@pytest.mark.parametrize(
    ("user", "name", "holds"),
    [
        ("Yes, book it.", "the copper kettle", False),
        ("Yes, book it.", "saffron garden", True),
        ("Book the Copper Kettle.", "saffron garden", True),
        ("Book Saffron Garden.", "saffron garden", False),
        ("Book another one.", "saffron garden", False),
    ],
)
def test_books_unoffered(user: str, name: str, holds: bool) -> None:
    table = booked("restaurant", **{**TABLE, "name": name})
    played = dialogue(WANTED, LOOKS, said(user, "Your table is booked.", table))
    assert ask("books_unoffered", played, backend()).holds is holds
    assert ask("books_unoffered", dialogue(WANTED, LOOKS), backend()).holds is None


def test_contradicts_itself() -> None:
    first = said("Its phone?", "The phone number of The Copper Kettle is 01999111222.")
    for number, holds in (("01999111222", False), ("01888000000", True)):
        again = said("Sure?", f"The phone number of The Copper Kettle is {number}.")
        played = dialogue(WANTED, LOOKS, first, again)
        assert ask("contradicts_itself", played, backend()).holds is holds
    assert ask("contradicts_itself", dialogue(WANTED, first), backend()).holds is None


class Ledger:
    """Tools over tables that keep no bookings."""

    keeps_bookings = False

    def bookings(self) -> list[Any]:
        return []


def test_a_backend_that_keeps_no_bookings_misses_none() -> None:
    done = last("Done: your new laptop is D228, your desk is booked.", user="Yes, swap it.")
    assert ask("booking_missing", done, Ledger()).holds is None
    assert ask("wrong_reference", last("The reference is AB12CD34."), Ledger()).holds is None
    changed = last("Your table is booked.", ToolCall("update_booking", {"day": "friday"}, "ok"))
    assert ask("booking_missing", changed).holds is not True


def test_every_predicate_is_documented_and_named_in_the_docs(pytestconfig: pytest.Config) -> None:
    page = (pytestconfig.rootpath / "docs" / "rules.md").read_text(encoding="utf-8")
    for name, predicate in predicates().items():
        assert predicate.function.__doc__, name
        assert f"| `{name}` |" in page, name


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("That is down for two adults and a child.", True),
        ("That is down for three adults and a child.", False),
        ("Friday it is, for four.", None),
        ("So that's you and three others.", False),
        ("Enjoy it, all four of you!", False),
        ("It is for 4 people. So that's five of you, sorry, four.", False),
        ("So that's five of you. Sorry for the wait.", True),
        ("That makes one booking.", False),
    ],
)
def test_who_comes_is_as_many_as_are_booked(text: str, holds: bool | None) -> None:
    made = said("Book it for 4 on friday.", text, booked("restaurant", **TABLE))
    played = dialogue(restaurant_goal(), made, bookings=[booking("restaurant", **TABLE)])
    found = ask("misstates_booking", played)
    assert (found.holds is True) is (holds is True)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Look out for the white mercedes.", True),
        ("Look out for a black tesla.", True),
        ("Look out for the black toyota.", False),
        ("The black toyota waits at the White Horse.", False),
    ],
)
def test_the_car_that_was_ordered(text: str, holds: bool) -> None:
    ride = {"departure": "white horse", "destination": "quay", "type": "black toyota"}
    made = said("A taxi, please.", text, booked("taxi", **ride))
    played = dialogue(TAXI, made, bookings=[booking("taxi", **ride)])
    assert (ask("misstates_booking", played).holds is True) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("The Copper Kettle is AB12CD34, Willow Lodge is EF56GH78.", False),
        ("The Copper Kettle is EF56GH78, Willow Lodge is AB12CD34.", True),
        ("Your references: EF56GH78 for Willow Lodge and AB12CD34 for The Copper Kettle.", False),
        ("Your references: AB12CD34 for Willow Lodge and EF56GH78 for The Copper Kettle.", True),
        ("The Copper Kettle and Willow Lodge are booked, as AB12CD34 and EF56GH78.", False),
        ("A table for both of you, reference AB12CD34.", False),
    ],
)
def test_the_reference_of_each_of_two_bookings(text: str, holds: bool) -> None:
    stay = {"name": "willow lodge", "day": "monday", "stay": "3", "people": "2"}
    held = [
        booking("restaurant", "AB12CD34", **TABLE),
        booking("hotel", "EF56GH78", **stay),
    ]
    recap = dialogue(restaurant_goal(), said("And?", text), bookings=held)
    assert (ask("wrong_reference", recap).holds is True) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("It leaves at 17:00 and takes you to the Harbour Museum.", False),
        ("Be ready at 17:00.", False),
        ("It drops you off there.", False),
    ],
)
def test_the_way_of_a_taxi(text: str, holds: bool) -> None:
    ride = {"departure": "willow lodge", "destination": "harbour museum", "leaveAt": "17:00"}
    made = said("A taxi at 17:00, please.", text, booked("taxi", **ride))
    played = dialogue(TAXI, made, bookings=[booking("taxi", **ride)])
    assert (ask("misstates_booking", played).holds is True) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Don't forget, The Copper Kettle is on Saturday.", True),
        ("Don't forget, The Copper Kettle is on Friday.", False),
        ("Shall I try The Copper Kettle for Saturday instead?", False),
        ("The museum is open on Saturday.", False),
    ],
)
def test_what_is_said_of_an_earlier_booking(text: str, holds: bool) -> None:
    made = said("Book it for 4 on friday.", "It is booked.", booked("restaurant", **TABLE))
    played = dialogue(
        WANTED, made, said("Thanks.", text), bookings=[booking("restaurant", **TABLE)]
    )
    assert (ask("misstates_booking", played).holds is True) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("They're first come, first served and don't do reservations.", True),
        ("There are no seats left on that service.", True),
        ("I can seat four there.", None),
    ],
)
def test_what_cannot_be_had_was_tried(text: str, holds: bool | None) -> None:
    made = said("Book it for 4 on friday.", "Hm.", refused("restaurant", **TABLE))
    after = dialogue(WANTED, made, said("And now?", text))
    assert ask("refuses_untried", after).holds is not True
    tried = dialogue(WANTED, LOOKS, said("Book it.", text), bookings=[])
    seen = replace(tried, turns=tuple(replace(turn, booked=()) for turn in tried.turns))
    assert ask("refuses_untried", seen).holds is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Check-in is Monday, check-out Wednesday.", True),
        ("Check-in is Monday, check-out Thursday.", False),
        ("You stay from Monday to Friday.", True),
        ("You have it from Monday until Thursday.", False),
    ],
)
def test_the_end_of_a_stay(text: str, holds: bool) -> None:
    stay = {"name": "willow lodge", "day": "monday", "stay": "3", "people": "2"}
    made = said("From monday, 3 nights, 2 people.", text, booked("hotel", **stay))
    played = dialogue(WANTED, made, bookings=[booking("hotel", **stay)])
    assert (ask("misstates_booking", played).holds is True) is holds


@pytest.mark.parametrize(
    ("text", "holds"), [("You pull in at 09:50.", False), ("You pull in at 10:50.", True)]
)
def test_when_a_train_arrives_is_not_when_it_leaves(text: str, holds: bool) -> None:
    seats = {"trainID": "TR1010", "leaveAt": "09:00", "day": "monday", "people": "2"}
    trip = goal(DomainGoal("train", {"day": "monday"}, book={"people": "2"}, wants_booking=True))
    made = said("2 tickets.", f"TR1010 is booked. {text}", booked("train", **seats))
    played = dialogue(trip, made, bookings=[booking("train", **seats)])
    assert (ask("misstates_booking", played, backend()).holds is True) is holds


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Anything else? Say hello to the team at Saffron Garden from me!", True),
        ("Anything else? Thanks for choosing Saffron Garden.", True),
        ("Anything else? Thanks for choosing The Copper Kettle.", False),
    ],
)
def test_nobody_is_greeted_of_whom_nobody_has_spoken(text: str, holds: bool) -> None:
    played = dialogue(WANTED, LOOKS, said("Thanks.", text))
    assert (ask("answers_for_another", played, backend()).holds is True) is holds
