"""Whether somebody says the same again: by the words, or by the signs if there are no words."""

import pytest

from pytest_todeval.simulation.llm_user.conversation import Conversation


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        ("A hotel, please!", "a hotel please", True),
        ("A hotel.", "A guesthouse.", False),
        ("?!", " ?! ", True),
        ("?!", "...", False),
        ("A hotel?", "?", False),
        ("?", "A hotel?", False),
    ],
)
def test_words_count_without_case_and_signs_count_as_they_are(
    before: str, now: str, same: bool
) -> None:
    assert Conversation([before]).repeats(now) is same
    assert Conversation(["Hi", "Hm"], [before, now]).bot_repeats is same
    assert Conversation([before, now]).times_in_a_row() == (2 if same else 1)


def test_who_has_said_nothing_repeats_nothing() -> None:
    assert not Conversation().repeats("A hotel.")
    assert not Conversation(["Hi"], ["Hello."]).bot_repeats
