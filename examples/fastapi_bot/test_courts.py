"""Each goal must stand booked, and the bot must have understood it on the way."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.yaml")
def test_books_the_court(dialogue: Dialogue) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"
