"""Cassettes of tests that are gone: shown, and deleted if asked."""

import re
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from pytest_todeval.commands.cassette_files import cassette_files, root_of
from pytest_todeval.commands.output import warn
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.recording.blobs import FOLDER, blobs_named_in
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.location import SUFFIX, places_of
from pytest_todeval.recording.process import PROCESS_FILE
from pytest_todeval.recording.store import read_cassette
from pytest_todeval.runs.reports.table import counted


def prune(folder: Path, tests: Collection[str], *, delete: bool) -> Iterator[str]:
    """A line for each cassette that none of the tests plays or recorded, and one that counts them.

    With `delete` they are deleted, and their journals. Raises UsageError if there is no folder.
    """
    played = _played(tests, folder)
    orphans = [
        (path, test)
        for path, test in _tests(folder)
        if path.resolve() not in played and path.name != PROCESS_FILE and _is_gone(test, tests)
    ]
    for path, test in orphans:
        yield f"{path}  {test}"
        if delete:
            path.unlink(missing_ok=True)
            journal_path(path).unlink(missing_ok=True)
    blobs = list(_unused_blobs(folder, {path for path, _ in orphans}))
    for blob in blobs if delete else ():
        blob.unlink(missing_ok=True)
    done = "deleted" if delete or not (orphans or blobs) else "to delete; --yes deletes them"
    more = f", and {counted(len(blobs), 'blob')}" if blobs else ""
    yield f"{len(orphans)} cassettes of tests that are gone {done}{more}"


def _unused_blobs(folder: Path, gone: Collection[Path]) -> Iterator[Path]:
    """The blobs that no cassette and no journal beside them names, but for those that are gone."""
    for blobs in folder.rglob(FOLDER):
        beside = [p for p in blobs.parent.glob(f"*{SUFFIX}*") if p not in gone]
        beside += blobs.parent.glob(f".*{SUFFIX}.*")
        used = {name for path in beside for name in blobs_named_in(path)}
        yield from (path for path in sorted(blobs.iterdir()) if path.name not in used)


def _played(tests: Iterable[str], folder: Path) -> set[Path]:
    """Returns where the cassettes of these tests may lie: what lies there is played by them.

    The folder may be the one that `todeval_cassettes` names.
    """
    return {
        place
        for test in tests
        for root in (root_of(test),)
        for given in (None, folder.resolve())
        for place in places_of(root / test.partition("::")[0], test, root=root, given=given)
    }


def _is_gone(test: str, tests: Collection[str]) -> bool:
    """Says whether a test is no more.

    One whose file is there, but of which the list holds nothing, may lie outside of what was
    collected (`testpaths`): it is left alone.
    """
    file = test.partition("::")[0]
    collected = any(other.partition("::")[0] == file for other in tests)
    return test not in tests and (collected or not Path(file).exists())


def _tests(folder: Path) -> Iterator[tuple[Path, str]]:
    """Returns each cassette that can be read, with its test; what cannot be read is left alone."""
    for path in cassette_files(folder):
        try:
            yield path, read_cassette(path).header.test
        except InvalidFile as error:
            warn(f"left alone: {error}")


def collected(file: Path | None) -> set[str]:
    """Returns the node ids that pytest listed, in a file or on standard input.

    Raises UsageError unless the list is whole.
    """
    text = _listing(file)
    tests = {line.strip() for line in text.splitlines() if "::" in line}
    rest = [line for line in text.splitlines() if "::" not in line]
    if not tests:
        raise UsageError(
            "the list names no test; expected the output of `pytest --collect-only -q`"
        )
    if any(re.search(r"\bdeselected\b|\b\d+ errors?\b|^ERROR ", line) for line in rest):
        raise UsageError(
            "the list is incomplete: tests were deselected, or could not be collected; "
            "pass the output of `pytest --collect-only -q` for the whole suite"
        )
    return tests


def _listing(file: Path | None) -> str:
    if file is None and sys.stdin.isatty():
        raise UsageError("expected a list of tests: pytest --collect-only -q | todeval ...")
    try:
        return sys.stdin.read() if file is None else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read the list of tests: {error}") from error
