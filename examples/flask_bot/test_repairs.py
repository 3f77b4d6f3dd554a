"""The repair must be booked, as the calls show that the bot reports."""

from typing import Any

import pytest


@pytest.mark.goals("goals.yaml")
def test_books_the_repair(dialogue: Any) -> None:
    assert dialogue.booking
    assert [call.name for call in dialogue.tool_calls] == ["book_repair"]
