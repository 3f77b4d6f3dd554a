"""No dialogue in which the user gave up, or ran out of turns, is green unless the test says so."""

import json
from typing import Any

import pytest

from tests.plugin.conftest import Suite, run

TEST = """
import pytest

@pytest.mark.goals("demo", domains=["restaurant"], booking=True, limit=1)
def test_talks(dialogue):
    assert dialogue.turns
"""
ALLOWED = TEST.replace("def test", '@pytest.mark.todeval(unserved="allowed")\ndef test')
HELPLESS = """
import pytest

@pytest.fixture
def tod_system():
    replies = iter(range(100))
    return lambda text: f"I am not able to help you with that today, sorry. ({next(replies)})"
"""
USER = """
from pytest_todeval import ScriptedUser, StopReason, Utterance

@pytest.fixture
def user_simulator():
    return {user}
"""


def entry(pytester: pytest.Pytester) -> Any:
    (found,) = json.loads(pytester.path.joinpath("r.json").read_text())["dialogues"]
    return found


def test_a_user_that_gave_up_fails_the_test_whatever_it_asserts(
    suite: Suite, processes: list[str]
) -> None:
    pytester = suite(TEST, HELPLESS)
    result = run(pytester, *processes, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*the user gave up in turn *: *what is lacking: restaurant: *",
            '*@pytest.mark.todeval(unserved="allowed")*',
        ]
    )
    result.stdout.fnmatch_lines(["  satisfied    0 of 1      0.0 %"])
    found = entry(pytester)
    assert found["outcome"] == "failed"
    assert found["metrics"]["satisfied"] is False
    assert "what is lacking: restaurant" in found["verdicts"]["satisfied"]["reason"]


def test_a_user_that_ran_out_of_turns_does_too_and_says_what_it_lacks(suite: Suite) -> None:
    short = TEST.replace("def test", "@pytest.mark.todeval(max_turns=2)\ndef test")
    pytester = suite(short, HELPLESS)
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*the user ran out of turns in turn 2: *what is lacking: restaurant: no booking*"]
    )
    assert entry(pytester)["outcome"] == "failed"


@pytest.mark.parametrize("marked", [ALLOWED, ALLOWED.replace("todeval(", "todeval(max_turns=2, ")])
def test_a_test_may_say_that_it_is_right(suite: Suite, marked: str) -> None:
    pytester = suite(marked, HELPLESS)
    run(pytester, "--todeval-json=r.json").assert_outcomes(passed=1)
    found = entry(pytester)
    assert (found["outcome"], found["metrics"]["satisfied"]) == ("passed", False)


def test_a_wrong_word_says_which_are_known(suite: Suite) -> None:
    result = run(suite(ALLOWED.replace("allowed", "alowed"), HELPLESS))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*marker todeval: unserved: *'alowed'*did you mean 'allowed'*"])


@pytest.mark.parametrize(
    "user",
    [
        'ScriptedUser(["A table", "For two"])',
        'ScriptedUser([f"Line {n}" for n in range(40)])',
    ],
)
def test_a_script_that_ends_or_is_cut_short_says_nothing_of_the_bot(
    suite: Suite, user: str
) -> None:
    pytester = suite(TEST, HELPLESS + USER.format(user=user))
    run(pytester, "--todeval-json=r.json").assert_outcomes(passed=1)


def test_a_user_of_ones_own_that_gives_up_counts(suite: Suite) -> None:
    user = (
        'ScriptedUser(["Hi", lambda turn: Utterance("Bye", StopReason.USER_GAVE_UP, "too slow")])'
    )
    result = run(suite(TEST, HELPLESS + USER.format(user=user)))
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the user gave up in turn 1: too slow*"])


def test_a_task_that_expects_a_refusal_is_served_by_one(suite: Suite) -> None:
    """The reward says what is right: that of `audit-accounts` asks for no change."""
    test = """
import pytest

@pytest.mark.goals("service_desk")
def test_talks(dialogue):
    assert dialogue.turns
"""
    bot = """
import pytest
from pytest_todeval import StopReason, Utterance

@pytest.fixture(scope="session")
def tod_system():
    return lambda text: "I am not able to do that, sorry."

@pytest.fixture
def user_simulator():
    class Leaves:
        def respond(self, turn):
            if turn is None:
                return Utterance("Please help me.")
            return Utterance("Bye.", StopReason.USER_GAVE_UP, "it refused")
    return Leaves()
"""
    pytester = suite(test, bot)
    run(pytester, "--todeval-json=r.json")
    entries = json.loads(pytester.path.joinpath("r.json").read_text())["dialogues"]
    served = {e["goal"] for e in entries if e["metrics"]["reward"] == 1.0}
    assert served
    assert served == {e["goal"] for e in entries if e["outcome"] == "passed"}


def test_a_dialogue_that_hangs_on_doubtful_words_is_nobodys(suite: Suite) -> None:
    conftest = (
        HELPLESS
        + """
from dataclasses import replace

@pytest.fixture
def dialogue(request, dialogue):
    from pytest_todeval.integration.case import PLAYED
    verdict = replace(dialogue.satisfied, doubt="'Consider it done', heard as nothing")
    found = replace(dialogue, verdicts={**dialogue.verdicts, "satisfied": verdict})
    request.node.stash[PLAYED].dialogue = found
    return found
"""
    )
    pytester = suite(TEST, conftest)
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*judge_fault: *satisfied is undecided*Consider it done*"])
    assert entry(pytester)["outcome"] == "judge_fault"
