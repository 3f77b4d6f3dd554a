"""The reference bot in conversation, over the demo world and small ones."""

from pathlib import Path
from typing import Any

import pytest

import pytest_todeval
from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.table_files import TaxiFleet
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.simulation.systems.rules.requests import AskedValue
from pytest_todeval.simulation.systems.rules.state import DomainState
from pytest_todeval.systems import RuleSystem

DEMO = Path(pytest_todeval.__file__).parent / "worlds" / "demo" / "data"
VENUE = {"area": "north", "phone": "01632960001", "address": "1 High Street", "postcode": "qz11aa"}
ROWS: dict[str, list[dict[str, Any]]] = {
    "restaurant": [
        {"name": "golden wok", "food": "chinese", "pricerange": "cheap", **VENUE},
        {"name": "blue heron", "food": "seafood", "pricerange": "expensive", **VENUE},
        {"name": "red fox", "food": "seafood", "pricerange": "cheap", **VENUE},
    ],
    "hotel": [
        {"name": "worth house", "type": "guesthouse", "stars": "4", "internet": "yes",
         "parking": "no", "pricerange": "cheap", **VENUE, "phone": "01632960002"},
    ],
    "attraction": [{"name": "mill gallery", "type": "museum", "entrance fee": "?", **VENUE}],
    "train": [
        {"trainID": f"TR10{hour}", "day": "friday", "departure": "ely", "destination": "leeds",
         "leaveAt": f"{hour}:00", "arriveBy": f"{hour}:50", "price": "9.80 pounds",
         "duration": "50 minutes"}
        for hour in (10, 11, 12)
    ],
    "police": [{"name": "kiln lane station", "address": "2 Kiln Lane", "phone": "01632960954"}],
    "hospital": [{"department": "eye clinic", "phone": "01632960818", "address": "Heath End"}],
}  # fmt: skip
DATABASE = MultiwozDatabase(ROWS, taxis=TaxiFleet(("green",), ("fiat",)))


class Talk:
    """A dialogue with the bot, one turn at a time."""

    def __init__(
        self, bot: type[RuleSystem] = RuleSystem, goal: Goal | None = None, database: Any = DATABASE
    ) -> None:
        self.backend = MultiwozBackend(database, goal)
        self.bot = bot(self.backend)

    def say(self, *texts: str) -> str:
        for text in texts:
            reply = self.bot.respond(text)
            assert reply.text
        return reply.text

    @property
    def calls(self) -> list[str]:
        return [call.name for call in self.backend.trace]

    @property
    def booked(self) -> list[dict[str, str]]:
        return [dict(booking.slots) for booking in self.backend.bookings()]


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_finds_books_and_tells(talk: Talk) -> None:
    assert "Golden Wok" in talk.say("I want chinese food")
    assert "Saturday" in talk.say("Please book it for 4 people on saturday at 6 pm.")
    (booking,) = talk.backend.bookings()
    assert booking.slots == {
        "name": "golden wok", "day": "saturday", "time": "18:00", "people": "4",
    }  # fmt: skip
    assert booking.reference in talk.say("What is the reference number?")
    assert "01632960001" in talk.say("And the phone number, please?")
    assert talk.calls == ["find_restaurant", "book_restaurant"]


def test_asks_before_it_offers_one_of_several_but_not_for_ever(talk: Talk) -> None:
    assert "food" in talk.say("I need a restaurant")
    assert "price range" in talk.say("I don't care")
    assert "Golden Wok" in talk.say("The price doesn't matter")


def test_asks_nothing_when_the_choice_is_left_to_it(talk: Talk) -> None:
    assert "Golden Wok" in talk.say("Can you recommend a restaurant?")


def test_asks_for_what_a_booking_needs(talk: Talk) -> None:
    talk.say("I'm looking for a hotel called worth house")
    asked = talk.say("Yes please, for 2 nights")
    assert "?" in asked
    assert talk.booked == []
    assert "number is" in talk.say("From friday", "3 people")
    assert talk.booked == [{"name": "worth house", "stay": "2", "day": "friday", "people": "3"}]


def test_does_not_book_what_the_user_has_not_seen(talk: Talk) -> None:
    offered = talk.say("Book a table for 2 on friday at 18:00 at a chinese restaurant")
    assert "Golden Wok" in offered
    assert talk.booked == []
    talk.say("Yes, please")
    assert len(talk.booked) == 1


