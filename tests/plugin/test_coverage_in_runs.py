"""What a model told of its goal as a user, turn by turn: heard by rule, or by the judge's model."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_todeval.runs.reports.results import read_results
from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from tests.plugin.conftest import asking

CONFTEST = """
import pytest
from pytest_todeval.testing import ScriptedSystem

@pytest.fixture(scope="session")
def tod_system():
    return ScriptedSystem(["Which part of town?", "I have found nothing."])
"""
GOALS = """
goals:
  - id: one
    domains:
      hotel: {inform: {area: north, stars: "4"}}
"""
TEST = """
import pytest

@pytest.mark.goals("goals.yaml")
@pytest.mark.todeval(user="llm", max_turns=2)
def test_finds(dialogue):
    assert dialogue.success
"""
BYE = "Never mind, bye. ###STOP###"
SAID = ("A hotel, please.", "In the north, with 4 stars.", BYE)
BY_MODEL = "--todeval-coverage=model"
Answering = Callable[[ChatRequest], Answer]


def place(turn: int, speaker: str = "user") -> dict[str, Any]:
    return {"words": "so", "turn": turn, "speaker": speaker if turn else "nobody"}


def answering(coverage: Mapping[str, Any] | str = "", said: tuple[str, ...] = SAID) -> Answering:
    """A model that says so much as the user, and answers the judge's question so."""

    def answer(request: ChatRequest) -> Answer:
        if request.schema is not None or "keywords of the user's goal" in str(request.messages):
            return Answer(coverage if isinstance(coverage, str) else json.dumps(coverage))
        turns = sum(message["role"] == "assistant" for message in request.messages)
        return Answer(said[min(turns, len(said) - 1)])

    return answer


@pytest.fixture
def play(pytester: pytest.Pytester) -> Callable[..., dict[str, Any]]:
    """The one entry of a run that records, and of its replay, which are the same."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    (pytester.path / "goals.yaml").write_text(GOALS)

    def entry() -> dict[str, Any]:
        (found,) = read_results(pytester.path / "r.json")["dialogues"]
        return dict(found)

    def run(answer: Answering, *options: str) -> dict[str, Any]:
        options = ("--todeval-model=m", "--todeval-json=r.json", "-p", "no:xdist", *options)
        with StandInServer(answer) as server:
            where = f"--todeval-base-url={server.base_url}"
            asking(pytester, where, "--todeval-record=missing", *options)
            recorded = entry()
            recorded["asked"] = len(server.requests)
        asking(pytester, where, *options)
        replayed = entry()
        kept = ("outcome", "detail", "conveyed")
        assert [replayed.get(name) for name in kept] == [recorded.get(name) for name in kept]
        return recorded

    return run


def test_rules_hear_what_was_told_in_each_turn(play: Callable[..., dict[str, Any]]) -> None:
    found = play(answering())
    assert found["outcome"] == "failed"
    assert found["conveyed"] == [[], ["hotel area: north", "hotel stars: 4"], []]


@pytest.mark.thorough
def test_a_model_hears_what_rules_do_not(play: Callable[..., dict[str, Any]]) -> None:
    said = ("A hotel, please.", "Where the polar bears are, and not too shabby.", BYE)
    assert play(answering(said=said))["outcome"] == "simulator_fault"


@pytest.mark.thorough
def test_the_judges_model_hears_it_if_asked(play: Callable[..., dict[str, Any]]) -> None:
    said = ("A hotel, please.", "Where the polar bears are, and not too shabby.", BYE)
    found = play(answering({"K1": place(2), "K2": place(2)}, said), BY_MODEL)
    assert found["outcome"] == "failed"
    assert found["conveyed"] == [[], ["hotel area: north", "hotel stars: 4"], []]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "places",
    [{"K1": place(0), "K2": place(0)}, {"K1": place(1, "bot"), "K2": place(0)}],
)
def test_no_verdict_counts_of_what_the_model_did_not_hear(
    play: Callable[..., dict[str, Any]], places: dict[str, Any]
) -> None:
    found = play(answering(places), BY_MODEL)
    assert found["outcome"] == "simulator_fault"
    assert "told no value of its goal" in found["detail"]


@pytest.mark.thorough
def test_an_answer_that_cannot_be_read_is_nobodys_verdict(
    play: Callable[..., dict[str, Any]],
) -> None:
    found = play(answering("Well, who knows."), BY_MODEL)
    assert found["outcome"] == "judge_fault"
    assert "--todeval-coverage=model" in found["detail"]


def test_a_model_is_needed_for_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    (pytester.path / "goals.yaml").write_text(GOALS)
    result = pytester.runpytest_inprocess(BY_MODEL, "-p", "no:xdist")
    result.stderr.fnmatch_lines(["*--todeval-coverage=model*"])
