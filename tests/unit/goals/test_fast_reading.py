"""Goals are read without the logs around them, from a zip as well, and nothing is lost by it."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing, InvalidFile
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
