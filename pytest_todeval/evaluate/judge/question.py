"""A question that judges are asked about a dialogue, and how they answer it.

A package offers one of its own through an entry point in the group `pytest_todeval.questions`: its
name is the question's, its object a `Question`, as `evaluate.judge.form` makes them of a prompt.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.judge.llm_judge.panel import Panel
from pytest_todeval.evaluate.rules.rule import RuleSet
from pytest_todeval.extensions import ExtensionPoint
from pytest_todeval.facts.dialogue import Evidence, gather
from pytest_todeval.models.prompt import Prompts

P = ParamSpec("P")
T = TypeVar("T", covariant=True)

Rules = str | Path | RuleSet
"""A shipped rule set by name, a rule file, or a rule set at hand."""


@dataclass
class RuleBench:
    """What a rule judge works with."""

    rule_sets: Rules | Sequence[Rules] | None = None
    """Those of policy compliance; None for the shipped ones of the goal's domains."""
    backend: Any = None
    """The dialogue's, if there is one."""
    _last: Evidence | None = None

    def evidence(self, dialogue: Dialogue) -> Evidence:
        """Returns the evidence of a dialogue, gathered once for several questions in a row."""
        if self._last is None or self._last.dialogue is not dialogue:
            self._last = gather(dialogue, self.backend)
        return self._last


@dataclass(frozen=True)
class ModelBench:
    """What a model judge works with."""

    panel: Panel
    prompts: Prompts
    fused: bool = False
    """Whether a turn's three dimensions are asked about in one call."""
    policy: str = ""
    """What the bot has to keep to; empty for the paper's."""
    rule_sets: Rules | Sequence[Rules] | None = None
    backend: Any = None
    language: str = "English"
    """Of the dialogue."""

    @property
    def published(self) -> bool:
        """Says whether a paper's question is asked exactly as the paper has it."""
        return self.prompts.published


class Questioned(Protocol):
    """Anything that can be asked questions: a judge."""

    def ask(
        self,
        question: "Question[P, T]",
        dialogue: Dialogue,
        /,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T: ...


@dataclass(frozen=True, eq=False)
class Question(Generic[P, T]):
    """One row of the table of questions: `judge.NAME(dialogue, ...)`.

    What is answered is a `Verdict`, scores by name, or a report that has `scores` or `by_rule`.
    """

    name: str
    by_model: Callable[Concatenate[ModelBench, Dialogue, P], T]
    """How a model answers it."""
    by_rules: Callable[Concatenate[RuleBench, Dialogue, P], T] | None = None
    """How rules answer it; None if only a model can."""
    needs_goal: bool = False
    """Whether it cannot be answered without knowing the goal."""
    rules_need_goal: bool = False
    """Whether rules cannot, though a model can."""

    @overload
    def __get__(self, judge: None, owner: type) -> "Question[P, T]": ...

    @overload
    def __get__(self, judge: Questioned, owner: type) -> Callable[Concatenate[Dialogue, P], T]: ...

    def __get__(
        self, judge: Questioned | None, owner: type
    ) -> "Question[P, T] | Callable[Concatenate[Dialogue, P], T]":
        return self if judge is None else self.asked_of(judge)

    def asked_of(self, judge: Questioned) -> Callable[Concatenate[Dialogue, P], T]:
        """Binds the question to a judge as a method. It raises UsageError if it is given no
        dialogue.
        """
        return _Method(self, judge, self.by_model.__doc__)


class _Method(Generic[P, T]):
    """A question bound to one judge; pytest shows it as `judge.NAME`."""

    def __init__(self, question: Question[P, T], judge: Questioned, doc: str | None) -> None:
        self._question = question
        self._judge = judge
        self.__doc__ = doc

    def __call__(self, dialogue: Dialogue, /, *arguments: P.args, **options: P.kwargs) -> T:
        __tracebackhide__ = True  # a test shows its own line, not this one
        require_dialogue(dialogue, f"judge.{self._question.name}")
        return self._judge.ask(self._question, dialogue, *arguments, **options)

    def __bool__(self) -> bool:
        """Raises UsageError: `assert judge.turns` would pass whatever the bot does."""
        __tracebackhide__ = True
        name = self._question.name
        raise UsageError(
            f"judge.{name} asks nothing unless it is called: write judge.{name}(dialogue)"
        )

    def __repr__(self) -> str:
        return f"judge.{self._question.name}"


def require_dialogue(given: object, what: str) -> None:
    """Raises UsageError if what a question is asked about is no dialogue."""
    __tracebackhide__ = True
    if not isinstance(given, Dialogue):
        raise UsageError(
            f"{what}: got {type(given).__name__} {given!r:.60}, expected a Dialogue: the fixture "
            "`dialogue`, or one that was read from a file"
        )


OFFERED: ExtensionPoint[Question[..., Any]] = ExtensionPoint(
    group="pytest_todeval.questions",
    noun="question",
    expected="a pytest_todeval.judge.Question",
    accepts=lambda found: isinstance(found, Question),
)
