"""The tickets must be booked."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.yaml")
def test_books_tickets(dialogue: Dialogue) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"
