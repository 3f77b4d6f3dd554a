"""Replayed from the cassettes under `cassettes/`; record anew with --todeval-record=rewrite."""

from typing import Any

import pytest


@pytest.mark.goals("goals.yaml")
def test_takes_the_booking(dialogue: Any) -> None:
    assert dialogue.booking
