"""The cassettes of a run: what the ini file says of them, and where they lie."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.integration.option_values import path_of

if TYPE_CHECKING:
    from datetime import datetime

    from pytest_todeval.recording.matching import Matching
    from pytest_todeval.recording.process import ProcessCassette
    from pytest_todeval.recording.process_rules import ProcessRules
    from pytest_todeval.recording.redaction.redactor import Redactor
    from pytest_todeval.recording.redaction.rules import Rules
    from pytest_todeval.recording.secrets import Scanner

REDACTOR: "pytest.StashKey[Redactor]" = pytest.StashKey()
PATH: pytest.StashKey[Path] = pytest.StashKey()
PROCESSES: "pytest.StashKey[dict[Path, ProcessCassette]]" = pytest.StashKey()

HELP = {
    "todeval_mask": "Regular expressions, one a line: calls that differ only in what these match "
    "count as equal.",
    "todeval_match": "What else may differ in equal calls, one a line: `$.path` of a JSON body, "
    "`query: NAME`; `id: REGEX` or `id: uuid` for ids that the bot draws.",
    "todeval_shared": "Calls of the process, not of a dialogue, one a line: `[METHOD] /PATH`, "
    "`[METHOD] HOST` or `[METHOD] HOST/PATH`, each with `*` for any text.",
    "todeval_ignore": "Calls that are answered with an empty success and recorded nowhere, such as "
    "telemetry; one a line, as in todeval_shared.",
    "todeval_redact": "What else is redacted in cassettes, besides common credentials, one a line: "
    "`header|query|form|json: NAME`, `json: $.path`, `pattern: REGEX`, `personal`, or "
    "`personal: email phone`; `keep: NAME` for what is not a secret.",
}


def add_cassette_options(parser: pytest.Parser) -> None:
    """Declare them."""
    for name, text in HELP.items():
        parser.addini(name, text, type="linelist", default=[])


def check_cassette_options(config: pytest.Config) -> None:
    """Raises UsageError for a line that cannot be read."""
    if config.getini("todeval_mask") or config.getini("todeval_match"):
        matching_of(config)
    if config.getini("todeval_redact"):
        _rules(config)
    if config.getini("todeval_shared") or config.getini("todeval_ignore"):
        process_rules_of(config)


def cassette_folders(config: pytest.Config) -> list[Path]:
    """The folders of cassettes where pytest was started, at its root, and beside its arguments."""
    start = config.invocation_params.dir
    near = [config.rootpath, start]
    for argument in getattr(config, "args", ()):
        place = start / argument.partition("::")[0]
        near += [place, place.parent]
    return [place / "cassettes" for place in dict.fromkeys(near) if (place / "cassettes").is_dir()]


def matching_of(config: pytest.Config) -> "Matching":
    """When two calls count as equal. Raises UsageError naming the line that cannot be read."""
    from pytest_todeval.recording.matching import matching_from

    return matching_from(config.getini("todeval_mask"), config.getini("todeval_match"))


def process_rules_of(config: pytest.Config) -> "ProcessRules":
    """Which calls are the process's, which nobody's. Raises UsageError naming the wrong line."""
    from pytest_todeval.recording.process_rules import process_rules_from

    return process_rules_from(config.getini("todeval_shared"), config.getini("todeval_ignore"))


def clock() -> "datetime | None":
    """Returns the clock that a new recording gets, if the environment fixes one.

    SOURCE_DATE_EPOCH (seconds since 1970) is how reproducible builds say it; two recordings
    of the same calls are then the same bytes.
    """
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not text.isdecimal():
        return None
    from datetime import UTC, datetime

    return datetime.fromtimestamp(int(text), UTC)


def redactor_of(config: pytest.Config) -> "Redactor":
    """Returns the redactor of this run: what it saw in one dialogue, it knows in the next."""
    from pytest_todeval.recording.redaction.redactor import Redactor

    if REDACTOR not in config.stash:
        config.stash[REDACTOR] = Redactor(_rules(config))
    return config.stash[REDACTOR]


def scanner_of(config: pytest.Config) -> "Scanner":
    """Returns what looks at each line before it is written."""
    from pytest_todeval.recording.secrets import Scanner

    return Scanner(kept=_rules(config).kept)


def _rules(config: pytest.Config) -> "Rules":
    from pytest_todeval.recording.redaction.rules import rules_from

    return rules_from(config.getini("todeval_redact"))


def cassette_path(item: pytest.Item) -> Path:
    """The cassette of a test: `cassettes/FILE/TEST[GOAL].todeval.jsonl` at its project's anchor.

    It is looked for once; the test's reports name the one that its calls went to.
    """
    from pytest_todeval.recording.location import cassette_of

    if PATH not in item.stash:
        given = path_of(item.config, "cassettes")
        found = cassette_of(item.path, item.nodeid, root=item.config.rootpath, given=given)
        item.stash[PATH] = found
    return item.stash[PATH]


def process_of(config: pytest.Config, file: Path, record: str) -> "ProcessCassette":
    """Returns the cassette of the process beside those of a test file; one per folder and run.

    `record` is the record mode. Raises InvalidFile and UsageError.
    """
    from pytest_todeval.recording.location import folder_of
    from pytest_todeval.recording.mode import modes_from
    from pytest_todeval.recording.process import PROCESS_FILE, ProcessCassette

    path = folder_of(file, path_of(config, "cassettes")) / PROCESS_FILE
    known = processes_of(config)
    if path not in known:
        known[path] = ProcessCassette(
            path,
            modes=modes_from(record),
            rules=process_rules_of(config),
            matching=matching_of(config),
            redactor=redactor_of(config),
            scanner=scanner_of(config),
            now=clock(),
        )
    return known[path]


def processes_of(config: pytest.Config) -> "dict[Path, ProcessCassette]":
    """Returns the cassettes of the process that this run has opened, by path."""
    return config.stash.setdefault(PROCESSES, {})
