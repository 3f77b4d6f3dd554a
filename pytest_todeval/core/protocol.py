"""The protocol of a dialogue: the calls that a side may make, and what breaks it.

After clem:todd's game master (section 3.1, appendix A.3): a message that is no call of the declared
schema is a violation. Strictly, it ends the dialogue; leniently, it is counted.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pytest_todeval.core.context import holding
from pytest_todeval.core.lane import Lane, here

STRICT, LENIENT = "strict", "lenient"
PROTOCOLS = (STRICT, LENIENT)
"""How a dialogue is held to its protocol, if it is."""
STRICT_TURNS = 15
"""Turns that a strict dialogue may have (clem:todd, 3.1)."""

LONGEST = 500
"""Characters of an offending message that are kept."""
LONGEST_MATCHED = 200
"""Characters of a value that are held against a pattern of the schema."""


class Side(StrEnum):
    """Who broke the protocol."""

    USER = "user"
    SYSTEM = "system"


class Breach(StrEnum):
    """How the protocol was broken."""

    NO_CALL = "no_call"
    """Words in place of a call."""
    SEVERAL_CALLS = "several_calls"
    UNKNOWN_CALL = "unknown_call"
    UNREADABLE_CALL = "unreadable_call"
    """Arguments that are no JSON object, or were cut off."""
    MISSING_ARGUMENT = "missing_argument"
    UNKNOWN_ARGUMENT = "unknown_argument"
    WRONG_VALUE = "wrong_value"
    """Of another type, or none of those that the schema allows."""
    ENDLESS = "endless"
    """More calls in one turn than are allowed."""
    UNREADABLE_ANSWER = "unreadable_answer"
    """Of a module that answers in JSON or in one word."""
    ENDING_NOT_ALONE = "ending_not_alone"
    """The user's ending with words beside it (clem:todd, A.7.1, rule 6)."""
    UNSAYABLE = "unsayable"
    """A message that no user can have said: empty, cut off, an echo, the bot's part."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of the protocol."""

    side: Side
    kind: Breach
    message: str
    """What is wrong, with the offending message."""
    turn: int = 0
    """1-based; the turn that it was made in."""


class ProtocolViolated(Exception):
    """A side broke a protocol that is strict: the dialogue ends."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(f"{violation.kind}: {violation.message}")
        self.violation = violation


@dataclass
class ProtocolKept:
    """The protocol of one dialogue, with the violations so far."""

    name: str
    """`strict` or `lenient`; empty: to none."""
    violations: list[Violation] = field(default_factory=list)

    @property
    def is_strict(self) -> bool:
        """Says whether the first violation ends the dialogue."""
        return self.name == STRICT

    def note(self, side: Side, kind: Breach, message: str, turn: int) -> Violation:
        """Counts a violation."""
        violation = Violation(side, kind, _shortened(message), turn)
        self.violations.append(violation)
        return violation


_KEPT: ContextVar[ProtocolKept | None] = ContextVar("todeval_protocol", default=None)


@contextmanager
def held_to(kept: ProtocolKept | None) -> Iterator[None]:
    """Holds what runs in this context (and threads and tasks that copy it) to a protocol."""
    with holding(_KEPT, kept):
        yield


def violated(kind: Breach, message: str) -> None:
    """Tells that the side whose lane this code runs in broke the protocol of its dialogue.

    Does nothing outside a dialogue, or if that is held to no protocol. Raises ProtocolViolated
    if it is strict.
    """
    kept, place = _KEPT.get(), here()
    if kept is None or place is None:
        return
    side = Side.USER if place.lane is Lane.USER else Side.SYSTEM
    violation = kept.note(side, kind, message, place.turn)
    if kept.is_strict:
        raise ProtocolViolated(violation)


def is_held() -> bool:
    """Says whether what runs here is held to a protocol."""
    return _KEPT.get() is not None


def wrong_call(
    schemas: Sequence[Mapping[str, Any]], name: str, arguments: Mapping[str, Any]
) -> tuple[Breach, str] | None:
    """How a call breaks the schemas of the tools that were declared, and what is wrong; or None.

    Of JSON schema it knows `type`, `enum`, `pattern`, `properties`, `required` and
    `additionalProperties`. A number may come as text of digits, text as a number.
    """
    declared = {_mapping(schema, "function").get("name"): schema for schema in schemas}
    if name not in declared:
        known = ", ".join(map(str, declared))
        return Breach.UNKNOWN_CALL, f"there is no call {name!r:.80}; known are: {known}"
    parameters = _mapping(_mapping(declared[name], "function"), "parameters")
    found = _wrong_object(parameters, arguments)
    return None if found is None else (found[0], f"{name}: {found[1]}")


def _mapping(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Returns a part of a schema; empty if it is none: schemas are of whoever wrote the tool."""
    part = value.get(key)
    return part if isinstance(part, Mapping) else {}


