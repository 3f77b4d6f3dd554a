"""Rows and values in what tools returned, whatever its shape."""

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.language.values import same_name

__all__ = ["IDENTITIES", "given", "identity", "row_named", "rows_in"]

IDENTITIES = ("name", "trainID", "title")
"""Slots that say which venue, train or item a row is."""
MAX_DEPTH = 6
"""Of nesting that is looked into; a tool's result is as hostile as a bot's text."""


def rows_in(result: Any, depth: int = MAX_DEPTH) -> Iterator[Mapping[str, Any]]:
    """Every mapping in a result, outer ones first, `MAX_DEPTH` levels deep."""
    if depth and isinstance(result, Mapping):
        yield result
        for value in result.values():
            yield from rows_in(value, depth - 1)
    elif depth and isinstance(result, (list, tuple)):
        for value in result:
            yield from rows_in(value, depth - 1)


def identity(row: Mapping[str, Any]) -> str | None:
    """The name, train id or title of a row; None where it has none."""
    return next((str(row[slot]) for slot in IDENTITIES if given(row.get(slot))), None)


def given(value: object) -> bool:
    """Whether a row says anything: `?`, empty and absent values say nothing, and match anything."""
    return value is not None and str(value).strip() not in ("", "?", "none")


def row_named(rows: list[Mapping[str, Any]], name: str) -> Mapping[str, Any] | None:
    """The row of that name or id, latest first: the exact one, else one of a similar name."""
    known = [(found, row) for row in reversed(rows) if (found := identity(row)) is not None]
    wanted = name.strip().lower()
    exact = (row for found, row in known if found.strip().lower() == wanted)
    similar = (row for found, row in known if "trainID" not in row and same_name(found, name))
    return next(exact, None) or next(similar, None)
