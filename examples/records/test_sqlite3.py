"""The desk keeps its appointments in an SQLite database."""

import sqlite3
from typing import Any

import pytest
from desk import CANCEL, MOVE, DeskBot

from pytest_todeval import Dialogue, Goal, records_of


@pytest.fixture
def backend(goal: Goal) -> Any:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute("create table visits (id, dentist, day)")
    rows = goal.given["appointment"]
    database.executemany("insert into visits values (:id, :dentist, :day)", rows)
    return records_of(database, {"appointment": "visits"})


@pytest.fixture
def tod_system(backend: Any) -> Any:
    run = backend.source.execute
    return lambda: DeskBot(lambda id, day: run(MOVE, (day, id)), lambda id: run(CANCEL, (id,)))


@pytest.mark.goals("goals.yaml")
def test_the_appointments_stand_as_asked(dialogue: Dialogue) -> None:
    assert dialogue.success
