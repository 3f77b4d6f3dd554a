"""Files put in place whole: a reader sees the old one or the new one, at any instant."""

import errno
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from glob import escape
from io import FileIO
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.cassette_text import MAX_BYTES

PLAIN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""Open no link, wait for no pipe, translate no line ends; 0 where a system knows none of it."""
try:
    import fcntl
except ImportError:  # Windows, where a file that is open can be neither replaced nor deleted
    LOCKS = False
else:
    LOCKS = True


def journal_path(cassette: Path) -> Path:
    """Returns where the journal of a cassette stands: beside it, hidden."""
    return cassette.with_name(f".{cassette.name}.journal")


def temporary_path(path: Path) -> Path:
    """Where a file is written before it is put in place: another name each time, not to be guessed.

    A name that can be guessed may stand there already, as a link to some other file.
    """
    return path.with_name(f".{path.name.removeprefix('.')}.{secrets.token_hex(8)}.tmp")


def replace_file(path: Path, lines: Iterable[bytes]) -> None:
    """Writes the lines to a file beside it, to the disk, then put that in place; makes the folder.

    What processes that were killed left half written of it is deleted. Raises UsageError if the
    place cannot be written to, or for more than a cassette may hold.
    """
    temporary = temporary_path(path)
    data = b"".join(lines)
    try:
        too_large(path, len(data))
        make_folder(path.parent)
        with locked_file(temporary, new=True) as file:
            write_all(file, data)
            put_in_place(temporary, path, file)
        sync_folder(path.parent)
        delete_abandoned(path.parent, path.name)
    except OSError as error:
        raise UsageError(f"cannot write the cassette {path}: {error}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def put_in_place(temporary: Path, path: Path, *opened: FileIO) -> None:
    """Gives a file the name of another, which it replaces in one step. Raises OSError.

    What is `opened` of the two stays open, and locked, where the system has locks.
    """
    if not LOCKS:
        for file in opened:
            file.close()
    os.replace(temporary, path)


def write_all(file: FileIO, data: bytes) -> None:
    """Writes the bytes where the file stands, and bring them to the disk. Raises OSError."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
    os.fsync(file.fileno())


def make_folder(folder: Path) -> None:
    """Makes a folder. Raises OSError if it, or what leads to it within the project, is a link.

    The project is where pytest was started, or a checkout.
    """
    folder.mkdir(parents=True, exist_ok=True)
    links, here = [], Path.cwd()
    for each in (folder.absolute(), *folder.absolute().parents):
        if each == here or (each / ".git").exists():
            break
        links += [each] if each.is_symlink() else []
    else:
        links = [folder] if folder.is_symlink() else []
    if links:
        raise OSError(errno.ELOOP, f"{links[0]} is a link, and what it leads to is left alone")


def locked_file(path: Path, *, new: bool = False) -> FileIO:
    """Returns the file, made if it is not there, and locked until it is closed or the process dies.

    It is never reached through a link; `new`: it is made here. Raises BlockingIOError if another
    process has locked it, OSError if it cannot be opened. There are no locks on systems without
    `flock`.
    """
    flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if new else 0) | PLAIN
    while True:
        handle = os.open(path, flags, 0o666)
        file = FileIO(handle, "r+")
        try:
            _lock(file)
            if _is_at(file, path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # it was deleted, or put in place, before it was locked


def _lock(file: FileIO) -> None:
    """Lock an open file. Raises BlockingIOError if another process has."""
    if LOCKS:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(path: Path) -> bool:
    """Says whether a process that lives writes the file."""
    try:
        with FileIO(os.open(path, os.O_RDONLY | PLAIN), "r") as file:
            _lock(file)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def delete_abandoned(folder: Path, name: str = "") -> list[Path]:
    """Deletes what dead processes left half written of a file, or of all cassettes of a folder.

    Nothing without locks, which tell the dead from the living.
    """
    if not LOCKS:
        return []
    found = folder.glob(f".{escape(name)}.*tmp") if name else folder.rglob(".*.todeval.jsonl.*tmp")
    gone = [path for path in found if not is_locked(path)]
    for path in gone:
        with suppress(OSError):
            path.unlink()
    return gone


def _is_at(file: FileIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def sync_folder(folder: Path) -> None:
    """Brings the names in a folder to the disk, if the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def too_large(path: Path, size: int) -> None:
    """Raise UsageError for more bytes than a cassette may have."""
    if size > MAX_BYTES:
        raise UsageError(
            f"{path}: {size >> 20} MiB of recorded calls, but a cassette holds {MAX_BYTES >> 20}; "
            "split the test, or run it with --todeval-record=live"
        )
