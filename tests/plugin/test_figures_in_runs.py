"""Prices, composites and figures of a run: asked for in the ini file, kept in the results."""

import math

import pytest

from pytest_todeval.results import dialogue_of, read_results
from tests.plugin.conftest import Suite, run

BOT = """
import pytest
from dataclasses import replace
from pytest_todeval import Usage
from pytest_todeval.systems import RuleSystem

class Counting(RuleSystem):
    def respond(self, text):
        return replace(super().respond(text), usage=Usage(1000, 200, model="local"))

@pytest.fixture(scope="session")
def tod_system():
    return Counting
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=2, seed=1)
def test_asks(dialogue, judge):
    judge.rules(dialogue)
"""
INI = """
[pytest]
todeval_prices = prices.yaml
todeval_composite =
    ours = 0.75 inform + 0.25 success
"""


def a_suite(suite: Suite, ini: str) -> pytest.Pytester:
    made = suite(TEST, BOT)
    made.makeini(ini)
    (made.path / "prices.yaml").write_text(
        "local: {prompt: 2, completion: 10, parameters: 1000000000}\n"
    )
    return made


def test_tokens_are_priced_and_composites_reckoned(suite: Suite) -> None:
    made = a_suite(suite, INI)
    result = run(made, "-p", "no:xdist", "--todeval-json=r.json")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["  ours * (0.75 inform + 0.25 success)"])
    found = read_results(made.path / "r.json")
    for entry in found["dialogues"]:
        turns = len(entry["turns"])
        assert math.isclose(entry["usage"]["dollars"], turns * (1000 * 2 + 200 * 10) / 1e6)
        assert math.isclose(entry["usage"]["flop_dollars"], turns * 2 * 1e9 * 1200 / 1e15 * 0.05)
        assert dialogue_of(entry).turns[0].usage is not None
    rates = {name: each["rate"] or 0 for name, each in found["summary"]["metrics"].items()}
    ours = found["summary"]["composites"]["ours"]
    assert ours["value"] == 0.75 * rates["inform"] + 0.25 * rates["success"]
    assert found["summary"]["rules"]
    assert found["summary"]["per_dialogue"]["spent"]["system"]["dollars"]


def test_a_wrong_composite_stops_the_run_before_any_test(suite: Suite) -> None:
    made = a_suite(suite, INI.replace("0.25 success", "success"))
    result = run(made, "-p", "no:xdist")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*todeval_composite: composite 'ours': got 'success'*"])
