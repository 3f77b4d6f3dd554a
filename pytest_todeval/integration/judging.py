"""The judge handed to a test: what it finds stands in the results file too."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.documents import FILE_NAME
from pytest_todeval.errors import TodevalError
from pytest_todeval.evaluate.judge.judge import TABLE, Judge
from pytest_todeval.evaluate.judge.question import Question
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from pytest_todeval.integration.case import AHEAD, PLAYED, case_of
from pytest_todeval.integration.markers import play_settings
from pytest_todeval.integration.plain_errors import plain_errors
from pytest_todeval.integration.players import name_of
from pytest_todeval.integration.resolving import cast_of
from pytest_todeval.runs.reports.results import class_of

P = ParamSpec("P")
T = TypeVar("T")


def make_judge(
    item: pytest.Item, fixture: Callable[[str], Any], *, keeps: bool = True
) -> "TestJudge":
    """Returns the judge that marker and options ask for, over the backend of the test's dialogue.

    A test without a goal may judge dialogues of its own. `fixture` gives another fixture's value.
    Without `keeps` what it finds does not stand in the results: the test has not asked for it.
    """
    case = case_of(item)
    backend = None if case is None else fixture("backend")
    rules = () if case is None else case.goal_set.world.rules
    with plain_errors():
        judge = cast_of(item.config).make_judge(play_settings(item), backend, rules)
        return TestJudge(judge, item, keeps=keeps)


def keep_findings(item: pytest.Item) -> None:
    """Has a judge of the suite's own, too, enter what it finds into the results."""
    arguments: dict[str, Any] = getattr(item, "funcargs", {})
    judge = arguments.get("judge")
    if judge is not None and not isinstance(judge, KeepsFindings):
        kept = TestJudge if isinstance(judge, Judge) else KeepsFindings
        arguments["judge"] = kept(judge, item)


class KeepsFindings:
    """A judge as one test sees it: files are found beside the test, findings are kept.

    It may be of any class. Errors show the test's own line and the message, not the judge's inner
    workings.
    """

    def __init__(self, judge: Any, item: pytest.Item, *, keeps: bool = True) -> None:
        self._judge = judge
        self._item = item
        self._keeps = keeps

    def __repr__(self) -> str:
        return f"<{type(self._judge).__name__}>"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._judge)})

    def __getattr__(self, name: str) -> Any:
        __tracebackhide__ = True  # a test shows its own line, not this one
        found = getattr(self._judge, name)
        if name.startswith("_") or not callable(found):
            return found
        return partial(self._ask, found)

    def _ask(self, method: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        __tracebackhide__ = True
        arguments = tuple(self._beside(each) for each in arguments)
        options = {name: self._beside(each) for name, each in options.items()}
        try:
            found = method(*arguments, **options)
        except TodevalError as error:
            raise type(error)(str(error)) from None
        played = self._item.stash.get(PLAYED, None)
        asked = (*arguments, *options.values())
        if self._keeps and played is not None and any(each is played.dialogue for each in asked):
            played.players["judges"][name_of(self._judge)] = class_of(self._judge)
            played.answers.keep(found, played.dialogue, *asked)
        return found

    def _beside(self, given: Any) -> Any:
        """Returns a file that a test names lies beside the test."""
        if isinstance(given, (list, tuple)):
            return [self._beside(each) for each in given]
        if isinstance(given, (str, Path)) and FILE_NAME.fullmatch(str(given)):
            return self._item.path.parent / given
        return given


class TestJudge(KeepsFindings, Judge):
    """A `Judge` as one test sees it."""

    __test__ = False  # its name does not make it a test class

    def ask(
        self,
        question: Question[P, T],
        dialogue: Dialogue,
        /,
        *arguments: P.args,
        **options: P.kwargs,
    ) -> T:
        """Returns the answer of the judge, which may have a method of its own for a question."""
        __tracebackhide__ = True
        judge: Judge = self._judge
        if self._keeps:
            self._tell_ahead(question, dialogue, arguments, options)
        if type(judge).state is question and options.get("schema") is None:
            options["schema"] = self._slots_of_set(dialogue)
        built_in = question.name in TABLE
        method = getattr(judge, question.name) if built_in else partial(judge.ask, question)
        answer: T = self._ask(method, dialogue, *arguments, **options)
        return answer

    @property
    def asks_models(self) -> bool:
        """Says whether an answer takes calls; rules answer at once."""
        from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge

        return isinstance(self._judge, LLMJudge)

    def _tell_ahead(
        self, question: object, dialogue: object, arguments: Sequence[Any], options: dict[str, Any]
    ) -> None:
        ahead = self._item.config.stash.get(AHEAD, None)
        played = self._item.stash.get(PLAYED, None)
        if ahead is None or played is None or dialogue is not played.dialogue:
            return
        if self.asks_models:
            from pytest_todeval.integration.known_questions import KnownQuestion

            ahead.asks(
                self._item, played.dialogue, KnownQuestion(question, arguments, dict(options))
            )

    def _slots_of_set(self, dialogue: Dialogue) -> StateSchema | None:
        """Returns what the states of all dialogues of the test's goal set are judged over."""
        case = case_of(self._item)
        if case is None or not isinstance(dialogue, Dialogue) or dialogue.goal != case.goal:
            return None
        return StateSchema.for_dialogue(dialogue, StateSchema.of_goals(case.goal_set.goals))
