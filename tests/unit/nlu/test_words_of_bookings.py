"""What single words around a booking come to: what is booked, by whom, and how it is put."""

import pytest

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.booking_act import BookingAct, singular, subject_of, thing
from pytest_todeval.nlu.bookings.booking_acts import deeds
from pytest_todeval.nlu.bookings.codes import references
from pytest_todeval.nlu.bookings.objects import (
    active,
    fits,
    head_part,
    is_kept,
    object_part,
    opens,
    stands_alone,
    verbless,
)
from pytest_todeval.nlu.bookings.proposals import offers_booking, offers_in_passing
from pytest_todeval.nlu.bookings.whose import of_whom
from pytest_todeval.nlu.text.phrases import Phrase

ASSERTED, OF_OTHERS = Factuality.ASSERTED, Factuality.OF_OTHERS


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("the seat reservation", "seat"), ("the reservation", "reservation"), ("nice weather", ""),
        ("two tables for four", "table"), ("a table and a room", "room"), ("NAME", "NAME"),
        ("the opening", "opening"), ("table order now", "table"),
        ("the order now", "order"), ("", ""),
    ],
)  # fmt: skip
def test_what_is_booked_is_the_last_thing_named(words: str, what: str) -> None:
    assert thing(words.split()) == what


def test_singular() -> None:
    words = "tables passes class bus gas seats"
    assert [singular(word) for word in words.split()] == [
        "table", "passe", "class", "bus", "gas", "seat",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "head"),
    [
        ("the money for the booking", "the money"), ("for two", "for two"),
        ("a table for two at eight", "a table"), ("table of ours", "table"), ("", ""),
        ("the day that you like", "the day"),
    ],
)  # fmt: skip
def test_the_head_of_a_noun_phrase(words: str, head: str) -> None:
    assert head_part(words.split()) == head.split()


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("you two seats in row c", "you two seats"), ("you in for eight", "you in"),
        ("it for you", "it for you"), ("in two", "in two"), ("the room and the car", "the room"),
    ],
)  # fmt: skip
def test_the_object_of_a_verb(words: str, part: str) -> None:
    assert object_part(words.split()) == part.split()


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("you at eight", True), ("a room for you", True),  ("it dry", False),
        ("the time in mind", False), ("", False),
    ],
)  # fmt: skip
def test_what_is_kept_for_the_user(words: str, kept: bool) -> None:
    assert is_kept(words.split()) is kept


@pytest.mark.parametrize(
    ("word", "subject", "booked"),
    [
        ("confirmed", "it", True), ("taken", "it", False), ("registered", "you", True),
        ("made", "you", False), ("made", "your booking", True), ("made", "the stone", False),
        ("accepted", "your request", True),
        ("sent", "", False), ("made", "the hotel", False),
    ],
)  # fmt: skip
def test_what_a_participle_is_said_of(word: str, subject: str, booked: bool) -> None:
    assert fits(word, subject.split()) is booked


@pytest.mark.parametrize(
    ("word", "subject", "rest", "booked"),
    [
        ("made", "i", "your booking", True), ("made", "i", "a stone", False),
        ("put", "i", "you down for eight", True),
        ("confirmed", "they", "", True),
        ("confirmed", "i", "", False), ("confirmed", "we", "", False), ("made", "they", "", False),
        ("made", "i", "that booking", True), ("made", "i", "that booking is fine", False),
        ("confirmed", "i", "your address", False), ("confirmed", "i", "your request", True),
        ("got", "i", "a table", False),
        ("got", "i", "you a table", True),
        ("got", "i", "it for you", True), ("got", "i", "it", False),
        ("made", "i", "2 bookings", True),
        ("made", "i", "bookings", True), ("made", "i", "nice bookings", False),
    ],
)  # fmt: skip
def test_what_a_verb_does(word: str, subject: str, rest: str, booked: bool) -> None:
    assert active(word, subject.split(), rest.split()) is booked


@pytest.mark.parametrize(
    ("word", "subject", "rest", "booked"),
    [
        ("booked", "", "", True), ("made", "", "", False), ("booked", "", "in full", True),
        ("booked", "", "for two", True), ("booked", "", "7 times", False),
        ("booked", "table", "it", False),
        ("booked", "table", "8 pm", True), ("booked", "table", "NAME", True),
        ("booked", "table you", "", False),
        ("eaten", "table", "", False), ("made", "table", "", True), ("made", "stone", "", False),
        ("booked", "the nice warm cosy window table", "", False),
        ("booked", "the nice cosy window table", "", True),
        ("booked", "a red big stone", "for two", False), ("booked", "address", "for two", False),
        ("booked", "stone", "", False),
        ("made", "your stone", "", False),
    ],
)  # fmt: skip
def test_words_without_a_verb(word: str, subject: str, rest: str, booked: bool) -> None:
    assert verbless(word, subject.split(), rest.split()) is booked


