"""No backend to look into: the verdict rests on what the bot said, and says so."""

from typing import Any

import pytest


@pytest.mark.goals("goals.json")
def test_takes_the_booking(dialogue: Any) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "claimed, not verified"
