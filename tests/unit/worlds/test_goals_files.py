import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.goals.store import DEMO
from pytest_todeval.worlds.files.reading import load_goal_file
from pytest_todeval.worlds.files.world import FileWorld
from pytest_todeval.worlds.files.writing import goal_file_text
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World
from tests.support.steps import steps_of

SPA = """\
slots:
  spa:
    treatment: [massage, sauna, ice bath]
    day:
  hotel: [area, stars, internet]
goals:
  - id: sauna-on-monday
    message: You want a sauna.
    domains:
      spa:
        inform: {treatment: sauna}
        fail_inform: {treatment: ice bath}
        book: {day: 3}
        fail_book: {day: no}
        request: [day, day]
  - id: 2
    domains:
      hotel: {inform: {area: north, internet: true}, request: stars}
      spa: {inform: {treatment: Massage}, wants_booking: true}
"""


def written(tmp_path: Path, text: str, name: str = "my goals.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def complaints(tmp_path: Path, text: str, name: str = "goals.yaml") -> list[str]:
    path = written(tmp_path, text, name)
    with pytest.raises(InvalidFile) as caught:
        load_goal_file(path)
    return [line.removeprefix(str(path)) for line in str(caught.value).splitlines()]


def test_a_goal_file_becomes_goals(tmp_path: Path) -> None:
    found = FileWorld(written(tmp_path, SPA)).load()
    assert (found.name, found.world.published) == ("my-goals", False)
    assert found.world.backend(found.goals[0]) is None
    first, second = found.goals
    assert first.name == "my-goals/sauna-on-monday"
    assert first.message == ("You want a sauna.",)
    assert first.domains == (
        DomainGoal(
            domain="spa",
            inform={"treatment": "sauna"},
            fail_inform={"treatment": "ice bath"},
            book={"day": "3"},
            fail_book={"day": "no"},
            request=("day",),
            wants_booking=True,
        ),
    )
    assert [part.domain for part in second.domains] == ["hotel", "spa"]
    assert second.domains[0].inform["internet"] == "yes"
    assert [part.wants_booking for part in second.domains] == [False, True]


def test_goals_carry_labels(tmp_path: Path) -> None:
    labelled = SPA.replace("- id: 2", "- id: 2\n    labels: smoke")
    labelled = labelled.replace("message:", "labels: [refund, v1.2, refund]\n    message:")
    found = load_goal_file(written(tmp_path, labelled)).goals
    assert [goal.labels for goal in found] == [("refund", "v1.2"), ("smoke",)]
    assert load_goal_file(written(tmp_path, SPA)).goals[0].labels == ()


def test_json_and_a_bare_list_are_read_too(tmp_path: Path) -> None:
    goals = [{"id": "a", "domains": {"taxi": {"inform": {"leaveAt": "17:15"}}}}]
    found = load_goal_file(written(tmp_path, json.dumps(goals), "mine.json"))
    assert found.goals[0].domains[0].wants_booking
    again = load_goal_file(written(tmp_path, json.dumps({"goals": goals}), "mine.json"))
    assert again.goals == found.goals
    assert again.fingerprint != found.fingerprint


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "{area:",
            "{aera:",
            ":18: goals.1.domains.hotel.inform.aera: unknown slot 'aera'; did ",
        ),
        ("[day, day]", "[dya]", ":15: goals.0.domains.spa.request.0: unknown slot 'dya'; did you "),
        ("ent: sauna}", "ent: suana}", ":11: goals.0.domains.spa.inform.treatment: unknown value "),
        (
            "      hotel:",
            "      hotle:",
            ":18: goals.1.domains.hotle: unknown domain; did you mean",
        ),
        ("message:", "mesage:", ":8: goals.0.mesage: unknown key; did you mean 'message'? Known:"),
        ("request: [", "reqt: [", ":15: goals.0.domains.spa.reqt: unknown key; did you mean 'req"),
        ("id: 2", "id: a/b", ":16: goals.1.id: got 'a/b', expected letters, digits"),
        ("id: 2", "id: sauna-on-monday", ":16: goals.1.id: the id 'sauna-on-monday' is taken by"),
        ("- id: 2", "- id: 2\n    labels: [a b]", ":17: goals.1.labels.0: got 'a b', expected let"),
        ("- id: 2", "- id: 2\n    labels: {a: 1}", ":17: goals.1.labels: got a mapping"),
        ("- id: 2", "- name: 2", ":16: goals.1.id: missing"),
        ("day: 3", "day: 3.50", ":13: goals.0.domains.spa.book.day: got a decimal number; put it"),
        ("day: 3", "day:", ":13: goals.0.domains.spa.book.day: got no value"),
        ("day: 3", "day: [3]", ":13: goals.0.domains.spa.book.day: got a list"),
        ("day: no", "day: 3", ":14: goals.0.domains.spa.fail_book.day: changes nothing"),
        ("book: {day: 3}", "book: {}", ":14: goals.0.domains.spa.fail_book.day: is not in `book`"),
        ("ice bath}", "sauna}", ":12: goals.0.domains.spa.fail_inform: equals `inform`"),
        (", wants_booking: true", ", wants_booking: so", ":19: goals.1.domains.spa.wants_booking"),
        ("goals:", "gaols:", ":1: goals: missing"),
        ("slots:", "database: nowhere\nslots:", ":1: database: got 'nowhere', expected `multiwoz"),
        ("slots:", "slots: [", ":3: broken YAML"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in SPA
    found = complaints(tmp_path, SPA.replace(old, new))
    assert any(line.startswith(expected) for line in found), found


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    entries = "\n".join(f"- id: g{n}\n  domains: {{spa: {{}}}}" for n in range(30))
    found = complaints(tmp_path, entries)
    assert len(found) == 21
    assert found[1] == (
        ":4: goals.1.domains.spa: asks for nothing; expected `inform`, `book` or `request`"
    )
    assert found[-1] == "... and 10 more"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ": got nothing, expected `goals:` with"),
        ("- a", ":1: goals.0: got 'a', expected a mapping"),
        (
            "- id: a\n  domains: {}",
            ":2: goals.0.domains: got no domains, expected at least one (or",
        ),
        ("- id: a\n  domains:\n    spa:", ":3: goals.0.domains.spa: got nothing, expected a map"),
        ("- id: a\n  domains: {1: {request: [b]}}", ":2: goals.0.domains.1: got 1"),
    ],
)
def test_other_shapes_say_what_is_expected(tmp_path: Path, text: str, expected: str) -> None:
    assert complaints(tmp_path, text)[0].startswith(expected)


