"""Variations of the user's words by marker and option, in the results and as recorded."""

import json
from typing import Any

import pytest

TEST = """
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator():
    return ScriptedUser(["I need a restaurant in the north, please.", "Thank you."])

@pytest.fixture
def tod_system():
    def respond(text):
        return f"You said: {len(text)} letters."
    return respond

@pytest.mark.goals("demo", limit=1)
def test_option(dialogue):
    assert dialogue.variation == "speech"
    assert dialogue.turns[0].meant == "I need a restaurant in the north, please."

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(variation="hard")
def test_marker(dialogue):
    assert dialogue.variation == "hard"

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(variation="none")
def test_none(dialogue):
    assert dialogue.variation == dialogue.turns[0].meant == ""
"""


def test_marker_and_option_stand_in_the_results(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST)
    done = pytester.runpytest("--todeval-variation=speech", "--todeval-json=out.json")
    done.assert_outcomes(passed=3)
    results: Any = json.loads((pytester.path / "out.json").read_text(encoding="utf-8"))
    entries = results["dialogues"]
    assert sorted(entry.get("variation", "") for entry in entries) == ["", "hard", "speech"]
    assert {entry["user"] for entry in entries} == {"ScriptedUser"}
    assert results["summary"]["variations"].keys() == {"plain", "hard", "speech"}
    about = results["environment"]
    assert about["settings"]["variation"] == "speech"
    hard, speech = about["users"]["ScriptedUser"]["variation"]
    assert hard.startswith("hard by rule 1 (")
    assert speech.startswith("speech by rule 1 (")
