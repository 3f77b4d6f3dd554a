"""A test asks its judge again and again: the model is asked once, whoever asks."""

import json
from typing import Any

import pytest

from pytest_todeval.testing import ChatRequest, StandInServer
from tests.plugin.conftest import asking

CONFTEST = """
import pytest
from pytest_todeval import LLMJudge

@pytest.fixture
def tod_system():
    return lambda text: "Which day would suit you?"

@pytest.fixture
def second_judge():
    return LLMJudge("m")
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(max_turns=3, unserved="allowed")
def test_asks(dialogue, judge, second_judge):
    assert judge.turns(dialogue).policy_compliance >= 4
    assert judge.turns(dialogue).conversation_cohesion >= 4
    assert judge.rules(dialogue, "manners.yaml")
    assert second_judge.rules(dialogue, "manners.yaml")
    assert judge.quality(dialogue).empathy >= 1
    assert second_judge.quality(dialogue).unbiased >= 1
"""

RULES = """
rules:
- id: polite
  says: The bot is polite.
  judged: The bot is polite.
"""


def answer(request: ChatRequest) -> Any:
    assert request.schema is not None
    return {name: _best(each) for name, each in request.schema["properties"].items()}


def _best(schema: dict[str, Any]) -> Any:
    if schema.get("type") == "object":
        return {name: _best(each) for name, each in schema["properties"].items()}
    return "so" if schema.get("type") == "string" else _numbers(schema)


def _numbers(schema: dict[str, Any]) -> Any:
    return max(schema.get("anyOf", [schema])[0]["enum"])


def test_six_assertions_take_the_calls_of_their_questions(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_asks=TEST)
    pytester.path.joinpath("manners.yaml").write_text(RULES, encoding="utf-8")
    options = ("--todeval-model=judge:m", "--todeval-json=r.json", "-rA")
    with StandInServer(answer) as server:
        address = f"--todeval-base-url={server.base_url}"
        recorded = asking(pytester, *options, address, "--todeval-record=missing")
        recorded.assert_outcomes(passed=1)
        asked = server.hits
    (entry,) = json.loads((pytester.path / "r.json").read_text())["dialogues"]
    turns = len(entry["turns"])
    assert asked == entry["calls"]["judge"]["calls"] == (3 + 1 + 1) * turns
    (cassette,) = pytester.path.glob("cassettes/**/*.todeval.jsonl")
    *lines, end = cassette.read_text().splitlines()
    assert json.loads(end) == {"end": asked}
    # A cassette of the time when each assertion asked anew is replayed as it is, and in silence.
    twice = [each for line in lines for each in [line] * (2 if line.startswith('{"call"') else 1)]
    cassette.write_text("\n".join([*twice, json.dumps({"end": 2 * asked})]) + "\n")
    replayed = asking(pytester, *options)
    replayed.assert_outcomes(passed=1)
    replayed.stdout.no_fnmatch_line("*were not played*")
