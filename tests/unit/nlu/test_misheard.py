"""Refusals that are none of the user's, and names that only seem to be offered."""

import pytest

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.nlu.listen import listen
from pytest_todeval.nlu.vocabulary import Vocabulary

KNOWN = Vocabulary(
    {
        "restaurant": ("Olive Tree", "Nonna Pia", "Saffron Room"),
        "hotel": ("Rose House", "Castle Inn"),
        "attraction": ("Kettle Museum",),
    },
    {},
)
DECISIVE = (Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER)


def decisive(text: str, *, domain: str = "restaurant", user: str = "") -> list[DialogueAct]:
    heard = listen(text, KNOWN, domain=domain, user_said=user)
    return [claim for claim in heard if claim.holds and claim.act in DECISIVE]


def sure(text: str, *, domain: str = "restaurant", user: str = "") -> set[Act]:
    return {claim.act for claim in decisive(text, domain=domain, user=user) if not claim.doubt}


@pytest.mark.parametrize(
    "text",
    [
        "If the order can't be made, you get your money back.",
        "There's no appointment in the system for you.",
        "There's no problem booking a table through me.",
        "Tickets for the concert are sold at the door.",
        "Saffron Room does not open on Sundays.",
        "Nonna Pia? They have nothing left tonight.",
    ],
)
def test_what_refuses_nothing_to_the_user_is_no_failed_booking(text: str) -> None:
    assert Act.BOOKING_FAILED not in sure(text)


def test_a_venue_that_is_full_fails_the_booking_if_the_user_has_asked_for_one() -> None:
    said = "Saffron Room has no tables left on the 5th."
    assert sure(said, user="Book Saffron Room for the 5th.") == {Act.BOOKING_FAILED}
    assert sure(said) == set()


@pytest.mark.parametrize(
    "text",
    [
        "I never said it was booked.",
        "My two o'clock is booked in for a perm.",
        "The lady ahead of you is booked in for an hour.",
        "So that's the table reserved for the 8th, is that right?",
        "Our staff have booked the back room for their party.",
        "Your table is confirmed the moment the deposit clears.",
        "I mentioned that your seat was reserved.",
        "Done, your reservation has been cancelled.",
    ],
)
def test_what_is_not_done_for_the_user_is_no_booking(text: str) -> None:
    assert Act.BOOKED not in sure(text)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("Your flight is booked. I'm sorry to say the transfer didn't go through.", DECISIVE[:2]),
        ("Your room is reserved, though I couldn't get you the court.", DECISIVE[:2]),
        ("While the seat reservation was rejected, the ticket has been bought.", DECISIVE[:2]),
        ("The table is booked. Sorry, I was wrong: the table was refused.", DECISIVE[1:2]),
    ],
)
def test_two_things_are_told_apart(text: str, acts: tuple[Act, ...]) -> None:
    assert sure(text, domain="hotel") == set(acts)


@pytest.mark.parametrize("text", ["The price on that is £9.", "So the start on that is 20:00."])
def test_a_value_of_that_is_no_booking(text: str) -> None:
    assert decisive(text) == []


def test_a_place_on_the_waiting_list_is_no_booking() -> None:
    """Nor is it surely a refusal: people differ about it."""
    assert sure("You have been added to the waiting list.") == set()


@pytest.mark.parametrize(
    "text",
    [
        "I have a feeling they turned you down.",
        "I have a hunch that your table is booked.",
    ],
)
def test_what_only_seems_so_is_doubtful(text: str) -> None:
    assert [bool(claim.doubt) for claim in decisive(text)] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "You might like Saffron Room.",
        "Saffron Room has a lift.",
        "People rave about Saffron Room.",
        "I'd go for Saffron Room, where nothing is fried.",
        "If it rains, Saffron Room is dry.",
    ],
)
def test_a_plain_offer_is_not_doubted(text: str) -> None:
    assert [claim.doubt for claim in decisive(text)] == [""]


@pytest.mark.parametrize(
    ("text", "user"),
    [
        ("Neither Nonna Pia nor Saffron Room has a garden.", ""),
    ],
)
def test_a_name_that_something_rules_out_is_no_offer(text: str, user: str) -> None:
    heard = listen(text, KNOWN, domain="restaurant", user_said=user)
    assert Act.NO_OFFER in {claim.act for claim in heard if claim.value == "Saffron Room"}
    assert Act.OFFER not in sure(text, user=user)


def names(text: str, vocabulary: Vocabulary, domain: str) -> list[str]:
    heard = listen(text, vocabulary, domain=domain)
    return [claim.value or "" for claim in heard if claim.act in (Act.OFFER, Act.NO_OFFER)]


LODGE = Vocabulary({"hotel": ("Harbour Lodge", "Hotel Meridian", "Larkspur Aquarium Rooms")}, {})


@pytest.mark.parametrize(
    "text",
    [
        "How about Harbour Grill?",
        "Sadly the Harbour Museum is closed.",
        "You could stay at The Grand Meridian.",
        "I'd say Meridian and Moss is your best bet.",
    ],
)
def test_a_part_of_another_name_is_no_short_form(text: str) -> None:
    assert names(text, LODGE, "hotel") == []


def test_a_short_form_by_itself_is_heard() -> None:
    assert names("How about Harbour?", LODGE, "hotel") == ["Harbour Lodge"]
    assert names("How about the Meridian?", LODGE, "hotel") == ["Hotel Meridian"]


@pytest.mark.parametrize(
    "text",
    [
        "Entry is free.",
        "Breakfast isn't included.",
        "Give me a second and I'll have it reserved.",
        'You wrote "book the one by the lake".',
        "Great news, Daniel! It is all yours.",
        "Status: Confirmed",
        "It is at 12 Bridge Street.",
    ],
)
def test_what_is_written_with_a_capital_need_not_be_a_name(text: str) -> None:
    assert names(text, Vocabulary(), "hotel") == []


def test_names_that_no_list_has_are_heard() -> None:
    assert names("Pinewood is quiet.", Vocabulary(), "hotel") == ["Pinewood"]
    assert names('How about "The Blue Heron"?', Vocabulary(), "hotel") == ["The Blue Heron"]


@pytest.mark.parametrize(
    "opening",
    [
        "The good news is that",
        "What matters is that",
        "Please note that",
        "Before you go,",
        "In case you wondered,",
        "If you check your inbox you'll see that",
    ],
)
def test_what_a_sentence_begins_with_asks_and_supposes_nothing(opening: str) -> None:
    assert sure(f"{opening} your table is booked.") == {Act.BOOKED}


@pytest.mark.parametrize(
    "opening", ["The bad news is that", "What counts is that", "Please note that"]
)
def test_nor_does_a_refusal_by_it(opening: str) -> None:
    assert sure(f"{opening} we could not book your table.") == {Act.BOOKING_FAILED}


@pytest.mark.parametrize(
    "text",
    [
        "There is a table at seven is that ok",
        "I have the last room here is that the one you want?",
        "If you check in the table is booked.",
        "Please see whether the table is booked.",
    ],
)
def test_what_asks_or_supposes_still_does(text: str) -> None:
    assert sure(text) == set()