def test_does_not_book_unasked_or_twice(talk: Talk) -> None:
    talk.say("I want chinese food", "No booking, just the information. What is the address?")
    assert talk.booked == []
    talk.say("Book it for 4 people on saturday at 6 pm", "Yes, thank you", "Please book it")
    assert len(talk.booked) == 1


def test_no_to_a_question_for_a_preference_leaves_it_open(talk: Talk) -> None:
    assert "food" in talk.say("I need a restaurant")
    assert "price range" in talk.say("Not really.")
    assert talk.bot.state.belief()["restaurant"] == {"food": "dontcare"}
    assert "Blue Heron" in talk.say("No, an expensive one.")
    assert talk.bot.state.belief()["restaurant"]["pricerange"] == "expensive"


def test_says_why_a_booking_failed_and_what_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*searches: str) -> str:
        talk = Talk()
        call = talk.backend.call

        def refuse(name: str, /, **given: Any) -> Any:
            if name.startswith("book_"):
                raise ToolRefused("it is full; ask for less")
            return call(name, **given)

        monkeypatch.setattr(talk.backend, "call", refuse)
        return talk.say(*searches)

    sorry = "I am sorry, the booking failed: it is full. Would you like to try another"
    found = refused("I want chinese food", "Book it for 4 people on saturday at 6 pm.")
    assert found == f"{sorry} day or time?"
    stay = refused("A hotel called worth house", "Book it for 2 nights from friday for 3 people")
    assert stay == f"{sorry} day or number of nights?"
    train = refused("A train from ely to leeds on friday after 12:00", "Book it for 2 people.")
    assert train == f"{sorry} train?"


def test_one_that_was_passed_over_is_offered_again_if_it_is_named(talk: Talk) -> None:
    talk.say("Any seafood restaurant. You choose.")
    assert "Red Fox" in talk.say("Do you have another one?")
    assert "I found Blue Heron" in talk.say("Then the restaurant called blue heron.")
    talk.say("Book it for 2 people on monday at 12:00")
    assert talk.booked[0]["name"] == "blue heron"


def test_says_that_there_is_none_and_what_to_give_up(talk: Talk) -> None:
    said = talk.say("I'd like an expensive chinese restaurant")
    assert "no restaurant" in said
    assert "another" in said
    assert "price range" in said
    assert "food" in said
    assert "Blue Heron" in talk.say("How about seafood instead?")
    assert talk.bot.state.belief()["restaurant"] == {"food": "seafood", "pricerange": "expensive"}


def test_takes_corrections(talk: Talk) -> None:
    said = talk.say("an expensive seafood restaurant")
    assert "Blue Heron" in said
    assert "an expensive restaurant" in said
    assert "Red Fox" in talk.say("No, I said a cheap one.")
    talk.say("Book it for 3 people on monday at 12:00")
    assert talk.booked[0]["name"] == "red fox"


def test_offers_another_one_when_asked(talk: Talk) -> None:
    assert "Blue Heron" in talk.say("Any seafood restaurant. You choose.")
    assert "Red Fox" in talk.say("Do you have another one?")
    assert "no other" in talk.say("Do you have a different restaurant?")


def test_relays_refusals_and_books_the_alternative() -> None:
    book = {"day": "friday", "time": "19:00", "people": "2"}
    part = DomainGoal("restaurant", book=book, fail_book={"time": "18:00"}, wants_booking=True)
    talk = Talk(goal=Goal("G", "mine", (part,)))
    talk.say("I want chinese food")
    refused = talk.say("Book it for 2 people on friday at 18:00")
    assert "booking failed: nothing is free" in refused
    assert talk.booked == []
    assert "reference number" in talk.say("Then how about 19:00?")
    assert talk.booked == [{"name": "golden wok", **book}]


def test_says_when_it_does_not_know(talk: Talk) -> None:
    talk.say("Tell me about an attraction called mill gallery")
    assert "do not have the entrance fee" in talk.say("What is the entrance fee?")


def test_answers_in_every_domain_spoken_of(talk: Talk) -> None:
    said = talk.say("I want chinese food, and a guesthouse in the north.")
    assert "Golden Wok" in said
    assert "Worth House" in said
    said = talk.say("What is the phone number of the guesthouse and the address of the restaurant?")
    assert "01632960002" in said
    assert "The address of Golden Wok" in said


