"""The cassettes of a run: where each test's lies, and those of the process."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_todeval.integration.option_values import path_of

if TYPE_CHECKING:
    from pytest_todeval.recording.process import ProcessCassette

PATH: pytest.StashKey[Path] = pytest.StashKey()
PROCESSES: "pytest.StashKey[dict[Path, ProcessCassette]]" = pytest.StashKey()


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
    """The cassette of the process beside those of a test file; one per folder and run.

    `record` is the record mode. Raises InvalidFile and UsageError.
    """
    from pytest_todeval.integration.cassette_options import (
        clock,
        matching_of,
        process_rules_of,
        redactor_of,
        scanner_of,
    )
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
    """The cassettes of the process that this run has opened, by path."""
    return config.stash.setdefault(PROCESSES, {})
