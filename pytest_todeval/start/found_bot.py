"""A bot that was found in a project, and the lines of a conftest that hand it over."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_todeval.start.tools import FoundTool

NO_KEY = "no-key-needed"


@dataclass(frozen=True)
class FoundBot:
    """A bot, and what a conftest has to say to use it."""

    what: str
    """In words: `agent of pydantic-ai`."""
    name: str
    """What the project calls it."""
    place: str
    """File and line."""
    body: str
    """The body of the fixture `tod_system`, without indentation."""
    imports: Sequence[str] = ()
    """Lines for the top of the conftest, of pytest_todeval."""
    needs_server: bool = False
    folder: Path | None = None
    """What has to be on Python's path."""
    asks_model: bool = False
    tools: Sequence[FoundTool] = field(default=())
    rank: int = 0
    """The lower, the likelier it is the bot that people talk to."""

    def __str__(self) -> str:
        return f"{self.name}, {self.what} ({self.place})" if self.place else self.what

    def conftest(self, path_line: str, keys: Sequence[str]) -> str:
        """Returns the conftest that hands it over; `path_line` puts its folder on Python's path."""
        standard = ["import os"] if keys else []
        standard += ["import sys", "from pathlib import Path"] if path_line else []
        top = [f'os.environ.setdefault("{key}", "{NO_KEY}")  # a replay needs none' for key in keys]
        blocks = [
            [f'"""The bot under test: {self.name}{self._where}."""'],
            standard,
            ["import pytest"],
            [*self.imports],
            [*([path_line] if path_line else []), *top],
        ]
        head = "\n\n".join("\n".join(block) for block in blocks if block)
        given = "todeval_server" if self.needs_server else ""
        body = "\n".join(f"    {line}".rstrip() for line in self.body.splitlines())
        return f'{head}\n\n\n@pytest.fixture(scope="session")\ndef tod_system({given}):\n{body}\n'

    @property
    def _where(self) -> str:
        return f" of {self.place.partition(':')[0]}" if self.place else ""


def missing(function: str, kind: str, needs: Sequence[str], method: str = "") -> str:
    """Returns a function that makes a `kind`, once its author has said of what."""
    return (
        f"def {function}():\n"
        f'    wanted = "{", ".join(needs)}"\n'
        f'    pytest.fail(f"conftest.py: make a {kind} here, of {{wanted}}", pytrace=False)\n'
        f"    return {kind}({', '.join(f'{each}=...' for each in needs)}){method}"
    )
