"""What the ini file says of cassettes: which calls count as equal, and what is kept of them."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_todeval.recording.matching import Matching
    from pytest_todeval.recording.redaction.redactor import Redactor
    from pytest_todeval.recording.redaction.rules import Rules
    from pytest_todeval.recording.secrets import Scanner

__all__ = [
    "add_cassette_options",
    "check_cassette_options",
    "matching_of",
    "redactor_of",
    "scanner_of",
]

HELP = {
    "todeval_mask": "Regular expressions, one a line: what they match makes no call differ from "
    "another.",
    "todeval_match": "What else makes no call differ, one a line: `$.path` of a JSON body, `query: "
    "NAME`; `id: REGEX` or `id: uuid` for ids that count by their place only.",
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
    if config.getini("todeval_mask") or config.getini("todeval_match"):
        matching_of(config)
    if config.getini("todeval_redact"):
        _rules(config)


def matching_of(config: pytest.Config) -> "Matching":
    """When two calls count as equal. Raises UsageError naming the line that cannot be read."""
    from pytest_todeval.recording.matching import matching_from

    return matching_from(config.getini("todeval_mask"), config.getini("todeval_match"))


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


REDACTOR: "pytest.StashKey[Redactor]" = pytest.StashKey()
