"""The table must be booked, as the bot's custom action reports it."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.yaml")
def test_books_the_table(dialogue: Dialogue) -> None:
    assert dialogue.booking
    assert [call.name for call in dialogue.tool_calls] == ["book_table"]
