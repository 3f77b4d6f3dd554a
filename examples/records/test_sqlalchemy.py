"""The desk keeps its appointments in a database behind SQLAlchemy."""

from typing import Any

import pytest
from desk import CANCEL, MOVE, DeskBot

from pytest_todeval import Goal, records_of

sql = pytest.importorskip("sqlalchemy")


@pytest.fixture
def backend(goal: Goal, tmp_path: Any) -> Any:
    engine = sql.create_engine(f"sqlite:///{tmp_path / 'desk.db'}", poolclass=sql.NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("create table visits (id, dentist, day)")
        for row in goal.given["appointment"]:
            connection.execute(sql.text("insert into visits values (:id, :dentist, :day)"), row)
    return records_of(engine, {"appointment": "visits"})


@pytest.fixture
def tod_system(backend: Any) -> Any:
    def run(statement: str, *values: str) -> None:
        with backend.source.begin() as connection:
            connection.exec_driver_sql(statement, values)

    return lambda: DeskBot(lambda id, day: run(MOVE, day, id), lambda id: run(CANCEL, id))


@pytest.mark.goals("goals.yaml")
def test_the_appointments_stand_as_asked(dialogue: Any) -> None:
    assert dialogue.success
