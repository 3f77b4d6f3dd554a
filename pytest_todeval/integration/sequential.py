"""`--todeval-sequential`: dialogues in a random order, until gates and baseline are decided.

The processes that collect put the tests in the planned order and tell it on their first report, the
only way to the process that reports. That one asks after each goal if the run is decided, in the
planned order, whichever dialogue is over first; so the answer does not hang on how fast they are.
Then dialogues are left out that have not begun. Other tests come first, and are never left out.
"""

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.integration.case import PAYLOAD, case_of
from pytest_todeval.integration.settings import Settings
from pytest_todeval.runs.reports.schema import says_of_bot
from pytest_todeval.runs.reports.sequential.answer import never_early
from pytest_todeval.runs.reports.sequential.planned_run import PlannedGoal, PlannedRun

if TYPE_CHECKING:
    from pytest_todeval.integration.gates import GateKeeper
    from pytest_todeval.runs.reports.comparison.comparing import RunComparison
    from pytest_todeval.runs.reports.gates.deciding import Decided
    from pytest_todeval.runs.reports.schema import DialogueEntry, Results, SequentialEntry

PLAN = "todeval_plan"
"""The attribute of a process's first report that carries its plan, as plain JSON."""
PHASES = ("setup", "call", "teardown")


def planned(items: Sequence[pytest.Item], seed: str) -> list[PlannedGoal]:
    """Returns the goals of these tests in an order that hangs on their names and the seed alone.

    Goals in quarantine count for no gate, and come last.
    """
    tests: dict[str, list[str]] = {}
    counted: set[str] = set()
    for item in items:
        if (case := case_of(item)) is not None:
            tests.setdefault(case.goal.name, []).append(item.nodeid)
            if case.quarantine is None or case.quarantine.over:
                counted.add(case.goal.name)
    names = sorted(tests)
    random.Random(seed).shuffle(names)
    goals = [PlannedGoal(name, tests[name], name not in counted) for name in names]
    return sorted(goals, key=lambda goal: goal.quarantined)


class PlannedOrder:
    """Registered in processes that collect."""

    def __init__(self, config: pytest.Config) -> None:
        self._seed = Settings.of(config).sequential or ""
        self._plan: list[PlannedGoal] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """After all that orders tests by what they came to before, such as `--failed-first`."""
        self._plan = planned(session.items, self._seed)
        dialogues = [test for goal in self._plan for test in goal.tests]
        places = {test: place for place, test in enumerate(dialogues)}
        session.items.sort(key=lambda item: places.get(item.nodeid, -1))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._plan is not None:
            report.__dict__[PLAN] = [list(goal) for goal in self._plan]
            self._plan = None


class SequentialRun:
    """Registered in the process that reports."""

    def __init__(self, config: pytest.Config, keeper: "GateKeeper") -> None:
        """Raises pytest.UsageError if the run is spread in a way that has no order."""
        self._config, self._keeper = config, keeper
        self._settings = Settings.of(config)
        self._seed = self._settings.sequential or ""
        self._entries = {entry["test"]: entry for entry in keeper.reporter.restored()}
        self._attempts: dict[str, DialogueEntry] = {}
        self._run: PlannedRun | None = None
        spread = config.getoption("dist", "no")
        if spread not in ("no", "load"):
            raise pytest.UsageError(
                f"--todeval-sequential: got --dist={spread}, which hands tests out in an order of "
                "its own; expected --dist=load, the default of -n"
            )

    def pytest_report_header(self) -> list[str]:
        """Returns what keeps the run from passing early."""
        why = never_early(self._settings.gates, self._keeper.baseline)
        return [f"todeval: sequential: {why}: only a failure ends the run early"] if why else []

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Any:
        from pytest_todeval.integration.one_at_a_time import OneAtATime

        return OneAtATime(config, log, self._left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if PLAN in report.__dict__ and self._run is None:
            self._run = self._planned(report.__dict__[PLAN])
        if PAYLOAD in report.__dict__:
            known = self._attempts.setdefault(report.nodeid, report.__dict__[PAYLOAD]["entry"])
            if not says_of_bot(known):  # of a test that is run again the first that did counts
                self._attempts[report.nodeid] = report.__dict__[PAYLOAD]["entry"]
            self._entries[report.nodeid] = self._attempts[report.nodeid]
        if report.when not in PHASES:  # xdist: the process that ran it has crashed
            self.pytest_runtest_logfinish(report.nodeid)

    def _planned(self, plan: list[list[Any]]) -> PlannedRun:
        goals = [PlannedGoal(*goal) for goal in plan]
        passes = self._settings.undecided != "fail"
        gates, before = self._settings.gates, self._keeper.baseline
        return PlannedRun(goals, gates, before, undecided_passes=passes)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        if self._run is not None:
            self._run.finish(nodeid, self._entries.get(nodeid))

    def _left_out(self) -> set[str]:
        """Returns the tests that are not to begin any more."""
        run = self._run
        return set(run.not_over) if run is not None and run.decided else set()

    def _is_left_out(self, test: str) -> bool:
        """Returns the same of one dialogue, at no cost that grows with the run."""
        return self._run is not None and self._run.decided and not self._run.is_over(test)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """True if a test is left out: nothing is told of it. xdist's scheduler sees to that."""
        if case_of(item) is None or not self._is_left_out(item.nodeid):
            return None
        from pytest_todeval.integration.resume import torn_down

        report = torn_down(item, nextitem)
        if report.failed:
            item.ihook.pytest_runtest_logreport(report=report)
        return True

    def pytest_sessionfinish(self) -> None:
        """Before the results file is written."""
        if self._run is None:
            return
        self._run.end()
        if left := self._left_out():
            items = [SimpleNamespace(nodeid=test) for test in sorted(left)]
            self._config.hook.pytest_deselected(items=items)  # for those who count them
        self._keeper.reporter.note_sequential(self._run.how_far(self._seed))

    def findings(
        self, found: "Results"
    ) -> "tuple[SequentialEntry | None, list[Decided], RunComparison | None]":
        """Returns how far the run went, what became of each gate, and the run beside its baseline.

        Raises UsageError on a gate that asks for what no dialogue has, and if the runs cannot be
        compared.
        """
        if self._run is None:
            return None, [], None
        return self._run.how_far(self._seed), *self._run.findings(found)


def start_sequential(config: pytest.Config) -> None:
    """Registers what this process has to do."""
    config.pluginmanager.register(PlannedOrder(config), "todeval-order")
    keeper: GateKeeper | None = config.pluginmanager.get_plugin("todeval-gates")
    if keeper is not None:  # in the process that reports
        keeper.sequential = SequentialRun(config, keeper)
        config.pluginmanager.register(keeper.sequential, "todeval-sequential")
