"""A dialogue is shown while it is played (`--todeval-show=live`)."""

import re

import pytest

SUITE = """
import pathlib, pytest

class Bot:
    def __init__(self):
        self.turns = 0
    def respond(self, text):
        self.turns += 1
        print("said by the bot itself")
        if self.turns > 2:
            raise RuntimeError("broken")
        return "Which\\x1b[2J day? " + "word " * 40

@pytest.fixture
def tod_system():
    return Bot

@pytest.mark.goals("demo", limit=2)
@pytest.mark.todeval(unserved="allowed")
def test_it(dialogue):
    assert dialogue.success
"""


@pytest.mark.parametrize("capture", [(), ("-s",)], ids=["captured", "not captured"])
def test_each_turn_is_shown_once_it_is_played(
    pytester: pytest.Pytester, capture: tuple[str, ...]
) -> None:
    pytester.makepyfile(SUITE)
    text = pytester.runpytest("--todeval-show=live", *capture).stdout.str()
    live = text.partition("= FAILURES =")[0]
    assert re.findall(r"^demo/\S+ \((.*)\):$", live, re.M) == ["AgendaUser with Bot"] * 2
    assert re.findall(r"^ +(\d+) user: ", live, re.M) == ["1", "2"] * 2
    assert len(re.findall(r"^ +bot: Which\S* day\?", live, re.M)) == 4
    assert live.count("\n  stopped by system_error (the bot raised in turn 3") == 2
    assert "\x1b[2J" not in text
    shown = [line for line in live.splitlines() if "word word" in line]
    assert max(map(len, shown)) <= 80
    assert "1 more of this cause" in text


def test_a_check_after_a_turn_is_called_all_the_same(pytester: pytest.Pytester) -> None:
    check = """
@pytest.fixture
def after_turn():
    async def check(dialogue, turn):
        assert turn.index < 2, "the check's own"
    return check
"""
    pytester.makepyfile(SUITE + check)
    text = pytester.runpytest("--todeval-show=live").stdout.str()
    live = text.partition("= FAILURES =")[0]
    assert re.findall(r"^ +(\d+) user: ", live, re.M) == ["1", "2"] * 2
    assert "the check's own" in text


def test_no_dialogue_is_played_ahead(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE)
    pytester.makeconftest(
        "from pytest_todeval.integration.ahead import AHEAD\n"
        "def pytest_runtest_setup(item):\n    assert AHEAD not in item.config.stash\n"
    )
    ran = pytester.runpytest("--todeval-show=live", "--todeval-record=live")
    ran.assert_outcomes(failed=2)
    both = pytester.runpytest("--todeval-show=live", "--todeval-concurrency=2")
    assert both.ret == pytest.ExitCode.USAGE_ERROR
    both.stderr.fnmatch_lines("*leave out --todeval-concurrency*")


def test_it_takes_one_process(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(SUITE)
    ran = pytester.runpytest("--todeval-show=live", "-n2")
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines("*--todeval-show=live*leave out -n*todeval view results.json*")
