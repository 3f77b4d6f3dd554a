"""Failures of one cause in one group (`--todeval-show`): one in full, of the others the names."""

import textwrap
from collections.abc import Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.core.transcript import MARK
from pytest_todeval.integration.case import PAYLOAD
from pytest_todeval.integration.terminal import add_section

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

STATS = ("failed", "error")
WIDTH = 80
INDENT = 12
"""Of what is said, below its first line."""
RED, PLAIN = "\x1b[31m", "\x1b[0m"


class FailureGroups:
    """Made for the first failure of a dialogue, unless all are to be shown."""

    def __init__(self, show: str) -> None:
        self._show = show
        self._causes: dict[str, dict[str, Any]] = {}
        """By test: what its dialogue failed of."""
        self._hidden: dict[str, list[Any]] = {}
        self._added: list[tuple[pytest.TestReport, list[tuple[str, str]]]] = []

    def take(self, report: pytest.TestReport) -> None:
        """Takes a test whose dialogue did not pass."""
        self._causes[report.nodeid] = report.__dict__[PAYLOAD]["cause"]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: "TerminalReporter"
    ) -> Generator[None, object, object]:
        """Before pytest shows failures, leave one of each group."""
        for kind in STATS:
            reports = terminalreporter.stats.get(kind)
            if reports:
                self._hidden[kind] = list(reports)
                reports[:] = self._shown(reports, terminalreporter)
        return (yield)

    def restore(self, terminalreporter: "TerminalReporter") -> None:
        """Lets the lines at the end name all of them again."""
        for kind, reports in self._hidden.items():
            terminalreporter.stats[kind][:] = reports
        for report, sections in self._added:
            report.sections = sections

    def _shown(
        self, reports: Sequence[pytest.TestReport], terminal: "TerminalReporter"
    ) -> list[pytest.TestReport]:
        others = [report for report in reports if report.nodeid not in self._causes]
        groups: dict[str, list[pytest.TestReport]] = {}
        for report in reports:
            if report.nodeid in self._causes:
                groups.setdefault(self._causes[report.nodeid]["key"], []).append(report)
        ordered = sorted(groups.values(), key=len, reverse=True)
        if self._show == "none":
            return others
        for group in ordered:
            self._tell(group, terminal)
        return [*others, *(group[0] for group in ordered)]

    def _tell(self, group: Sequence[pytest.TestReport], terminal: "TerminalReporter") -> None:
        """Puts beside the first what it failed of, and who else did."""
        first, *rest = group
        self._added.append((first, list(first.sections)))
        if terminal.isatty:
            first.sections = [
                (name, laid_out(text, terminal.hasmarkup) if name == "dialogue" else text)
                for name, text in first.sections
            ]
        if rest:
            title = self._causes[first.nodeid]["title"]
            names = ", ".join(self._causes[each.nodeid]["goal"] for each in rest)
            lines = [*textwrap.wrap(title, WIDTH), "", *textwrap.wrap(names, WIDTH)]
            add_section(first, f"{len(rest)} more of this cause", "\n".join(lines))


class Restorer:
    """The first to write after pytest has shown the failures."""

    def __init__(self, groups: FailureGroups) -> None:
        self._groups = groups

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: "TerminalReporter") -> None:
        self._groups.restore(terminalreporter)


def laid_out(text: str, colours: bool = False) -> str:
    """Returns a dialogue with no line longer than the width; those of the decisive turn in red."""
    return "\n".join(_lines(text, colours))


def _lines(text: str, colours: bool) -> Iterator[str]:
    for line in text.splitlines():
        indent = " " * INDENT if line[:INDENT].rstrip().endswith(":") or line[:2].isspace() else ""
        mark = line.startswith(MARK)
        below = MARK + indent[len(MARK) :] if mark else indent
        parts = textwrap.wrap(
            line, WIDTH, subsequent_indent=below, drop_whitespace=True, break_on_hyphens=False
        ) or [""]
        parts[0] = line[: len(line) - len(line.lstrip())] * (not mark) + parts[0].lstrip()
        yield from (f"{RED}{part}{PLAIN}" if mark and colours else part for part in parts)
