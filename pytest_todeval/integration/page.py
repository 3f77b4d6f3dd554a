"""The page of a run (`--todeval-report`), written once its gates are decided."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.integration.terminal import write_lines

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

    from pytest_todeval.integration.gates import GateKeeper
    from pytest_todeval.integration.reporter import Reporter


class PageWriter:
    """Registered in the process that reports, after what decides the gates."""

    def __init__(self, path: Path, reporter: "Reporter", gates: "GateKeeper | None") -> None:
        self._path = path
        self._reporter = reporter
        self._gates = gates
        self._said = ""

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        found = self._reporter.results()
        if found is None:
            return
        from pytest_todeval.runs.viewer.page import write_page
        from pytest_todeval.runs.viewer.run_data import Shown

        ruling = self._gates.ruling if self._gates else None
        before = self._gates.baseline if self._gates else None
        try:
            write_page(self._path, Shown(found, self._path.stem, ruling, before))
            self._said = f"report: {self._path}"
        except UsageError as error:
            self._said = f"report: {error}"

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: "TerminalReporter") -> None:
        if self._said:
            write_lines(terminalreporter, [self._said])
