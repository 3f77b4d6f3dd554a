"""Records of one's own backend: databases, dicts, services; and what is none of these."""

import datetime
import decimal
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.own import as_backend
from pytest_todeval.backends.records import records_of
from pytest_todeval.core.dialogue import Booking
from pytest_todeval.errors import BackendError, UsageError

ROWS = ({"id": "A17", "day": "tuesday"}, {"id": "A18", "day": None})


def database(place: str = ":memory:") -> sqlite3.Connection:
    connection = sqlite3.connect(place, check_same_thread=False)
    connection.execute("create table visits (id text, day text)")
    connection.executemany("insert into visits values (:id, :day)", ROWS)
    connection.commit()
    return connection


def records(source: Any, tables: Any = None) -> Any:
    return as_backend(records_of(source, tables)).records()


def test_an_sqlite_database_by_connection_and_by_path(tmp_path: Path) -> None:
    connection = database(str(tmp_path / "desk.db"))
    for source in (connection, tmp_path / "desk.db", str(tmp_path / "desk.db")):
        assert records(source, ["visits"]) == {"visits": ROWS}
        assert records(source, {"visit": "visits"}) == {"visit": ROWS}
        query = "SELECT id FROM visits WHERE day IS NULL"
        assert records(source, {"visit": query}) == {"visit": ({"id": "A18"},)}
    connection.row_factory = sqlite3.Row
    assert records(connection, ["visits"]) == {"visits": ROWS}


def test_an_sqlalchemy_engine_connection_and_session(tmp_path: Path) -> None:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    orm = pytest.importorskip("sqlalchemy.orm")
    database(str(tmp_path / "desk.db")).close()
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'desk.db'}")
    with engine.connect() as connection, orm.Session(engine) as session:
        for source in (engine, connection, session):
            assert records(source, {"visit": "visits"}) == {"visit": ROWS}


def test_an_asynchronous_engine_is_told_apart() -> None:
    class AsyncEngine:
        sync_engine = None

    with pytest.raises(UsageError, match="not the asynchronous one"):
        records_of(AsyncEngine(), ["visits"])


def test_a_dict_by_list_and_by_id_is_copied_at_each_look() -> None:
    desk: dict[str, Any] = {"visit": [dict(ROWS[0])], "card": {"C1": {"tags": ["a"]}}}
    backend = as_backend(records_of(desk))
    before = backend.records() or {}
    assert before == {"visit": (ROWS[0],), "card": ({"id": "C1", "tags": ["a"]},)}
    desk["card"]["C1"]["tags"].append("b")
    assert before["card"][0]["tags"] == ["a"]
    assert (backend.records() or {})["card"][0]["tags"] == ["a", "b"]
    assert backend.bookings() == ()
    assert not backend.keeps_bookings


def test_values_of_databases_become_plain() -> None:
    day = datetime.datetime(2026, 11, 23, 14, 30)
    found = records(lambda: {"x": [{"when": day, "price": decimal.Decimal("9.50"), 1: b"raw"}]})
    assert found == {"x": ({"when": "2026-11-23T14:30:00", "price": "9.50", "1": "b'raw'"},)}


def test_bookings_are_records_of_their_domains() -> None:
    class Books:
        def bookings(self) -> Any:
            return [Booking("hotel", "R1", {"day": "friday"}), {"domain": "hotel", "day": "monday"}]

    found = as_backend(Books()).records()
    assert found == {"hotel": ({"reference": "R1", "day": "friday"}, {"day": "monday"})}
    Books.keeps_bookings = False  # type: ignore[attr-defined]
    assert as_backend(Books()).records() is None


@pytest.mark.parametrize(
    ("source", "tables", "says"),
    [
        (7, None, "takes an SQLAlchemy engine.*got int 7"),
        (dict, None, "got type"),
        ("desk.db", None, "needs the tables"),
        ("desk.db", "visits", "expected e.g."),
        ("desk.db", ["visits; drop table visits"], "expected the name of a table"),
        ("desk.db", [3], "`tables` names 3"),
    ],
)
def test_a_source_of_another_sort(source: Any, tables: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        records_of(source, tables)


@pytest.mark.parametrize(
    "found", [None, [], "text", {"x": 1}, {"x": "text"}, {"x": [1]}, {"x": {"a": 1}}]
)
def test_records_that_are_none(found: Any) -> None:
    with pytest.raises(UsageError, match=r"RecordsBackend\.records\(\).*expected records by kind"):
        records(lambda: found)


def test_a_database_that_breaks_is_the_backends_fault(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="no such table: cards"):
        records(database(), ["cards"])
    with pytest.raises(BackendError, match="no such file"):
        records(tmp_path / "none.db", ["visits"])


def test_a_connection_of_another_thread_says_what_to_do() -> None:
    backend = as_backend(records_of(sqlite3.connect(":memory:"), ["visits"]))
    raised: list[BaseException] = []

    def look() -> None:
        try:
            backend.records()
        except BackendError as error:
            raised.append(error)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert "check_same_thread=False" in str(raised[0])
