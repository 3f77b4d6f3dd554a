"""No backend to look into: the verdict rests on what the bot said, and says so."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.json")
def test_takes_the_booking(dialogue: Dialogue) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "claimed, not verified"
