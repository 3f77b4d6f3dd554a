"""A terminal for a program: what stands on its screen, by the few sequences that pytest uses."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

__all__ = ["Screen", "on_terminal"]

SEQUENCE = re.compile(r"\x1b\[(\d*)(?:;\d+)*([A-Za-z])|\r|\n|[^\x1b\r\n]+")


class Screen:
    """The lines that a text leaves; raises ValueError for a sequence that it does not know."""

    def __init__(self) -> None:
        self.lines = [""]
        self._row = self.column = 0

    def write(self, text: str) -> None:
        place = 0
        while place < len(text):
            found = SEQUENCE.match(text, place)
            if found is None:
                raise ValueError(f"unknown to this terminal: {text[place : place + 9]!r}")
            self._do(found)
            place = found.end()

    def _do(self, found: re.Match[str]) -> None:
        number = int(found[1]) if found[1] else 1
        match found[2] or found[0]:
            case "\r":
                self.column = 0
            case "\n":  # as terminals are set: to the start of the next line
                self._row, self.column = self._row + 1, 0
                self.lines += [""] * (self._row + 1 - len(self.lines))
            case "A":
                self._row -= number
            case "C":
                self.column += number
            case "K":
                assert found[1] == "2"
                self.lines[self._row] = ""
            case "m":
                pass
            case text if found[2] is None:
                line = self.lines[self._row].ljust(self.column)
                self.lines[self._row] = line[: self.column] + text + line[self.column + len(text) :]
                self.column += len(text)
            case _:
                raise ValueError(f"unknown to this terminal: {found[0]!r}")

    @property
    def text(self) -> str:
        """The lines, without white space at their ends."""
        return "\n".join(line.rstrip() for line in self.lines).rstrip()


def on_terminal(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    seen: Callable[[str], None],
) -> tuple[int, str]:
    """Run Python with the arguments on a terminal: its status, and all that it wrote.

    `seen` is given what was written so far, whenever there is more.
    """
    ours, its = pty.openpty()
    os.set_inheritable(its, True)
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
        stdin=its,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    written = b""
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        while True:
            try:
                part = terminal.read(4096)
            except OSError:  # Linux's way to say that nobody has the other end any more
                part = b""
            if not part:
                break
            written += part
            seen(written.decode("utf-8", "replace"))
    return process.wait(), written.decode("utf-8", "replace")
