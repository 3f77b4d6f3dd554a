"""Scores, rules and verdicts of a dialogue: by rule, or by asking a model.

Packages make questions of their own with `yes_no_question` and `scores_question`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.evaluate.judge.approval import Approval
    from pytest_todeval.evaluate.judge.form import scores_question, yes_no_question
    from pytest_todeval.evaluate.judge.judge import Judge
    from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison
    from pytest_todeval.evaluate.judge.llm_judge.conversation import ConversationScores
    from pytest_todeval.evaluate.judge.llm_judge.dimensions import DialogueScores
    from pytest_todeval.evaluate.judge.llm_judge.quality import QualityScores
    from pytest_todeval.evaluate.judge.question import Question
    from pytest_todeval.evaluate.judge.rule_answers import TurnScores

_HOMES = {
    "Approval": "evaluate.judge.approval",
    "Comparison": "evaluate.judge.llm_judge.comparison",
    "ConversationScores": "evaluate.judge.llm_judge.conversation",
    "DialogueScores": "evaluate.judge.llm_judge.dimensions",
    "Judge": "evaluate.judge.judge",
    "QualityScores": "evaluate.judge.llm_judge.quality",
    "Question": "evaluate.judge.question",
    "TurnScores": "evaluate.judge.rule_answers",
    "scores_question": "evaluate.judge.form",
    "yes_no_question": "evaluate.judge.form",
}

__all__ = [
    "Approval",
    "Comparison",
    "ConversationScores",
    "DialogueScores",
    "Judge",
    "QualityScores",
    "Question",
    "TurnScores",
    "scores_question",
    "yes_no_question",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:  # lazy: half of the package would be imported, and some of it imports this
        return getattr(import_module(f"pytest_todeval.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
