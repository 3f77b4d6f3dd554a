"""A real model judges, in each way: recorded, and replayed without it."""

from typing import Any

import pytest

from tests.real_model.conftest import Suite

CONFTEST = """
import pytest

from pytest_todeval import LLMJudge, ScriptedUser
from pytest_todeval.testing import ScriptedSystem


@pytest.fixture(scope="session")
def tod_system():
    return ScriptedSystem(["The Mill House is a cheap hotel in the north. Shall I book it?"])


@pytest.fixture
def user_simulator():
    return ScriptedUser(["I need a cheap hotel in the north."])
"""
ASKING = """
import pytest

ASK = {
    "turns": lambda judge, dialogue: judge.turns(dialogue),
    "dialogue": lambda judge, dialogue: judge.dialogue(dialogue),
    "rules": lambda judge, dialogue: judge.rules(dialogue, "rules.yaml"),
    "completion": lambda judge, dialogue: judge.completion(dialogue),
    "fulfilment": lambda judge, dialogue: judge.fulfilment(dialogue),
    "goal_completion": lambda judge, dialogue: judge.goal_completion(dialogue),
    "holds": lambda judge, dialogue: judge.holds(dialogue, "The bot names a hotel."),
    "quality": lambda judge, dialogue: judge.quality(dialogue, only=["empathy", "entailment"]),
    "conversation": lambda judge, dialogue: judge.conversation(dialogue),
    "units": lambda judge, dialogue: judge.units(dialogue, ["Does the bot name a hotel?"]),
    "coverage": lambda judge, dialogue: judge.coverage(dialogue),
    "compare": lambda judge, dialogue: judge.compare(dialogue, dialogue),
}


@pytest.mark.goals("demo", ids=["DEMO013"])
@pytest.mark.todeval(judge="HOW", max_turns=1, unserved="allowed")
@pytest.mark.parametrize("question", WHAT)
def test_asks(dialogue, judge, question):
    ASK[question](judge, dialogue)
"""
MODES = {
    "model": (
        *("turns", "dialogue", "rules", "completion", "fulfilment", "goal_completion", "holds"),
        *("quality", "conversation", "units", "coverage", "compare"),
    ),
    "fused": ("turns", "dialogue"),
    "published": ("turns", "completion", "coverage"),
}
SAMPLED = ("units",)
PANEL = """
@pytest.fixture
def judge(todeval_models):
    from dataclasses import replace
    one = todeval_models["judge"][0]
    return LLMJudge([one, replace(one, model="the same, asked by another name")])
"""


def told(entry: dict[str, Any]) -> tuple[Any, ...]:
    """What a replay has to repeat."""
    kept = ("test", "outcome", "scores", "verdicts", "rules", "keywords", "comparisons")
    return tuple(entry.get(name) for name in kept)


def judged(
    suite: Suite, name: str, how: str, what: tuple[str, ...], *options: str, more: str = ""
) -> int:
    """How many dialogues a judge was asked about that was recorded and replayed alike."""
    suite.pytester.makeconftest(CONFTEST + more)
    asking = ASKING.replace("HOW", how).replace("WHAT", str(what))
    suite.pytester.makepyfile(test_judge=asking)
    rule = "rules:\n  - {id: polite, says: The bot is polite., judged: Be polite.}\n"
    (suite.pytester.path / "rules.yaml").write_text(rule)
    live, replayed = suite.twice(name, *options)
    assert [*map(told, replayed["dialogues"])] == [*map(told, live["dialogues"])]
    for entry in live["dialogues"]:
        assert entry["outcome"] in ("passed", "judge_fault"), entry["detail"]
        series = entry["scores"].items()
        scores = {name: [each["value"] for each in found] for name, found in series}
        suite.tell(f"  {entry['test']}: {entry['outcome']}, {scores}")
    return len(live["dialogues"])


@pytest.mark.parametrize("how", MODES)
def test_each_question_is_asked_and_replays(suite: Suite, how: str) -> None:
    assert judged(suite, f"judge {how}", how, MODES[how]) == len(MODES[how])


def test_samples_replay(suite: Suite) -> None:
    assert judged(suite, "three samples", "model", SAMPLED, "--todeval-samples=3") == len(SAMPLED)


def test_a_panel_replays(suite: Suite) -> None:
    assert judged(suite, "panel of two", "model", SAMPLED, more=PANEL) == len(SAMPLED)
