"""The real databases: loaded once, searched fast; goals that cannot be met are known."""

from pathlib import Path

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.goals.multiwoz import load_goals


def test_sizes_and_tools(shared_data: Path) -> None:
    database = MultiwozDatabase.load(shared_data / "multiwoz")
    sizes = {domain: len(database.rows(domain)) for domain in database.domains}
    assert sizes == {
        "attraction": 79, "hospital": 66, "hotel": 33, "police": 1,
        "restaurant": 110, "train": 2828,
    }  # fmt: skip
    assert database is MultiwozDatabase.load(shared_data / "multiwoz" / "db" / "..")
    assert len(MultiwozBackend(database).tools) == 10


def test_goals_that_no_row_satisfies_word_for_word(shared_data: Path) -> None:
    database = MultiwozDatabase.load(shared_data / "multiwoz")
    goals = load_goals(shared_data / "multiwoz", "test")
    reasons = {goal.id: unsatisfiable(goal, database) for goal in goals}
    faults = {id: reason for id, reason in reasons.items() if reason is not None}
    assert sorted(faults) == ["MUL0842", "PMUL1342", "PMUL2351", "PMUL3907", "PMUL4368"]
    assert faults["PMUL2351"] == (
        "no restaurant in the database has name 'ask' word for word "
        "(the nearest is 'ask restaurant')"
    )


def test_trains_in_time(shared_data: Path) -> None:
    database = MultiwozDatabase.load(shared_data / "multiwoz")
    wanted = {"departure": "cambridge", "destination": "ely", "day": "mon", "arriveBy": "10:00"}
    assert [row["arriveBy"] for row in database.query("train", wanted)] == ["08:07", "06:07"]
