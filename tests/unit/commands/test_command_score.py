"""`todeval score` from file to table and results file; and what it says of bad input."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.runs.reports.results import read_results
from tests.support.corpus_world import GOOD_HOTEL, GOOD_TRAIN, write_predictions, write_world


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return write_world(tmp_path / "multiwoz")


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    return tmp_path / "bot.json"


def run(file: Path, world: Path, *options: str, format: str = "mwzeval") -> int:
    return main(["score", str(file), "--format", format, "--data", str(world), *options])


def test_table_and_results_file(
    world: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_predictions(predictions, {"sng01": GOOD_HOTEL, "MUL02.json": GOOD_TRAIN[:1]})
    out = predictions.with_name("out.json")
    assert run(predictions, world, "--json", str(out)) == 0
    table = capsys.readouterr().out
    assert "bot.json (mwzeval): 2 dialogues (2 passed)" in table
    assert "dialogues  100.0% 2/2  100.0% 2/2" in table
    assert "hotel      100.0% 1/1  100.0% 1/1" in table
    assert "inform: multiwoz-corpus 1" in table
    assert "note: with fewer turns than the corpus, scored as is: mul02" in table
    assert "note: booked domains are derived" in table
    found = read_results(out)
    assert found["environment"]["metrics"]["inform"] == "multiwoz-corpus 1"
    assert set(found["environment"]["goal_sets"]) == {"multiwoz/test", "multiwoz/db"}
    train, hotel = found["dialogues"]
    assert hotel["test"] == "bot.json[multiwoz/SNG01]"
    assert train["goal"] == "multiwoz/MUL02"
    assert hotel["metrics"]["inform"] is True
    assert hotel["metrics"]["booking"] is None
    assert [turn["user"] for turn in hotel["turns"]] == ["user 1", "user 2", "user 3"]
    assert hotel["turns"][1]["state"] == {"hotel": {"area": "north", "stars": "4"}}


def test_missing_dialogues_are_named(
    world: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    assert run(predictions, world) == 0
    assert "1 of the 2 dialogues of test; missing, and not counted: mul02" in (
        capsys.readouterr().out
    )


def test_a_file_of_booked_domains_wins(world: Path, predictions: Path, tmp_path: Path) -> None:
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    booked = write_predictions(tmp_path / "booked.json", {"sng01": [[], [], []]})
    out = tmp_path / "out.json"
    assert run(predictions, world, "--json", str(out)) == 0
    assert read_results(out)["dialogues"][0]["outcome"] == "passed"
    assert run(predictions, world, "--json", str(out), "--booked", str(booked)) == 0
    entry = read_results(out)["dialogues"][0]
    assert entry["outcome"] == "failed"
    assert entry["verdicts"]["success"]["reason"] == "hotel: never given: REFERENCE"


def test_what_a_file_beside_the_data_lacks_is_derived(
    world: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    (world / "evaluation").mkdir()
    beside = write_predictions(world / "evaluation" / "booked_domains.json", {"mul02": [[], []]})
    assert run(predictions, world) == 0
    told = capsys.readouterr().out
    assert "1 passed" in told
    assert "note: booked domains are derived" in told
    assert run(predictions, world, "--booked", str(beside)) == 2
    assert "booked_domains.json: 0 turns of sng01, expected 3" in capsys.readouterr().err


def test_without_states_gold_states_are_taken(
    world: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [{"response": turn["response"]} for turn in GOOD_HOTEL]
    write_predictions(predictions, {"sng01": texts})
    out = tmp_path / "out.json"
    assert run(predictions, world, "--json", str(out)) == 0
    assert "gold states, the annotated states of the corpus" in capsys.readouterr().out
    assert read_results(out)["dialogues"][0]["turns"][1]["state"] == {
        "hotel": {"area": "north", "stars": "4"}
    }
    write_predictions(world / "gold_states.json", {"sng01": [{}, {}, {}]})
    assert run(predictions, world, "--json", str(out)) == 0
    assert read_results(out)["dialogues"][0]["outcome"] == "failed"


def test_bleu_against_references(
    world: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sacrebleu")
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    same = [turn["response"].replace("value_", "hotel_") for turn in GOOD_HOTEL]
    references = write_predictions(tmp_path / "references.json", {"sng01": same})
    assert run(predictions, world, "--bleu", str(references)) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["inform", "success", "bleu"] in rows
    assert ["dialogues", "100.0%", "1/1", "100.0%", "1/1", "100.0%", "of", "3"] in rows


def test_bleu_without_sacrebleu_names_the_extra(
    world: Path,
    predictions: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    references = write_predictions(tmp_path / "references.json", {"sng01": ["a", "b", "c"]})
    assert run(predictions, world, "--bleu", str(references)) == 2
    assert "pip install 'pytest-todeval[bleu]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"bot.json:1: not JSON"),
        ("[]", "bot.json: expected an object of dialogues by id"),
        ({"sng99": GOOD_HOTEL}, "sng99 not in the corpus at"),
        ({"sng01": GOOD_HOTEL, "SNG01.json": GOOD_HOTEL}, "are the same dialogue"),
        ({"sng01": [*GOOD_HOTEL, GOOD_HOTEL[0]]}, "sng01 has 4 turns, the corpus has 3"),
        ({"sng01": "hello"}, "sng01: expected a list of turns, got str 'hello'"),
        ({"sng01": ["hello"]}, 'sng01.0: expected an object with "response", got str'),
        ({"sng01": [{"state": {}}]}, "sng01.0.response: expected a string, got nothing"),
        ({"sng01": [{"response": "a", "state": []}]}, "sng01.0.state: expected an object"),
        (
            {"sng01": [{"response": "a", "state": {"hotel": {"area": ["north"]}}}]},
            "sng01.0.state.hotel.area: expected a string, got list",
        ),
        (
            {"sng01": [{"response": "a", "active_domains": "hotel"}]},
            "sng01.0.active_domains: expected a list of domains",
        ),
    ],
)
def test_bad_predictions(
    world: Path,
    predictions: Path,
    capsys: pytest.CaptureFixture[str],
    content: Any,
    message: str,
) -> None:
    predictions.write_text(content if isinstance(content, str) else json.dumps(content))
    assert run(predictions, world) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.out == ""


def test_hostile_predictions_are_scored(world: Path, predictions: Path, tmp_path: Path) -> None:
    response = "[value_name] \x00\u202e<script> " + "x" * 100_000
    turn = {"response": response, "state": {"__class__": {"{0}": "x" * 100_000}}}
    write_predictions(predictions, {"sng01": [turn] * 3})
    out = tmp_path / "out.json"
    assert run(predictions, world, "--json", str(out)) == 0
    assert read_results(out)["dialogues"][0]["turns"][0]["system"] == response


def test_short_booked_file(
    world: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    booked = write_predictions(tmp_path / "booked.json", {"sng01": [[]]})
    assert run(predictions, world, "--booked", str(booked)) == 2
    assert "booked.json: 1 turns of sng01, expected 3" in capsys.readouterr().err


def test_missing_file_and_missing_data(
    world: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(predictions, world) == 2
    assert "no file to score at" in capsys.readouterr().err
    write_predictions(predictions, {"sng01": GOOD_HOTEL})
    assert run(predictions, tmp_path / "nowhere") == 2
    assert "todeval data get multiwoz" in capsys.readouterr().err


def test_options_of_another_format_are_refused(
    world: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    predictions.write_text("{}")
    assert run(predictions, world, "--booked", "x", format="autotod") == 2
    assert "--booked cannot be combined with --format autotod" in capsys.readouterr().err
