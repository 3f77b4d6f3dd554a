"""The file that a command writes beside what it prints."""

from collections.abc import Sequence
from pathlib import Path

from pytest_todeval.errors import UsageError


def check_output(option: str, path: Path | None, read: Sequence[Path]) -> None:
    """Raise UsageError if the file of `option` is one of those that the command reads."""
    if path is None or not path.exists():
        return
    if any(each.exists() and path.samefile(each) for each in read):
        raise UsageError(f"{option} {path} would replace a file that is read; name another")


def write_output(option: str, path: Path, text: str) -> None:
    """Write it. Raises UsageError if that is not possible."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{option} {path}: cannot be written: {error.strerror or error}") from None
