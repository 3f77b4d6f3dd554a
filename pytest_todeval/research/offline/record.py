"""A JSON object of a file with the place where it stands: each value is checked as it is taken."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, NoReturn

from pytest_todeval.errors import InvalidFile, known_names

SHOWN = 60
FENCE = "```"
"""What models put around JSON that they copy."""


@dataclass(frozen=True, slots=True)
class Record:
    """An object; every method raises InvalidFile: file, line, key, what was expected and got."""

    value: Mapping[str, Any]
    where: str
    """`file:line`, or the file and the dialogue's name."""
    path: str = ""
    """The keys that lead to it from the top of the line, with a dot at the end."""

    @classmethod
    def of(cls, value: object, where: str, path: str = "") -> "Record":
        """Returns the value as an object."""
        if not isinstance(value, dict):
            place = f"{path.removesuffix('.')}: " if path else ""
            raise InvalidFile(f"{where}: {place}expected an object, got {kind(value)}")
        return cls(value, where, path)

    def fail(self, key: str, expected: str) -> NoReturn:
        """Says what was expected of a key."""
        got = kind(self.value[key]) if key in self.value else "nothing"
        raise InvalidFile(f"{self.where}: {self.path}{key}: expected {expected}, got {got}")

    def only(self, known: Collection[str]) -> None:
        """Refuses a key that is none of these."""
        for key in self.value:
            if key not in known:
                hint = known_names(str(key)[:SHOWN], known)
                raise InvalidFile(
                    f"{self.where}: {self.path}{str(key)[:SHOWN]}: unknown key; {hint}"
                )

    def text(self, key: str, default: str | None = None) -> str:
        """Returns a text; without a default it has to be there."""
        value = self.value.get(key, default)
        if not isinstance(value, str):
            self.fail(key, "a text")
        return value

    def whole(self, key: str, default: int | None = None) -> int:
        """Returns a whole number from 0; without a default it has to be there."""
        value = self.value.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.fail(key, "a whole number from 0")
        return value

    def number(self, key: str, default: float) -> float:
        """Returns a finite number from 0."""
        value = self.value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
            self.fail(key, "a number from 0")
        return float(value)

    def share(self, key: str) -> float | None:
        """Returns a number from 0 to 1; None if it is not there, or null."""
        value = self.value.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self.fail(key, "a number from 0 to 1")
        return float(value)

    def items(self, key: str, *, required: bool = False) -> list[Any]:
        """Returns a list; empty if it is not there, or null, unless it is `required`."""
        value = self.value.get(key)
        if not isinstance(value, list | None) or (required and value is None):
            self.fail(key, "a list")
        return value or []

    def records(self, key: str, *, required: bool = False) -> "Iterator[Record]":
        """Returns a list of objects, as `items` takes it."""
        for at, value in enumerate(self.items(key, required=required)):
            yield Record.of(value, self.where, f"{self.path}{key}.{at}.")

    def mapping(self, key: str) -> Mapping[str, Any] | None:
        """Returns an object as it is; None if it is not there, or null."""
        value = self.value.get(key)
        if value is not None and not isinstance(value, dict):
            self.fail(key, "an object")
        return value

    def record(self, key: str) -> "Record":
        """Returns an object that has to be there."""
        return Record.of(self.value.get(key), self.where, f"{self.path}{key}.")

    def part(self, key: str) -> "Record":
        """Returns an object; an empty one if it is not there, or null."""
        value = self.value.get(key)
        return Record.of({} if value is None else value, self.where, f"{self.path}{key}.")


def read_json(path: Path) -> Any:
    """Returns the JSON of a file. Raises InvalidFile."""
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidFile(f"{path}: cannot be read as JSON: {error}") from error


def data_or_text(value: object) -> object:
    """Text that is JSON as data, whatever white space or code fence is around it; else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value.strip().removeprefix(f"{FENCE}json").strip(FENCE).strip())
    except (ValueError, RecursionError):
        return value


def kind(value: object) -> str:
    """Returns what came in place of what was expected, for a message."""
    if value is None:
        return "null"
    return f"{type(value).__name__} {value!r:.{SHOWN}}"
