"""The MultiWOZ databases: rows in memory, shared by all dialogues, and queries over them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pytest_todeval.backends.protocol import Row
from pytest_todeval.backends.table_files import TaxiFleet, fleet, read_files, table
from pytest_todeval.nlu.values.normalise import (
    DONTCARE,
    normalise,
    normalise_name,
    same_value,
    to_minutes,
)
from pytest_todeval.nlu.vocabulary import Vocabulary

EARLIEST, LATEST = "leaveAt", "arriveBy"
"""Slots compared as times: leave at this time or after, arrive by this time or before."""


class _DomainTable:
    """The rows of one domain, with an index: slot -> normalised value -> positions."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self.rows: tuple[Row, ...] = tuple(_frozen(row) for row in rows)
        self.everything = frozenset(range(len(self.rows)))

    @cached_property
    def index(self) -> Mapping[str, Mapping[str, frozenset[int]]]:
        found: dict[str, dict[str, set[int]]] = {}
        for position, row in enumerate(self.rows):
            for slot, value in row.items():
                if isinstance(value, str | int | float):
                    known = found.setdefault(slot, {})
                    known.setdefault(normalise(slot, value), set()).add(position)
        return {
            slot: {value: frozenset(places) for value, places in known.items()}
            for slot, known in found.items()
        }

    def positions(self, slot: str, wanted: str) -> frozenset[int]:
        """Returns where the rows stand that meet one constraint."""
        known = self.index.get(slot, {})
        anything = known.get("", frozenset())  # `?` in a row
        if slot in (EARLIEST, LATEST) and to_minutes(wanted) is not None:
            return anything.union(
                *(known[value] for value in known if in_time(slot, value, wanted))
            )
        if wanted in known:
            return anything | known[wanted]
        return anything.union(*(known[value] for value in known if same_value(slot, value, wanted)))


class MultiwozDatabase:
    """Rows by domain, immutable and shared; what a dialogue changes is kept in its backend."""

    def __init__(
        self,
        rows: Mapping[str, Sequence[Mapping[str, Any]]],
        *,
        taxis: TaxiFleet | None = None,
        fingerprint: str = "",
    ) -> None:
        self._tables = {domain: _DomainTable(domain_rows) for domain, domain_rows in rows.items()}
        self.taxis = taxis
        """Makes of taxis, or None if there are none."""
        self.fingerprint = fingerprint
        """12 hex digits of the sha256 of the files; equal data has equal fingerprints."""
        self._remembered = lru_cache(maxsize=8192)(self._search)

    @staticmethod
    def load(path: Path) -> "MultiwozDatabase":
        """Reads a folder or zip that holds `*_db.json` files, beside or in a folder `db`.

        Read once per process. Raises DataMissing if there is none, InvalidFile if one
        is broken.
        """
        return _load(Path(path).resolve())

    @property
    def domains(self) -> tuple[str, ...]:
        """Returns the domains with rows, in the order of their names; taxis have none."""
        return tuple(self._tables)

    def rows(self, domain: str) -> tuple[Row, ...]:
        """Returns all rows of a domain, as in its file; none for a domain without a database."""
        return self._tables[domain].rows if domain in self._tables else ()

    def query(self, domain: str, constraints: Mapping[str, str]) -> tuple[Row, ...]:
        """Returns the rows that meet every constraint, in the order of the file; memoised.

        Values are compared normalised, names and places also fuzzily if none is equal. `?` in a
        row matches anything; "don't care" and empty constraints exclude nothing; a slot that a row
        lacks excludes it. Trains: `leaveAt` means at or after, earliest first; `arriveBy` at or
        before, latest first (with both: earliest departure first).
        """
        return self._remembered(domain, frozenset(normalised(constraints).items()))

    def _search(self, domain: str, constraints: frozenset[tuple[str, str]]) -> tuple[Row, ...]:
        if domain not in self._tables:
            return ()
        table = self._tables[domain]
        found = table.everything
        for slot, wanted in sorted(constraints):
            found &= table.positions(slot, wanted)
        return by_time([table.rows[place] for place in sorted(found)], dict(constraints))

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        rows = {domain: table.rows for domain, table in self._tables.items()}
        if self.taxis is not None:
            rows["taxi"] = ()
        return Vocabulary.from_rows(rows)

    @cached_property
    def places(self) -> Mapping[str, str]:
        """Returns the names of all venues by their normalised form."""
        names = (
            str(row["name"])
            for domain in self.domains
            for row in self.rows(domain)
            if "name" in row
        )
        return {normalise_name(name): name for name in names}

    def vocabulary(self) -> Vocabulary:
        """Returns the names of all venues and the values of all slots."""
        return self._vocabulary


@lru_cache(maxsize=16)
def _load(path: Path) -> MultiwozDatabase:
    files = read_files(path)
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}:{len(files[name].content)}:".encode() + files[name].content)
    tables = {name: table(file) for name, file in sorted(files.items()) if name != "taxi"}
    taxis = fleet(files["taxi"]) if "taxi" in files else None
    return MultiwozDatabase(tables, taxis=taxis, fingerprint=digest.hexdigest()[:12])


def normalised(constraints: Mapping[str, str]) -> dict[str, str]:
    """Returns the constraints that exclude something, in canonical form."""
    canonical = {slot: normalise(slot, value) for slot, value in constraints.items()}
    return {slot: value for slot, value in canonical.items() if value not in ("", DONTCARE)}


def in_time(slot: str, time: str, wanted: str) -> bool:
    """Whether a train's time suits: leaves at or after, or arrives at or before, the one wanted."""
    here, there = to_minutes(time), to_minutes(wanted)
    if here is None or there is None:
        return False
    return here >= there if slot == EARLIEST else here <= there


def by_time(rows: Sequence[Row], constraints: Mapping[str, str]) -> tuple[Row, ...]:
    """Returns the rows, the best in time first if a time is wanted."""
    if EARLIEST in constraints:
        return tuple(sorted(rows, key=lambda row: _minutes(row, EARLIEST)))
    if LATEST in constraints:
        return tuple(sorted(rows, key=lambda row: -_minutes(row, LATEST)))
    return tuple(rows)


def _minutes(row: Row, slot: str) -> int:
    return to_minutes(str(row.get(slot, ""))) or 0


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(item) for key, item in value.items()})
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return value
