"""The text of cassettes and journals, line by line: bounded before anything of it is read."""

import codecs
import json
import re
from pathlib import Path
from typing import Any

from pytest_todeval.errors import InvalidFile
from pytest_todeval.recording.words import in_shell

MAX_BYTES = 64 * 2**20
"""The largest file that is read or written."""
MAX_EXPANDED = 512 * 2**20
"""The most bytes that the bodies of one file may add up to, each message counted in each call."""
LONGEST_HEADER = 1 << 16

TOO_MUCH = f"the bodies add up to more than {MAX_EXPANDED >> 20} MiB"
PART = re.compile(r'\{"([mt][0-9]+)":')
REFERENCES = re.compile(r'\{"\$": ?"([mt0-9 ]*)"\}')


def read_text(path: Path, *, cut_off: bool = False) -> str:
    """The text of a cassette, or of a journal, which may be cut off in the middle of a character.

    A byte order mark, and blank lines at the end, are what editors add: they are left out of a
    cassette. Raises InvalidFile: too large, not a file, not UTF-8.
    """
    try:
        if path.is_dir():
            raise InvalidFile(
                f"{path}: is a folder, expected a cassette, which is a file; move or delete it if "
                "it lies in a cassette's place (`todeval cassettes list` shows all cassettes)"
            )
        if not path.is_file():
            raise InvalidFile(f"{path}: no such file; `todeval cassettes list` shows all cassettes")
        if path.stat().st_size > MAX_BYTES:
            raise InvalidFile(f"{path}: larger than {MAX_BYTES >> 20} MiB, the most for a cassette")
        data = path.read_bytes()
        if cut_off:
            return data[: data.rfind(b"\n") + 1].decode()
        return data.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n \t").decode()
    except OSError as error:
        raise InvalidFile(f"{path}: cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidFile(f"{path}:{line}: not UTF-8; {next_step(path)}") from error


def read_lines(path: Path, *, cut_off: bool = False) -> list[str]:
    """Returns the lines of a cassette, or the whole ones of a journal.

    Raises InvalidFile as `read_text` does, and, before anything is unfolded, for references that
    add up to more than `MAX_EXPANDED`.
    """
    text = read_text(path, cut_off=cut_off)
    lines = text.removesuffix("\n").split("\n") if text or not cut_off else []
    sizes: dict[str, int] = {}
    total = 0
    for number, line in enumerate(lines, 1):
        if part := PART.match(line):
            sizes[part[1]] = len(line)
        elif line.startswith('{"call"'):
            for found in REFERENCES.finditer(line):
                total += sum(sizes.get(name, 0) for name in found[1].split(" "))
            if total > MAX_EXPANDED:
                raise InvalidFile(f"{path}:{number}: {TOO_MUCH}; {next_step(path)}")
    return lines


def header_of(path: Path) -> dict[str, Any]:
    """Returns the first line of a cassette, its values not checked; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            value = json.loads(file.readline(LONGEST_HEADER))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def next_step(path: Path, test: str = "") -> str:
    """Returns what to do about a broken file, which is the cassette of a test if that is known."""
    shown = ascii(test)[1:-1][:200] or _test_file(path) or "TEST"
    return (
        "restore the file from version control, or record it again: "
        f"pytest {in_shell(shown)} --todeval-record=rewrite"
    )


def _test_file(path: Path) -> str:
    """Returns the test file of a cassette, from where that lies; empty if there is none."""
    folders = path.parts[:-1]
    if "cassettes" not in folders:
        return ""
    start = len(folders) - folders[::-1].index("cassettes")
    if start == len(folders):
        return ""
    file = Path(*folders[: start - 1], *folders[start:]).with_suffix(".py")
    return str(file) if file.is_file() else ""
