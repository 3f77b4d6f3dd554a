"""What this plugin writes into pytest's terminal: no text of a bot or a file is raw there."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.shown import BLOCK, in_line, in_terminal

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter


def write_lines(terminal: "TerminalReporter", lines: Iterable[str]) -> None:
    """Writes each as one line."""
    for line in lines:
        terminal.write_line(in_line(line, BLOCK))


def add_section(report: pytest.TestReport, title: str, text: str) -> None:
    """Adds what a failed test shows beside its failure."""
    report.sections.append((in_line(title), in_terminal(text)))


def neutralise(report: pytest.TestReport) -> None:
    """Has why a test failed shown as a terminal may show it.

    That a text was changed costs it its colours.
    """
    if report.failed:
        told = report.longreprtext
        plain = in_terminal(told, len(told))
        if plain != told:
            report.longrepr = plain