def test_what_stands_alone_and_what_opens() -> None:
    assert stands_alone(Phrase("table booked"), 0)
    assert stands_alone(Phrase("great work , well done , table booked"), 6)
    assert not stands_alone(Phrase("this is all done , table booked"), 5)
    assert not stands_alone(Phrase("one two three four and table booked"), 5)
    assert stands_alone(Phrase("one two three and table booked"), 4)
    assert opens(Phrase("ok , just booked"), 3)
    assert not opens(Phrase("they booked"), 1)


def test_subjects() -> None:
    def subject(text: str) -> str:
        phrase = Phrase(text)
        return " ".join(subject_of(phrase, phrase.group(len(phrase.words) - 1)))

    assert subject("your table is booked") == "your table"
    assert subject("i can confirm that your table is booked") == "your table"
    assert subject("fine , it is booked") == "it"
    assert subject(", booked") == ""
    assert subject("booked") == ""
    assert subject("the table which booked") == "which"
    assert subject("that says it is booked") == "that says it"


def whose(text: str, rest: str = "") -> Factuality:
    phrase = Phrase(text)
    group = phrase.group(len(phrase.words) - 1)
    return of_whom(group, subject_of(phrase, group), rest.split(), ASSERTED)


@pytest.mark.parametrize(
    ("text", "rest", "own"),
    [
        ("your table is booked", "", True), ("i have booked", "a table", True),
        ("the table is booked", "by us", True),
        ("the table is booked", "by the hotel", True), ("it is booked", "in by monday", True),
        ("the table that is booked", "", True), ("my manager has booked", "one", False),
        ("my manager has booked", "one for you", True), ("you booked", "", False),
        ("you have booked", "", True), ("you have already booked", "", False),
        ("my table is booked", "", False),
        ("somebody is booked", "", False), ("your party is booked", "", True),
        ("the lady is booked", "", False),
        ("the table is booked", "for members", False),
        ("the table is booked", "for ten members", False), ("the table is booked", "members", True),
        ("a table is booked", "for lunch", True),
        ("tables are booked", "quickly", False),
        ("tables are booked", "", True), ("two tables are booked", "quickly", True),
        ("you had it booked", "", False),
    ],
)  # fmt: skip
def test_whose_booking_it_is(text: str, rest: str, own: bool) -> None:
    assert whose(text, rest) is (ASSERTED if own else OF_OTHERS)


def test_who_is_put_on_a_waiting_list_is_not_booked() -> None:
    waits = deeds("you have been added to the waiting list", ((0, False),), wanted=True)
    assert [deed.act for deed in waits] == [Act.BOOKING_FAILED]
    booked = deeds("you have been added to the list", ((0, False),), wanted=True)
    assert [deed.act for deed in booked] == [Act.BOOKED]


def test_offers_to_book() -> None:
    assert offers_booking("would you like a table?")
    assert offers_booking("shall i?")
    assert not offers_booking("is it far?")
    future = BookingAct(Act.BOOKED, Factuality.FUTURE, 0)
    failed = BookingAct(Act.BOOKING_FAILED, Factuality.FUTURE, 0)
    assert offers_in_passing("just say the word", (), "")
    assert offers_in_passing("i can book it", [future], "")
    assert not offers_in_passing("i can book it", [failed], "")
    assert not offers_in_passing("i can book it", [BookingAct(Act.BOOKED, ASSERTED, 0)], "")
    assert offers_in_passing("i will book it", [future], "if you like, i will book it")
    assert not offers_in_passing("i will book it", [future], "i will book it")


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("Your reference is ABCDE.", ["ABCDE"]), ("Your reference is ABCD.", []),
        ("Your reference is A1B2.", ["A1B2"]), ("Your reference is A1B.", []),
        ("Your reference is #A1B.", ["A1B"]), ("Your reference is #A1.", []),
        ("Reference " + "so " * 30 + "AB12CD3", ["AB12CD3"]),
        ("Reference " + "so " * 31 + "AB12CD3", []),
        ("It is AB12CD34, then.", ["AB12CD34"]), ("It is AB12CD3, then.", []),
        ("Booking number 12345 and confirmation code 12345.", ["12345"]),
        ("Your reference: TR1234.", []), ("Your reference is at 18:30.", []),
        ("No figures here.", []),
    ],
)  # fmt: skip
def test_reference_numbers(text: str, codes: list[str]) -> None:
    assert [code for code, _ in references(text)] == codes


def test_a_number_is_postponed_by_words_near_before_it() -> None:
    assert references("If you pay, reference QWE123.") == [("QWE123", Factuality.CONDITIONAL)]
    assert references("If you pay. Reference QWE123.") == [("QWE123", ASSERTED)]
    far = "If you pay " + "so " * 30 + "reference QWE123"
    assert references(far) == [("QWE123", ASSERTED)]
