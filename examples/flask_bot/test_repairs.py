"""The repair must be booked, as the calls show that the bot reports."""

import pytest

from pytest_todeval import Dialogue


@pytest.mark.goals("goals.yaml")
def test_books_the_repair(dialogue: Dialogue) -> None:
    assert dialogue.booking
    assert [call.name for call in dialogue.tool_calls] == ["book_repair"]
