"""What single sentences are taken for: choices, replies asked for, talk of the business, values."""

import pytest

from pytest_todeval.facts.told_values import numbers_said, says_value
from pytest_todeval.nlu.questions.options import (
    LONGEST_TEXT,
    MOST,
    alternatives,
    numbered,
    reply_words,
    suits_anybody,
    wants_number,
)
from pytest_todeval.nlu.questions.personal import personal_topics, secrets_in
from pytest_todeval.nlu.questions.relevance import may_concern
from pytest_todeval.nlu.text.speech import (
    answered,
    asks_success,
    asks_to_book,
    declines_to_book,
    thanks,
)
from pytest_todeval.nlu.values.journeys import end_of_journey, end_of_ride, end_said, time_slot


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("would you like tea, coffee or water?", ("tea", "coffee", "water")),
        ("would you prefer a window or an aisle seat?", ("window", "aisle seat")),
        ("tea or coffee for you?", ("tea", "coffee")),
        ("for your room, twin, double or single?", ("twin", "double", "single")),
        ("do you want tea, milk, soup, cola or water?", ("tea", "milk", "soup", "cola", "water")),
        ("tea, milk, soup, cola, cocoa or water, please?", ()),  # more than are listened to
        ("do you want one two three four or five?", ("one two three four", "five")),
        ("do you want one two three four five or six?", ()),
        ("shall i book it or search again?", ()),
        ("would you like tea?", ()),
    ],
)
def test_what_one_may_choose_from(text: str, options: tuple[str, ...]) -> None:
    assert alternatives(text) == options


def test_some_options_suit_anybody() -> None:
    assert suits_anybody("on arrival")
    assert not suits_anybody("by bank transfer")


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("1. Sea View, in town\n2. Hill Inn", (("1", "Sea View, in town"), ("2", "Hill Inn"))),
        ("A) tea, B) coffee", (("A", "tea"), ("B", "coffee"))),
        ("There is 1. Sea View", ()),
        ("No list here.", ()),
    ],
)  # fmt: skip
def test_numbered_options(text: str, options: tuple[tuple[str, str], ...]) -> None:
    assert numbered(text) == options


def test_no_more_options_and_no_longer_texts_are_read_than_it_says() -> None:
    assert len(numbered("\n".join(f"{n % 9 + 1}. tea" for n in range(30)))) == 2 * MOST
    assert numbered("x" * LONGEST_TEXT + "\n1. tea\n2. coffee") == ()
    assert reply_words("x" * LONGEST_TEXT + " reply with YES to confirm") is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Please choose one by number.", True),
        ("Reply 1, 2 or 3.", True),
        ("Please type the letter you want.", True),
        ("Which one would you like?", False),
    ],
)
def test_whether_a_number_is_asked_for(text: str, asked: bool) -> None:
    assert wants_number(text) is asked


@pytest.mark.parametrize(
    ("text", "replies"),
    [
        ("Reply YES to confirm or NO to cancel.", ("YES", "NO")),
        ("Press 1 to book, 2 to change it.", ("1", "2")),
        ("Type 'go' to book it.", ("go", "")),
        ("Please answer Y to proceed.", ("Y", "")),
        ("Please type A to book.", None),  # may be a word
        ("Please type (A) to book.", ("A", "")),
        ("Answer with the word continue please.", ("continue", "")),
        ("Shall I go on (yes/no)?", ("yes", "no")),
        ("Press 2 to cancel.", None),
        ("Where would you like to go?", None),
    ],
)
def test_the_reply_that_is_asked_for(text: str, replies: tuple[str, str] | None) -> None:
    assert reply_words(text) == replies


@pytest.mark.parametrize(
    ("text", "concerns"),
    [
        ("All of it is in the ledger of the table by the door.", True),  # a word of booking
        ("It has been so at the pagoda for all of them.", True),  # a word of the goal
        ("It has been so at the castle for all of them.", False),
        ("Zimmer frei, bitte warten Sie noch.", True),  # hardly English
        ("I am not able to help with a table.", False),
        ("", False),
        ("12:30!", False),
    ],
)
def test_whether_what_is_not_understood_may_concern_the_user(text: str, concerns: bool) -> None:
    assert may_concern(text, {"pagoda"}) is concerns


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("i will take the second one", True),
        ("can you find and book me one", True),
        ("please reserve it", True),
        ("can you find me something and order it", False),  # it is a search yet
        ("find me a cheap place", False),
        ("what is the address", False),
        ("no booking, thanks, just the opening times", False),
        ("there is no need to book, what is the price?", False),
        ("do not book it yet, where is it?", False),
        ("i do not want to make a reservation, only the number", False),
        ("not that one, but book the other for me", True),
        ("no, book it for four", True),
        ("no book it for four", True),
    ],
)
def test_whether_a_user_asks_to_book(said: str, asks: bool) -> None:
    assert asks_to_book(said) is asks
    assert not (asks and declines_to_book(said))


@pytest.mark.parametrize(
    ("said", "declines"),
    [
        ("no booking, thanks", True),
        ("there is no need to reserve", True),
        ("no booking there, book the other", False),
        ("what is the address", False),
    ],
)
def test_whether_a_user_wants_nothing_booked(said: str, declines: bool) -> None:
    assert declines_to_book(said) is declines


