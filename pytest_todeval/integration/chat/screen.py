"""Where a chat is read and shown: a terminal by prompt_toolkit, or plain lines."""

import select
import shutil
import sys
import textwrap
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.shown import in_terminal

WIDEST = 100
INDENT = 10
STYLES = {"bot": "bold", "user": "ansicyan", "tool": "ansiyellow", "error": "ansired",
          "good": "ansigreen", "bad": "ansired bold", "changed": "ansimagenta"}  # fmt: skip
NEEDS = (
    "at a terminal this takes prompt_toolkit: pip install 'pytest-todeval[chat]' (or give --plain)"
)


def make_screen(*, plain: bool) -> "Screen":
    """Returns a terminal if there is one. Raises UsageError if it lacks its library."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Screen()
    try:
        import_module("prompt_toolkit")
    except ImportError:
        raise UsageError(NEEDS) from None
    return TerminalScreen()


class Screen:
    """Plain lines, in and out."""

    is_terminal = False

    def read(self, asked: str) -> str | None:
        """Returns the next line that the person writes; None at the end."""
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None

    def write(self, who: str, lines: Sequence[str], style: str = "") -> None:
        """Shows lines of one speaker, laid out for the terminal's width."""
        for at, line in enumerate(lines):
            self._print(style or who, laid_out(who if at == 0 else "", line))

    def is_interrupted(self, seconds: float) -> bool:
        """Wait; whether the person pressed Enter meanwhile."""
        return False

    def _print(self, style: str, text: str) -> None:
        print(text, flush=True)  # noqa: T201


class TerminalScreen(Screen):
    """A terminal with history, editing and colours."""

    is_terminal = True

    def __init__(self) -> None:
        from pytest_todeval.integration.chat.words import COMMANDS

        completion = import_module("prompt_toolkit.completion")
        self._toolkit: Any = import_module("prompt_toolkit")
        self._session: Any = self._toolkit.PromptSession(
            completer=completion.WordCompleter([*COMMANDS], sentence=True),
            complete_while_typing=False,
        )

    def read(self, asked: str) -> str | None:
        try:
            said: str = self._session.prompt(f"{'you':>{INDENT - 2}}: ", bottom_toolbar=asked)
            return said
        except (EOFError, KeyboardInterrupt):
            return None

    def is_interrupted(self, seconds: float) -> bool:
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        if ready:
            sys.stdin.readline()
        return bool(ready)

    def _print(self, style: str, text: str) -> None:
        formatted = import_module("prompt_toolkit.formatted_text")
        styled = formatted.FormattedText([(STYLES.get(style, ""), text)])
        self._toolkit.print_formatted_text(styled)


def laid_out(who: str, line: str) -> str:
    """Returns a line of a speaker, with a hanging indent, safe for a terminal."""
    width = min(shutil.get_terminal_size((80, 24)).columns, WIDEST)
    label = f"{who:>{INDENT - 2}}: " if who else " " * INDENT
    text = in_terminal(line) or " "
    return textwrap.fill(
        text, width, initial_indent=label, subsequent_indent=" " * INDENT,
        break_on_hyphens=False, drop_whitespace=True,
    )  # fmt: skip
