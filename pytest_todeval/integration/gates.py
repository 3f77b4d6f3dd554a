"""Gates and a baseline decide whether the run fails, in place of single dialogues."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.integration.settings import Settings
from pytest_todeval.reports.comparison.comparing import compare_runs
from pytest_todeval.reports.comparison.text import comparison_lines
from pytest_todeval.reports.gates.deciding import (
    EXIT,
    UNDECIDED,
    decide,
    gate_lines,
    overall,
)
from pytest_todeval.reports.results import read_results

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_todeval.integration.reporter import Reporter
    from pytest_todeval.reports.schema import Results

__all__ = ["GateKeeper"]

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
        self._reporter = reporter
        self._settings = Settings.of(config)
        self._failed: set[str] = set()
        self._lines: list[str] = []
        try:
            path = self._settings.baseline
            self._baseline = None if path is None else read_results(Path(path))
        except (UsageError, InvalidFile) as error:
            raise pytest.UsageError(f"--todeval-baseline: {error}") from None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed.add(report.nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Decide, if the run came to its end and nothing but dialogues failed."""
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        found = self._reporter.results()
        if not ended or found is None:
            return
        try:
            code = self._decided(found)
        except UsageError as error:
            self._lines.append(f"gates: {error}")
            code = int(pytest.ExitCode.USAGE_ERROR)
        gated = {entry["test"] for entry in found["dialogues"] if entry["outcome"] in GATED}
        if code or self._failed <= gated:
            session.exitstatus = code

    def _decided(self, found: "Results") -> int:
        codes = [0]
        if self._settings.gates:
            decided = decide(self._settings.gates, found["dialogues"])
            self._lines += gate_lines(decided)
            finding = overall(decided)
            strict = self._settings.undecided == "fail"
            codes.append(UNDECIDED if finding == "undecided" and strict else EXIT[finding])
        if self._baseline is not None:
            compared = compare_runs(self._baseline, found)
            self._lines += [f"baseline {self._settings.baseline}:", *comparison_lines(compared)]
            codes.append(EXIT["failed"] if compared.worse else 0)
            undecided = any(each.finding == "undecided" for each in compared.changes)
            if undecided and self._settings.undecided == "fail":
                codes.append(UNDECIDED)
        return EXIT["unreliable"] if EXIT["unreliable"] in codes else _first(codes)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: "TerminalReporter") -> None:
        if self._lines:
            terminalreporter.section("gates", sep="=")
            for line in self._lines:
                terminalreporter.write_line(line)


def _first(codes: list[int]) -> int:
    """A failure before what is undecided."""
    return next((code for code in (EXIT["failed"], UNDECIDED) if code in codes), 0)
