"""Shared by several kinds of question: the goal shown, answers by name, the order of calls."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.score import Score
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel, PanelAnswer
from pytest_todeval.models.ask import Asked
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.goal_text import goal_text
from pytest_todeval.models.prompt import Message
from pytest_todeval.models.reading.reader import Reader
from pytest_todeval.models.reading.score import ScoreReply

T = TypeVar("T")

NO_GOAL = "(It is not known.)"


def shown_goal(goal: Goal) -> str:
    """Returns the goal as a judge sees it, fenced; never its solution."""
    text = goal_text(goal)
    return fenced("goal", text) if text.strip() else NO_GOAL


def answers_about(answers: Sequence[PanelAnswer[dict[str, T]]], name: str) -> list[PanelAnswer[T]]:
    """Picks, from answers about several named things, what each says about one of them."""
    return [PanelAnswer(by, _about(asked, name)) for by, asked in answers]


def named_scores(
    panel: Panel,
    messages: Sequence[Message],
    reader: Reader[dict[str, ScoreReply]],
    scales: Mapping[str, tuple[int, int]],
    turn: int | None,
    definition: str,
) -> dict[str, Score]:
    """Returns the scores that one question gives, by name; `turn` is None for the whole
    dialogue.
    """
    answers = panel.ask(messages, reader)
    return {
        name: panel.score(name, turn, answers_about(answers, name), scale, definition)
        for name, scale in scales.items()
    }


def each_turn(panel: Panel, questions: Sequence[Callable[[], T]]) -> list[T]:
    """Asks about each turn and returns the answers in order; there is at least one turn.

    The last goes first. Its prompt shows the dialogue of all the others and fills the provider's
    cache for them; and if the model is out of reach, one call finds out.
    """
    *others, last = questions
    final = last()
    return [*panel.each(others), final]


def digest(texts: Iterable[str]) -> str:
    """Returns a short hash of what a definition rests on, besides prompts and models."""
    return hashlib.sha256("\0".join(texts).encode(errors="replace")).hexdigest()[:12]


def _about(asked: Asked[dict[str, T]], name: str) -> Asked[T]:
    value = None if asked.value is None else asked.value[name]
    return Asked(value, asked.unscored, asked.replies)
