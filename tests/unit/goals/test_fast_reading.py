"""Goals are read without the logs around them, from a zip as well, and nothing is lost by it."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing, InvalidFile
from pytest_todeval.goals.corpus import goals_only, open_corpus
from pytest_todeval.goals.multiwoz import load_goals

ABSENT: dict[str, Any] = {name: {} for name in ("taxi", "police", "hospital")}
GOAL = {**ABSENT, "hotel": {"info": {"area": "north"}}, "message": [], "topic": {}}


def test_a_dialogue_without_goal_is_found_behind_others_without_reading_their_logs(
    tmp_path: Path,
) -> None:
    whole = {"A": {"goal": GOAL, "log": []}, "B": {"log": [{"x": []}]}}
    for text in (json.dumps(whole), json.dumps(whole)[:-1]):
        (tmp_path / "test.json").write_text(text)
        with pytest.raises(InvalidFile, match=r"B: got the keys log|not JSON"):
            load_goals(tmp_path, "test")


def test_data_may_lie_two_folders_deep_in_a_zip(tmp_path: Path) -> None:
    text = json.dumps({"A": {"goal": GOAL, "log": []}})
    for name, found in (("a/b/test.json", True), ("a/b/c/test.json", False)):
        place = tmp_path / f"{found}.zip"
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr(name, text)
        if found:
            assert [goal.id for goal in load_goals(place, "test")] == ["A"]
        else:
            with pytest.raises(DataMissing):
                load_goals(place, "test")


def test_files_and_folders_beside_the_data_are_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "packed.zip"
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("readme.txt", "no data")
        archive.writestr("__MACOSX/test.json", "{}")
    (tmp_path / "notes.txt").write_text("no data")
    assert open_corpus(place) is None
    assert open_corpus(tmp_path / "notes.txt") is None
    assert open_corpus(tmp_path / "gone.zip") is None
    with pytest.raises(InvalidFile, match="cannot be read: File name too long"):
        open_corpus(Path("x" * 300))


def test_a_split_needs_its_list_and_training_data_both(tmp_path: Path) -> None:
    (tmp_path / "testListFile.txt").write_text("A.json\n")
    (tmp_path / "data.json").write_text(json.dumps({"A.json": {"goal": GOAL, "log": []}}))
    for name, splits in (("", ("test",)), ("valListFile.json", ("train", "val", "test"))):
        (tmp_path / (name or "other.txt")).write_text("")
        corpus = open_corpus(tmp_path)
        assert corpus is not None
        assert corpus.splits == splits
    (tmp_path / "data.json").rename(tmp_path / "dialogues.json")
    (tmp_path / "val.json").write_text("{}")
    corpus = open_corpus(tmp_path)
    assert corpus is not None
    assert corpus.splits == ("val",)


DIALOGUES = {name: {"goal": {"n": [name]}, "log": [{"text": name}]} for name in "ABC"}


@pytest.mark.parametrize("indent", [None, 0, 4])
def test_goals_are_read_without_what_was_said(indent: int | None) -> None:
    text = json.dumps(DIALOGUES, indent=indent)
    goals = {name: {"n": [name]} for name in "ABC"}
    assert goals_only(f" {text}") == goals
    assert goals_only(text.replace('"log": [', '"log": [ "cut", ')) == goals
    assert goals_only(text.replace('": {', '":{').replace('"goal": ', '"goal":')) == goals


def of_one(name: str, end: str = "", text: str = "") -> str:
    return '{"' + name + '": {"goal": {}, "log": ["' + text + '"]}}' + end


def test_the_least_doubt_has_the_whole_file_read() -> None:
    assert goals_only(of_one("A")) == {"A": {}}
    assert goals_only(of_one("A" * 192)) == {"A" * 192: {}}
    assert goals_only(of_one("A", text='\\"goal\\": {}, \\"log\\":')) == {"A": {}}
    assert goals_only(of_one("A", " " * 97)) == {"A": {}}
    for doubtful in (
        of_one("A" * 200),
        of_one("A", " " * 98),
        of_one("A", ","),
        of_one("A", "}"),
        of_one("A", text='", "goal":{}, "'),
        of_one("A").replace('"log"', '"said"'),
        of_one("A").replace('"goal": {}, ', '"goal": {}, "n": 1, '),
        of_one("A").replace('{"goal"', '{"n": 1, "goal"'),
        of_one("A").replace("{}", "{"),
        of_one("A").replace('["', '["' + "]}, ").replace("{}", "[" * 100_000),
        of_one("A")[:-1] + ", " + of_one("A")[1:],
        "{}",
    ):
        assert not goals_only(doubtful)
