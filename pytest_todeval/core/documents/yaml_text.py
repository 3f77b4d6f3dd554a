"""YAML as plain values and their lines, by libyaml if it is there.

Strict YAML 1.2, see `document`. Any text ends in values or in InvalidFile, in time that grows with
its length: what an alias stands for is counted, not copied, and depth is limited.
"""

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import yaml
from yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from pytest_todeval.core.documents.limits import HALF_CHARACTER, MAX_DIGITS
from pytest_todeval.errors import InvalidFile

CParser: Callable[[str], Any] | None = getattr(yaml, "CBaseLoader", None)
"""The parser of libyaml; None if PyYAML was built without it."""

MAX_VALUES = 1_000_000
"""Values in one file, aliases expanded; a few bytes of YAML can stand for billions."""
MAX_DEPTH = 200
"""Lists and mappings within each other."""
SCALARS = {
    "null": re.compile(r"~|null|Null|NULL|"),
    "bool": re.compile(r"true|True|TRUE|false|False|FALSE"),
    "int": re.compile(r"[-+]?(?:0|[1-9][0-9]*)"),
    "float": re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"),
}
"""What is not a string, in YAML 1.2's idea of it."""
MAYBE_NO_STRING = frozenset("~nNtTfF-+.0123456789")
"""How what is not a string begins."""
CORE = "tag:yaml.org,2002:"


_Events = Any
"""A parser of PyYAML, on libyaml or `_PurePython`: `get_event` gives one event after the other."""
_Event = Any
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """Where a value stands."""

    line: int
    """1-based; of its key if it stands in a mapping."""
    inside: "Mapping[str | int, YamlPlace]"
    """The values in it, by index or by their keys as they are written."""


def value_of(path: Path, text: str) -> Any:
    """Returns the value that a YAML text stands for; None for an empty one.

    Raises InvalidFile with `path:line`.
    """
    try:
        return _parsed(text, lambda events: _Construction(path, events).document())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise InvalidFile(f"{where}: broken YAML: {what}") from error
    except yaml.YAMLError as error:
        raise InvalidFile(f"{path}: broken YAML: {' '.join(str(error).split())}") from error


def places(text: str) -> YamlPlace | None:
    """Where the values of a text stand that `value_of` or json has read; None for an empty one."""
    try:
        return _parsed(text, lambda events: _Places(events).document())
    except yaml.YAMLError:
        return None


def _parsed(text: str, made: Callable[[_Events], _T]) -> _T:
    """Returns what is made of a text's events: by libyaml, 15 times as fast, else in pure Python.

    Pure Python reads some escapes of JSON that libyaml refuses, and says what is wrong. What both
    read is the same.
    """
    if text.lstrip()[:1] in ("{", "["):
        text = text.replace("\t", " ")
    if CParser is not None:
        try:
            return made(CParser(text))
        except yaml.YAMLError:
            pass
    return made(_PurePython(text))


class _PurePython(Reader, Scanner, Parser):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


