"""The second opinion: what the rules hear although a turn's words speak against it is doubtful."""

import pytest

from pytest_todeval.core.claim import Act, Claim, Factuality
from pytest_todeval.core.example import Example
from pytest_todeval.core.notation import parse_claim
from pytest_todeval.evidence.listen import listen
from pytest_todeval.evidence.names.lexicon import lexicon
from pytest_todeval.evidence.opinion import signs
from pytest_todeval.evidence.opinion.second_opinion import (
    ALONE,
    DOUBT,
    FILE,
    LEAST,
    LONGEST,
    Believer,
    LinearModel,
    Marking,
    weighed,
)
from pytest_todeval.language.text import plain
from pytest_todeval.language.vocabulary import Vocabulary

KNOWN = Vocabulary({"hotel": ("Tern House", "Wren Court")})
BOOKED = Claim(Act.BOOKED, "hotel")
TERN = Claim(Act.OFFER, "hotel", "name", "Tern House")


def doubts(text: str, *claims: Claim, user: str = "") -> list[str]:
    return [each.doubt for each in weighed(claims, text, lexicon(KNOWN), plain(user))]


@pytest.mark.parametrize(
    "text",
    [
        "Rooms with a bath get booked months ahead, as a rule.",
        "Nothing has been booked so far. Shall I?",
        "Tables are reserved for hotel guests in summer.",
        "The booking you made last year was cancelled by you.",
    ],
)
def test_a_booking_that_the_words_speak_against_is_doubtful(text: str) -> None:
    assert doubts(text, BOOKED) == [DOUBT]


@pytest.mark.parametrize(
    "text",
    [
        "I have booked Tern House for you. Anything else?",
        "Your room is booked.",
        "You're all set, two nights from Friday.",
        "The reservation went through.",
        "I have booked your taxi to Tern House. Can I help you with anything else?",
    ],
)
def test_a_plain_booking_is_not_doubted(text: str) -> None:
    assert doubts(text, BOOKED) == [""]


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("How about Tern House? It's cheap.", ""),
        ("Tern House is in the north and has parking.", ""),
        ("There are two: Wren Court and Tern House.", ""),
        ("The address of Tern House is 3 Mill Road. Can I help you with anything else?", ""),
        ("Tern House closed down last year.", DOUBT),
        ("Walk past Tern House and turn left.", DOUBT),
        ("The pool belongs to Tern House next door.", DOUBT),
    ],
)
def test_an_offer_is_doubted_by_the_words_around_its_name(text: str, doubt: str) -> None:
    assert doubts(text, TERN) == [doubt]


def test_names_of_one_turn_are_told_apart() -> None:
    wren = Claim(Act.OFFER, "hotel", "name", "Wren Court")
    text = "Tern House closed down last year. Wren Court has rooms."
    assert doubts(text, TERN, wren) == [DOUBT, ""]


def test_a_refusal_is_believed_if_the_user_has_asked_for_a_booking() -> None:
    failed = Claim(Act.BOOKING_FAILED, "hotel")
    text = "I'm sorry, they have no rooms left that night."
    assert doubts(text, failed, user="Book it for two, please.") == [""]
    assert doubts("I am sorry, the booking failed: nothing is free on Monday.", failed) == [""]
    assert doubts("There is no fee for booking with us.", failed) == [DOUBT]


def test_a_reference_number_proves_a_booking() -> None:
    text = "Rooms get booked months ahead, as a rule."
    code = Claim(Act.REFERENCE, "hotel", "reference", "QX81ZK")
    assert doubts(text, BOOKED, code) == ["", ""]


def test_what_a_project_teaches_is_not_doubted() -> None:
    says = "rooms get booked months ahead"
    taught = KNOWN.teaching((Example(says, (parse_claim("booked"),)),))
    heard = listen("Rooms get booked months ahead.", taught, domain="hotel")
    assert [(claim.act, claim.doubt) for claim in heard] == [(Act.BOOKED, "")]
    assert doubts("Rooms get booked months ahead.", BOOKED) == [DOUBT]


