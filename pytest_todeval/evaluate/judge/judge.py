"""The questions that a test may ask about a dialogue, as one table."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.evaluate.judge import model_answers, rule_answers
from pytest_todeval.evaluate.judge.question import OFFERED, Question

P = ParamSpec("P")
T = TypeVar("T")


class Judge(ABC):
    """Answers questions about dialogues: `judge.turns(dialogue)`, `judge.rules(dialogue, ...)`.

    Each question is a row of the table below; those of installed packages are asked by their names,
    too, or as `judge.ask(question, dialogue)`.

    All raise JudgeFault on a dialogue without turns. A judge by rules raises UsageError if only a
    model can answer. A judge that is a model raises ModelUnavailable if it could not be asked; if
    an answer could not be read, the score is unscored, which no comparison passes.
    """

    approves = Question("approves", rule_answers.approves, rule_answers.approves)
    """Whether nothing sound speaks against the bot: verdicts, rules and cohesion, by evidence."""
    turns = Question("turns", model_answers.turns, rule_answers.turns)
    """TD-Eval's three scores of every turn, 1 (very bad) to 5 (very good)."""
    dialogue = Question("dialogue", model_answers.dialogue)
    """TD-Eval's three scores of the whole dialogue, and their mean."""
    rules = Question("rules", model_answers.rules, rule_answers.rules)
    """Every turn by every rule of a shipped set, a file, or several, in a report."""
    completion = Question(
        "completion",
        model_answers.completion,
        rule_answers.completion,
        rules_need_goal=True,
    )
    """A verdict: whether the user got all it asked for; a model goes by the words alone."""
    fulfilment = Question(
        "fulfilment",
        model_answers.fulfilment,
        rule_answers.fulfilment,
        needs_goal=True,
    )
    """A verdict: whether every intention of the goal is fulfilled."""
    goal_completion = Question("goal_completion", model_answers.goal_completion)
    """A verdict: whether, and in which turn, the bot offered the goal's solution."""
    holds = Question("holds", model_answers.holds)
    """A verdict: whether a sentence is true of the dialogue."""
    quality = Question("quality", model_answers.quality)
    """Six scores of every turn, 1 (yes) or 0 (no)."""
    conversation = Question("conversation", model_answers.conversation)
    """Naturalness, coherence and diversity of user and bot."""
    units = Question("units", model_answers.units)
    """Sentences, each scored from 1 (no) to 5 (yes), per turn or for the dialogue."""
    state = Question("state", model_answers.state, model_answers.state)
    """Turn state accuracy and joint goal accuracy; with `labels` by any judge."""
    coverage = Question("coverage", model_answers.coverage, rule_answers.coverage)
    """Which keywords of the goal were raised, where and by whom."""
    retrieval = Question("retrieval", rule_answers.retrieval, rule_answers.retrieval)
    """Hit rate and reciprocal rank of what each turn retrieved, by any judge."""
    compare = Question("compare", model_answers.compare)
    """Which of two dialogues over the same goal is better."""

    @abstractmethod
    def ask(
        self,
        question: Question[P, T],
        dialogue: Dialogue,
        /,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T:
        """Answers a question about a dialogue."""

    if not TYPE_CHECKING:  # else a type checker would let a misspelt name pass

        def __getattr__(self, name: str) -> Any:
            __tracebackhide__ = True  # a test shows its own line, not this one
            told = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name.startswith("_"):
                raise AttributeError(told)
            known = question_names()
            if name not in known:
                raise AttributeError(f"{told}: {known_names(name, known)}")
            return find_question(name).asked_of(self)


TABLE: Mapping[str, Question[..., Any]] = MappingProxyType(
    {name: each for name, each in vars(Judge).items() if isinstance(each, Question)}
)
"""The built-in questions by name."""


def find_question(name: str) -> Question[..., Any]:
    """Returns the question of this name. Raises UsageError if there is none, or if its package is
    broken.
    """
    if name in TABLE:
        return TABLE[name]
    entry = OFFERED.offers(TABLE).get(name)
    if entry is None:
        raise UsageError(f"no question {name!r}: {known_names(name, question_names())}")
    found = OFFERED.load(entry)
    return OFFERED.named(entry, found.name, found)


def question_names() -> tuple[str, ...]:
    """Returns the names of all questions, built-in ones first."""
    return (*TABLE, *OFFERED.offers(TABLE))
