"""The second opinion: what the rules hear although a turn's words speak against it is doubtful."""

import json
import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.example import Example
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.nlu.classifier.classifier import (
    ACTS,
    ALONE,
    DOUBT,
    FILE,
    LONGEST,
    PLACES,
    Believer,
    signs_of,
    weighed,
)
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.vocabulary import Vocabulary

KNOWN = Vocabulary({"hotel": ("Tern House", "Wren Court")})
BOOKED = DialogueAct(Act.BOOKED, "hotel")
FAILED = DialogueAct(Act.BOOKING_FAILED, "hotel")
AGAINST = "Nothing has been booked so far. Shall I?"


def doubts(text: str, *claims: DialogueAct, user: str = "") -> list[str]:
    """Of the claims given, not of those that the model adds."""
    heard = weighed(claims, text, plain(user))
    return [each.doubt for each in heard[: len(claims)]]


@pytest.mark.parametrize(
    "text",
    [
        AGAINST,
        "Please confirm: a table for 2 at Alice's on Friday at 7 pm.",
        "Kindly ensure that, on March 13th an appointment is done at 3 pm.",
    ],
)
def test_a_booking_that_the_words_speak_against_is_doubtful(text: str) -> None:
    assert doubts(text, BOOKED) == [DOUBT]


@pytest.mark.parametrize(
    "text",
    [
        "I have booked Tern House for you. Anything else?",
        "Your reservation was successful.",
        "Your room is booked.",
    ],
)
def test_a_plain_booking_is_not_doubted(text: str) -> None:
    assert doubts(text, BOOKED, user="Yes, please book it.") == [""]


def test_a_refusal_is_believed() -> None:
    text = "I'm sorry, I was unable to make the reservation."
    assert doubts(text, FAILED, user="Book it, please.") == [""]


def test_a_reference_number_proves_a_booking() -> None:
    number = DialogueAct(Act.REFERENCE, "hotel", "reference", "AB12CD34")
    assert doubts(AGAINST, BOOKED, number) == ["", ""]


def test_one_booked_and_one_refused_are_told_apart_by_the_rules() -> None:
    assert doubts(AGAINST, BOOKED, FAILED) == ["", ""]


def test_what_a_project_teaches_is_not_doubted() -> None:
    text = "Nothing has been booked so far, said the raven."
    taught = Example(text, (parse_claim("booked"),))
    heard = listen(text, KNOWN.teaching((taught,)))
    assert [(each.act, each.doubt) for each in heard] == [(Act.BOOKED, "")]


def test_what_is_doubtful_already_or_does_not_hold_stays_as_it_is() -> None:
    claims = (
        DialogueAct(Act.BOOKED, doubt="heard by one ear"),
        DialogueAct(Act.BOOKED, factuality=Factuality.FUTURE),
        DialogueAct(Act.OFFER, slot="name", value="Tern House"),
    )
    assert weighed(claims, AGAINST, "") == claims


def test_a_long_text_is_left_to_the_rules() -> None:
    assert weighed([BOOKED], AGAINST * LONGEST, "") == (BOOKED,)


def test_what_it_alone_hears_is_doubtful() -> None:
    text = "Okay, your order will be ready at the coffee bar shortly."
    found = weighed((), text, "yes", about="coffee")
    assert [(each.act, each.domain, each.doubt) for each in found] == [
        (Act.BOOKED, "coffee", ALONE)
    ]


def test_it_alone_hears_no_booking_for_a_user_who_wants_none() -> None:
    text = "Okay, your order will be ready at the coffee bar shortly."
    assert weighed((), text, plain("No booking, thanks.")) == ()


@pytest.mark.parametrize(
    "text",
    ["Hello, how can I help?", "It is in the north and has 4 stars.", "Goodbye.", "", "Nice."],
)
def test_nothing_is_heard_in_ordinary_turns(text: str) -> None:
    assert weighed((), text, "") == ()


@given(st.text(), st.text())
def test_signs_are_places_of_the_table_each_once(text: str, user: str) -> None:
    found = signs_of(text, user)
    assert found == sorted({*found})
    assert all(0 <= sign < PLACES for sign in found)


def test_signs_tell_questions_and_speakers_apart() -> None:
    said = [signs_of("it is booked.", ""), signs_of("it is booked?", ""), signs_of("", "booked")]
    assert len({tuple(each) for each in said}) == len(said)


def test_only_so_much_of_a_turn_is_looked_at() -> None:
    assert len(signs_of("booked table " * 5000, "yes " * 5000)) < 2000


@given(st.integers(-128, 127), st.integers(-128, 127))
def test_a_probability_rises_with_the_signs_for_it(one: int, other: int) -> None:
    believer = Believer(0.0, 10.0, array("b", [one, other]))
    expected = 1 / (1 + math.exp(-(one + other) / (10 * math.sqrt(2))))
    assert believer.probability([0, 1]) == pytest.approx(expected)


def test_the_weights_hold_a_byte_for_each_place_and_act_and_no_words() -> None:
    head, _, tables = FILE.read_bytes().partition(b"\n")
    assert json.loads(head).keys() == set(ACTS)
    assert len(tables) == len(ACTS) * PLACES
    assert (FILE.parent / "NOTICE").read_text(encoding="utf-8").count("CC BY") == 2
