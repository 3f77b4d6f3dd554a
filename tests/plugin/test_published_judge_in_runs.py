"""A run with `--todeval-judge=published`: recorded, replayed, and told in the results."""

import json
from typing import Any

import pytest

from pytest_todeval.testing import ChatRequest, StandInServer
from tests.plugin.conftest import asking

CONFTEST = """
import pytest

@pytest.fixture
def tod_system():
    return lambda text: "Which day would suit you?"
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(max_turns=2, unserved="allowed")
def test_asks(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 4
    assert judge.dialogue(dialogue).overall >= 4
    assert judge.holds(dialogue, "The bot asks for a day.")
"""


def answer(request: ChatRequest) -> Any:
    if request.schema is not None:
        return {"reason": "so it is", "answer": "yes"}
    return "Score: 4\nJustification: it fits"


@pytest.mark.thorough
def test_recorded_and_replayed_as_published(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_asks=TEST)
    options = ("--todeval-model=judge:m", "--todeval-judge=published", "--todeval-json=r.json")
    with StandInServer(answer) as server:
        address = f"--todeval-base-url={server.base_url}"
        recorded = asking(pytester, *options, address, "--todeval-record=missing")
        asked = len(server.requests)
    recorded.assert_outcomes(passed=1)
    recorded.stdout.fnmatch_lines(["*judge: published (m)*"])
    first = json.loads((pytester.path / "r.json").read_text())
    replayed = asking(pytester, *options)
    replayed.assert_outcomes(passed=1)
    again = json.loads((pytester.path / "r.json").read_text())
    (entry,) = first["dialogues"]
    assert asked == 3 * len(entry["turns"]) + 3 + 1
    assert entry["scores"] == again["dialogues"][0]["scores"]
    for name in ("policy_compliance", "dialogue_policy_compliance"):
        assert entry["scores"][name][0]["value"] == 4
        assert entry["scores"][name][0]["definition"].startswith("published ")
        assert "m, temperature 0" in entry["scores"][name][0]["definition"]
