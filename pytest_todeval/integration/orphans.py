"""Orphans: cassettes that no test plays. Looked for only if there is a cassette folder."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.integration.case import CASSETTE
from pytest_todeval.integration.cassette_options import cassette_folders
from pytest_todeval.integration.terminal import write_lines
from pytest_todeval.shown import in_line

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

PROCESS = "(the process)"
LISTED = 5
DESELECTED = "todeval_deselected"
"""What a worker tells the controller."""


class Orphans:
    """Registered in each process: workers know what was deselected, the controller what ran.

    Only a run of everything can tell: not one narrowed by its arguments, stopped early, or in which
    tests were deselected. Of a file whose tests were all left out (skipped as a module, ignored,
    outside of `testpaths`) nothing is said while the file is there.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._ran: set[str] = set()
        self._played: set[Path] = set()
        self._works = hasattr(config, "workerinput")
        self._whole = self._works or _is_whole(config)
        self._found: list[Path] = []

    def pytest_deselected(self) -> None:
        self._whole = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ran.add(report.nodeid)
        if CASSETTE in report.__dict__:
            self._played.add(Path(report.__dict__[CASSETTE]))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """xdist: a worker is done, or has crashed and tells nothing."""
        if getattr(node, "workeroutput", {}).get(DESELECTED) is not False:
            self._whole = False

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._works:
            self._config.workeroutput[DESELECTED] = not self._whole  # type: ignore[attr-defined]
            return
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if self._whole and ended and not session.shouldfail and not session.shouldstop:
            self._found = sorted(self._orphans())

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: "TerminalReporter") -> None:
        if self._found:
            write_lines(terminalreporter, [_line(self._found, self._config.invocation_params.dir)])

    def _orphans(self) -> Iterator[Path]:
        from pytest_todeval.recording.cassette_text import header_of
        from pytest_todeval.recording.location import SUFFIX

        files = {nodeid.partition("::")[0] for nodeid in self._ran}
        for folder in cassette_folders(self._config):
            for path in folder.rglob(f"*{SUFFIX}"):
                test = None if path in self._played else header_of(path).get("test")
                if not isinstance(test, str) or test in self._ran or test == PROCESS:
                    continue
                file = test.partition("::")[0]
                roots = {self._config.rootpath, folder.parent}
                if file in files or not any((root / file).exists() for root in roots):
                    yield path


def _is_whole(config: pytest.Config) -> bool:
    """Says whether the arguments ask for all tests, each with all its goals."""
    options = ("collectonly", "todeval_limit", "todeval_trials", "lf")
    if any(config.getoption(name, None) for name in options):
        return False
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        return True
    start = config.invocation_params.dir
    given = {(start / argument).resolve() for argument in config.args}
    suite = {(config.rootpath / place).resolve() for place in config.getini("testpaths")}
    return config.rootpath.resolve() in given or (bool(suite) and suite <= given)


def _line(found: list[Path], root: Path) -> str:
    names = [in_line(os.path.relpath(path, root)) for path in found]
    listed = ", ".join(names[:LISTED]) + (", ..." if len(names) > LISTED else "")
    count = "1 cassette belongs" if len(names) == 1 else f"{len(names)} cassettes belong"
    return (
        f"orphans: {count} to no test: {listed}; "
        "`pytest --collect-only -q | todeval cassettes prune --yes` deletes them"
    )
