"""Gates and a baseline decide whether the run fails, in place of single dialogues."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.integration.case import case_of
from pytest_todeval.integration.settings import Settings
from pytest_todeval.integration.terminal import write_lines
from pytest_todeval.runs.reports.comparison.comparing import RunComparison, compare_runs, differing
from pytest_todeval.runs.reports.gates.at_best import at_best_lines
from pytest_todeval.runs.reports.gates.deciding import Decided, decide, gate_lines
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.runs.reports.sequential.stopped import sequential_line

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_todeval.integration.reporter import Reporter
    from pytest_todeval.integration.sequential import SequentialRun
    from pytest_todeval.runs.reports.schema import Results

GATED = frozenset(
    {
        Outcome.FAILED,
        Outcome.SIMULATOR_FAULT,
        Outcome.JUDGE_FAULT,
        Outcome.ORACLE_FAULT,
        Outcome.INFRASTRUCTURE,
    }
)
"""Outcomes of dialogues that gates speak for; a test that is broken fails the run all the same."""


class GateKeeper:
    """Registered in the process that reports, if the run has gates or a baseline."""

    def __init__(self, config: pytest.Config, reporter: "Reporter") -> None:
        self.reporter = reporter
        self.sequential: SequentialRun | None = None
        """Set if the run ends as soon as it is decided."""
        self._settings = Settings.of(config)
        self._start = config.invocation_params.dir
        self.ruling: Ruling | None = None
        """What was decided, once it is."""
        self._failed: set[str] = set()
        self._lines: list[str] = []
        self._plugins = config.pluginmanager
        self._said = False
        try:
            path = self._settings.baseline
            self.baseline = None if path is None else read_results(Path(path))
        except (UsageError, InvalidFile) as error:
            raise pytest.UsageError(f"--todeval-baseline: {error}") from None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Refuse a baseline over other goals before one is played (with -n: after the last)."""
        if self.baseline is None:
            return
        found: dict[str, set[str]] = {}
        for case in map(case_of, session.items):
            if case is not None:
                found.setdefault(case.goal_set.name, set()).add(case.goal_set.fingerprint)
        sets = {name: ", ".join(sorted(each)) for name, each in found.items()}
        about = self.baseline["environment"].copy()
        about["goal_sets"] = sets
        about.pop("sequential", None)
        if unlike := "; ".join(differing(self.baseline["environment"], about)):
            name = self._baseline_name()
            raise pytest.UsageError(
                f"--todeval-baseline: {name}: {unlike}. Keep a new one: run without it, then "
                f"`todeval baseline update RESULTS {name}`"
            )

    def pytest_report_collectionfinish(self, items: Sequence[pytest.Item]) -> list[str]:
        """Returns what the goals of this run can show at best, before the first is played."""
        return self._at_best({case.goal.name for case in map(case_of, items) if case is not None})

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """With -n, once the first process has collected. There only the tests' names are known."""
        terminal: TerminalReporter | None = self._plugins.get_plugin("terminalreporter")
        goals = {test.rpartition("#")[0] or test for test in ids if "[" in test}
        if terminal is not None and not self._said:
            write_lines(terminal, self._at_best(goals))

    def _at_best(self, goals: Collection[str]) -> list[str]:
        if not goals:
            return []
        self._said = True
        name, gates = self._baseline_name(), self._settings.gates
        lines = at_best_lines(gates, len(goals), self.baseline, name)
        return [f"todeval: {line}" for line in lines]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Decides, if the run came to its end and nothing but dialogues failed."""
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        found = self.reporter.results()
        if not ended or found is None:
            return
        try:
            code = self._decided(found)
        except UsageError as error:
            self._lines.append(f"gates: {error}")
            code = int(pytest.ExitCode.USAGE_ERROR)
        if code is None:
            return
        gated = {entry["test"] for entry in found["dialogues"] if entry["outcome"] in GATED}
        if code or self._failed <= gated:
            session.exitstatus = code

    def _decided(self, found: "Results") -> int | None:
        """Tells what the gates and the baseline came to; the exit code, None to leave pytest's."""
        settings = self._settings
        if self.sequential is not None:
            how_far, decided, compared = self.sequential.findings(found)
        else:
            how_far = None
            decided = decide(settings.gates, found["dialogues"])
            compared = self._compared(found, decided)
        undecided: Any = settings.undecided
        ruling = self.ruling = Ruling.of(
            found["dialogues"],
            decided,
            self.baseline,
            compared,
            self._baseline_name(),
            undecided,
        )
        if how_far is not None:
            self._lines.append(sequential_line(ruling.finding, how_far, found["dialogues"]))
        self._lines += ruling.lines()
        return None if ruling.finding == "open" else ruling.exit_code

    def _compared(self, found: "Results", decided: list[Decided]) -> RunComparison | None:
        """The run beside its baseline; if that cannot be, the gates are told all the same."""
        try:
            return None if self.baseline is None else compare_runs(self.baseline, found)
        except UsageError:
            self._lines += gate_lines(decided)
            raise

    def _baseline_name(self) -> str:
        """As short as it can be told where pytest was started."""
        path, start = Path(str(self._settings.baseline)), self._start
        return str(path.relative_to(start) if path.is_relative_to(start) else path)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: "TerminalReporter") -> None:
        if self._lines:
            terminalreporter.section("gates", sep="=")
            write_lines(terminalreporter, self._lines)
