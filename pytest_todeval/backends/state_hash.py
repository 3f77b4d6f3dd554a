"""The hash of a dialogue's tables, equal to tau-bench's bit for bit, at the cost of what changed.

tau-bench (`tau_bench/envs/base.py`) turns all tables into sorted nested tuples, takes their `str`
and hashes that with sha256. Here the piece of that text which belongs to a record is kept; only
records that changed are rendered again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pytest_todeval.backends.copy_on_write import (
    GONE,
    Packed,
    own_copy,
    pack,
    packed_tables,
    touched,
)
from pytest_todeval.backends.tool_domain import ToolDomain

UNRENDERABLE = "<cannot be rendered>"
"""Stands for a record that tau-bench could not hash (nested too deeply, keys that do not compare).
Unquoted, so it equals no record's text."""

Text = tuple[bytes, bytes, bytes]
"""A table's part of the text: what opens it, its records, what closes it."""

Pieces = Mapping[str, Mapping[str, bytes]]
"""Table -> id -> the record's piece of the text, both in sorted order."""


def hashable(value: Any) -> Any:
    """Nested tuples: of dicts the sorted items, of lists and sets the elements."""
    if isinstance(value, dict):
        return tuple((key, hashable(value[key])) for key in sorted(value))
    if isinstance(value, list):
        return tuple([hashable(element) for element in value])
    if isinstance(value, set):
        return tuple(sorted(hashable(element) for element in value))
    return value


def piece(id: str, record: Any) -> bytes:
    """Returns a record's part of the text that is hashed."""
    try:
        return str((id, hashable(record))).encode("utf-8")
    except (RecursionError, TypeError, ValueError):
        return f"({id!r}, {UNRENDERABLE})".encode()


@dataclass(frozen=True, eq=False)
class RenderedTables:
    """The pristine tables of a domain as the text that is hashed, in pieces and by table."""

    packed: Packed
    pieces: Pieces
    tables: Mapping[str, Text]
    """In sorted order."""
    digests: tuple[Any, ...]
    """The running sha256 before the first table, before the second, ..., after the last."""

    def hexdigest(self, tables: Mapping[str, Text]) -> str:
        """The hash of these tables, begun where they first differ from the pristine ones."""
        names = sorted(tables)
        same = 0
        for name, (pristine, text) in zip(names, self.tables.items(), strict=False):
            if name != pristine or tables[name] is not text:
                break
            same += 1
        digest = self.digests[same].copy()
        for place in range(same, len(names)):
            _update(digest, place, tables[names[place]])
        digest.update(b",)" if len(names) == 1 else b")")
        return str(digest.hexdigest())


@lru_cache(maxsize=8)
def rendered_tables(domain: ToolDomain) -> RenderedTables:
    """Returns the domain's tables as text; made once per process."""
    pieces = {
        name: {id: piece(id, domain.tables[name][id]) for id in sorted(domain.tables[name])}
        for name in sorted(domain.tables)
    }
    tables = {name: _table(name, table) for name, table in pieces.items()}
    digests = [sha256(b"(")]
    for place, text in enumerate(tables.values()):
        digests.append(digests[-1].copy())
        _update(digests[-1], place, text)
    return RenderedTables(packed_tables(domain), pieces, tables, tuple(digests))


def base_hash(domain: ToolDomain) -> str:
    """The hash of the domain's tables before anything happened: a fingerprint of the data."""
    rendered = rendered_tables(domain)
    return rendered.hexdigest(rendered.tables)


def _table(name: str, pieces: Mapping[str, bytes]) -> Text:
    closing = b",))" if len(pieces) == 1 else b"))"
    return f"({name!r}, (".encode(), b", ".join(pieces.values()), closing


def _update(digest: Any, place: int, text: Text) -> None:
    if place:
        digest.update(b", ")
    for part in text:
        digest.update(part)


class StateHash:
    """The state of one dialogue's tables: what differs from the pristine ones, and the hash."""

    def __init__(self, domain: ToolDomain, data: Mapping[str, Any]) -> None:
        self.domain = domain
        self.data = data
        self.rendered = 0
        """How many records had to be rendered so far."""
        self._known: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        self._before: dict[tuple[str, str], bytes | None] = {}
        self.seen = b""
        """What `moved` found when it was asked last: equal for equal tables."""

    def hexdigest(self) -> str:
        """Returns the sha256 that tau-bench gives for these tables.

        Raises BackendError if a tool put something else in the place of a table.
        """
        base = rendered_tables(self.domain)
        changed: dict[str, dict[str, bytes | None]] = {}
        for table, id, new, _ in self._changed():
            changed.setdefault(table, {})[id] = new
        return base.hexdigest(
            {name: self._table(base, name, changed.get(name)) for name in self.data}
        )

    def changes(self) -> dict[str, dict[str, Any]]:
        """Table -> id -> record as it is now, None if it was removed; only what differs.

        Records are copies. One that cannot be rendered is UNRENDERABLE.
        """
        found: dict[str, dict[str, Any]] = {}
        for table, id, new, record in self._changed():
            found.setdefault(table, {})[id] = _shown(new, record)
        return found

    def moved(self) -> bool:
        """Says whether anything changed since this was asked before.

        Records that were only looked at are given back, so that the next time costs no more than
        what was touched since: whoever holds one must not change it any more. So this is for tables
        that nothing but tools reaches.
        """
        base = rendered_tables(self.domain)
        now: dict[tuple[str, str], bytes | None] = {}
        for table, id, record in list(touched(self.data, self.domain.tables)):
            if record is GONE:
                now[table, id] = None
            elif pack(record) == base.packed.get(table, {}).get(id, b""):
                dict.__setitem__(self.data[table], id, self.domain.tables[table][id])
            elif (new := piece(id, record)) != base.pieces.get(table, {}).get(id):
                now[table, id] = new
        moved = now != self._before
        if moved:
            self._before = now
            self.seen = sha256(repr(sorted(map(repr, now.items()))).encode()).digest()
        return moved

    def _table(
        self, base: RenderedTables, name: str, changed: Mapping[str, bytes | None] | None
    ) -> Text:
        if changed is None:
            return base.tables[name] if name in base.tables else _table(name, {})
        pieces = {**base.pieces.get(name, {}), **changed}
        kept = {id: new for id in sorted(pieces) if (new := pieces[id]) is not None}
        return _table(name, kept)

    def _changed(self) -> list[tuple[str, str, bytes | None, Any]]:
        """Table, id, piece (None if removed) and record of everything that differs."""
        base = rendered_tables(self.domain)
        found: list[tuple[str, str, bytes | None, Any]] = []
        for table, id, record in touched(self.data, self.domain.tables):
            before = base.pieces.get(table, {}).get(id)
            if record is GONE:
                found.append((table, id, None, None))
            elif (new := self._piece(base, table, id, record)) != before:
                found.append((table, id, new, record))
        return found

    def _piece(self, base: RenderedTables, table: str, id: str, record: Any) -> bytes:
        packed = pack(record)
        if packed is not None and packed == base.packed.get(table, {}).get(id):
            return base.pieces[table][id]  # only looked at
        known = self._known.get((table, id))
        if known is not None and known[0] == packed:
            return known[1]
        self.rendered += 1
        new = piece(id, record)
        if packed is not None:
            self._known[table, id] = packed, new
        return new


def _shown(new: bytes | None, record: Any) -> Any:
    """Returns a copy of the record that nothing else holds."""
    if new is not None and new.endswith(f", {UNRENDERABLE})".encode()):
        return UNRENDERABLE
    return own_copy(record)
