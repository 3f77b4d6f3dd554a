"""tau2's databases, loaded once per process: views that copy on write, hashes by what changed.

A database of tau2's is a pydantic model. Its tables (fields that are dicts) become views, all else
is copied. What reads a view in C, as pydantic's serializer does, sees shared and own records alike.
"""

import copy
import json
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from typing import Any

from pytest_todeval.backends.copy_on_write import touched
from pytest_todeval.worlds.tau2.environment import Database
from pytest_todeval.worlds.tau2.records import RecordsView, RecordTable

Ids = Mapping[str, Collection[str]]
"""Table -> ids of its records that a view gave out, or that are new or gone."""


class SharedDatabase:
    """A database as it is on file; `original` is never given to a tool, nor changed."""

    def __init__(self, original: Database) -> None:
        self.original = original
        self.tables = {
            name: RecordTable(value)
            for name, value in _fields(original).items()
            if type(value) is dict and _are_text(value)
        }

    def view(self) -> Database:
        """Returns a database of the same class for one dialogue, to read and to change."""
        views = {id(table.records): RecordsView(table) for table in self.tables.values()}
        return copy.deepcopy(self.original, views)

    def before_and_now(self, database: Database) -> tuple[dict[str, Any], dict[str, Any]]:
        """The original and `database` as plain data; of views, only records that were given out."""
        ids = self._given_out(database)
        return _dump(self.original, ids), _dump(database, ids)

    def hexdigest(self, database: Database) -> str | None:
        """tau2's hash (`get_dict_hash` of `model_dump()`) of a view.

        Only records that were given out are rendered. None if a table was replaced, or holds
        ids that are not text: then only tau2 itself can tell.
        """
        ids = self._given_out(database)
        if ids.keys() != self.tables.keys() or not all(map(_are_text, ids.values())):
            return None
        dumped = _dump(database, ids)
        return self._digest(
            {
                name: self._table_text(name, ids[name], dumped[name])
                if name in ids
                else _text(dumped[name]).encode()
                for name in sorted(dumped)
            }
        )

    def _given_out(self, database: Database) -> Ids:
        now = _fields(database)
        views = {
            name: view
            for name, table in self.tables.items()
            if isinstance(view := now.get(name), RecordsView) and view.table is table
        }
        ids: dict[str, list[str]] = {name: [] for name in views}
        for name, id, _ in touched(views, {name: self.tables[name].records for name in views}):
            ids[name].append(id)
        return ids

    def _table_text(self, name: str, ids: Iterable[str], now: Mapping[str, Any]) -> bytes:
        pieces, text = self._pieces[name], self._original[name]
        changed = {id: _piece(id, now[id]) if id in now else "" for id in ids}
        if all(pieces.get(id) == piece for id, piece in changed.items()):
            return text
        return _joined({**pieces, **changed})

    @cached_property
    def _pieces(self) -> Mapping[str, Mapping[str, str]]:
        """Table -> id -> what the record adds to the text that is hashed."""
        dumped = self.original.model_dump()
        return {
            name: {id: _piece(id, record) for id, record in dumped[name].items()}
            for name in self.tables
        }

    @cached_property
    def _original(self) -> Mapping[str, bytes]:
        """Field -> its text, in sorted order."""
        rest = _dump(self.original, dict.fromkeys(self.tables, ()))
        return {
            name: _joined(self._pieces[name]) if name in self.tables else _text(rest[name]).encode()
            for name in sorted(rest)
        }

    @cached_property
    def _digests(self) -> list[Any]:
        """Returns the running sha256 of the original before its first field, its second, ..."""
        digests = [sha256(b"{")]
        for place, (name, text) in enumerate(self._original.items()):
            digests.append(digests[-1].copy())
            _update(digests[-1], place, name, text)
        return digests

    def _digest(self, texts: Mapping[str, bytes]) -> str:
        """Returns the hash of these fields, begun where they first differ from the original."""
        same = 0
        for now, before in zip(texts.items(), self._original.items(), strict=False):
            if now != before:
                break
            same += 1
        digest = self._digests[same].copy()
        for place, (name, text) in enumerate(texts.items()):
            if place >= same:
                _update(digest, place, name, text)
        digest.update(b"}")
        return str(digest.hexdigest())


def _fields(database: Database) -> dict[str, Any]:
    return getattr(database, "__dict__", {})


def _are_text(ids: Iterable[Any]) -> bool:
    return all(type(id) is str for id in ids)


def _dump(database: Database, ids: Ids) -> dict[str, Any]:
    """As tau2 dumps it, by the database's own serializers, but of these tables these records."""
    part = copy.copy(database)
    for name, some in ids.items():
        table = _fields(database)[name]
        _fields(part)[name] = {id: dict.__getitem__(table, id) for id in some if id in table}
    return part.model_dump()


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _piece(id: str, record: Any) -> str:
    return f"{_text(id)}: {_text(record)}"


def _joined(pieces: Mapping[str, str]) -> bytes:
    """Returns a table's text; an empty piece is that of a record that is gone."""
    return f"{{{', '.join(pieces[id] for id in sorted(pieces) if pieces[id])}}}".encode()


def _update(digest: Any, place: int, name: str, text: bytes) -> None:
    digest.update(f"{', ' if place else ''}{_text(name)}: ".encode())
    digest.update(text)