def test_what_is_doubtful_already_or_does_not_hold_stays_as_it_is() -> None:
    hedged = Claim(Act.BOOKED, "hotel", doubt="hedged: should")
    denied = Claim(Act.BOOKED, "hotel", factuality=Factuality.DENIED)
    asked = Claim(Act.REQUEST, "hotel", "name")
    claims = (hedged, denied, asked)
    assert weighed(claims, "Nothing has been booked so far.", lexicon(KNOWN), "") == claims


def test_a_long_text_is_left_to_the_rules() -> None:
    text = "Nothing has been booked so far. "
    assert doubts(text * (LONGEST // len(text)), BOOKED) == [DOUBT]
    assert doubts(text * (LONGEST // len(text) + 1), BOOKED) == [""]


def test_the_ear_asks_for_it() -> None:
    heard = listen("A bed is held for at most one hour without payment.", KNOWN, domain="hotel")
    assert [claim.doubt for claim in heard if claim.act is Act.BOOKED] == [DOUBT]


def test_signs_tell_questions_and_names_apart() -> None:
    marking = Marking("Is Tern House booked? Wren Court is.", lexicon(KNOWN))
    words = marking.words("Tern House")
    assert words == ["is", "THIS", "booked", "?", "NAME", "is", "."]
    of_name = signs.of_name(words)
    assert {"asks", "<0 is", ">0 booked", "next NAME", "1 names"} <= of_name.words
    assert {" is ", "THIS", "ooked"} <= of_name.letters
    of_turn = signs.of_turn(words, wanted=True)
    assert {"?booked", "is", "+wanted"} <= of_turn.words
    assert {"book", "booke"} <= of_turn.letters
    assert signs.of_name(marking.words("Dove Lodge")) == signs.NO_SIGNS


def test_only_the_letters_near_a_name_are_looked_at() -> None:
    words = ["THIS", *["is"] * signs.NEAR, "far", "away"]
    assert "away" not in signs.of_name(words).letters


def test_a_models_probability_rises_with_its_signs() -> None:
    words = LinearModel(0.0, {"yes": 4, "no": -4}, scale=2.0)
    believer = Believer(words, LinearModel(0.0, {"yess": 1}))
    nothing: frozenset[str] = frozenset()
    assert believer.probability(signs.Signs({"unknown"}, nothing)) == 0.5
    likely = believer.probability(signs.Signs({"yes", "unknown"}, nothing))
    assert believer.probability(signs.Signs({"no"}, nothing)) < 0.5 < likely
    assert believer.probability(signs.Signs({"yes"}, {"yess"})) > likely


def test_the_weights_are_small_and_of_every_act_weighed() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert len(text.encode()) < 400_000
    assert all(f'"{act}":{{"words"' in text for act in LEAST)


@pytest.mark.parametrize(
    ("text", "act", "doubt"),
    [
        ("It is done, madam! The chamber, it waits for you.", Act.BOOKED, ""),
        ("We regret that your request could not be honoured.", Act.BOOKING_FAILED, ALONE),
    ],
)
def test_a_booking_that_the_rules_do_not_hear_is_heard_if_the_model_is_sure(
    text: str, act: Act, doubt: str
) -> None:
    heard = weighed((), text, lexicon(KNOWN), "", about="hotel")
    assert heard == (Claim(act, "hotel", sentence=text, doubt=doubt),)
    denied = Claim(Act.BOOKED, "hotel", factuality=Factuality.DENIED)
    assert weighed((denied,), text, lexicon(KNOWN), "", about="hotel") == (denied,)
    assert weighed((), text, lexicon(KNOWN), "", about="hotel", given=set()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "You're welcome! Enjoy your stay.",
        "Tern House is in the north and has parking. Shall I book it?",
        "The train leaves at 12:34 and costs 10.10 pounds.",
        "Nothing like that in the north, sorry.",
    ],
)
def test_no_booking_is_heard_in_ordinary_turns(text: str) -> None:
    assert weighed((), text, lexicon(KNOWN), "") == ()
