"""Checks between turns: what fails there is the test's own failure, with the turn named."""

import json

import pytest

from tests.plugin.conftest import RULE_SYSTEM, Suite, asking, run

TEST = """
import pytest

@pytest.mark.goals("demo", domains=["restaurant"], booking=True, limit=2, seed=1)
def test_talks(dialogue):
    assert dialogue.booking
"""
BOT = """
import pytest

@pytest.fixture
def tod_system():
    replies = iter(["Which area?", "Our margin is 20 percent.", "Anything else?"])
    return lambda text: next(replies)

@pytest.fixture
def user_simulator():
    from pytest_todeval import ScriptedUser
    return ScriptedUser({script})
"""
HOOK = """
@pytest.fixture
def after_turn():
    {kind} check(dialogue, turn):
        assert turn is dialogue.turns[-1]
        assert dialogue.stop_reason == "under_way"
        assert "margin" not in turn.system, f"tells its margin to {{dialogue.goal.id}}"
    return check
"""
SCRIPT = '["A table", "In the north", "Bye"]'
ONE = TEST.replace("limit=2", "limit=1").replace("dialogue.booking", "dialogue.turns")
NO_MARGINS = BOT.format(script=SCRIPT) + HOOK.format(kind="def")


def entries(pytester: pytest.Pytester) -> list[dict[str, object]]:
    found: list[dict[str, object]]
    found = json.loads(pytester.path.joinpath("r.json").read_text())["dialogues"]
    return found


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_check_that_fails_ends_the_dialogue_and_is_the_tests_failure(
    suite: Suite, kind: str, processes: list[str]
) -> None:
    pytester = suite(TEST, BOT.format(script=SCRIPT) + HOOK.format(kind=kind))
    result = run(pytester, *processes, "--todeval-json=r.json")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            '>*assert "margin" not in turn.system*',
            "E*AssertionError: tells its margin to DEMO*",
            "E*in the check after turn 2 of demo/DEMO*",
            "conftest.py:*: AssertionError",
            "*2 turns, stopped by check_failed (the check after turn 2 raised AssertionError: *",
        ]
    )
    result.stdout.no_fnmatch_line("*the bot failed*")
    result.stdout.no_fnmatch_line("*simulator_fault*")
    for entry in entries(pytester):
        assert (entry["outcome"], entry["stop_reason"]) == ("failed", "check_failed")
        assert entry["fault"] is None
        assert str(entry["raised"]).startswith("AssertionError: tells its margin")


def test_checks_that_hold_change_nothing(suite: Suite) -> None:
    hook = """
@pytest.fixture
def after_turn():
    def check(dialogue, turn):
        assert len(dialogue.turns) == turn.index
        assert turn.system
    return check
"""
    test = TEST.replace("test_talks(dialogue", "test_talks(after_turn, dialogue")
    run(suite(test, RULE_SYSTEM + hook)).assert_outcomes(passed=2)


def test_a_line_of_a_script_may_check_the_turn_before_it(suite: Suite) -> None:
    script = '["A table", asks_where, "In the north", says_no_margin, "Bye"]'
    checks = """
def asks_where(turn):
    assert turn.system == "Which area?"

def says_no_margin(turn):
    assert "margin" not in turn.system
"""
    pytester = suite(ONE, BOT.format(script=script) + checks)
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ['>*assert "margin" not in turn.system', "E*in the check after turn 2 of demo/*"]
    )
    (entry,) = entries(pytester)
    assert (entry["outcome"], entry["stop_reason"]) == ("failed", "check_failed")


@pytest.mark.parametrize(
    ("raises", "counted", "outcome"),
    [
        ('pytest.fail("no margins")', "failed", "failed"),
        ("{}['area']", "failed", "test_error"),
        ('pytest.skip("not today")', "skipped", None),
    ],
)
def test_what_a_check_raises_is_taken_as_raised_by_the_test(
    suite: Suite, raises: str, counted: str, outcome: str | None
) -> None:
    hook = f"""
@pytest.fixture
def after_turn():
    def check(dialogue, turn):
        {raises}
    return check
"""
    pytester = suite(ONE, BOT.format(script=SCRIPT) + hook)
    run(pytester, "--todeval-json=r.json").assert_outcomes(**{counted: 1})
    assert [entry["outcome"] for entry in entries(pytester)] == ([outcome] if outcome else [])


def test_a_bot_that_crashes_in_a_turn_answers_for_it(suite: Suite) -> None:
    conftest = NO_MARGINS.replace('"Our margin is 20 percent."', '""')
    pytester = suite(ONE, conftest)
    run(pytester, "--todeval-json=r.json").assert_outcomes(failed=1)
    (entry,) = entries(pytester)
    assert entry["stop_reason"] == "empty_reply"


def test_a_check_that_is_none_is_told_what_is_expected(suite: Suite) -> None:
    hook = "\n@pytest.fixture\ndef after_turn():\n    return 'no margins'\n"
    result = run(suite(ONE, BOT.format(script=SCRIPT) + hook))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*after_turn*'no margins'*expected a function*"])


RECORDED = """
import os
import openai
import pytest
from pytest_todeval import ScriptedUser
from pytest_todeval.testing import StandInServer

class Bot:
    def __init__(self):
        url = os.environ.get("MODEL_URL", "http://localhost/v1")
        self.client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)

    def respond(self, text):
        messages = [{"role": "user", "content": text}]
        asked = self.client.chat.completions.create(model="stand-in", messages=messages)
        return asked.choices[0].message.content

@pytest.fixture(scope="session")
def tod_system(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield Bot
        return
    with StandInServer(lambda request: f"You said: {request.last_user}") as server:
        os.environ["MODEL_URL"] = server.base_url
        yield Bot

@pytest.fixture
def user_simulator():
    return ScriptedUser(["A table", "In the north", "Bye"])

@pytest.fixture
def after_turn():
    def check(dialogue, turn):
        assert "WORD" not in turn.system
    return check
"""


@pytest.mark.thorough  # three runs in processes of their own
def test_a_check_fails_in_replay_as_it_would_have_when_recorded(suite: Suite) -> None:
    pytester = suite(ONE, RECORDED.replace("WORD", "margin"))
    asking(pytester, "--todeval-record=missing").assert_outcomes(passed=1)
    pytester.makeconftest(RECORDED.replace("WORD", "north"))
    result = asking(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*in the check after turn 2 of demo/*"])
    (entry,) = entries(pytester)
    assert (entry["outcome"], entry["stop_reason"]) == ("failed", "check_failed")
    pytester.makeconftest(RECORDED.replace("WORD", "margin"))
    asking(pytester).assert_outcomes(passed=1)


def test_a_check_may_ask_the_judge(suite: Suite) -> None:
    hook = """
@pytest.fixture
def after_turn(judge):
    def check(dialogue, turn):
        assert judge.rules(dialogue, "restaurant")
    return check
"""
    run(suite(TEST, RULE_SYSTEM + hook)).assert_outcomes(passed=2)
