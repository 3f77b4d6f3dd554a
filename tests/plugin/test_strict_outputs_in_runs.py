"""`--todeval-outputs=strict`: no reward for an output that is told by the way."""

import json

import pytest

from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.plugin.conftest import Suite, run

TEST = """
import pytest

@pytest.mark.goals("service_desk")
def test_serves(dialogue):
    assert dialogue.reward
"""
DESK = """
import pytest
import re
from pytest_todeval.systems import DeskBot

class Mumbles(DeskBot):
    def respond(self, text):
        said = super().respond(text).text
        return re.sub(r"([A-Z][0-9]{{3}})", r"\\g<1>0", said)

@pytest.fixture(scope="session")
def tod_system():
    return {bot}
"""


def rewards(pytester: pytest.Pytester) -> dict[str, float]:
    entries = json.loads(pytester.path.joinpath("r.json").read_text())["dialogues"]
    return {each["goal"]: each["metrics"]["reward"] for each in entries}


def test_the_reference_bot_earns_as_much_strictly(suite: Suite) -> None:
    pytester = suite(TEST, DESK.format(bot="DeskBot"))
    result = run(pytester, "--todeval-outputs=strict", "--todeval-json=r.json")
    result.assert_outcomes(passed=24)
    results = json.loads(pytester.path.joinpath("r.json").read_text())
    assert results["environment"]["metrics"]["reward"] == "tau-bench strict 1"
    assert results["environment"]["settings"]["outputs"] == "strict"


def test_a_name_within_another_earns_nothing_strictly(suite: Suite) -> None:
    goals = ServiceDeskWorld().load().goals
    numbered = {g.name for g in goals if any(o[1:].isdecimal() for o in g.raw["outputs"])}
    assert len(numbered) == 10
    pytester = suite(TEST, DESK.format(bot="Mumbles"))
    run(pytester, "--todeval-json=r.json")
    published = rewards(pytester)
    pytester.makeini("[pytest]\ntodeval_outputs = strict")
    run(pytester, "--todeval-json=r.json")
    strict = rewards(pytester)
    assert {goal for goal in published if published[goal] > strict[goal]} == numbered


def test_an_unknown_word_is_told(suite: Suite) -> None:
    result = run(suite(TEST, DESK.format(bot="DeskBot")), "--todeval-outputs=strickt")
    result.stderr.fnmatch_lines(["*--todeval-outputs: *'strickt'*did you mean 'strict'*"])
