"""The tickets must be booked."""

from typing import Any

import pytest


@pytest.mark.goals("goals.yaml")
def test_books_tickets(dialogue: Any) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"
