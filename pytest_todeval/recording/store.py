"""Cassettes on disk: read and checked, written whole, never with a secret in them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pytest_todeval.errors import SecretFound
from pytest_todeval.recording.blobs import REFERENCE, write_blob
from pytest_todeval.recording.call import Call, CassetteFile, Header, SaidTurn
from pytest_todeval.recording.cassette_text import read_lines
from pytest_todeval.recording.files import replace_file
from pytest_todeval.recording.lines import (
    Line,
    Lines,
    end_line,
    header_line,
    models_of,
    said_line,
)
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.reading import CassetteReader
from pytest_todeval.recording.secrets import Scanner


def read_cassette(path: Path, matching: Matching = EXACT) -> CassetteFile:
    """Reads a cassette; the calls get the keys that requests have under this matching.

    Raises InvalidFile with `path:line`: cut off, a wrong count, broken lines, merge conflicts,
    another format, too large.
    """
    reader = CassetteReader(path, matching)
    for line in read_lines(path):
        reader.take(line)
    reader.end()
    return reader.file()


def write_cassette(
    path: Path,
    header: Header,
    calls: Sequence[Call],
    scanner: Scanner | None = None,
    said: Sequence[SaidTurn] = (),
) -> None:
    """Puts a cassette in place, whole or not at all; equal calls make equal bytes.

    `calls` in the order in which they were started; `header.models` is taken from them. `said`:
    the turns of the dialogue, from 1 on. Raises SecretFound, before anything is written, and
    UsageError if the place cannot be written to.
    """
    header = replace(header, models=models_of(calls))
    scanner = scanner or Scanner()
    lines = list(checked_lines(path, calls, scanner))
    blobs = any(REFERENCE.search(line) for line in lines)
    start = checked(header_line(header, blobs=blobs), scanner, path)
    turns = (checked(said_line(turn), scanner, path) for turn in said)
    replace_file(path, [start, *lines, *turns, end_line(len(calls)).bytes()])


def checked(line: Line, scanner: Scanner, path: Path) -> bytes:
    """Returns the bytes of a line that is about to be written to a file; its blobs are written.

    Raises SecretFound and UsageError.
    """
    found = scanner.place(line.value, line.text) or next(
        (("its blob", what) for blob in line.blobs.items() if (what := scanner.find_in(*blob))),
        None,
    )
    if found is not None:
        where, what = found
        raise SecretFound(
            f"{path}: not written: {line.place} holds {what} at {where}. Keep it out of requests "
            "and answers. If it is only a placeholder in the environment that the dialogue also "
            "says, choose another placeholder"
        )
    for name, body in line.blobs.items():
        write_blob(path, name, body)
    return line.bytes()


def checked_lines(path: Path, calls: Iterable[Call], scanner: Scanner) -> Iterator[bytes]:
    """The lines of the calls and their parts. Raises SecretFound."""
    known = Lines()
    for call in calls:
        lines = known.of(call)
        yield from (checked(line, scanner, path) for line in lines)
        known.keep(lines)
