"""The rule bot's sentences, by what it found and what is wanted."""

from collections.abc import Mapping

import pytest

from pytest_todeval.simulation.systems.rules import wording

TRAIN = {
    "trainID": "TR01", "departure": "ely", "destination": "kings lynn", "day": "friday",
    "leaveAt": "09:00", "arriveBy": "09:30",
}  # fmt: skip
INN = {"name": "the mill inn", "type": "hotel", "stars": "4", "area": "north"}


@pytest.mark.parametrize(
    ("domain", "row", "count", "said"),
    [
        ("train", TRAIN, 3, "Train TR01 leaves Ely at 09:00 on Friday and arrives in Kings Lynn at "
         "09:30."),
        ("restaurant", {"name": "wok", "pricerange": "expensive", "area": "east", "food": "thai"},
         1, "I found Wok. It is an expensive restaurant in the east of town that serves thai "
         "food."),
        ("restaurant", {"name": "wok", "pricerange": "moderate"}, 2,
         "I would suggest Wok. It is a moderate restaurant that serves varied food."),
        ("hotel", {**INN, "internet": "yes", "parking": "yes"}, 1,
         "I found The Mill Inn. It is a 4 star hotel in the north of town with internet and "
         "parking."),
        ("hotel", {**INN, "internet": "yes", "parking": "no"}, 1,
         "I found The Mill Inn. It is a 4 star hotel in the north of town with internet, but "
         "without parking."),
        ("hotel", {"name": "x", "internet": "no"}, 1,
         "I found X. It is a ? star hotel without internet."),
        ("attraction", {"name": "arc", "type": "architecture"}, 1,
         "I found Arc. It is an architecture."),
        ("attraction", {"name": "arc", "area": "west"}, 1,
         "I found Arc. It is in the west of town."),
        ("attraction", {"name": "arc", "type": "?"}, 1, "I found Arc."),
    ],
)  # fmt: skip
def test_an_offer_has_its_facts(domain: str, row: dict[str, str], count: int, said: str) -> None:
    assert wording.offer(domain, row, count, 3) == said


def test_ways_to_say_it_take_turns() -> None:
    offers = [wording.offer("attraction", {"name": "arc"}, 2, turn) for turn in range(4)]
    assert offers == ["I would suggest Arc.", "How about Arc?", "I recommend Arc.", offers[0]]
    asked = [wording.ask("train", "people", turn) for turn in (1, 2, 3)]
    assert asked == ["For how many people?", "How many tickets would you like?", asked[0]]
    assert wording.ask("taxi", "stay", 0) == "How many nights will you stay?"
    assert wording.ask("hotel", "day", 0) == "What day will your stay start?"
    assert wording.ask("spa", "trainID", 0) == "What train ID would you like?"
    booking = [wording.ask_to_book(domain, 1) for domain in ("train", "hotel")]
    assert booking == ["Shall I book tickets for you?", "Shall I make a booking?"]


@pytest.mark.parametrize(
    ("slot", "value", "said"),
    [
        ("internet", "yes", "Yes, it has free internet."),
        ("parking", "no", "No, it has no parking."),
        ("entrance fee", "free", "The entrance fee of Arc: it is free."),
        ("entrance fee", "5 pounds", "The entrance fee of Arc is 5 pounds."),
        ("type", "architecture", "It is an architecture."),
        ("type", "museum", "It is a museum."),
        ("car type", "audi", "The car type is an audi."),
        ("phone", "01223", "The phone number of Arc is 01223."),
        ("oil", "hot", "The oil is hot."),
    ],
)
def test_an_answer_to_a_request(slot: str, value: str, said: str) -> None:
    assert wording.tell(slot, value, "Arc") == said


@pytest.mark.parametrize(
    ("domain", "wanted", "relaxing", "said"),
    [
        ("hotel", {"name": "the mill"}, ["area"],
         "I am sorry, there is no place to stay called The Mill. Would you like another?"),
        ("train", {"departure": "ely", "day": "friday", "leaveAt": "09:00"}, ["leaveAt", "day"],
         "I am sorry, there is no train from Ely on Friday leaving after 09:00. Would you like to "
         "try another departure time or day?"),
        ("hotel", {"internet": "no", "parking": "yes", "stars": "4"}, [],
         "I am sorry, there is no place to stay without internet with parking with 4 stars."),
        ("spa", {"heat": "dry"}, [], "I am sorry, there is no spa with heat dry."),
        ("spa", {}, [], "I am sorry, there is no spa."),
    ],
)  # fmt: skip
def test_nothing_meets_what_is_wanted(
    domain: str, wanted: Mapping[str, str], relaxing: list[str], said: str
) -> None:
    assert wording.no_match(domain, wanted, relaxing, 2) == said
    assert wording.no_match(domain, wanted, relaxing, 1).startswith("Unfortunately there is no ")


def test_how_many_there_are() -> None:
    assert wording.several("hotel", 7, {"internet": "no", "stars": "4"}) == (
        "I have 7 places to stay without internet with 4 stars."
    )
    assert wording.several("train", 2, {"destination": "ely"}) == "I have 2 trains to Ely."


def test_a_booking_has_all_that_is_in_it() -> None:
    of = {"name": "the mill", "people": "1", "day": "friday", "time": "18:00", "stay": "2"}
    told = {
        domain: wording.booked(domain, {**of, **more}, "X1", 0)
        for domain, more in {
            "restaurant": {},
            "hotel": {"people": "2", "stay": "1"},
            "train": {"trainID": "TR01", "people": "3"},
        }.items()
    }
    end = " The reference number is X1."
    assert told == {
        "restaurant": f"I have booked The Mill for 1 person on Friday at 18:00.{end}",
        "hotel": f"I have booked The Mill for 2 people from Friday for 1 night.{end}",
        "train": f"I have booked 3 tickets on train TR01 on Friday.{end}",
    }
    assert wording.booked("restaurant", of, "X1", 1).startswith("Your booking was successful: The")
