"""The corpus metric equals its reference implementation, dialogue by dialogue, on real systems."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.research.offline.corpus.predictions import read_booked
from pytest_todeval.research.offline.corpus.records import CorpusRecords
from pytest_todeval.research.offline.corpus.scoring import score_predictions
from pytest_todeval.research.offline.stored import Scored

SYSTEMS = (
    "damd",
    pytest.param("ubar", marks=pytest.mark.thorough),
    pytest.param("galaxy-e2e", marks=pytest.mark.thorough),
)


@pytest.fixture(scope="module")
def multiwoz(shared_data: Path) -> Path:
    return shared_data / "multiwoz"


@pytest.fixture(scope="module")
def expected(multiwoz: Path) -> dict[str, Any]:
    text = (multiwoz / "evaluation" / "expected_inform_success.json").read_text()
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def scored(multiwoz: Path, system: str) -> Scored:
    return score_predictions(multiwoz / "evaluation" / "predictions" / f"{system}.json", multiwoz)


def test_every_dialogue_equals_the_reference(
    scored: Scored, system: str, expected: dict[str, Any]
) -> None:
    found = {
        dialogue.goal.id.lower(): [int(dialogue.inform.passed), int(dialogue.success.passed)]
        for dialogue in scored.dialogues
    }
    assert found == expected[system]["dialogues"]


def test_totals_of_every_domain_equal_the_reference(
    scored: Scored, system: str, expected: dict[str, Any]
) -> None:
    published = expected[system]["as_shipped"]["per_domain_[n,inform,success]"]
    found = {}
    for domain in published:
        names = [f"{m}/{domain}" if domain != "total" else m for m in ("inform", "success")]
        verdicts = [
            [d.verdicts[n] for n in names] for d in scored.dialogues if names[0] in d.verdicts
        ]
        hits = [sum(map(bool, column)) for column in zip(*verdicts, strict=True)]
        rates = [round(100 * hit / len(verdicts), 1) for hit in hits]
        found[domain] = [len(verdicts), *rates]
    assert found == published


def test_missing_dialogues_are_told(scored: Scored, system: str) -> None:
    missing = [note for note in scored.notes if "missing" in note]
    if system == "damd":
        assert missing == [
            "999 of the 1000 dialogues of test; missing, and not counted: mul0789",
        ]
    else:
        assert not missing


def test_derived_booked_domains_equal_the_file(multiwoz: Path) -> None:
    published = read_booked(multiwoz / "evaluation" / "booked_domains.json")
    corpus = CorpusRecords(multiwoz).holding(list(published))
    derived = {key: dialogue.booked for key, dialogue in corpus.items()}
    assert sum(map(len, published.values())) == 7372
    assert derived == published


def test_without_predicted_states_gold_states_are_taken(multiwoz: Path, tmp_path: Path) -> None:
    source = multiwoz / "evaluation" / "predictions" / "galaxy-e2e.json"
    whole = json.loads(source.read_text())
    texts = {
        id: [{"response": turn["response"]} for turn in turns]
        for id, turns in list(whole.items())[:100]
    }
    path = tmp_path / "policy.json"
    path.write_text(json.dumps(texts))
    scored = score_predictions(path, multiwoz)
    assert len(scored.dialogues) == 100
    assert any("gold states, the annotated states of the corpus" in note for note in scored.notes)
    assert sum(map(bool, (dialogue.inform for dialogue in scored.dialogues))) > 80
