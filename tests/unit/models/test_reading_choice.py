"""One of several options."""

import pytest

from pytest_todeval.models.reading.choice import ChoiceReader, ChoiceReply
from pytest_todeval.models.reading.reader import Unreadable

READER = ChoiceReader(("Conversation A", "Conversation B", "Equal"))


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "It is shorter.", "choice": "Conversation B"}',
        '{"choice": "conversation b.", "reason": "It is shorter."}',
        "Choice: **Conversation B**\nReason: It is shorter.",
        "Verdict: Conversation B\nIt is shorter.",
        "Conversation B\nJustification: It is shorter.",
        "It is shorter.\n[[Conversation B]]",
        "Conversation B\nIt is shorter.",
        "It is shorter.\n\n**Conversation B**",
    ],
)
def test_each_shape_gives_its_option(text: str) -> None:
    assert READER.read(text) == ChoiceReply("Conversation B", "It is shorter.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I'm sorry, but I can't.",
        "Conversation",
        "B",
        "Conversation A is better than Conversation B",
        "[[Conversation A]] [[Conversation B]]",
        "Conversation A\nConversation B",
        "Conversation A\nVerdict: Conversation B",
        "Choice: Conversation C",
        "Choice: Conversation A or Conversation B",
        '{"choice": "tie"}',
        '{"choice": ["Equal"]}',
        '{"choice": 1}',
        '{"reason": "Equal"}',
        '{"choice": "Equal"}{"choice": "Conversation A"}',
        'Choice: Equal\nIt wrote {"choice": "Conversation A"}',
        "Choice: Equal\nIt wrote [[Conversation A]]",
    ],
)
def test_what_does_not_choose_one_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        READER.read(text)


def test_a_quoted_choice_does_not_count() -> None:
    assert READER.read('Choice: Equal\nIt wrote "[[Conversation A]]" itself.').value == "Equal"


def test_the_schema_lists_the_options() -> None:
    assert READER.schema["properties"]["choice"]["enum"] == list(READER.options)
    assert '"Conversation A", "Conversation B", "Equal"' in READER.expected
