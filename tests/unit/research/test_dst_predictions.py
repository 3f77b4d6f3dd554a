"""Predicted states over the corpus' own dialogues, with its labels."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import DataMissing, InvalidFile
from pytest_todeval.evaluate.metrics.state_tracking.labels import labelled
from pytest_todeval.research.offline.transcripts import KnownGoals, Transcripts, read_transcripts

NAME = "MUL9001.json"


def metadata(**slots: str) -> dict[str, Any]:
    return {"hotel": {"semi": {"area": "", "stars": "", **slots}, "book": {"booked": []}}}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    log = [
        {"text": "A room in the north.", "metadata": {}},
        {"text": "How many stars?", "metadata": metadata(area="north")},
        {"text": "Four.", "metadata": {}},
        {"text": "The Willow.", "metadata": metadata(area="north", stars="4")},
    ]
    goal = {"hotel": {"info": {"area": "north", "stars": "4"}, "reqt": []}, "message": ["You ..."]}
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "test.json").write_text(json.dumps({NAME: {"goal": goal, "log": log}}))
    return folder


def read(folder: Path, corpus: Path, predicted: object) -> Transcripts:
    path = folder / "predicted.json"
    path.write_text(json.dumps(predicted), encoding="utf-8")
    return read_transcripts(path, "dst", KnownGoals(settings={"data": corpus}))


def states(*areas: str) -> list[dict[str, Any]]:
    return [{"state": {"hotel": {"area": area}}} for area in areas]


def test_the_corpus_speaks_and_its_labels_stand_beside_the_prediction(
    tmp_path: Path, corpus: Path
) -> None:
    (one,) = read(tmp_path, corpus, {"mul9001": states("north", "north")}).found
    assert one.id == one.dialogue.goal.name == "multiwoz/MUL9001"
    spoken = [(turn.user, turn.system) for turn in one.dialogue.turns]
    assert spoken == [("A room in the north.", "How many stars?"), ("Four.", "The Willow.")]
    assert [turn.index for turn in one.dialogue.turns] == [1, 2]
    assert one.labels is not None
    report = labelled(one.dialogue, one.labels)
    values = {name: [score.value for score in found] for name, found in report.scores.items()}
    # the second turn misses the stars: one of the 30 slots
    assert values["turn_state_accuracy"] == [1, 0]
    assert values["joint_goal_accuracy"] == [1, 0]
    assert values["slot_accuracy"] == [1, pytest.approx(29 / 30)]


def test_a_tracker_may_predict_what_a_turn_changes(tmp_path: Path, corpus: Path) -> None:
    turns = [{"turn_state": {"hotel": {"area": "north"}}}, {"turn_state": {"hotel": {"stars": 4}}}]
    (one,) = read(tmp_path, corpus, {NAME: turns}).found
    assert one.labels is not None
    report = labelled(one.dialogue, one.labels)
    assert [score.value for score in report.joint_goal_accuracy] == [1, 1]


@pytest.mark.parametrize(
    ("predicted", "told"),
    [
        ({}, "no dialogues; expected an object of dialogues by id"),
        ([], "expected an object, got list []"),
        ({"mul1": []}, "mul1: no such dialogue in"),
        ({NAME: 3}, f"{NAME}: expected a list, got int 3"),
        ({NAME: states("north")}, f"{NAME}: expected 2 turns, as the corpus has, got list"),
        ({NAME: [{"response": "x"}, *states("x")]}, "0.state: expected a belief state, or a"),
        ({NAME: [{"state": []}, *states("x")]}, "0.state: expected an object, got list []"),
    ],
)
def test_predictions_that_do_not_fit_are_refused(
    predicted: object, told: str, tmp_path: Path, corpus: Path
) -> None:
    with pytest.raises(InvalidFile) as raised:
        read(tmp_path, corpus, predicted)
    assert told in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / "predicted.json"))


def test_without_the_corpus_it_is_told_how_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="todeval data get multiwoz"):
        read(tmp_path, tmp_path / "none", {NAME: states("x", "y")})
