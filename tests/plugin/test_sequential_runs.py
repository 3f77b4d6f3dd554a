"""A run that ends as soon as its gates and its baseline are decided."""

import pytest

from pytest_todeval.reports.results import read_results
from pytest_todeval.reports.schema import EnvironmentEntry, Results
from tests.plugin.conftest import Suite, apart

BOT = """
import os
import pytest
from pytest_todeval import synthetic

@pytest.mark.goals(synthetic("demo", 40, seed=1))
def test_books(dialogue, goal):
    assert int(goal.id[-1], 16) >= int(os.environ.get("BROKEN", 0))

def test_other():
    pass
"""
SEQUENTIAL = "--todeval-sequential=7"
GATE = "--todeval-gate=passed >= 0.6"


@pytest.fixture
def gated(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.delenv("BROKEN", raising=False)
    return suite(BOT)


def found_in(pytester: pytest.Pytester, name: str = "now.json") -> Results:
    return read_results(pytester.path / name)


def sequential_of(environment: EnvironmentEntry) -> dict[str, object]:
    (found,) = environment["sequential"]
    return dict(found)


def test_a_run_that_is_decided_plays_no_more(gated: pytest.Pytester, processes: list[str]) -> None:
    result = apart(gated, *processes, SEQUENTIAL, GATE, "--todeval-json=now.json")

    assert result.ret == 0
    result.stdout.fnmatch_lines(
        [
            "sequential: passed after 9 of 40 goals*",
            "gates: passed",
            "passed >= 0.6 *1.000 *passed after 9 goals",
        ]
    )
    found = found_in(gated)
    told = sequential_of(found["environment"])
    assert (told["decided"], told["goals"], told["of"]) == (True, 9, 40)
    played = {entry["test"] for entry in found["dialogues"]}
    assert 9 <= len(played) <= 13
    assert len(told["not_played"]) == 40 - len(played)
    assert played.isdisjoint(told["not_played"])
    counts = result.parseoutcomes()
    assert counts["passed"] == len(played) + 1  # the test without a dialogue is never left out
    assert counts["deselected"] == 40 - len(played)


def test_the_first_goals_are_those_of_the_order_in_every_run(gated: pytest.Pytester) -> None:
    played = {}
    for processes in ("-n0", "-n2"):
        apart(gated, processes, SEQUENTIAL, GATE, "--todeval-json=now.json")
        played[processes] = {entry["goal"] for entry in found_in(gated)["dialogues"]}
    assert len(played["-n0"]) == 9
    assert played["-n0"] <= played["-n2"]

    apart(gated, "-n0", "--todeval-sequential=8", GATE, "--todeval-json=now.json")
    assert {entry["goal"] for entry in found_in(gated)["dialogues"]} != played["-n0"]
