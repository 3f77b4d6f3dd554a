"""Replayed from the cassettes under `cassettes/`; record anew with --todeval-record=rewrite."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.yaml")
def test_takes_the_booking(dialogue: Dialogue) -> None:
    assert dialogue.booking
