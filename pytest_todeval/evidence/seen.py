"""What the visible tool calls of a turn show: rows found, bookings tried, values passed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.language.values import normalise, normalise_name, same_value, to_minutes

__all__ = ["Evidence", "agrees", "evidence"]

MOST_ROWS = 500
"""Rows of a turn's results that are looked at."""
DEEPEST = 6
UNKNOWN = frozenset({"?", "", "none", "unknown", "not available", "n/a"})
BOOKING = re.compile(r"book|reserv|order|purchase|buy", re.I)
WORDS = re.compile(r"[A-Za-z][a-z]+|[a-z]+")


def agrees(domain: str, slot: str, wanted: str, got: object) -> bool:
    """Whether a value meets what the user wants: trains may leave later and arrive earlier.

    Values that cannot be compared (a missing value, a time that is none) agree.
    """
    text = str(got).strip().lower()
    if text in UNKNOWN or normalise(slot, text) in ("", "dontcare"):
        return True
    if domain == "train" and slot in ("leaveAt", "arriveBy"):
        wish, time = to_minutes(normalise(slot, wanted)), to_minutes(normalise(slot, text))
        if wish is None or time is None:
            return True
        return time >= wish if slot == "leaveAt" else time <= wish
    return same_value(slot, wanted, text)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The tool calls of one turn, as far as they concern one domain."""

    rows: tuple[Mapping[str, Any], ...] = ()
    """Everything found that looks like a row: a mapping with a `name` or `trainID`."""
    searched: Mapping[str, Any] | None = None
    """The arguments of the last search."""
    booked: Mapping[str, Any] | None = None
    """The arguments of the last booking that was made."""
    refused: bool = False
    """Whether a booking was refused, and none made after it."""
    reference: str = ""

    def row(self, domain: str, name: str) -> Mapping[str, Any] | None:
        """The row of a venue or train, or None."""
        key = "trainID" if domain == "train" else "name"
        return next((row for row in self.rows if same_value(key, name, row.get(key, ""))), None)

    def named(self, domain: str, text: str) -> list[str]:
        """The venues or trains found whose name or id stands in a text, in the text's order."""
        key = "trainID" if domain == "train" else "name"
        plain = f" {normalise_name(text)} "
        names = dict.fromkeys(str(row[key]) for row in self.rows if key in row)
        places = {name: plain.find(f" {normalise_name(name)} ") for name in names}
        return sorted((name for name in names if places[name] >= 0), key=lambda name: places[name])


def evidence(calls: Sequence[ToolCall], domain: str, domains: Sequence[str]) -> Evidence:
    """What the calls show about one of the goal's domains; calls that name another are left out."""
    mine = [call for call in calls if _concerns(call, domain, domains)]
    bookings = [call for call in mine if BOOKING.search(call.name)]
    searches = [call for call in mine if not BOOKING.search(call.name) and call.error is None]
    made = [call for call in bookings if call.error is None]
    rows = [row for call in mine if call.error is None for row in _rows(call.result, 0)]
    return Evidence(
        rows=tuple(rows[:MOST_ROWS]),
        searched=searches[-1].arguments if searches else None,
        booked=made[-1].arguments if made else None,
        refused=bool(bookings) and bookings[-1].error is not None,
        reference=_reference(made[-1].result) if made else "",
    )


def _concerns(call: ToolCall, domain: str, domains: Sequence[str]) -> bool:
    words = {word.lower() for word in WORDS.findall(call.name)}
    named = [other for other in domains if other in words]
    return not named or domain in named


def _rows(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth > DEEPEST:
        return
    if isinstance(value, Mapping):
        if "name" in value or "trainID" in value:
            yield value
            return
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value[:MOST_ROWS]:
            yield from _rows(item, depth + 1)


def _reference(result: Any) -> str:
    found = result.get("reference") if isinstance(result, Mapping) else None
    return str(found) if found else ""
