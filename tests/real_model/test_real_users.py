"""A real model plays the user, by each strategy: recorded, and replayed without it."""

from typing import Any

from tests.real_model.conftest import Suite

BOT = """
import pytest

from pytest_todeval.simulation.llm_user import STRATEGIES
from pytest_todeval.testing import ScriptedSystem


# Examples make prompts thrice as long, and this model follows none of them.
SHORT = {"max_turns": 1, "examples": []}


@pytest.fixture(scope="session")
def tod_system():
    return ScriptedSystem(["Which area do you prefer?", "I have found nothing there, sorry."])


def pytest_generate_tests(metafunc):
    if "strategy" in metafunc.fixturenames:
        cases = [pytest.param(s, marks=pytest.mark.todeval(user=s, **SHORT)) for s in STRATEGIES]
        metafunc.parametrize("strategy", cases, ids=list(STRATEGIES))
"""
STRATEGIES_TEST = """
import pytest


@pytest.mark.goals("demo", ids=["DEMO013"])
def test_plays(dialogue, strategy):
    assert dialogue.success
"""
SLOW_TEST = """
import pytest


@pytest.mark.goals("demo", ids=["DEMO001", "DEMO013", "DEMO023"])
@pytest.mark.todeval(user="llm", max_turns=1, turn_timeout=30)
def test_plays(dialogue):
    assert dialogue.success
"""


def told(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What a replay has to repeat."""
    turns = [(turn["user"], turn["system"]) for turn in entry["turns"]]
    kept = ("test", "outcome", "stop_reason", "detail", "conveyed", "notes")
    return *(entry.get(name) for name in kept), turns


def test_each_strategy_plays_and_replays(suite: Suite) -> None:
    suite.pytester.makeconftest(BOT)
    suite.pytester.makepyfile(test_bot=STRATEGIES_TEST)
    live, replayed = suite.twice("users")
    assert [*map(told, replayed["dialogues"])] == [*map(told, live["dialogues"])]
    assert {entry["outcome"] for entry in live["dialogues"]} <= {"failed", "simulator_fault"}
    for entry in live["dialogues"]:
        suite.tell(f"  {entry['test']}: {entry['outcome']}: {entry['detail']:.120}")


def test_a_call_that_timed_out_is_nobody_elses(suite: Suite) -> None:
    suite.pytester.makeconftest(BOT)
    suite.pytester.makepyfile(test_bot=SLOW_TEST)
    suite.passage.held = True
    with suite.passage.open():
        found = suite.run("--todeval-record=live")
    assert suite.passage.hung_up.is_set()
    first, *others = found["dialogues"]
    assert first["outcome"] == "infrastructure"
    assert "todeval(turn_timeout=30)" in first["detail"] or "turn_timeout" in first["detail"]
    for other in others:  # a slow machine may time out over calls of its own, but over no other's
        assert "belongs to no dialogue" not in other["detail"]
        assert other["turns"] or other["fault"]