def test_trains(talk: Talk) -> None:
    assert "?" in talk.say("I need a train to leeds on friday")
    assert "?" in talk.say("From ely.")
    assert "TR1012" in talk.say("I have to arrive by 13:00")
    assert "TR1011" in talk.say("Sorry, I meant leaving after 10:30")
    told = talk.say("How long does it take and what does it cost?")
    assert "50 minutes" in told
    assert "9.80 pounds" in told
    talk.say("Book it for 3 people")
    assert (talk.booked[0]["trainID"], talk.booked[0]["people"]) == ("TR1011", "3")


def test_taxis_between_venues(talk: Talk) -> None:
    talk.say("I want chinese food", "Also a hotel called worth house")
    assert "?" in talk.say("I need a taxi from the hotel to the restaurant")
    told = talk.say("I want to leave at 17:15")
    (booked,) = talk.booked
    assert booked["departure"] == "worth house"
    assert booked["destination"] == "golden wok"
    assert booked["leaveAt"] == "17:15"
    assert booked["phone"] in told
    assert "green fiat" in told
    assert booked["phone"] in talk.say("What was the contact number?")
    assert len(talk.booked) == 1


def test_same_day_and_people_as_before(talk: Talk) -> None:
    talk.say("I want chinese food", "Book it for 4 people on friday at 6 pm")
    talk.say("A hotel in the same area as the restaurant, please")
    talk.say("Book it for 2 nights from the same day, for the same group of people")
    assert talk.booked[1] == {"name": "worth house", "day": "friday", "people": "4", "stay": "2"}


def test_police_and_hospital(talk: Talk) -> None:
    assert "01632960954" in talk.say("I was robbed, where is the police station?")
    assert "01632960818" in talk.say("I need a hospital with an eye clinic")


@pytest.mark.parametrize("text", ["", "?!", "qwerty uiop", "@0 @99", "{0} %s \\1", "🦊" * 50])
def test_says_when_it_does_not_understand(talk: Talk, text: str) -> None:
    said = talk.say(text)
    assert said.endswith("?")
    assert talk.calls == []


def test_says_goodbye(talk: Talk) -> None:
    assert "goodbye" in talk.say("That is all, thank you. Bye!")
    assert talk.calls == []


def test_the_reply_carries_the_belief_state(talk: Talk) -> None:
    reply = talk.bot.respond("A cheap chinese restaurant, a table for 2")
    assert reply.state == {"restaurant": {"pricerange": "cheap", "food": "chinese", "people": "2"}}


def test_one_decision_can_be_overridden() -> None:
    class Discreet(RuleSystem):
        def answer_request(self, state: DomainState, request: AskedValue) -> str:
            return "I would rather not say."

    talk = Talk(Discreet)
    talk.say("I want chinese food")
    assert talk.say("What is the phone number?").startswith("I would rather not say.")


def test_two_bots_say_the_same() -> None:
    texts = ("I want chinese food", "Book it for 4 people on friday at 6 pm", "Thanks")
    one, other = Talk(), Talk()
    assert [one.say(text) for text in texts] == [other.say(text) for text in texts]


def test_serves_the_demo_world() -> None:
    talk = Talk(database=MultiwozDatabase.load(DEMO))
    said = talk.say("Do you have a restaurant called the gilded peacock?")
    assert "The Gilded Peacock" in said


def test_takes_the_train_that_the_user_names(talk: Talk) -> None:
    assert "TR1010" in talk.say("A train from ely to leeds on friday, leaving after 9:00")
    assert "TR1012" in talk.say("Let's go with TR1012, please")
    talk.say("Book it for 2 people")
    assert talk.booked[0]["trainID"] == "TR1012"


def test_does_not_ask_again_what_was_declined(talk: Talk) -> None:
    assert "book" in talk.say("I want chinese food")
    talk.say("I don't need a booking, just the information.")
    assert "book" not in talk.say(
        "What is the address?", "And is it cheap? Tell me the price range."
    )
    assert "book" not in talk.say("How about seafood instead? You choose.")
    talk.say("Actually, please book it for 2 people on friday at 18:00.")
    assert talk.booked[0]["name"] == "blue heron"


def test_asks_for_the_time_of_a_train_once(talk: Talk) -> None:
    assert "time" in talk.say("A train from ely to leeds on friday")
    assert "TR1010" in talk.say("From Ely, as I said.")
