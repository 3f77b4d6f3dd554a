"""What is told next to a booking is compared with it, in domains of one's own, too."""

from dataclasses import replace

import pytest

from pytest_todeval.core.dialogue import Booking, Dialogue, ToolCall
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.load import load_rules
from tests.support.dialogue_world import dialogue, said

WISH = {"dentist": "Novak", "treatment": "cleaning", "day": "friday", "time": "10:30"}
DENTAL = Goal("G1", "own", (DomainGoal("dental", book=WISH, wants_booking=True),))
SLOTS = {**WISH, "dentist": "Dr Novak"}
FREE = ToolCall(
    "find_slots",
    {},
    [
        {"dentist": "Dr Novak", "treatment": "cleaning", "day": "friday", "room": "B2"},
        {"dentist": "Dr Okafor", "treatment": "whitening", "day": "monday", "room": "A7"},
    ],
)
SEAT = Goal("G2", "own", (DomainGoal("flight", book={"seat": "12A"}, wants_booking=True),))


def booked(text: str, goal: Goal = DENTAL) -> Dialogue:
    domain = goal.domains[0].domain
    slots = SLOTS if domain == "dental" else {"seat": "12A", "flight": "FLT-123"}
    made = (Booking(domain, "QX7ZK42P", slots),)
    looks = said("A dentist on Friday?", "Dr Novak is free.", FREE)
    calls = [ToolCall("book", dict(slots), {"reference": "QX7ZK42P", "room": "B2"})]
    turn = replace(said("Yes, book it.", text, *calls), booked=made)
    played = dialogue(goal, *([looks] if domain == "dental" else []), turn)
    return replace(played, final_bookings=made, backend_known=True)


def broken(played: Dialogue) -> set[str]:
    return {result.rule for result in check(played, load_rules("common")).broken}


@pytest.mark.parametrize(
    "text",
    [
        "You are booked with Dr Okafor on Friday at 10:30, reference QX7ZK42P.",
        "Booked: a whitening with Dr Novak, Friday at 10:30, reference QX7ZK42P.",
        "All done! Dr Adeyemi sees you on Friday at 10:30. Reference QX7ZK42P.",
        "Your cleaning is booked for Monday at 10:30, reference QX7ZK42P.",
        "Your cleaning with Dr Novak is booked for 11:30, reference QX7ZK42P.",
    ],
)
def test_another_value_than_was_booked_is_found(text: str) -> None:
    assert "true-confirmations" in broken(booked(text))


@pytest.mark.parametrize("text", ["Seat 2A is booked: QX7ZK42P.", "Your seat: 12B. QX7ZK42P."])
def test_another_code_than_was_booked_is_found(text: str) -> None:
    assert "true-confirmations" in broken(booked(text, SEAT))


@pytest.mark.parametrize(
    "text",
    [
        "Booked. Your reference is QX7ZK42P.",
        "You are booked with Dr Novak for a cleaning on Friday at 10:30, reference QX7ZK42P.",
        "Dr Novak will see you in room B2, reference QX7ZK42P.",
        "Done, Friday 10.30 am with Novak (not Dr Okafor), reference QX7ZK42P. Anything else?",
        "Booked with the reference QX7ZK42P. Would you like to see Dr Okafor for a whitening, too?",
    ],
)
def test_what_was_booked_and_what_is_of_other_things_is_no_fault(text: str) -> None:
    assert broken(booked(text)) == set()


def test_a_seat_told_in_another_form_is_no_fault() -> None:
    assert broken(booked("Seat 12-A on FLT123 is yours, reference QX7ZK42P.", SEAT)) == set()
