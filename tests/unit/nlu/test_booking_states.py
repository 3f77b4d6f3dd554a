"""Bookings told by a state, a possession, an expectation; refusals by their subject."""

import time

import pytest

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.needed_words import needed_words
from pytest_todeval.nlu.bookings.patterns import patterns, words_of_role
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

KNOWN = Vocabulary(names={"kennel": ("Happy Paws",)}, values={})


def holding(text: str, user: str = "") -> set[Act]:
    heard = listen(text, KNOWN, domain="kennel", user_said=user)
    return {one.act for one in heard if one.holds} & {Act.BOOKED, Act.BOOKING_FAILED}


@pytest.mark.parametrize(
    "text",
    [
        "Big run, Sunday at nine: locked in.",
        "Rex is in our diary for the 4th.",
        "Puppy class on Monday, all confirmed.",
        "The outdoor pen is under your name.",
        "There's a kennel with your name on it on Friday.",
        "We've got Rex down for a trim at two.",
        "Happy Paws will be expecting you on Tuesday.",
        "The walker will collect Rex... I mean, she will see you at four.",
        "Slotted you in for half past three.",
        "She has scribbled you in for Thursday.",
        "They hoofed you onto the ten o'clock walk.",
        "Your tickets for the show have just dropped into your inbox.",
        "Many thanks. The booking is herewith complete.",
        "its booked",
        "your in for saturday",
        "Appt conf for 3pm.",
        "The grooming was paid for and booked a minute ago.",
    ],
)
def test_what_tells_of_a_booking_without_saying_so(text: str) -> None:
    assert holding(text) == {Act.BOOKED}


@pytest.mark.parametrize(
    "text",
    [
        "Your card was knocked back.",
        "The booking fell through.",
        "The bank bounced your deposit.",
        "The portal keeps crashing.",
        "We're rammed on Saturday.",
        "The walk you asked for isn't going ahead.",
        "We had to turn you away.",
        "Sales for the show have closed.",
        "The permitted hours don't allow it: the request is outside our area.",
    ],
)
def test_what_refuses_a_booking_by_its_subject(text: str) -> None:
    assert holding(text) == {Act.BOOKING_FAILED}


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Nine is off the table, sorry.", {Act.BOOKING_FAILED}),
        ("Sadly not.", {Act.BOOKING_FAILED}),
    ],
)
def test_a_refusal_of_few_words_needs_a_request(text: str, acts: set[Act]) -> None:
    asked = "Did you manage to book it?" if text == "Sadly not." else "Please book Rex in at nine."
    assert holding(text, asked) == acts


@pytest.mark.parametrize(
    "text",
    [
        "You're all set to explore our pens!",
        "Our runs are locked in by members in January.",
        "Pens are reserved with a deposit.",
        "My sister has booked the same walk.",
        "The big run was booked in by a club.",
        "The walk that you booked last month was completed.",
        "Text me a photo and you're on the list.",
        "One more click and the pen is yours.",
        "Your pen is anything but confirmed.",
        "We were fully booked yesterday.",
        "August is always fully booked.",
        "There is no shortage of pens.",
        "A quote is not a reservation.",
        "I have no reservations about the food.",
        "No appointment is needed for a nail trim.",
        "Got it, a pen for two dogs.",
        "We hope you have a lovely walk on Sunday.",
        "4 pens of the type outdoor left in the list. Is there an area you prefer?",
    ],
)
def test_what_only_sounds_so(text: str) -> None:
    assert holding(text) == set()


def test_the_words_of_a_role_are_tried_only_if_they_stand_there() -> None:
    found = patterns("booked")
    text = "nothing of the kind here"
    assert not list(found.found(text, set(text.split())))
    assert len(found.tried(frozenset())) < 4
    assert {"table", "berth"} <= words_of_role("bookable")


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("on the (?:sheet|list)", {"sheet", "list"}),
        (r"(?:\w+ ){0,3}?fell through", {"through"}),
        ("(?:very )?full(?= tonight)", {"full", "very"}),
        (r"\w+ed you", {"you"}),
        (r"\w+", set()),
    ],
)
def test_what_a_pattern_cannot_do_without(pattern: str, words: set[str]) -> None:
    assert next(iter(needed_words(pattern)), frozenset()) == words


def test_no_pattern_misses_for_want_of_its_words() -> None:
    """A text that a pattern matches has one of the words without which it is not tried."""
    sentences = ["the payment fell through", "it is in the diary for friday", "we are fully booked"]
    for kind in ("booked", "settled", "failed", "failed_if_asked"):
        found = patterns(kind)
        for number, pattern in enumerate(found.every()):
            for text in sentences:
                if pattern.search(text):
                    assert number in found.tried(set(text.split())), pattern.pattern


def test_long_text_takes_linear_time() -> None:
    started = time.perf_counter()
    for text in ("you have " * 3000, "no " * 6000, "was was not " * 2000, "your x is " * 2000):
        listen(text, KNOWN, domain="kennel")
    assert time.perf_counter() - started < 5


def test_factuality_of_a_state() -> None:
    heard = listen("If you pay, the pen is yours.", KNOWN, domain="kennel")
    assert [one.factuality for one in heard if one.act is Act.BOOKED] == [Factuality.CONDITIONAL]
