"""`todeval goals add`: what it writes, and what it leaves as it is."""

import json
from pathlib import Path

import pytest

from pytest_todeval.cli import main
from pytest_todeval.worlds.files.reading import load_goal_file

GOAL = {
    "id": "spa-1",
    "domains": {"spa": {"inform": {"treatment": "sauna"}, "book": {"day": "monday"}}},
}
FILE = """# ours
slots:
  spa: [treatment, day]
goals:
  - id: first   # keep
    domains: {spa: {book: {day: friday}}}
"""


def test_begins_a_file_with_its_database(tmp_path: Path) -> None:
    goal = {"id": "h-1", "domains": {"hotel": {"inform": {"area": "north"}, "request": ["phone"]}}}
    file = tmp_path / "pinned.yaml"
    assert main(["goals", "add", str(file), json.dumps(goal), "--database", "demo"]) == 0
    found = load_goal_file(file)
    assert found.database is not None
    assert [each.id for each in found.goals] == ["h-1"]


def test_appends_and_keeps_comments(tmp_path: Path) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text(FILE)
    assert main(["goals", "add", str(file), json.dumps(GOAL)]) == 0
    assert file.read_text().startswith(FILE)
    found = load_goal_file(file).goals
    assert [each.id for each in found] == ["first", "spa-1"]
    assert found[1].domains[0].book == {"day": "monday"}


@pytest.mark.parametrize(
    ("text", "goal", "told"),
    [
        (FILE, "{", "is no JSON"),
        (
            FILE,
            json.dumps({"id": "x", "domains": {"spa": {"inform": {"colour": "red"}}}}),
            "colour",
        ),
        (FILE + "name: ours\n", json.dumps(GOAL), "goals"),
    ],
)
def test_what_cannot_be_added_leaves_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, goal: str, told: str
) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text(text)
    assert main(["goals", "add", str(file), goal]) == 2
    assert told in capsys.readouterr().err
    assert file.read_text() == text
