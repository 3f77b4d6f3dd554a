"""pytest-rerunfailures itself: a test that is run again counts once, as it first came out."""

import json

import pytest

from tests.conftest import NO_OTHERS
from tests.plugin.conftest import Suite, apart

pytest.importorskip("pytest_rerunfailures")
pytestmark = pytest.mark.thorough

CONFTEST = """
import pytest
from pytest_todeval.systems import RuleSystem

seen = set()

class Flaky:
    def __init__(self, backend, goal_id):
        first = goal_id not in seen
        seen.add(goal_id)
        self._bot = None if first and len(seen) % 2 else RuleSystem(backend)

    def respond(self, text):
        return "Something went wrong." if self._bot is None else self._bot.respond(text)

@pytest.fixture
def tod_system():
    return Flaky
"""
PASSED_FIRST = 3
"""Of six goals; all pass when they are run again."""


@pytest.mark.parametrize("more", [(), ("--todeval-sequential=1",), ("-n2",)], ids=str)
def test_the_first_attempt_counts(
    suite: Suite, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", NO_OTHERS.replace(" -p no:rerunfailures", ""))
    made = suite(conftest=CONFTEST)
    gates = ("--todeval-gate=booking == 1", "--todeval-json=r.json")
    result = apart(made, "--reruns=1", *gates, *more)

    assert result.ret == 10
    entries = json.loads((made.path / "r.json").read_bytes())["dialogues"]
    assert len(entries) == len({entry["test"] for entry in entries})
    failed = [entry for entry in entries if entry["outcome"] == "failed"]
    assert failed
    if not more:
        assert len(entries) - len(failed) == PASSED_FIRST
        assert "rerun" in result.outlines[-1]
