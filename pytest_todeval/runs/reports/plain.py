"""Any value a bot, a tool or a file may hold, as plain JSON that every run repeats."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from itertools import chain, count
from pathlib import PurePath
from typing import Any

from pytest_todeval.runs.reports.schema import JSON

MAX_TEXT = 1_000_000
MAX_DEPTH = 60
MAX_NODES = 200_000
MAX_INTEGER_BITS = 8192
"""Beyond about 4300 digits Python refuses to write an integer in decimal."""


def plain(value: object) -> JSON:
    """`value` as plain JSON: never raises, never loops, says `<...>` for what it leaves out.

    Not-a-number and infinities become text, keys become strings (a clash gets `#2`), lone
    surrogates are written as escapes, sets are sorted, dataclasses become objects. An object that
    is none of these is named by its type: its repr may hold an address, which no two runs share.
    """
    return _Flattener().flatten(value, depth=0)


def plain_text(text: str) -> str:
    """`text` as valid Unicode, cut at a million characters with a note of how many were cut."""
    cut = len(text) - MAX_TEXT
    if cut <= 0 and text.isascii() and type(text) is str:
        return text
    if cut > 0:
        return plain_text(text[:MAX_TEXT]) + f" <{cut} characters cut>"
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return str.__str__(text)


class _Flattener:
    """One walk over one value; counts nodes so that shared structure cannot grow without bound."""

    def __init__(self) -> None:
        self.nodes = 0
        self.path: set[int] = set()

    def flatten(self, value: object, depth: int) -> JSON:
        self.nodes += 1
        if type(value) is str:
            return plain_text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return plain_text(value.value if isinstance(value, Enum) else value)
        if isinstance(value, int | float):
            return _number(value)
        if self.nodes > MAX_NODES or depth > MAX_DEPTH:
            return "<too large>"
        return self._container(value, depth)

    def _container(self, value: object, depth: int) -> JSON:
        if id(value) in self.path:
            return "<refers to itself>"
        self.path.add(id(value))
        try:
            return self._converted(value, depth + 1)
        except Exception as error:  # a hostile mapping may raise anything from its own methods
            return f"<{type(error).__name__} while reading {_named(value)}>"
        finally:
            self.path.discard(id(value))

    def _converted(self, value: object, depth: int) -> JSON:
        if type(value) is dict:  # what most are: told without asking abstract classes
            return self._mapping(value, depth)
        match value:
            case Mapping():
                return self._mapping(value, depth)
            case bytes() | bytearray():
                return plain_text(bytes(value).decode("utf-8", "backslashreplace"))
            case Sequence():
                return self._items(value, depth)
            case Set():
                return sorted(self._items(value, depth), key=json.dumps)
            case Enum():
                return self.flatten(value.value, depth)
            case date() | time():
                return value.isoformat()
            case Decimal() | PurePath():
                return plain_text(str(value))
        if is_dataclass(value) and not isinstance(value, type):
            return self._mapping({f.name: getattr(value, f.name) for f in fields(value)}, depth)
        return _named(value)

    def _mapping(self, value: Mapping[Any, object], depth: int) -> dict[str, JSON]:
        result: dict[str, JSON] = {}
        for key, item in value.items():
            if self.nodes > MAX_NODES:
                result["<too large>"] = None
                break
            result[_fresh(_key(key), result)] = self.flatten(item, depth)
        return result

    def _items(self, value: Iterable[object], depth: int) -> list[JSON]:
        result: list[JSON] = []
        for item in value:
            if self.nodes > MAX_NODES:
                result.append("<too large>")
                break
            result.append(self.flatten(item, depth))
        return result


def _number(value: int | float) -> JSON:
    if isinstance(value, int):
        bits = int(value).bit_length()
        return int(value) if bits <= MAX_INTEGER_BITS else f"<integer of {bits} bits>"
    return float(value) if math.isfinite(value) else f"<{float(value)}>"


def _key(key: object) -> str:
    if isinstance(key, str):
        return plain_text(key)
    if isinstance(key, bool | int | float | tuple | None):
        return json.dumps(plain(key))
    return _named(key)


def _fresh(key: str, taken: Mapping[str, object]) -> str:
    numbered = (f"{key}#{number}" for number in count(2))
    return next(each for each in chain([key], numbered) if each not in taken)


def _named(value: object) -> str:
    kind = type(value)
    return plain_text(f"<{kind.__module__}.{kind.__qualname__}>")
