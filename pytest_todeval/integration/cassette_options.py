"""What the ini file says of cassettes: which calls count as equal, and what is kept of them."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    from pytest_todeval.recording.redaction.redactor import Redactor
    from pytest_todeval.recording.redaction.rules import Rules
    from pytest_todeval.recording.secrets import Scanner

__all__ = [
    "add_cassette_options",
    "check_cassette_options",
    "masks",
    "redactor_of",
    "scanner_of",
]

HELP = {
    "todeval_mask": "Regular expressions, one a line: what they match makes no call differ from "
    "another.",
    "todeval_redact": "What is redacted in cassettes beside the common credentials, one a line: "
    "`header|query|form|json: NAME`, `json: $.path`, `pattern: REGEX`, `personal`, or "
    "`personal: email phone`; `keep: NAME` for what is none.",
}


def add_cassette_options(parser: pytest.Parser) -> None:
    """Declare them."""
    for name, text in HELP.items():
        parser.addini(name, text, type="linelist", default=[])


def check_cassette_options(config: pytest.Config) -> None:
    """Raise UsageError for a line that cannot be read."""
    masks(config)
    if config.getini("todeval_redact"):
        _rules(config)


def masks(config: pytest.Config) -> list[re.Pattern[str]]:
    """What makes no call differ from another. Raises UsageError for no regular expression."""
    return list(_patterns("todeval_mask", config.getini("todeval_mask")))


def redactor_of(config: pytest.Config) -> "Redactor":
    """The redactor of this run: what it saw in one dialogue, it knows in the next."""
    from pytest_todeval.recording.redaction.redactor import Redactor

    found = config.stash.get(REDACTOR, None)
    if found is None:
        found = config.stash[REDACTOR] = Redactor(_rules(config))
    return found


def scanner_of(config: pytest.Config) -> "Scanner":
    """What looks at each line before it is written."""
    from pytest_todeval.recording.secrets import Scanner

    return Scanner(kept=_rules(config).kept)


def _rules(config: pytest.Config) -> "Rules":
    from pytest_todeval.recording.redaction.rules import rules_from

    return rules_from(config.getini("todeval_redact"))


def _patterns(option: str, lines: list[str]) -> Iterator[re.Pattern[str]]:
    for text in lines:
        try:
            yield re.compile(text)
        except re.error as error:
            raise UsageError(f"{option}: {text!r} is no regular expression: {error}") from None


REDACTOR: "pytest.StashKey[Redactor]" = pytest.StashKey()
