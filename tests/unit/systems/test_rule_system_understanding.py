"""What the reference bot makes of free English, over the demo world."""

from pathlib import Path

import pytest

import pytest_todeval
from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.simulation.systems.rules.heard_text import Context
from pytest_todeval.simulation.systems.rules.lexicon import BotLexicon
from pytest_todeval.simulation.systems.rules.understanding import Understood, understand

DEMO = Path(pytest_todeval.__file__).parent / "worlds" / "demo" / "data"
NOTHING = Context()


@pytest.fixture(scope="module")
def lexicon() -> BotLexicon:
    return BotLexicon.of(MultiwozDatabase.load(DEMO))


def told(heard: Understood) -> dict[str, str]:
    """`domain.slot` -> value, or `= domain` if it is to be looked up."""
    return {
        f"{s.domain}.{s.slot}": s.value if s.as_in is None else f"= {s.as_in}"
        for s in heard.informs
    }


def asked(heard: Understood) -> list[str]:
    return sorted(f"{request.domain}.{request.slot}" for request in heard.requests)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A cheap italian restaurant in the center, please.",
         {"restaurant.food": "italian", "restaurant.pricerange": "cheap",
          "restaurant.area": "centre"}),
        ("I 'm after mongolian food", {"restaurant.food": "mongolian"}),
        ("I need a place to stay in the north with free wifi and 4 stars, not expensive",
         {"hotel.area": "north", "hotel.internet": "yes", "hotel.stars": "4"}),
        ("a guest house without parking but with internet",
         {"hotel.type": "guesthouse", "hotel.parking": "no", "hotel.internet": "yes"}),
        ("I'm looking for a restaurant called nr. 7", {"restaurant.name": "nr. 7"}),
        ("Tell me about the restaurant Salt & Smoke Wharfside",
         {"restaurant.name": "salt & smoke wharfside"}),
        ("is there a place called the gilded peacok?", {"restaurant.name": "the gilded peacock"}),
        ("I want to visit a museum in the east",
         {"attraction.type": "museum", "attraction.area": "east"}),
        ("a train from Marlwick to Port Ellery on friday leaving after 9:15",
         {"train.departure": "marlwick", "train.destination": "port ellery", "train.day": "friday",
          "train.leaveAt": "09:15"}),
        ("I'm going to Grimsfold on sunday and need to arrive by 5:30 pm",
         {"train.destination": "grimsfold", "train.day": "sunday", "train.arriveBy": "17:30"}),
        ("Book a table for two on friday at 7 pm",
         {"restaurant.people": "2", "restaurant.day": "friday", "restaurant.time": "19:00"}),
        ("a room for 3 nights starting tuesday for 5 people",
         {"hotel.stay": "3", "hotel.day": "tuesday", "hotel.people": "5"}),
        ("A taxi from the hotel to the restaurant; I want to leave the hotel by 17:15",
         {"taxi.departure": "= hotel", "taxi.destination": "= restaurant",
          "taxi.leaveAt": "17:15"}),
        ("I need a taxi to Nine Lanterns arriving by 12:00",
         {"taxi.destination": "nine lanterns", "taxi.arriveBy": "12:00"}),
        ("a restaurant in the same area as the hotel", {"restaurant.area": "= hotel"}),
        ("a train on the same day as the restaurant booking, for the same group of people",
         {"train.day": "= restaurant", "train.people": "= "}),
        ("An indian restaurant in the west and a hotel in the south",
         {"restaurant.food": "indian", "restaurant.area": "west", "hotel.area": "south"}),
        ("a restaurant, I don't care about the price range", {"restaurant.pricerange": "dontcare"}),
        ("Hello there, can you help me?", {}),
    ],
)  # fmt: skip
def test_values(lexicon: BotLexicon, text: str, expected: dict[str, str]) -> None:
    assert told(understand(text, lexicon, NOTHING)) == expected


@pytest.mark.parametrize(
    ("context", "text", "expected"),
    [
        (Context("hotel", (("hotel", "area"),)), "The north, please.", {"hotel.area": "north"}),
        (Context("hotel", (("hotel", "stay"),)), "3", {"hotel.stay": "3"}),
        (Context("train", (("train", "people"),)), "Just me.", {"train.people": "1"}),
        (Context("train", (("train", "departure"),)), "Marlwick", {"train.departure": "marlwick"}),
        (Context("taxi", (("taxi", "departure"),)), "the hotel", {"taxi.departure": "= hotel"}),
        (Context("restaurant", (("restaurant", "food"),)), "Any is fine.",
         {"restaurant.food": "dontcare"}),
        (Context("attraction", (("restaurant", "area"),)), "Somewhere in the east.",
         {"restaurant.area": "east"}),
        (Context("restaurant", (("restaurant", "time"),)), "How about 13:45 instead?",
         {"restaurant.time": "13:45"}),
        (Context("train", (("train", "leaveAt"), ("train", "arriveBy"))), "by 10:00",
         {"train.arriveBy": "10:00"}),
    ],
)  # fmt: skip
def test_answers_depend_on_the_question(
    lexicon: BotLexicon, context: Context, text: str, expected: dict[str, str]
) -> None:
    assert told(understand(text, lexicon, context)) == expected


@pytest.mark.parametrize(
    ("domain", "text", "expected"),
    [
        ("restaurant", "What's the phone number and postcode?",
         ["restaurant.phone", "restaurant.postcode"]),
        ("restaurant", "Which part of town is it in, and what type of food do they serve?",
         ["restaurant.area", "restaurant.food"]),
        ("hotel", "Does it have internet? And is there parking?",
         ["hotel.internet", "hotel.parking"]),
        ("hotel", "I need whether it has parking and the star rating.",
         ["hotel.parking", "hotel.stars"]),
        ("attraction", "How much is the entrance fee?", ["attraction.entrance fee"]),
        ("train", "How long does it take, how much is a ticket and when does it arrive?",
         ["train.arriveBy", "train.duration", "train.price"]),
        ("train", "I'd like the train ID and the reference number.",
         ["train.reference", "train.trainID"]),
        ("taxi", "What is the contact number and the car type?", ["taxi.car type", "taxi.phone"]),
        ("train", "What is the address of the hotel?", ["hotel.address"]),
        ("restaurant", "I don't need the phone number.", []),
    ],
)  # fmt: skip
def test_requests(lexicon: BotLexicon, domain: str, text: str, expected: list[str]) -> None:
    context = Context(domain, offered=("restaurant", "hotel", "attraction", "train"))
    assert asked(understand(text, lexicon, context)) == expected


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Yes, please.", "yes"),
        ("That sounds good.", "yes"),
        ("Can you book it for me?", "books"),
        ("I don't need a booking, just the information.", "no_booking"),
        ("No, I said the east.", "no"),
        ("Is there another one?", "another"),
        ("Which one would you recommend?", "suggest"),
        ("Great, that's all. Thanks, bye!", "bye"),
    ],
)
def test_acts(lexicon: BotLexicon, text: str, act: str) -> None:
    assert getattr(understand(text, lexicon, NOTHING), act)


@pytest.mark.parametrize("text", ["I have a booking number", "Is it near my reservation?"])
def test_talk_of_a_booking_asks_for_none(lexicon: BotLexicon, text: str) -> None:
    assert not understand(text, lexicon, NOTHING).books
