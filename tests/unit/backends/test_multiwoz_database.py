"""Rows, queries and files of the MultiWOZ databases."""

import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.multiwoz import MultiwozDatabase
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.backends.table_files import TaxiFleet
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import DataMissing, InvalidFile

ROWS: dict[str, list[dict[str, Any]]] = {
    "restaurant": [
        {"name": "the golden wok", "area": "north", "food": "chinese", "pricerange": "moderate"},
        {"name": "café rosa's", "area": "centre", "food": "modern european", "pricerange": "?"},
        {"name": "le bistro", "area": "centre", "food": "european", "pricerange": "cheap"},
    ],
    "hotel": [{"name": "worth house", "internet": "yes", "stars": 4, "type": "guesthouse"}],
    "train": [
        {"trainID": f"TR{hour}", "day": "monday", "departure": "ely", "destination": "cambridge",
         "leaveAt": f"{hour:02d}:00", "arriveBy": f"{hour + 1:02d}:05"}
        for hour in (9, 23, 7, 11)
    ],
}  # fmt: skip


@pytest.fixture
def database() -> MultiwozDatabase:
    return MultiwozDatabase(ROWS)


@pytest.mark.parametrize(
    ("domain", "constraints", "found"),
    [
        ("restaurant", {"area": "Center"}, ["café rosa's", "le bistro"]),
        ("restaurant", {"area": "centre", "pricerange": "cheap"}, ["café rosa's", "le bistro"]),
        ("restaurant", {"pricerange": "expensive"}, ["café rosa's"]),
        ("restaurant", {"food": "european"}, ["le bistro"]),
        ("restaurant", {"name": "Golden Wok restaurant"}, ["the golden wok"]),
        ("restaurant", {"name": "cafe rosas"}, ["café rosa's"]),
        ("restaurant", {"name": "silver wok"}, []),
        ("restaurant", {"area": "don't care", "food": "chinese"}, ["the golden wok"]),
        ("restaurant", {"area": "", "food": "chinese"}, ["the golden wok"]),
        ("restaurant", {"stars": "4"}, []),
        ("hotel", {"internet": "free", "stars": "four", "type": "guest house"}, ["worth house"]),
        ("hotel", {"internet": "no"}, []),
        ("hotel", {"stars": "5"}, []),
        ("spaceport", {}, []),
    ],
)
def test_query(
    database: MultiwozDatabase, domain: str, constraints: Mapping[str, str], found: list[str]
) -> None:
    assert [row["name"] for row in database.query(domain, constraints)] == found


@pytest.mark.parametrize(
    ("constraints", "found"),
    [
        ({"leaveAt": "08:30"}, ["TR9", "TR11", "TR23"]),
        ({"leaveAt": "9 am"}, ["TR9", "TR11", "TR23"]),
        ({"arriveBy": "12:05"}, ["TR11", "TR9", "TR7"]),
        ({"arriveBy": "12:04"}, ["TR9", "TR7"]),
        ({"arriveBy": "24:30", "leaveAt": "12:00"}, ["TR23"]),
        ({"leaveAt": "whenever"}, []),
        ({}, ["TR9", "TR23", "TR7", "TR11"]),
    ],
)
def test_trains_leave_after_and_arrive_before(
    database: MultiwozDatabase, constraints: Mapping[str, str], found: list[str]
) -> None:
    assert [row["trainID"] for row in database.query("train", constraints)] == found


def test_a_train_of_any_time_suits_and_one_of_no_time_does_not() -> None:
    times = {"any": "?", "next": "00:01", "first": "00:00", "none": "on request"}
    rows = [{"trainID": name, "leaveAt": time} for name, time in times.items()]
    found = MultiwozDatabase({"train": rows}).query("train", {"leaveAt": "midnight"})
    assert [row["trainID"] for row in found] == ["any", "first", "next"]


def test_rows_are_shared_and_immutable(database: MultiwozDatabase) -> None:
    (place,) = MultiwozDatabase({"hotel": [{"location": [1.5, {"x": [2]}]}]}).rows("hotel")
    assert place["location"] == (1.5, {"x": (2,)})
    (row,) = database.query("restaurant", {"name": "le bistro"})
    assert row is database.rows("restaurant")[2]
    with pytest.raises(TypeError):
        row["name"] = "mine"  # type: ignore[index]


def test_queries_are_remembered_whatever_the_spelling(database: MultiwozDatabase) -> None:
    once = database.query("restaurant", {"area": "centre"})
    assert database.query("restaurant", {"area": "Center"}) is once


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}_db.json").write_text(content, encoding="utf-8")
    return folder


TAXI = json.dumps({"taxi_colors": ["green"], "taxi_types": ["fiat"], "taxi_phone": ["^[0-9]{10}$"]})


