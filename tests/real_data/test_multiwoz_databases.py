"""The real databases: loaded once, searched fast; every test goal can be met."""

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


def test_goals_whose_values_are_spelt_differently_can_be_met(shared_data: Path) -> None:
    """Five match no row word for word: "mutliple sports", "ask", "meze bar restaurant"."""
    database = MultiwozDatabase.load(shared_data / "multiwoz")
    goals = load_goals(shared_data / "multiwoz", "test")
    assert [goal.id for goal in goals if unsatisfiable(goal, database)] == []


def test_trains_in_time(shared_data: Path) -> None:
    database = MultiwozDatabase.load(shared_data / "multiwoz")
    wanted = {"departure": "cambridge", "destination": "ely", "day": "mon", "arriveBy": "10:00"}
    assert [row["arriveBy"] for row in database.query("train", wanted)] == ["08:07", "06:07"]
