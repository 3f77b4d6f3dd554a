"""The desk keeps its appointments in a dict."""

from typing import Any

import pytest
from desk import DeskBot

from pytest_todeval import Dialogue, Goal, Judge, records_of


@pytest.fixture
def backend(goal: Goal) -> Any:
    return records_of({"appointment": {row["id"]: dict(row) for row in goal.given["appointment"]}})


@pytest.fixture
def tod_system(backend: Any) -> Any:
    book = backend.source["appointment"]
    return lambda: DeskBot(lambda id, day: book[id].update(day=day), lambda id: book.pop(id))


@pytest.mark.goals("goals.yaml")
def test_the_appointments_stand_as_asked(dialogue: Dialogue, judge: Judge) -> None:
    assert dialogue.booking.basis == "verified"
    assert judge.approves(dialogue)
