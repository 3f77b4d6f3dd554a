"""The desk keeps its appointments in a database behind SQLAlchemy."""

from typing import Any

import pytest
from desk import CANCEL, MOVE, DeskBot

from pytest_todeval import Dialogue, Goal, records_of


@pytest.fixture
def backend(goal: Goal, tmp_path: Any) -> Any:
    sql = pytest.importorskip("sqlalchemy")
    url, rows = f"sqlite:///{tmp_path / 'desk.db'}", list(goal.given["appointment"])
    engine = sql.create_engine(url, poolclass=sql.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql("create table visits (id, dentist, day)")
        connection.execute(sql.text("insert into visits values (:id, :dentist, :day)"), rows)
    return records_of(engine, {"appointment": "visits"})


@pytest.fixture
def tod_system(backend: Any) -> Any:
    run = backend.source.connect().exec_driver_sql
    return lambda: DeskBot(lambda id, day: run(MOVE, (day, id)), lambda id: run(CANCEL, (id,)))


@pytest.mark.goals("goals.yaml")
def test_the_appointments_stand_as_asked(dialogue: Dialogue) -> None:
    assert dialogue.success