def test_whether_a_user_asks_if_it_worked() -> None:
    assert asks_success("did it go through")
    assert not asks_success("does it have a garden")


def test_thanks_for_the_call() -> None:
    assert thanks("thank you for calling the town desk")
    assert not thanks("the town desk is open")


@pytest.mark.parametrize(
    ("reply", "user_said", "yes"),
    [
        ("yes , it is", "is my table booked ?", True),
        ("not yet , i am afraid", "is my table booked ?", False),
        ("yes , which day ?", "is my table booked ?", None),
        ("the table is by the door", "is my table booked ?", None),
        ("yes , it is", "is it far ?", None),
    ],
)
def test_an_answer_to_whether_it_is_booked(reply: str, user_said: str, yes: bool | None) -> None:
    assert answered(reply, user_said) is yes


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("may i have your name and email ?", ["name", "email"]),
        ("your email and your name ?", ["email", "name"]),
        ("what is your surname ? and your full name", ["surname"]),
        ("what kind of card , and how would you like to pay ?", ["card type"]),
        ("any name of the restaurant in mind ?", []),
        ("how much is the deposit of the hotel ?", []),  # the place's, not the person's
        ("which day ?", []),
    ],
)
def test_what_is_asked_of_the_person(text: str, topics: list[str]) -> None:
    assert personal_topics(text) == (*topics,)


def test_secrets_are_known() -> None:
    assert secrets_in("please give me the card number")
    assert not secrets_in("please give me a number of people")


@pytest.mark.parametrize(
    ("text", "slot", "value", "says"),
    [
        ("There is no parking. The wifi is good.", "parking", "no", True),
        ("There is no parking. The wifi is good.", "internet", "no", False),
        ("There is no parking. The wifi is good.", "internet", "yes", True),
        ("Call 01223 (555) 0199.", "phone", "012235550199", True),
        ("Call 01223 555.", "phone", "?", False),
        ("That is 12.50 in all.", "price", "12.5 pounds", True),
        ("That is 112.50 in all.", "price", "12.5 pounds", False),
        ("There is no charge at all.", "entrance fee", "free", True),
        ("It leaves at 5:15 pm.", "leaveAt", "17:15", True),
        ("It leaves at 5:15 am.", "leaveAt", "17:15", False),
        ("For three nights from the 5th.", "stay", "3", True),
        ("For five people, 3 times.", "stay", "3", False),
        ("A party of four, then.", "people", "4", True),
        ("It is the Copper Ketle.", "name", "copper kettle", True),
        ("It is the Iron Kettle.", "name", "copper kettle", False),
        ("The deposit is £90.", "deposit", "90 pounds", True),
        ("The deposit is £91.", "deposit", "90 pounds", False),
        ("Some oak.", "wood", "oak", True),
        ("Some oats.", "wood", "oak", False),
    ],
)
def test_whether_a_text_says_a_value(text: str, slot: str, value: str, says: bool) -> None:
    assert says_value(text, slot, value) is says


def test_numbers_stand_beside_their_unit() -> None:
    assert numbers_said("3 nights for a party of four", "stay") == {"3"}
    assert numbers_said("3 nights for two guests", "people") == {"2"}
    assert numbers_said("A table for a party of four.", "people") == {"4"}  # of no party of one


@pytest.mark.parametrize(
    ("before", "domain", "venue", "end"),
    [
        ("it goes from the ", "train", False, "departure"),
        ("it goes to the ", "train", False, "destination"),
        ("it goes to the ", "hotel", True, "name"),
        ("the phone number of ", "train", True, "name"),
        ("from ely to ", "train", True, "destination"),
        ("the bus for ", "bus", True, None),
        ("it leaves ely for ", "bus", True, "destination"),
        ("near ", "train", False, None),
        ("a ride to the mill , picked up at ", "taxi", True, "departure"),
    ],
)
def test_which_end_of_a_journey_a_place_is(
    before: str, domain: str, venue: bool, end: str | None
) -> None:
    assert end_of_journey(f"{before}the mill", len(before), domain, venue=venue) == end


def test_the_last_word_tells_the_end_of_a_ride() -> None:
    assert end_of_ride("from the inn to ") == "destination"
    assert end_of_ride("to the inn from ") == "departure"
    assert end_of_ride("near ") is None
    assert end_said(
        "From the mill. It waits at the inn, and heads to the Old Mill.", "old mill"
    ) == ("destination")
    assert end_said("The ride is between the inn and the old mill.", "old mill") is None
    assert end_said("From the mill.", "") is None  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "domain", "slot"),
    [
        ("it leaves at ", "", "train", "leaveAt"),
        ("it arrives at ", "", "train", "arriveBy"),
        ("it leaves ely and gets in at ", "", "train", "arriveBy"),
        ("you will be there by ", "", "taxi", "arriveBy"),
        ("it leaves by ", "", "train", "leaveAt"),
        ("trains after ", "", "train", None),
        ("the one at ", " arriving then", "train", "arriveBy"),
        ("the one at ", "", "train", "leaveAt"),
        ("a table at ", "", "restaurant", "time"),
    ],
)
def test_whose_time_it_is(before: str, after: str, domain: str, slot: str | None) -> None:
    text = f"{before}17:15{after}"
    assert time_slot(text, len(before), len(before) + 5, domain) == slot
