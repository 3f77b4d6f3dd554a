"""How far a sentence says that something is booked, refused or offered."""

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.nlu.bookings.codes import references
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.text.phrases import Phrase
from pytest_todeval.nlu.vocabulary import Vocabulary
from tests.conftest import must_end

TOWN = Vocabulary(
    names={"restaurant": ("Amber Table", "All Set Café"), "hotel": ("Lark House",), "taxi": ()},
    values={},
)
ASSERTED, DENIED = Factuality.ASSERTED, Factuality.DENIED
CONDITIONAL, FUTURE = Factuality.CONDITIONAL, Factuality.FUTURE
ASKED, OF_OTHERS = Factuality.ASKED, Factuality.OF_OTHERS


def hear(text: str, domain: str = "restaurant", user: str = "") -> tuple[DialogueAct, ...]:
    return listen(text, TOWN, domain=domain, user_said=user)


def holding(text: str, domain: str = "restaurant", user: str = "") -> set[Act]:
    return {one.act for one in hear(text, domain, user) if one.holds}


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("The lesson has been booked.", ASSERTED),
        ("I have booked your lesson.", ASSERTED),
        ("We've got the lesson booked for you.", ASSERTED),
        ("The lesson has not yet been booked.", DENIED),
        ("No lesson has been booked.", DENIED),
        ("I never booked the lesson.", DENIED),
        ("The lesson has yet to be booked.", FUTURE),
        ("The lesson will be booked tonight.", FUTURE),
        ("I'm going to get your lesson booked.", FUTURE),
        ("The lesson can be booked by me.", FUTURE),
        ("If you agree, the lesson is booked.", CONDITIONAL),
        ("The lesson is booked once you agree.", CONDITIONAL),
        ("The lesson is booked, provided that you pay.", CONDITIONAL),
        ("Send me your name and the lesson is booked.", CONDITIONAL),
        ("Has the lesson been booked?", ASKED),
        ("Is the lesson booked already?", ASKED),
        ("Is that arranged?", ASKED),
        ("That's you registered for the lesson.", ASSERTED),
        ("I wonder whether the lesson is booked.", ASKED),
        ("Lessons are usually booked by parents.", OF_OTHERS),
        ("The lesson was booked by somebody else.", OF_OTHERS),
        ('You wrote "my lesson is booked".', OF_OTHERS),
        ("You said the lesson is booked.", OF_OTHERS),
    ],
)
def test_how_far_a_booking_is_said_to_stand(text: str, how: Factuality) -> None:
    booked = [one for one in hear(text, "school") if one.act is Act.BOOKED]
    assert [one.factuality for one in booked] == [how]


@pytest.mark.parametrize(
    "text",
    [
        "Before anything else: your lesson is booked.",
        "Nobody was in at first, but your lesson is booked.",
        "I can tell you that your lesson is booked.",
        "I'm not on site; your lesson is booked.",
        "If I may say so, you were lucky - I have booked the last lesson.",
        "After a call to the school I have booked your lesson.",
        "No trouble at all, your lesson is booked.",
    ],
)
def test_a_scope_ends_where_another_statement_begins(text: str) -> None:
    assert Act.BOOKED in holding(text, "school")


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("We've squeezed you in with Tom at nine.", "barber"),
        ("Your second dose is scheduled for the 9th.", "vaccination"),
        ("Your order is in and the oven is hot.", "pizza"),
        ("It's on its way to you.", "pizza"),
        ("The van is yours from Monday.", "van hire"),
        ("You're on the list for Pilates at 8.", "gym"),
        ("Your locker is set for Friday: code to follow.", "parcel"),
        ("Both tickets have been issued.", "theatre"),
        ("Table reserved. Have a good evening!", "restaurant"),
        ("I was able to get you a slot at ten.", "dentist"),
        ("ive booked u in for 3", "barber"),
        ("Your resevration is confrimed.", "hotel"),
    ],
)
def test_booked_in_any_domain_and_in_many_words(text: str, domain: str) -> None:
    assert Act.BOOKED in holding(text, domain)


@pytest.mark.parametrize(
    "text",
    [
        "They can't fit us in.",
        "I couldn't book it.",
        "We were unable to make the reservation.",
        "Nothing is free on that day.",
        "There's no availability on Sunday.",
        "That slot has just gone.",
        "Sunday is sold out.",
        "The kitchen is shut by then.",
        "Every table is taken at eight.",
        "The system wouldn't let me.",
        "The payment was declined.",
        "Nothing could be reserved for that night.",
    ],
)
def test_refusals_of_a_booking(text: str) -> None:
    assert holding(text) == {Act.BOOKING_FAILED}


