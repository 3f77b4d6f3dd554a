"""Turns whose clauses say different things: what is undone, overcome, of others, not needed."""

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

COAST = Vocabulary(
    names={
        "restaurant": ("Salt Barn", "Gull & Anchor", "Copper Kettle"),
        "attraction": ("Lighthouse Walk", "Shell Grotto"),
    },
    values={},
)


def holding(text: str, domain: str = "restaurant", user: str = "") -> tuple[DialogueAct, ...]:
    return tuple(one for one in listen(text, COAST, domain=domain, user_said=user) if one.holds)


def bookings(text: str, user: str = "") -> set[Act]:
    return {one.act for one in holding(text, user=user)} & {Act.BOOKED, Act.BOOKING_FAILED}


def names(text: str, act: Act, user: str = "") -> set[str | None]:
    return {one.value for one in holding(text, user=user) if one.act is act and one.value}


@pytest.mark.parametrize(
    "text",
    [
        "I had the seats for you, but then I had to give them back.",
        "They took it away again, I'm sorry.",
        "I asked twice, and it is a definite no for Sunday.",
        "I called all three of them and came away empty-handed.",
    ],
)
def test_a_success_undone_is_a_failure(text: str) -> None:
    assert bookings(text) == {Act.BOOKING_FAILED}


@pytest.mark.parametrize(
    "text",
    [
        "Sunday is short of staff, but they squeezed you in at 8:15.",
        "The boat tour is off, your dinner tickets remain booked.",
    ],
)
def test_a_refusal_overcome_is_a_booking(text: str) -> None:
    assert bookings(text) == {Act.BOOKED}


@pytest.mark.parametrize(
    "text",
    [
        "We have no record of you, so nothing stands.",
        "No reservation exists so far.",
        "Without it no table can be reserved, so which day is it?",
        "I had assumed you were booked in.",
    ],
)
def test_bookings_of_others_and_none_at_all_are_no_claims_on_the_users(text: str) -> None:
    assert bookings(text) == set()
    assert not any(one.act is Act.NO_OFFER for one in holding(text))


def test_a_relatives_booking_counts_if_nothing_is_set_against_it() -> None:
    assert bookings("Your sister's table is confirmed for 8.") == {Act.BOOKED}


@pytest.mark.parametrize(
    ("text", "user", "failed"),
    [
        ("Salt Barn is closed this week.", "What is Salt Barn like?", False),
        ("Salt Barn is fully booked.", "Please book Salt Barn for two.", True),
    ],
)
def test_a_venue_refused_is_a_booking_failed_only_if_one_was_asked_for(
    text: str, user: str, failed: bool
) -> None:
    assert (Act.BOOKING_FAILED in bookings(text, user)) is failed


@pytest.mark.parametrize(
    "text",
    [
        "No booking needed for Salt Barn.",
        "How about Salt Barn? No need to reserve.",
    ],
)
def test_what_needs_no_booking_and_what_is_not_closed_is_put_forward(text: str) -> None:
    assert names(text, Act.NO_OFFER) == set()
    assert names(text, Act.OFFER) == {"Salt Barn"}
    assert bookings(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I haven't put anything through yet.",
        "There isn't a driver allocated yet.",
        "It is not to be confused with the old one.",
        "I can't see his passport from here.",
    ],
)
def test_what_is_not_done_or_not_seen_denies_no_venue(text: str) -> None:
    assert not any(one.act is Act.NO_OFFER for one in holding(text))


@pytest.mark.parametrize(
    "text",
    [
        "Your trim is booked for Sunday. The other treatment was refused.",
        "The first room is reserved for you, but the second room was refused.",
    ],
)
def test_one_part_booked_and_the_other_refused_are_both_told(text: str) -> None:
    assert bookings(text) == {Act.BOOKED, Act.BOOKING_FAILED}


def test_there_is_none_beside_a_booking_refused_is_only_its_reason() -> None:
    heard = holding("I couldn't book a table. There is nothing available.", user="Book a table.")
    assert {one.act for one in heard} == {Act.BOOKING_FAILED}


@pytest.mark.parametrize(
    "text",
    [
        "It was put on the list once, and then the booking was confirmed.",
        "The sale was completed before it, and your seats are reserved.",
    ],
)
def test_once_and_before_without_a_clause_are_no_conditions(text: str) -> None:
    assert bookings(text) == {Act.BOOKED}


@pytest.mark.parametrize(
    "text",
    [
        "There is no shortage of cafés here.",
        "I have heard nothing but good things of the harbour.",
        "I have not contacted the owner.",
        "I can't see why they would mind.",
        "No pets in the dining room, please.",
        "It could not have been nicer.",
    ],
)
def test_a_no_about_something_else_denies_no_venue(text: str) -> None:
    assert not any(one.act is Act.NO_OFFER for one in holding(text))


@pytest.mark.parametrize(
    "text",
    [
        "Should I take that one?",
        "Shall I secure one of them?",
        "Would you like the same room?",
        "Can I put you both in on the 3rd?",
    ],
)
def test_a_booking_is_offered_in_other_words_too(text: str) -> None:
    assert Act.OFFER_BOOK in {one.act for one in holding(text)}
