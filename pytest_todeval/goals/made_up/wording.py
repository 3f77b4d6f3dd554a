"""The words of made-up goals, from the sheets beside this module: phrases, impossible values."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pytest_todeval.core.documents import read_document
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.goals.made_up.draw import Draw
from pytest_todeval.models.goal_text import joined

PLACEHOLDER = re.compile(r"\{(\w+)\}")
WISHES_AT_ONCE = 2
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@cache
def _sheet(name: str) -> Mapping[str, Any]:
    sheet: Mapping[str, Any] = read_document(Path(__file__).with_name(f"{name}.yaml")).value
    return sheet


def oddities(slot: str) -> Sequence[str]:
    """Impossible values of a slot; none if any value of it may exist."""
    sheet = _sheet("oddities")
    found: Sequence[str] = () if slot in sheet["never"] else sheet.get(slot, sheet["other"])
    return found


def message(parts: Sequence[DomainGoal], draw: Draw) -> tuple[str, ...]:
    """Returns the goal's sentences: each constraint, booking slot and request stands there once."""
    return tuple(sentence for part in parts for sentence in _sentences(part, draw))


def _sentences(part: DomainGoal, draw: Draw) -> Iterator[str]:
    wishes = [
        _phrase("wish", part.domain, slot, value, draw) for slot, value in part.inform.items()
    ]
    first, rest = wishes[:WISHES_AT_ONCE], wishes[WISHES_AT_ONCE:]
    yield _line("open", part.domain, "".join(f" {each}" for each in first), draw)
    for at in range(0, len(rest), WISHES_AT_ONCE):
        yield _line("more", part.domain, joined(rest[at : at + WISHES_AT_ONCE]), draw)
    if part.wants_booking:
        details = [_phrase("booked", part.domain, s, v, draw) for s, v in part.book.items()]
        yield _line("book", part.domain, "".join(f" {each}" for each in details), draw)
    if part.request:
        asked = [_phrase("asked", part.domain, slot, "", draw) for slot in part.request]
        yield _line("request", part.domain, joined(asked), draw)


def _line(section: str, domain: str, details: str, draw: Draw) -> str:
    lines = _sheet("messages")[section]
    if isinstance(lines, Mapping):
        lines = lines.get(domain, lines["other"])
    return _filled(draw.one(lines), details=details, domain=_words(domain))


def _phrase(section: str, domain: str, slot: str, value: str, draw: Draw) -> str:
    phrases, key = _sheet("messages")[section], value.strip().lower()
    names = (f"{domain}.{slot}={key}", f"{slot}={key}", f"{domain}.{slot}", slot, "other")
    found = next(phrases[name] for name in names if name in phrases)
    return _filled(draw.one(found), value=value, slot=_words(slot))


def _filled(template: str, **given: str) -> str:
    return PLACEHOLDER.sub(lambda match: given[match[1]], template)


def _words(name: str) -> str:
    return CAMEL.sub(" ", name).replace("_", " ")
