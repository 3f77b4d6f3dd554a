"""The judge that needs no model."""

from collections.abc import Sequence
from typing import Any, ParamSpec, TypeVar

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.evaluate.judge.judge import Judge
from pytest_todeval.evaluate.judge.question import Question, RuleBench, Rules
from pytest_todeval.evaluate.judge.rule_answers import needs_model

P = ParamSpec("P")
T = TypeVar("T")


class RuleJudge(Judge):
    """Judges by evidence and rules: free, offline, the same every time.

    `rule_sets` are those of policy compliance; by default the shipped ones for the domains of the
    dialogue's goal. `backend` is the dialogue's, if there is one; without it and without tool calls
    little can be found against a bot, and scores that rest on nothing are not applicable.

    It answers `turns`, `rules`, `completion`, `fulfilment`, `coverage`, and `state` with labels; if
    asked what only a model can tell, it raises UsageError.
    """

    def __init__(
        self, rule_sets: Rules | Sequence[Rules] | None = None, backend: Any = None
    ) -> None:
        self._bench = RuleBench(rule_sets, backend)

    def __repr__(self) -> str:
        return "<RuleJudge>"

    def ask(
        self,
        question: Question[P, T],
        dialogue: Dialogue,
        /,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T:
        """The answer to a question about a dialogue. Raises UsageError if it takes a model."""
        if question.by_rules is None:
            needs_model(question.name)
        return question.by_rules(self._bench, dialogue, *arguments, **options)
