"""Read-only SQL over a backend's rows, as a model may write it: one SELECT, in bounds.

The rows are copied into a database in memory that lives as long as the query: whatever a statement
does, nothing of it stays. What sqlite may do is decided by its authorizer, table by table and
function by function, not by looking at the text.
"""

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from pytest_todeval.backends.multiwoz import shown
from pytest_todeval.backends.protocol import Row, ToolRefused

MOST_ROWS = 10
"""Rows of an answer; its `count` says how many there are, up to `MOST_COUNTED`."""
MOST_COUNTED = 1000
LONGEST_QUERY = 2000
"""Characters of a query."""
LONGEST_VALUE = 10_000
"""Bytes of a text that a query may make."""
LONGEST_ANSWER = 20_000
"""Characters of an answer."""
STEPS, MOST_STEPS = 1000, 2000
"""The machine is stopped after so many times so many instructions: counted, not timed."""

FUNCTIONS = frozenset(
    {
        *("abs", "avg", "coalesce", "count", "ifnull", "iif", "instr", "length", "like", "lower"),
        *("ltrim", "max", "min", "nullif", "round", "rtrim", "substr", "substring", "sum"),
        *("total", "trim", "upper"),
    }
)
"""Those that a query may call: none reads a file, makes a text long or loads anything."""

BOUNDS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: LONGEST_QUERY * 4,
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 5,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_FENCE = re.compile(r"\A\s*```[a-z]{0,10}\s|```\s*\Z")
_BEGINS = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_WHOLE = re.compile(r"0|[1-9][0-9]{0,8}")
_CONDITION = re.compile(
    r"(?:[\"`\[]([^\"`\]\n]{1,40})[\"`\]]|\b([A-Za-z_]\w{0,40}))\s{0,3}(?:=|>=|<=|>|<|\blike\b)\s{0,3}"
    r"(?:'((?:[^']|''){1,80})'|\"([^\"]{1,80})\"|([0-9]{1,9})\b)",
    re.IGNORECASE,
)


def select(table: str, rows: Sequence[Row], query: str) -> dict[str, Any]:
    """Returns what a SELECT over the rows finds: `{"count": 3, "results": [...]}`.

    Raises ToolRefused, with the columns that there are, for all but one SELECT over this table, and
    for one that goes on too long or answers with too much.
    """
    columns = _columns(rows)
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            _fill(database, table, columns, rows)
            _lock(database, table)
            found = _asked(database, _checked(query))
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        raise ToolRefused(f"{_why(error)}. {_allowed(table, columns)}") from None
    if len(json.dumps(found)) > LONGEST_ANSWER:
        raise ToolRefused(f"the answer is too long. {_allowed(table, columns)}")
    return found


def conditions(query: str) -> dict[str, str]:
    """Returns the columns that a query wants to have a value, as far as its text shows them."""
    found = {}
    for quoted, bare, text, other, number in _CONDITION.findall(query[:LONGEST_QUERY]):
        found[quoted or bare] = (text.replace("''", "'") or other or number).strip("%")
    return {column: value for column, value in found.items() if value}


def _checked(query: str) -> str:
    if len(query) > LONGEST_QUERY:
        raise ValueError(f"the query has more than {LONGEST_QUERY} characters")
    bare = _FENCE.sub("", query).strip()
    if not _BEGINS.match(bare):
        raise ValueError("the query does not begin with SELECT")
    return bare


def _columns(rows: Sequence[Row]) -> list[str]:
    """Returns the first of those that differ in case alone, which SQL does not tell apart."""
    named: dict[str, str] = {}
    for row in rows:
        for column in shown(row):
            named.setdefault(column.lower(), column)
    return list(named.values())


def _fill(
    database: sqlite3.Connection, table: str, columns: Sequence[str], rows: Sequence[Row]
) -> None:
    """Copies the rows."""
    values = [[_cell(row.get(column)) for column in columns] for row in rows]
    kinds = [_kind([row[at] for row in values]) for at in range(len(columns))]
    named = zip(columns, kinds, strict=True)
    declared = ", ".join(f"{_quoted(name)} {kind}" for name, kind in named) or '"nothing"'
    places = ", ".join("?" for _ in columns) or "NULL"
    database.execute(f"CREATE TABLE {_quoted(table)} ({declared})")
    database.executemany(f"INSERT INTO {_quoted(table)} VALUES ({places})", values)


def _lock(database: sqlite3.Connection, table: str) -> None:
    """Allow nothing from now on but to read the table, in bounds."""
    database.execute("PRAGMA temp_store = MEMORY")  # else a large sort is written to a file
    database.execute("PRAGMA query_only = ON")
    for bound, most in BOUNDS.items():
        database.setlimit(bound, most)
    budget = iter(range(MOST_STEPS))
    database.set_progress_handler(lambda: next(budget, None) is None, STEPS)
    database.set_authorizer(_authorizer(table))


def _authorizer(table: str) -> Any:
    def authorise(
        action: int, first: str | None, second: str | None, schema: str | None, inner: str | None
    ) -> int:
        allowed = (
            action == sqlite3.SQLITE_SELECT
            or (action == sqlite3.SQLITE_READ and (first or "").lower() == table.lower())
            or (action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FUNCTIONS)
        )
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    return authorise


def _asked(database: sqlite3.Connection, query: str) -> dict[str, Any]:
    cursor = database.execute(query)
    names = [each[0] for each in cursor.description or ()]
    rows = cursor.fetchmany(MOST_COUNTED)
    results = [dict(zip(names, map(_told, row), strict=True)) for row in rows[:MOST_ROWS]]
    return {"count": len(rows), "results": results}


def _cell(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(dict(value) if isinstance(value, Mapping) else value, default=str)


def _told(value: object) -> object:
    return "(bytes)" if isinstance(value, bytes) else value


def _kind(values: Sequence[str | None]) -> str:
    """Whole numbers compare as numbers; phone numbers and times are text."""
    told = [value for value in values if value is not None]
    return "NUMERIC" if told and all(map(_WHOLE.fullmatch, told)) else "TEXT COLLATE NOCASE"


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""').replace("\0", "")
    return f'"{escaped}"'


def _why(error: Exception) -> str:
    told = str(error)
    if "interrupted" in told:
        return "the query takes too long"
    if "not authorized" in told or "prohibited" in told:
        return "the query does what is not allowed"
    return f"the query cannot be run: {told:.200}"


def _allowed(table: str, columns: Sequence[str]) -> str:
    named = ", ".join(map(_quoted, columns))
    return f"Write one SELECT over the table {_quoted(table)} with the columns {named:.1000}"
