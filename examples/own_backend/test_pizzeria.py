"""The order must stand in the shop's own order book."""

from typing import Any

import pytest


@pytest.mark.goals("goals.yaml")
def test_takes_the_order(dialogue: Any) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"
