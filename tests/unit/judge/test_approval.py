"""One line for the strongest sound suite: what it takes in, what it says, when nobody can tell."""

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import InvalidFile, JudgeFault
from pytest_todeval.evaluate.judge.approval import Approval
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from tests.support.dialogue_world import KETTLE, backend, dialogue, found, restaurant_goal, said

RIGHT = "The Copper Kettle is nice. Shall I book it?"


def talk(*replies: str, passed: bool = True, doubt: str = "", applies: bool = True) -> Dialogue:
    turns = (
        said(f"Italian food, {n}?", r, found("restaurant", KETTLE)) for n, r in enumerate(replies)
    )
    verdicts = {
        "success": Verdict("success", passed, "as it is", doubt=doubt, applicable=applies),
        "booking": Verdict("booking", True, "none is asked for", applicable=False),
        "satisfied": Verdict("satisfied", False, "gave up"),
    }
    return replace(dialogue(restaurant_goal(), *turns), verdicts=verdicts)


def approval(played: Dialogue, rules: str | Path = "common") -> Approval:
    return RuleJudge(backend=backend()).approves(played, rules)


def test_what_is_right_is_approved_and_says_what_it_checked() -> None:
    found = approval(talk(RIGHT))
    assert found
    assert {"success", "finished-replies", "conversation_cohesion"} <= {*found.checked}
    assert found.unchecked["booking"] == "none is asked for"
    assert found.unchecked["true-reference"] == "tells no reference number"
    assert not {*found.checked} & {*found.unchecked}
    assert repr(found).startswith(f"<approved: checked {len(found.checked)}, ")


@pytest.mark.parametrize(
    ("reply", "passed", "first"),
    [
        (RIGHT, False, "success: as it is"),
        ("Traceback (most recent call last):", False, "success: as it is"),
        ("It is {name}. The reference is QX7ZK42P.", True, "turn 1: says the restaurant is"),
        ("It is {name}.", True, "turn 1: says a placeholder: '{name}' (rule finished-replies)"),
    ],
)
def test_what_is_wrong_is_named_worst_first(reply: str, passed: bool, first: str) -> None:
    found = approval(talk(reply, passed=passed))
    assert not found
    assert found.failed[0].startswith(first)
    assert repr(found).startswith(f"<NOT approved: {first}")
    assert found.explain().startswith(f"failed: {first}")


def test_a_turn_that_says_the_same_again_is_not_approved() -> None:
    turns = [said(f"Hello, {n}?", "Well, hello there.") for n in range(2)]
    again = dialogue(
        restaurant_goal(), said("Italian?", RIGHT, found("restaurant", KETTLE)), *turns
    )
    shown = approval(replace(again, verdicts=talk(RIGHT).verdicts))
    assert shown.failed == ("turn 3: says the same as in turn 2 (cohesion 2)",)


def test_advice_is_shown_and_fails_nothing_until_it_is_promoted(tmp_path: Path) -> None:
    played = talk("The Copper Kettle has a heated pool.")
    found = approval(played)
    assert found
    assert found.advice == (
        "turn 1: tells 'heated pool' (features), of which nothing that it knows speaks"
        " (rule invents-nothing)",
    )
    assert f"advice: {found.advice[0]}" in found.explain()
    judge = RuleJudge(backend=backend())
    assert judge.rules(played, "common")
    assert judge.turns(played).policy_compliance == 5
    ours = tmp_path / "ours.yaml"
    ours.write_text("includes: [common]\npromotes: [invents-nothing]\nrules: []\n")
    assert not approval(played, ours)
    assert not judge.rules(played, ["common", ours])
    assert not judge.rules(played, [ours, "restaurant"])
    ours.write_text("includes: [common]\npromotes: [invents-noting]\nrules: []\n")
    with pytest.raises(InvalidFile, match=r"ours\.yaml:2: no rule 'invents-noting' here: did you"):
        approval(played, ours)


def test_what_may_be_misheard_is_neither_approved_nor_the_bots_failure() -> None:
    with pytest.raises(JudgeFault, match="misheard"):
        bool(approval(talk(RIGHT, passed=False, doubt="said so")))
    assert not approval(talk("It is {name}.", passed=False, doubt="said so"))


def test_no_turn_is_no_pass() -> None:
    with pytest.raises(JudgeFault, match="no turn"):
        approval(talk())
