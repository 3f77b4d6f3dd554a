"""A model plays the user, a model is the bot, a model judges: replayed from the cassettes.

Record anew with --todeval-record=rewrite: here a stand-in answers for all three.
"""

import pytest

from pytest_todeval import Dialogue, Judge


@pytest.mark.goals("goals.yaml")
def test_books_the_job(dialogue: Dialogue, judge: Judge) -> None:
    assert dialogue.booking
    assert judge.completion(dialogue)
    assert judge.turns(dialogue).policy_compliance >= 4
    assert judge.quality(dialogue).unbiased >= 1
    assert judge.rules(dialogue, "workshop_rules.yaml")
    assert judge.conversation(dialogue).system_naturalness >= 3