@pytest.mark.parametrize("name", ["goals.json", "goals.yaml"])
def test_ten_times_the_goals_take_ten_times_the_steps(tmp_path: Path, name: str) -> None:
    def steps(count: int) -> int:
        values = [f"v{n}" for n in range(count)]
        inform = {"treatment": "V0", "day": "monday"}
        goals = [
            {"id": f"g{n}", "domains": {"spa": {"inform": {**inform, "treatment": values[n]}}}}
            for n in range(count)
        ]
        file = {"slots": {"spa": {"treatment": values, "day": None}}, "goals": goals}
        path = written(tmp_path, json.dumps(file, indent=1), name)
        return steps_of(lambda: load_goal_file(path))

    steps(1)  # what is imported or compiled once
    assert steps(300) < 10.5 * steps(30)


def test_many_mistakes_take_no_more_steps_each(tmp_path: Path) -> None:
    def steps(count: int) -> int:
        slots = {f"s{n}": "x" for n in range(count)}
        goal = {"id": "a", "domains": {"spa": {"inform": slots, "request": list(slots)}}}
        file = {"slots": {"spa": [f"t{n}" for n in range(count)]}, "goals": [goal]}
        path = written(tmp_path, json.dumps(file), "goals.json")

        def complain() -> None:
            with pytest.raises(InvalidFile, match=f"and {2 * count - 20} more"):
                load_goal_file(path)

        return steps_of(complain)

    steps(21)
    assert steps(1000) < 10.5 * steps(100)


def test_with_the_demo_database_its_slots_are_known(tmp_path: Path) -> None:
    text = """\
database: demo
goals:
- id: a
  domains:
    train: {inform: {leaveAt: 17:15}, book: {people: 2}, request: [trainID]}
    %s
"""
    found = FileWorld(written(tmp_path, text % "taxi: {inform: {departure: x}}")).load()
    assert found.world == FileWorld(tmp_path / "my goals.yaml", database=DEMO)
    assert found.goals[0].domains[0].inform == {"leaveAt": "17:15"}
    assert complaints(tmp_path, text % "hotel: {inform: {food: thai}}")[0].startswith(
        ":6: goals.0.domains.hotel.inform.food: unknown slot 'food'; "
    )
    assert (
        ":6: goals.0.domains.spa: unknown domain; "
        in complaints(tmp_path, text % "spa: {request: [x]}")[0]
    )