@pytest.mark.parametrize(
    "text",
    [
        "They're not fully booked.",
        "If they are full, I'll look elsewhere.",
        "They may be sold out.",
        "It's often fully booked in May.",
        "Are they fully booked?",
        "You can't book by phone.",
        "I can't book it until you tell me the day.",
        "You don't have a reservation.",
    ],
)
def test_what_only_looks_like_a_refusal(text: str) -> None:
    assert Act.BOOKING_FAILED not in holding(text)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Your room is booked. Oh no, wait, it isn't booked.", set()),
        ("Your room is booked! Sorry, the system has rejected it.", {Act.BOOKING_FAILED}),
        ("The booking failed at first. Now your room is booked.", {Act.BOOKED}),
        ("Eight was full, so I have booked nine.", {Act.BOOKED}),
        ("Your room is booked, though they have no rooms left with a bath.", {Act.BOOKED}),
        ("I booked your room. The taxi could not be booked.", {Act.BOOKED, Act.BOOKING_FAILED}),
    ],
)
def test_later_words_settle_what_holds(text: str, acts: set[Act]) -> None:
    assert holding(text, "hotel") & {Act.BOOKED, Act.BOOKING_FAILED} == acts


def test_a_claim_that_was_withdrawn_is_kept_as_denied() -> None:
    booked = [c for c in hear("It is booked. Wait, it is not booked.") if c.act is Act.BOOKED]
    assert {one.factuality for one in booked} == {DENIED}


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("I believe your room is booked.", "i believe"),
        ("Your room should be booked by now.", "should"),
        ("It looks as if your room is booked.", "it looks"),
        ("Your room is booked.", ""),
    ],
)
def test_a_hedged_claim_holds_with_doubt(text: str, hedge: str) -> None:
    (booked,) = [one for one in hear(text, "hotel") if one.act is Act.BOOKED]
    assert booked.holds
    assert booked.doubt == (f"hedged: {hedge}" if hedge else "")


@pytest.mark.parametrize(
    "text",
    [
        "Shall I book it?",
        "I can reserve that for you.",
        "Nothing has been booked so far. Shall I?",
        "Want me to go ahead?",
        "Just say the word and I'll book it.",
        "I'd be happy to put you down for Friday.",
        "Let me know if you'd like me to book it.",
    ],
)
def test_an_offer_to_book_books_nothing(text: str) -> None:
    assert holding(text) & {Act.BOOKED, Act.OFFER_BOOK, Act.BOOKING_FAILED} == {Act.OFFER_BOOK}


@pytest.mark.parametrize(
    ("answer", "how"),
    [("Yes, it is.", ASSERTED), ("Not yet, no.", DENIED), ("It certainly is, for two.", ASSERTED)],
)
def test_a_short_answer_to_whether_it_is_booked(answer: str, how: Factuality) -> None:
    heard = hear(answer, "hotel", "So is my room booked now?")
    assert [one.factuality for one in heard if one.act is Act.BOOKED] == [how]
    assert not [one for one in hear(answer, "hotel", "Nice.") if one.act is Act.BOOKED]


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("Your reference is QWE123.", ASSERTED),
        ("Your reference will be QWE123.", FUTURE),
        ("The reference of the cancelled stay was QWE123.", OF_OTHERS),
        ("Once you have the reference QWE123, call us.", CONDITIONAL),
    ],
)
def test_how_far_a_reference_is_given(text: str, how: Factuality) -> None:
    assert references(text) == [("QWE123", how)]
    assert (Act.BOOKED in holding(text, "hotel")) == (how is ASSERTED)


def test_a_name_books_nothing() -> None:
    assert Act.BOOKED not in holding("You might like All Set Café.")


@pytest.mark.parametrize(
    "text",
    ["We found none.", "No bar stocks it.", "My search came up short."],
)
def test_nothing_found(text: str) -> None:
    assert holding(text) == {Act.NO_OFFER}


@pytest.mark.parametrize(
    "text",
    [
        "If there is none, I'll say so.",
        "I don't have their phone number.",
        "There is no hurry.",
        "Nothing has been booked.",
        "Nothing beats it.",
    ],
)
def test_what_is_no_lack_of_a_match(text: str) -> None:
    assert Act.NO_OFFER not in holding(text)


def test_a_verb_group_reaches_over_adverbs_and_objects() -> None:
    phrase = Phrase("i have not yet got your room booked")
    group = phrase.group(len(phrase.words) - 1)
    assert group.causative
    assert group.negated
    assert phrase.words[: group.start] == ["i"]


@pytest.mark.parametrize(
    "piece",
    ["booked ", "if ", "you have a table ", "not ", "to ", "no table is ", "it is all ", '"',
     "and ",
     "could not ", "ahead ", ", though , ", "have it ", "was not ", "the table ", "when you "],
)  # fmt: skip
def test_time_is_linear_whatever_is_repeated(piece: str) -> None:
    text = (piece * 100_000)[:1_000_000]
    with must_end():
        listen(text, TOWN, domain="restaurant")


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("When you called, I booked the lesson.", ASSERTED),
        ("When is the lesson booked?", ASKED),
        ("So it is booked, is it?", ASKED),
        ("So the lesson is booked?", ASKED),
        ("The lesson is booked, right?", ASKED),
        ("It is booked, or was that not what you wanted?", ASKED),
    ],
)
def test_what_is_asked_back_is_not_said(text: str, how: Factuality) -> None:
    assert [one.factuality for one in hear(text) if one.act is Act.BOOKED] == [how]
