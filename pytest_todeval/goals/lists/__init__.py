"""Lists of goals that a paper played, by name: the files beside this one, an id a line."""

from functools import cache
from pathlib import Path

from pytest_todeval.errors import UsageError, known_names

__all__ = ["LISTED_FROM", "tasks_named"]

FOLDER = Path(__file__).parent
LISTED_FROM = {"clem_todd": "MultiWOZ's split test"}
"""The lists by name, each with the goal set that it is a part of."""


@cache
def tasks_named(name: str) -> tuple[str, ...]:
    """Returns the ids of a list, in the order in which its authors have them. Raises UsageError."""
    if name not in LISTED_FROM:
        raise UsageError(f"tasks: no list {name!r}: {known_names(name, LISTED_FROM)}")
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return tuple(line for line in lines if not line.startswith("#"))
