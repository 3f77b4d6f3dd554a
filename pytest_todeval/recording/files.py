"""Files put in place whole: a reader sees the old one or the new one, at any instant."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.reading import MAX_BYTES

__all__ = ["journal_path", "replace_file", "sync_folder", "temporary_path", "too_large"]


def journal_path(cassette: Path) -> Path:
    """Where the journal of a cassette stands: beside it, hidden."""
    return cassette.with_name(f".{cassette.name}.journal")


def temporary_path(path: Path) -> Path:
    """Where a file is written by this process before it is put in place."""
    return path.with_name(f".{path.name.removeprefix('.')}.{os.getpid()}.tmp")


def replace_file(path: Path, lines: Iterable[bytes]) -> None:
    """Write the lines to a file beside it, to the disk, then put that in place; makes the folder.

    Raises UsageError where the place cannot be written to, or for more than a cassette may hold.
    """
    temporary = temporary_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(temporary, b"".join(lines))
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        raise UsageError(f"cannot write the cassette {path}: {error}") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
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
            f"{path}: {size >> 20} MiB of recorded calls, a cassette holds {MAX_BYTES >> 20}; "
            "split the test, or run it with --todeval-record=live"
        )


def _write(path: Path, data: bytes) -> None:
    too_large(path, len(data))
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
