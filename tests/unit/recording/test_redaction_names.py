"""What looks like a key that a machine drew, and what only looks long."""

import pytest

from pytest_todeval.recording.redaction.names import is_random


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("deadbeefdeadb31f", True),
        ("f0a1c2d3e4b5968778695a4b3c2d1e0f", True),
        ("deadbeefdeadbe1f", False),  # one digit: it may be a word with a number
        ("deadbeefdeadbeef", False),
        ("31415926535897932384", False),  # digits alone: a number
    ],
)
def test_a_drawn_text_has_some_digits_and_not_digits_alone(text: str, drawn: bool) -> None:
    assert is_random(text) is drawn
