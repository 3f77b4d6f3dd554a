"""Each goal must stand booked, and the bot must have understood it on the way."""

from typing import Any

import pytest


@pytest.mark.goals("goals.yaml")
def test_books_the_court(dialogue: Any) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"
