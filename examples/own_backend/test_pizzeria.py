"""The order must stand in the shop's own order book."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.yaml")
def test_takes_the_order(dialogue: Dialogue) -> None:
    assert dialogue.booking
    assert dialogue.booking.basis == "verified"
