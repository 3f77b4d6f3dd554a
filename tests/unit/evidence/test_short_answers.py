"""Answers that leave out what they answer, and questions that a bot asks itself."""

import pytest

from pytest_todeval.core.claim import Act
from pytest_todeval.evidence.listen import listen
from pytest_todeval.evidence.values.answers import answer_in
from pytest_todeval.language.vocabulary import Vocabulary

TOWN = Vocabulary({"hotel": ("Tern House",)})


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("Yes, it does!", "yes"),
        ("Oh well. Yes, it does.", "yes"),
        ("Let me see. Yes, it does.", "yes"),
        ("Good question. No, it does not.", "no"),
        ("Let me see. Which hotel?", None),
        ("They closed long ago. Yes, it does.", None),
    ],
)
def test_a_yes_after_a_filler_answers_what_was_asked(reply: str, answer: str | None) -> None:
    heard = listen(reply, TOWN, domain="hotel", user_said="Does it have parking?")
    told = [one.value for one in heard if one.act is Act.INFORM and one.slot == "parking"]
    assert told == ([answer] if answer else [])


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The deposit? It's 90 pounds.", "90 pounds"),
        ("All paid? And the deposit? 90 pounds.", "90 pounds"),
        ("The deposit? Which one?", ""),
    ],
)
def test_a_bot_may_answer_a_question_that_it_asks_itself(text: str, answer: str) -> None:
    assert answer_in(text, "deposit", asked=()) == answer
