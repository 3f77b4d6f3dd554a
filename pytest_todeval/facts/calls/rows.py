"""Rows and values in what tools returned, whatever its shape."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.facts.calls.wishes import given
from pytest_todeval.nlu.values.normalise import same_name, same_value

IDENTITIES = ("name", "trainID", "title")
"""Slots that say which venue, train or item a row is."""
TELLS_APART = (
    "day", "departure", "destination", "leaveAt", "arriveBy", "area", "address", "postcode",
)  # fmt: skip
"""Slots that two rows of one name or id differ in if they are not the same item."""
MAX_DEPTH = 6
"""Of nesting that is looked into; a tool's result is as hostile as a bot's text."""
MOST_ROWS = 2000
"""Mappings of one result that are looked at."""
LONGEST_JSON = 200_000
"""Characters of a text that may be JSON."""


def data_of(result: Any) -> Any:
    """Returns a result as data: text that holds JSON is read as such; the rest stays as it is."""
    if not isinstance(result, str) or result.lstrip()[:1] not in ("{", "["):
        return result
    try:
        return json.loads(result[:LONGEST_JSON])
    except (ValueError, RecursionError):
        return result


def is_empty(result: Any) -> bool:
    """Says whether a result is an empty list, or holds one beside no other list."""
    data = data_of(result)
    values = [*data.values()] if isinstance(data, Mapping) else [data]
    lists = [each for each in values if isinstance(each, (list, tuple))]
    return bool(lists) and not any(lists)


def rows_in(result: Any) -> list[Mapping[str, Any]]:
    """Returns every mapping in a result, outer ones first, `MAX_DEPTH` levels deep."""
    found: list[Mapping[str, Any]] = []
    for row in _rows(data_of(result), MAX_DEPTH):
        found.append(row)
        if len(found) == MOST_ROWS:
            break
    return found


_PLAIN = (str, int, float, type(None))
"""What most values are: told apart in a tenth of the time that a look for a mapping takes."""


def _rows(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if not depth:
        return
    if isinstance(value, Mapping):
        yield value
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for inner in value:
            if not isinstance(inner, _PLAIN) and isinstance(inner, (Mapping, list, tuple)):
                yield from _rows(inner, depth - 1)


def texts_in(result: Any) -> list[str]:
    """Every text in a result that is no data, `MAX_DEPTH` levels deep: a tool's answer in words."""
    return list(_texts(data_of(result), MAX_DEPTH))[:MOST_ROWS]


def _texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str) and data_of(value) is not value:
        yield from _texts(data_of(value), depth - 1)
    elif isinstance(value, str):
        yield value[:LONGEST_JSON]
    elif depth and isinstance(value, (Mapping, list, tuple)):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner, depth - 1)


def identity(row: Mapping[str, Any]) -> str | None:
    """Returns the name, train id or title of a row; None if it has none."""
    for slot in IDENTITIES:
        value = row.get(slot)
        if value is not None and given(value):
            return str(value)
    return None


def row_named(rows: list[Mapping[str, Any]], name: str) -> Mapping[str, Any] | None:
    """The row of that name or id, latest first: the exact one, else one of a similar name."""
    known: list[tuple[str, Mapping[str, Any]]] = []
    for row in reversed(rows):
        if (found := identity(row)) is not None:
            known.append((found, row))
    wanted = name.strip().lower()
    for said, row in known:
        if said.strip().lower() == wanted:
            return row
    for said, row in known:
        if "trainID" not in row and same_name(said, name):
            return row
    return None


def completed(row: Mapping[str, Any], rows: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Returns the row with what other rows of the same item hold besides; the latest of them first.

    A booking's result often repeats the name of what was booked, and little else.
    """
    name, whole = identity(row), dict(row)
    if name is None:
        return whole
    for other in reversed(rows):
        if _same_item(name, identity(other)) and not _contradict(whole, other):
            whole = {**other, **whole}
    return whole


def _same_item(name: str, other: str | None) -> bool:
    return other is not None and other.strip().lower() == name.strip().lower()


def _contradict(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(
        slot in one and slot in other and not same_value(slot, str(one[slot]), str(other[slot]))
        for slot in TELLS_APART
    )