def test_a_folder_beside_the_file_may_be_the_database(tmp_path: Path) -> None:
    (tmp_path / "town" / "db").mkdir(parents=True)
    (tmp_path / "town" / "db" / "hotel_db.json").write_text("[]")
    text = "database: town\ngoals:\n- id: a\n  domains: {spa: {request: [anything]}}\n"
    path = written(tmp_path, text)
    assert FileWorld(path).load().world == FileWorld(path, database=tmp_path / "town")


HEADSET = """\
- id: no-sound
  message: Your headset plays no sound.
  solution: Switch off the mute key.
"""


def test_troubleshooting_takes_a_message_and_a_solution_and_no_domains(tmp_path: Path) -> None:
    goal = load_goal_file(written(tmp_path, HEADSET)).goals[0]
    assert goal.solution == "Switch off the mute key."
    assert goal.message == ("Your headset plays no sound.",)
    assert goal.domains == ()
    both = HEADSET + "  domains: {spa: {request: [phone]}}\n"
    assert load_goal_file(written(tmp_path, both)).goals[0].solution == goal.solution


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "solution:",
            "answer:",
            ":3: goals.0.answer: unknown key; did you mean 'user'? Known: id, message, solution",
        ),
        ("  solution: Switch off the mute key.\n", "", ":1: goals.0: got no domains, expected at"),
        ("  message: Your headset plays no sound.\n", "", ":1: goals.0: a `solution` without dom"),
        ("no sound.", "sound, so switch  off the MUTE key.", ":2: goals.0.message: gives the sol"),
        ("Switch off the mute key.", "", ":3: goals.0.solution: got no value"),
        ("Switch off the mute key.", "[a]", ":3: goals.0.solution: got a list"),
    ],
)
def test_a_mistake_in_troubleshooting_is_told(
    tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert old in HEADSET
    found = complaints(tmp_path, HEADSET.replace(old, new))
    assert found[0].startswith(expected), found


@pytest.mark.parametrize("text", ["goals: []\n", "[]\n"])
def test_a_file_without_goals_is_no_goal_file(tmp_path: Path, text: str) -> None:
    assert complaints(tmp_path, text) == [
        ":1: goals: there are no goals in it: a test of them would test nothing"
    ]


@pytest.mark.parametrize("as_json", [True, False])
def test_goals_that_are_written_are_read_again(tmp_path: Path, as_json: bool) -> None:
    goals = FileWorld(written(tmp_path, SPA)).load()
    database = tmp_path / "tables"
    database.mkdir()
    (database / "spa_db.json").write_text("[]", encoding="utf-8")
    (database / "hotel_db.json").write_text("[]", encoding="utf-8")
    own = GoalSet("own", goals.goals, "0", FileWorld(tmp_path, database=database))
    path = tmp_path / "deep" / ("goals.json" if as_json else "goals.yaml")
    text = goal_file_text(own, beside=path, title="Ours", as_json=as_json)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert (text[0] == "{") is as_json
    assert as_json or text.startswith("# Ours\n")
    assert text.endswith("\n")
    content = yaml.safe_load(text)
    assert content["database"] == "../tables"
    assert content["goals"][0]["domains"]["spa"] == {
        "inform": {"treatment": "sauna"},
        "fail_inform": {"treatment": "ice bath"},
        "book": {"day": "3"},
        "fail_book": {"day": "no"},
        "request": ["day"],
    }
    assert content["goals"][1]["domains"]["spa"] == {
        "inform": {"treatment": "Massage"},
        "wants_booking": True,
    }
    again = FileWorld(path).load().goals
    assert [each.domains for each in again] == [each.domains for each in goals.goals]
    assert [each.message for each in again] == [each.message for each in goals.goals]


def test_where_a_goal_file_says_its_database_is(tmp_path: Path) -> None:
    def database(name: str, world: Any) -> str:
        found = goal_file_text(GoalSet(name, (), "0", world), beside=None, title="", as_json=True)
        told = json.loads(found)["database"]
        assert isinstance(told, str)
        return told

    assert database("own", FileWorld(tmp_path, database=DEMO)) == "demo"
    assert database("synthetic/multiwoz", FileWorld(tmp_path, database=tmp_path)) == "multiwoz"
    here = database("multiwoz/own", FileWorld(tmp_path, database=tmp_path))
    assert Path(here).resolve() == tmp_path.resolve()
    with pytest.raises(UsageError, match="own: its world has no database"):
        database("own", World())
