"""The judge handed to a test: what it finds stands in the results file too."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.errors import TodevalError
from pytest_todeval.integration.case import PLAYED, case_of

if TYPE_CHECKING:
    from pytest_todeval.evaluators.judge import Judge, Rules, TurnScores
    from pytest_todeval.evaluators.rules.report import RuleReport

__all__ = ["TestJudge", "make_judge"]


def make_judge(request: pytest.FixtureRequest) -> "TestJudge":
    """The rule judge, over the backend of the test's dialogue where it has one."""
    from pytest_todeval.evaluators.judge import RuleJudge

    has_goal = case_of(request.node) is not None
    backend = request.getfixturevalue("backend") if has_goal else None
    return TestJudge(RuleJudge(backend=backend), request.node)


class TestJudge:
    """A judge as one test sees it: rule files are found beside the test, findings are kept.

    Errors show the test's own line and the message, not the judge's inner workings.
    """

    __test__ = False  # its name does not make it a test class

    def __init__(self, judge: "Judge", item: pytest.Item) -> None:
        self._judge = judge
        self._item = item

    def __repr__(self) -> str:
        return f"<{type(self._judge).__name__}>"

    def turns(self, dialogue: Dialogue) -> "TurnScores":
        """The three scores of every turn; see `RuleJudge.turns`."""
        __tracebackhide__ = True
        found = self._asked("turns", dialogue)
        if played := self._played(dialogue):
            played.scores.update({name: series.scores for name, series in found.scores.items()})
        scores: TurnScores = found
        return scores

    def rules(self, dialogue: Dialogue, rules: "Rules | Sequence[Rules]") -> "RuleReport":
        """Check every turn against rules; see `RuleJudge.rules`. Paths start beside the test."""
        __tracebackhide__ = True
        report: RuleReport = self._asked("rules", dialogue, self._beside(rules))
        if played := self._played(dialogue):
            played.rules.update(report.by_rule())
        return report

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    def _asked(self, method: str, *arguments: Any) -> Any:
        __tracebackhide__ = True
        try:
            return getattr(self._judge, method)(*arguments)
        except TodevalError as error:
            raise type(error)(str(error)) from None

    def _played(self, dialogue: Dialogue) -> Any:
        played = self._item.stash.get(PLAYED, None)
        return played if played is not None and played.dialogue is dialogue else None

    def _beside(self, rules: Any) -> Any:
        if isinstance(rules, (list, tuple)):
            return [self._beside(each) for each in rules]
        if isinstance(rules, (str, Path)) and Path(rules).suffix in (".yaml", ".yml", ".json"):
            return self._item.path.parent / rules
        return rules
