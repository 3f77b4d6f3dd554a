"""What a command prints, and the files that it writes beside that."""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pytest_todeval.core.documents.writing import unwritable
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.results_file import replace_text
from pytest_todeval.shown import BLOCK, in_json, in_line


def say(lines: Iterable[str]) -> None:
    """Prints each as soon as it is there, as a terminal may show it."""
    for line in lines:
        print(in_line(line, BLOCK), flush=True)


def warn(line: str) -> None:
    """Prints what the person should know, beside what the command prints."""
    print(in_line(line, BLOCK), file=sys.stderr)


def command(line: str) -> None:
    """Prints a command to a CI's runner: `runs.reports.ci` spells out the texts in it."""
    print(line)


def say_json(value: object) -> None:
    """Prints it as JSON."""
    print(in_json(value))


def check_output(option: str, path: Path | None, read: Sequence[Path]) -> None:
    """Raises UsageError if the file of `option` is one of those that the command reads, or if none
    can be written there.
    """
    if path is None:
        return
    if wrong := unwritable(path):
        raise UsageError(f"{option} {path}: cannot be written: {wrong}")
    if not path.exists():
        return
    if any(each.exists() and path.samefile(each) for each in read):
        raise UsageError(f"{option} {path} would replace a file that is read; name another")


def write_output(option: str, path: Path, text: str) -> None:
    """Writes it. Raises UsageError if that is not possible."""
    if wrong := unwritable(path):
        raise UsageError(f"{option} {path}: cannot be written: {wrong}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, text)
    except OSError as error:
        raise UsageError(f"{option} {path}: cannot be written: {error.strerror or error}") from None


def write_json(option: str, path: Path, value: object) -> None:
    """Writes it as JSON. Raises UsageError if that is not possible."""
    write_output(option, path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")
