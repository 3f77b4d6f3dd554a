"""Records of a backend of one's own: read from a database, a dict or a service at each look."""

import datetime
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from pytest_todeval.core.dialogue import Booking
from pytest_todeval.core.steps import Records
from pytest_todeval.errors import BackendError, UsageError

EXPECTED = (
    "records by kind, each a mapping, e.g. "
    '{"appointment": [{"id": "A17", "day": "tuesday"}], "card": []}'
)
SOURCES = (
    "an SQLAlchemy engine, connection or session, a DB-API connection or the path of an SQLite "
    "file (these with `tables`), a dict, or a function that returns one"
)
_TABLE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_QUERY = re.compile(r"\s*(?:select|with)\s", re.I)
DEEPEST = 20
"""Levels of a record that are read."""


def records_of(
    source: Any, tables: Sequence[str] | Mapping[str, str] | None = None
) -> "RecordsBackend":
    """Returns a backend that shows the records of a database, a dict or a service.

    `tables` are the tables of a database, each a kind of record, or map kinds to tables or to
    `SELECT` statements. A dict maps kinds to lists of records, or to records by id; a function
    returns such a dict, e.g. from an HTTP service.

    Raises UsageError for a source of another sort, without the tables that it needs, or with a
    table that is no name.
    """
    return RecordsBackend(source, _reader(source, _queries(tables)))


class RecordsBackend:
    """Has `records()`: what stands now, by kind. `source` is what they are read from."""

    keeps_bookings = False
    """What happened stands in `records()`."""

    def __init__(self, source: Any, read: Callable[[], Any]) -> None:
        self.source = source
        self._read = read

    def records(self) -> Any:
        """Returns what stands now."""
        return self._read()

    def bookings(self) -> Sequence[Booking]:
        """Returns nothing: what stands is in `records()`."""
        return ()


def plain_records(found: Any, place: str) -> Records:
    """Records as plain values, which nobody else holds. Raises UsageError for what are none."""
    if not isinstance(found, Mapping):
        raise UsageError(f"{place} returned {_kind(found)}; expected {EXPECTED}")
    return {str(kind): tuple(_rows(kind, rows, place)) for kind, rows in found.items()}


def _rows(kind: object, rows: Any, place: str) -> Iterator[Mapping[str, Any]]:
    if isinstance(rows, Mapping):  # by id
        rows = [{"id": id, **row} if isinstance(row, Mapping) else row for id, row in rows.items()]
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        raise UsageError(f"{place}[{kind!r:.60}] is {_kind(rows)}; expected {EXPECTED}")
    for at, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UsageError(f"{place}[{kind!r:.60}][{at}] is {_kind(row)}; expected {EXPECTED}")
        yield {str(field): _plain(value, DEEPEST) for field, value in row.items()}


def _plain(value: Any, levels: int) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, Mapping) and levels:
        return {str(key): _plain(each, levels - 1) for key, each in value.items()}
    if isinstance(value, list | tuple) and levels:
        return [_plain(each, levels - 1) for each in value]
    return str(value)


def _queries(tables: Sequence[str] | Mapping[str, str] | None) -> Mapping[str, str]:
    """Kind -> the statement that reads its records."""
    if tables is None:
        return {}
    if isinstance(tables, str) or not isinstance(tables, Mapping | Sequence):
        raise UsageError(f'`tables` is {_kind(tables)}; expected e.g. ["appointment", "card"]')
    named = tables if isinstance(tables, Mapping) else {table: table for table in tables}
    return {kind: _query(table) for kind, table in named.items()}


def _query(table: object) -> str:
    if isinstance(table, str) and _QUERY.match(table):
        return table
    if not isinstance(table, str) or not _TABLE.fullmatch(table):
        raise UsageError(
            f"`tables` names {table!r:.80}; expected the name of a table, or a SELECT statement"
        )
    return f"SELECT * FROM {table}"


def _reader(source: Any, queries: Mapping[str, str]) -> Callable[[], Any]:
    if isinstance(source, Mapping):
        return lambda: source
    run = _run(source)
    if run is None and callable(source) and not isinstance(source, type):
        return source  # type: ignore[no-any-return]
    if run is None:
        raise UsageError(f"`records_of` takes {SOURCES}; got {_kind(source)}")
    if not queries:
        raise UsageError(
            "`records_of` needs the tables of a database that hold records: "
            'records_of(engine, ["appointment", "card"])'
        )
    return lambda: _read(run, queries)


Run = Callable[[str], list[dict[str, Any]]]
"""Runs a statement and returns its rows."""


def _read(run: Run, queries: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    found = {}
    for kind, query in queries.items():
        try:
            found[kind] = run(query)
        except sqlite3.ProgrammingError as error:
            if "thread" not in str(error):
                raise
            raise BackendError(
                "the SQLite connection belongs to another thread than the dialogue's: open it with "
                "sqlite3.connect(..., check_same_thread=False), or give the file's path"
            ) from None
    return found


def _run(source: Any) -> Run | None:
    """Returns what runs statements on a database; None if the source is none."""
    if isinstance(source, str | Path):
        return lambda query: _in_file(Path(source), query)
    if hasattr(source, "sync_engine") or hasattr(source, "sync_session"):
        raise UsageError(
            "`records_of` reads without `await`: give it a plain engine for the same database "
            "(sqlalchemy.create_engine), not the asynchronous one"
        )
    if hasattr(source, "exec_driver_sql"):
        return lambda query: _rows_of_sqlalchemy(source, query)
    if hasattr(source, "dialect") and hasattr(source, "connect"):
        return lambda query: _through(source.connect, query)
    if hasattr(source, "get_bind") and hasattr(source, "connection"):
        return lambda query: _rows_of_sqlalchemy(source.connection(), query)
    if hasattr(source, "cursor"):
        return lambda query: _rows_of_cursor(source, query)
    return None


def _through(connect: Callable[[], Any], query: str) -> list[dict[str, Any]]:
    with connect() as connection:
        return _rows_of_sqlalchemy(connection, query)


def _rows_of_sqlalchemy(connection: Any, query: str) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.exec_driver_sql(query).mappings()]


def _rows_of_cursor(connection: Any, query: str) -> list[dict[str, Any]]:
    with closing(connection.cursor()) as cursor:
        cursor.execute(query)
        fields = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
    return [
        dict(row) if isinstance(row, Mapping) else dict(zip(fields, row, strict=True))
        for row in rows
    ]


def _in_file(path: Path, query: str) -> list[dict[str, Any]]:
    with _opened(path) as connection:
        return _rows_of_cursor(connection, query)


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise BackendError(f"{path}: no such file; `records_of` reads an SQLite database there")
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    with closing(connection):
        yield connection


def _kind(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.60}"