def test_loads_files_folders_and_zips(tmp_path: Path) -> None:
    write(tmp_path / "db", hotel=json.dumps(ROWS["hotel"]), taxi=TAXI)
    archive = tmp_path / "world.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for part in ("hotel", "taxi"):
            file.write(tmp_path / "db" / f"{part}_db.json", f"data/db/{part}_db.json")
        for name in ("data/readme.txt", "__MACOSX/data/db/._hotel_db.json"):
            file.writestr(name, "no json")
    places = (tmp_path, tmp_path / "db", archive)
    loaded = [MultiwozDatabase.load(place) for place in places]
    assert {database.fingerprint for database in loaded} == {loaded[0].fingerprint}
    for database in loaded:
        assert database.rows("hotel")[0]["stars"] == "4"
        assert database.taxis == TaxiFleet(("green",), ("fiat",))
        assert "taxi" in database.vocabulary().names
    assert MultiwozDatabase.load(tmp_path) is loaded[0]


def test_numbers_become_text_and_a_fleet_may_stand_in_a_list(tmp_path: Path) -> None:
    rows = '[{"stars": 4, "price": 2.5, "open": true, "near": [1, "a"], "name": "inn"}]'
    database = MultiwozDatabase.load(write(tmp_path, hotel=rows, taxi=f"[{TAXI}]"))
    (row,) = database.rows("hotel")
    assert dict(row) == {
        "stars": "4", "price": "2.5", "open": True, "near": (1, "a"), "name": "inn",
    }  # fmt: skip
    assert database.taxis == TaxiFleet(("green",), ("fiat",))


def test_fingerprint_tells_data_apart(tmp_path: Path) -> None:
    one = MultiwozDatabase.load(write(tmp_path / "a", hotel="[]"))
    other = MultiwozDatabase.load(write(tmp_path / "b", hotel="[{}]"))
    assert one.fingerprint != other.fingerprint
    assert len(one.fingerprint) == 12


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"hotel": "[{"}, r"hotel_db\.json: not JSON: .*line 1"),
        ({"hotel": '{"a": 1}'}, r"hotel_db\.json: expected a list of rows, found an object"),
        ({"hotel": "[3]"}, r"hotel_db\.json: row 0: expected an object, found 3"),
        ({"hotel": "[" * 200_000}, r"hotel_db\.json: not JSON"),
        ({"taxi": "[]"}, r"taxi_db\.json: expected a non-empty list of strings `taxi_colors`"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(InvalidFile, match=message):
        MultiwozDatabase.load(write(tmp_path, **files))


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="no such folder"):
        MultiwozDatabase.load(tmp_path / "nowhere")
    with pytest.raises(DataMissing, match=r"no databases there; expected files such as"):
        MultiwozDatabase.load(tmp_path)


def test_file_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "world.zip"
    path.write_text("no zip")
    with pytest.raises(InvalidFile, match="expected a folder or a zip"):
        MultiwozDatabase.load(path)


@pytest.mark.parametrize(
    ("inform", "reason"),
    [
        ({"area": "north", "food": "chinese"}, None),
        ({"name": "THE golden wok"}, None),
        ({"name": "golden wok"}, "'golden wok' word for word (the nearest is 'the golden wok')"),
        ({"name": "silver wok"}, "no restaurant in the database has name 'silver wok'"),
        (
            {"area": "north", "food": "european"},
            "no restaurant in the database meets all of: area 'north', food 'european'",
        ),
    ],
)
def test_unsatisfiable(
    database: MultiwozDatabase, inform: dict[str, str], reason: str | None
) -> None:
    goal = Goal("X1", "mine", (DomainGoal("restaurant", inform),))
    found = unsatisfiable(goal, database)
    assert found is None if reason is None else reason in str(found)


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        (DomainGoal("restaurant", {"food": "thai"}, refusal=True), None),
        (
            DomainGoal("restaurant", {"food": "chinese"}, refusal=True),
            "the goal expects a refusal, but the golden wok is a restaurant that meets it",
        ),
        (
            DomainGoal("train", {"day": "monday"}, refusal=True),
            "the goal expects a refusal, but TR9 is a train that meets it",
        ),
        (DomainGoal("restaurant", {"food": "chinese"}, book={"people": "99"}, refusal=True), None),
        (DomainGoal("train", {"leaveAt": "08:30", "day": "any"}), None),
        (
            DomainGoal("train", {"leaveAt": "23:30"}),
            "no train in the database has leaveAt '23:30'",
        ),
    ],
)
def test_a_refusal_needs_a_goal_that_no_row_meets(
    database: MultiwozDatabase, part: DomainGoal, reason: str | None
) -> None:
    assert unsatisfiable(Goal("X1", "mine", (part,)), database) == reason


def test_domains_without_a_database_have_nothing_to_satisfy(database: MultiwozDatabase) -> None:
    goal = Goal("X1", "mine", (DomainGoal("taxi", {"leaveAt": "09:00"}),))
    assert unsatisfiable(goal, database) is None
