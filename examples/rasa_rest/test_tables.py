"""The table must be booked, as the bot's custom action reports it."""

from typing import Any

import pytest


@pytest.mark.goals("goals.yaml")
def test_books_the_table(dialogue: Any) -> None:
    assert dialogue.booking
    assert [call.name for call in dialogue.tool_calls] == ["book_table"]