class _Construction:
    """Makes plain values of the events of a text, counting them."""

    def __init__(self, path: Path, events: _Events) -> None:
        self.path = path
        self.events = events
        self.count = 0
        self.depth = 0
        self.anchors: dict[str, tuple[Any, int]] = {}
        """By name: the value, and how many values it is."""
        self.scalars: dict[str, str | int | float | bool | None] = {}
        """Unquoted texts met so far, each kept and understood once."""

    def fail(self, event: _Event, message: str) -> NoReturn:
        raise InvalidFile(f"{self.path}:{event.start_mark.line + 1}: {message}")

    def document(self) -> Any:
        """Returns the value of the only document; None for an empty text."""
        take = self.events.get_event
        take()  # the start of the stream
        event = take()
        if type(event) is StreamEndEvent:
            return None
        found = self.value(take())
        take()  # the end of the document
        event = take()
        if type(event) is not StreamEndEvent:
            self.fail(event, "broken YAML: expected a single document, but found another one")
        return found

    def value(self, event: _Event) -> Any:
        self.add(event, 1)
        before = self.count
        found: Any
        if type(event) is ScalarEvent:
            found = self.scalar(event)
        elif type(event) is AliasEvent:
            return self.alias(event)
        else:
            found = self.collection(event)
        if event.anchor is not None:
            if event.anchor in self.anchors:
                self.fail(event, f"the anchor {event.anchor!r} stands twice; rename one of them")
            self.anchors[event.anchor] = found, self.count - before
        return found

    def alias(self, event: _Event) -> Any:
        if event.anchor not in self.anchors:
            self.fail(event, f"the alias {event.anchor!r} stands for no value before it")
        found, inside = self.anchors[event.anchor]
        self.add(event, inside)
        return found

    def add(self, event: _Event, values: int) -> None:
        self.count += values
        if self.count > MAX_VALUES:
            self.fail(event, f"more than {MAX_VALUES} values, counting aliases each time")

    def collection(self, event: _Event) -> list[Any] | dict[Hashable, Any]:
        is_list = type(event) is SequenceStartEvent
        if event.tag not in (None, "!", CORE + ("seq" if is_list else "map")):
            self.fail(event, f"tag {event.tag!r}: expected plain values without tags")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail(event, "nested too deeply; expected plain mappings and lists")
        found = self.sequence() if is_list else self.mapping()
        self.depth -= 1
        return found

    def sequence(self) -> list[Any]:
        take = self.events.get_event
        found = []
        while type(event := take()) is not SequenceEndEvent:
            found.append(self.value(event))
        return found

    def mapping(self) -> dict[Hashable, Any]:
        take = self.events.get_event
        found: dict[Hashable, Any] = {}
        lines: list[int] = []
        while type(event := take()) is not MappingEndEvent:
            key = self.key(event)
            if key in found:
                first = f"it first stands on line {lines[list(found).index(key)]}"
                self.fail(event, f"duplicate key {key!r}; {first}")
            lines.append(event.start_mark.line + 1)
            found[key] = self.value(take())
        return found

    def key(self, event: _Event) -> Hashable:
        if type(event) is ScalarEvent and event.anchor is None:
            return self.scalar(event)
        found = self.value(event)
        if isinstance(found, dict | list):
            self.fail(event, "a mapping or list as a key; expected a plain key")
        key: Hashable = found
        return key

    def scalar(self, event: _Event) -> str | int | float | bool | None:
        text: str = event.value
        if event.tag is None and event.implicit[0]:
            if text not in self.scalars:
                self.scalars[text] = self.understood(event, text)
            return self.scalars[text]
        if event.tag in (None, "!", CORE + "str"):
            return self.joined(event, text)
        kind = event.tag.removeprefix(CORE)
        if kind not in SCALARS or not SCALARS[kind].fullmatch(text):
            what = f"tag {event.tag!r} on {text[:40]!r}"
            self.fail(event, f"{what}: expected plain values without tags")
        return self.typed(event, kind, text)

    def understood(self, event: _Event, text: str) -> str | int | float | bool | None:
        if not text or text[0] in MAYBE_NO_STRING:
            for kind, pattern in SCALARS.items():
                if pattern.fullmatch(text):
                    return self.typed(event, kind, text)
        return self.joined(event, text)

    def typed(self, event: _Event, kind: str, text: str) -> int | float | bool | None:
        if kind == "null":
            return None
        if kind == "bool":
            return text.lower() == "true"
        if kind == "float":
            return float(text)
        if len(text) > MAX_DIGITS:
            self.fail(event, f"a number of more than {MAX_DIGITS} digits; put it in quotes")
        return int(text)

    def joined(self, event: _Event, text: str) -> str:
        """Text with the pairs of escapes that JSON writes for one character beyond 16 bits."""
        if text.isascii():
            return text
        try:
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        except UnicodeDecodeError:
            self.fail(event, HALF_CHARACTER)


class _Places:
    """Makes places of the events of a text that was read before."""

    def __init__(self, events: _Events) -> None:
        self.take = events.get_event
        self.anchors: dict[str, YamlPlace] = {}
        self.texts: dict[str, str] = {}
        """Scalars by their anchors: an alias may be a key."""

    def document(self) -> YamlPlace | None:
        self.take()  # the start of the stream
        if type(self.take()) is StreamEndEvent:
            return None
        event = self.take()
        return self.place(event, event)

    def place(self, event: _Event, key: _Event) -> YamlPlace:
        line = key.start_mark.line + 1
        anchor: str | None = event.anchor
        if type(event) is AliasEvent:
            return YamlPlace(line, self.anchors[str(anchor)].inside)
        inside: dict[str | int, YamlPlace] = {}
        if type(event) is SequenceStartEvent:
            while type(item := self.take()) is not SequenceEndEvent:
                inside[len(inside)] = self.place(item, item)
        elif type(event) is MappingStartEvent:
            while type(name := self.take()) is not MappingEndEvent:
                text = self.text(name)
                inside[text] = self.place(self.take(), name)
        found = YamlPlace(line, inside)
        if anchor is not None:
            self.anchors[anchor] = found
            self.texts[anchor] = getattr(event, "value", "")
        return found

    def text(self, key: _Event) -> str:
        if key.anchor is not None:
            self.place(key, key)
        return self.texts[str(key.anchor)] if type(key) is AliasEvent else str(key.value)
