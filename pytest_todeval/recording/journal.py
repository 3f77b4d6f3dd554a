"""The journal of a recording: each call on the disk before the next one, so that none is lost."""

import os
import threading
from collections.abc import Sequence
from io import FileIO
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import Call, CassetteFile, Header
from pytest_todeval.recording.cassette_text import read_lines
from pytest_todeval.recording.files import (
    LOCKS,
    journal_path,
    locked_file,
    make_folder,
    put_in_place,
    sync_folder,
    temporary_path,
    too_large,
    write_all,
)
from pytest_todeval.recording.lines import Lines, header_line
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.reading import CassetteReader
from pytest_todeval.recording.secrets import Scanner
from pytest_todeval.recording.store import checked


class Journal:
    """The calls of one recording as they finish, in a hidden file beside the cassette.

    A journal left by a run that was killed is gone on with: `header` is what it says of itself.
    Threads may append at once. A second process that opens the same journal gets a UsageError.
    Raises InvalidFile for a left journal that is broken in its middle; an end that was cut off is
    dropped.
    """

    def __init__(
        self,
        cassette: Path,
        header: Header,
        *,
        matching: Matching = EXACT,
        scanner: Scanner | None = None,
    ) -> None:
        self.path = journal_path(cassette)
        self._scanner = scanner or Scanner()
        self._lock = threading.Lock()
        self.header, self._known = header, Lines()
        self._first = checked(header_line(header), self._scanner, self.path)
        self._file = _opened(self.path)
        try:
            self._go_on(header, matching)
        except BaseException:
            self._file.close()
            raise

    @staticmethod
    def recover(cassette: Path, matching: Matching = EXACT) -> CassetteFile | None:
        """Every finished call of the journal beside a cassette, in the order they were started.

        None if there is no journal, or none with a header. The last line may be cut off. Raises
        InvalidFile.
        """
        path = journal_path(cassette)
        if not path.exists():
            return None
        reader, _ = _read(path, matching)
        return reader.file() if reader.header else None

    def append(self, call: Call, started: int | None = None) -> None:
        """Brings a finished call to the disk. `started`: its place in the order of starts, from 0.

        Without `started` it counts as started after those appended before. Raises SecretFound, with
        nothing written, and UsageError if the disk does not take it.
        """
        with self._lock:
            number = self._known.calls if started is None else started
            lines = self._known.of(call, number)
            data = b"".join(checked(line, self._scanner, self.path) for line in lines)
            self._append(data)
            self._known.keep(lines)

    def keep_only(self, calls: Sequence[Call], header: Header | None = None) -> None:
        """Has the journal hold these calls, in the order of their starts, and no others.

        `header` replaces its own. Raises SecretFound and UsageError; it then stays as it was.
        """
        with self._lock:
            header, known = header or self.header, Lines()
            data = checked(header_line(header), self._scanner, self.path)
            for number, call in enumerate(calls):
                lines = known.of(call, number)
                data += b"".join(checked(line, self._scanner, self.path) for line in lines)
                known.keep(lines)
            replaced = _replaced(self.path, data, self._file)
            self._file.close()
            self.header, self._file = header, replaced
            self._known, self._size = known, len(data)

    def discard(self) -> None:
        if not LOCKS:
            self.close()
        self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Keeps the journal for the next run."""
        self._file.close()

    def _go_on(self, header: Header, matching: Matching) -> None:
        reader, size = _read(self.path, matching)
        self.header = reader.header or header
        self._known = reader.lines()
        self._size = size
        self._file.truncate(size)
        self._file.seek(size)
        if reader.header is None:
            self._append(self._first)
            sync_folder(self.path.parent)

    def _append(self, data: bytes) -> None:
        too_large(self.path, self._size + len(data))
        try:
            write_all(self._file, data)
        except OSError as error:
            # After half a line, the next one would start in its middle.
            os.ftruncate(self._file.fileno(), self._size)
            os.lseek(self._file.fileno(), self._size, os.SEEK_SET)
            raise UsageError(f"cannot write the journal {self.path}: {error}") from error
        self._size += len(data)


def _opened(path: Path, *, new: bool = False) -> FileIO:
    try:
        make_folder(path.parent)
        return locked_file(path, new=new)
    except BlockingIOError as error:
        raise UsageError(
            f"{path}: another run is recording this test; wait for it to end, then run again"
        ) from error
    except OSError as error:
        raise UsageError(f"cannot write the journal {path}: {error}") from error


def _replaced(path: Path, data: bytes, old: FileIO) -> FileIO:
    """Returns a new file in place of the journal, in one step, locked from its first byte on."""
    temporary = temporary_path(path)
    file = _opened(temporary, new=True)
    try:
        write_all(file, data)
        put_in_place(temporary, path, old, file)
        sync_folder(path.parent)
    except OSError as error:
        file.close()
        raise UsageError(f"cannot write the journal {path}: {error}") from error
    if file.closed:
        file = _opened(path)
        file.seek(len(data))
    return file


def _read(path: Path, matching: Matching) -> tuple[CassetteReader, int]:
    """Returns what the whole lines of a journal say, and how many bytes those are."""
    reader = CassetteReader(path, matching)
    size = 0
    for line in read_lines(path, cut_off=True):
        reader.take(line)
        size += len(line.encode()) + 1
    return reader, size
