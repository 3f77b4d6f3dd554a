"""What is told of a dialogue, without secrets: by the same rules as what its cassette keeps."""

from typing import TYPE_CHECKING, cast

import pytest

from pytest_todeval.integration.cassette_options import redactor_of

if TYPE_CHECKING:
    from pytest_todeval.reports.schema import DialogueEntry

OF_THE_PROJECT = frozenset({"test", "goal", "goal_record"})
"""Fields of an entry that come from the project's own files: these say which dialogue it was."""


def redacted(entry: "DialogueEntry", config: pytest.Config) -> "DialogueEntry":
    """An entry of the results file without the secrets that bot, tools and judges said."""
    redactor = redactor_of(config)
    kept = {
        name: value if name in OF_THE_PROJECT else redactor.value(value)
        for name, value in entry.items()
    }
    return cast("DialogueEntry", kept)


def redact(report: pytest.TestReport, config: pytest.Config) -> None:
    """Take the secrets out of what a report shows: its sections, and why its test failed."""
    redactor = redactor_of(config)
    report.sections = [(name, redactor.text(text)) for name, text in report.sections]
    if report.failed:
        told = report.longreprtext
        kept = redactor.text(told)
        if kept != told:
            report.longrepr = kept