def _listed(schema: Mapping[str, Any], key: str) -> Sequence[Any]:
    part = schema.get(key)
    return part if isinstance(part, list | tuple) else ()


def _wrong_object(schema: Mapping[str, Any], value: Mapping[str, Any]) -> tuple[Breach, str] | None:
    properties = _mapping(schema, "properties")
    if missing := [key for key in _listed(schema, "required") if key not in value]:
        return Breach.MISSING_ARGUMENT, f"`{missing[0]}` is missing"
    for key, given in value.items():
        if key not in properties:
            if schema.get("additionalProperties") is False:
                known = ", ".join(properties) or "none"
                return Breach.UNKNOWN_ARGUMENT, f"`{key:.80}` is not known; known are: {known}"
        elif found := _wrong_value(key, _mapping(properties, key), given):
            return found
    return None


def _wrong_value(key: str, schema: Mapping[str, Any], value: object) -> tuple[Breach, str] | None:
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else _listed(schema, "type")
    if kinds and not any(_is(each, value) for each in kinds):
        return Breach.WRONG_VALUE, f"`{key}` must be {_told(kinds)}, got {_shown(value)}"
    known = _listed(schema, "enum")
    if known and str(value) not in map(str, known):
        return Breach.WRONG_VALUE, f"`{key}` must be one of {_told(known)}, got {_shown(value)}"
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not _matches(pattern, value):
        return Breach.WRONG_VALUE, f"`{key}` must look like {pattern}, got {_shown(value)}"
    return _wrong_object(schema, value) if isinstance(value, Mapping) else None


def _matches(pattern: str, value: object) -> bool:
    text = str(value)
    try:
        return len(text) <= LONGEST_MATCHED and re.search(pattern, text) is not None
    except re.error:  # other dialects know more than Python's
        return True


def _is(kind: object, value: object) -> bool:
    match kind:
        case "string":
            return isinstance(value, str | int | float) and not isinstance(value, bool)
        case "integer":
            return _is_number(value) and float(str(value)).is_integer()
        case "number":
            return _is_number(value)
        case "boolean":
            return isinstance(value, bool)
        case "object":
            return isinstance(value, Mapping)
        case "array":
            return isinstance(value, list | tuple)
        case "null":
            return value is None
    return True  # a kind that we do not know excludes nothing


def _is_number(value: object) -> bool:
    """Returns a number, or text of one."""
    return (
        not isinstance(value, bool)
        and isinstance(value, int | float | str)
        and re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", str(value)) is not None
    )


def _told(known: Sequence[Any]) -> str:
    return ", ".join(map(str, known))


def _shown(value: object) -> str:
    try:
        return f"{json.dumps(value, ensure_ascii=False):.80}"
    except (TypeError, ValueError, RecursionError):
        return f"{value!r:.80}"


def _shortened(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= LONGEST else line[:LONGEST] + " ..."
