"""`--todeval-concurrency`: dialogues of coming tests are played ahead, and nothing else differs."""

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.testing import ChatRequest, StandInServer
from tests.plugin.conftest import apart
from tests.plugin.test_asked_once_in_runs import answer as judged

CONFTEST = """
import asyncio, logging, pytest, warnings

class Bot:
    together = most = 0

    async def respond(self, text):
        Bot.together += 1
        Bot.most = max(Bot.most, Bot.together)
        await asyncio.sleep(0.05)
        Bot.together -= 1
        print(f"heard by {self.goal_id}")
        logging.getLogger("bot").warning("logged by %s", self.goal_id)
        warnings.warn(f"warned by {self.goal_id}")
        return "Which day would suit you?"

    def __init__(self, goal_id):
        self.goal_id = goal_id

@pytest.fixture(scope="session")
def tod_system():
    return Bot

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"at most {Bot.most} at once")
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=6)
@pytest.mark.todeval(max_turns=3, unserved="allowed")
def test_asks(dialogue):
    assert dialogue.goal.name.endswith(("1", "2", "3"))
"""


def most(result: pytest.RunResult) -> int:
    found = re.search(r"at most (\d+) at once", result.stdout.str())
    assert found is not None
    return int(found[1])


def told_in(result: pytest.RunResult) -> dict[str, set[str]]:
    """By test that failed: whose words are in its captured output."""
    parts = re.split(r"_{5,} test_asks\[(demo/\w+)\] _{5,}", result.stdout.str())
    return {
        goal: set(re.findall(r"(?:heard|logged) by (demo/\w+)", text))
        for goal, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_dialogues_overlap_and_each_test_has_its_own_output(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    alone = apart(pytester, "--todeval-show=all")
    assert most(alone) == 1
    together = apart(pytester, "--todeval-show=all", "--todeval-concurrency=6")
    assert most(together) == 6
    together.stdout.fnmatch_lines(["todeval: 6 dialogues at once"])
    told = told_in(together)
    assert told
    assert told == told_in(alone)
    assert all(heard == {goal} for goal, heard in told.items())
    warned = re.findall(r"warned by (\S+)", together.stdout.str())
    assert sorted(warned) == sorted(re.findall(r"warned by (\S+)", alone.stdout.str()))


CHATS = """
import pytest
from pytest_todeval import ModelSettings
from pytest_todeval.systems import ChatSystem

@pytest.fixture
def tod_system(todeval_models):
    return ChatSystem("bot", instructions="You book hotels.")
"""

ASKS = """
import pytest

@pytest.mark.goals("demo", limit=8)
@pytest.mark.todeval(max_turns=3, unserved="allowed")
def test_asks(dialogue, judge):
    assert judge.turns(dialogue).policy_compliance >= 4
    assert judge.quality(dialogue).empathy >= 1
"""


def model(request: ChatRequest) -> Any:
    """A judge if it is given a form to fill, else the bot."""
    return "Which day would suit you?" if request.schema is None else judged(request)


def same_but_times(path: Path) -> dict[str, Any]:
    """The results without what differs from run to run by itself."""
    text = re.sub(
        r'"(latency_s|seconds|started|ended|duration_s)": [0-9.e-]+', r'"\1": 0', path.read_text()
    )
    found: dict[str, Any] = json.loads(text)
    found["environment"]["settings"].pop("concurrency", None)
    return found


def recorded(pytester: pytest.Pytester, *options: str) -> tuple[Any, dict[str, bytes], int]:
    """Results, cassettes and calls of a run that records."""
    with StandInServer(model) as server:
        address = f"--todeval-base-url={server.base_url}"
        given = ("--todeval-model=judge:m", address, "--todeval-json=r.json", *options)
        apart(pytester, "--todeval-record=missing", *given).assert_outcomes(passed=8)
        hits = server.hits
    replayed = apart(pytester, "--todeval-model=judge:m", "--todeval-json=again.json", *options)
    replayed.assert_outcomes(passed=8)
    replayed.stdout.no_fnmatch_line("*not played*")
    found = {path.name: path.read_bytes() for path in pytester.path.glob("cassettes/**/*.jsonl")}
    for path in pytester.path.glob("cassettes/**/*.jsonl"):
        path.unlink()
    return same_but_times(pytester.path / "r.json")["dialogues"], found, hits


@pytest.mark.parametrize("processes", [[], ["-n2"]], ids=["one", "n2"])
def test_results_cassettes_and_calls_are_those_of_one_at_a_time(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, processes: list[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    pytester.makeconftest(CHATS)
    pytester.makepyfile(test_bot=ASKS)
    serial = recorded(pytester)
    together = recorded(pytester, "--todeval-concurrency=5", *processes)
    assert together == serial
    assert len(serial[1]) == 8


FIXTURES = """
import asyncio, pytest

class Bot:
    together = most = 0
    before = ()  # what a patched bot says first

    async def respond(self, text):
        Bot.together += 1
        Bot.most = max(Bot.most, Bot.together)
        await asyncio.sleep(0.02)
        Bot.together -= 1
        return " ".join([*Bot.before, "Which day would suit you?"])

@pytest.fixture
def tod_system(shop):
    return Bot

@pytest.fixture
def shop():
    return {}

@pytest.fixture
def patched(monkeypatch):
    monkeypatch.setattr(Bot, "before", ("Patched.",))

@pytest.fixture
def ended():
    Bot.before = ("In between.",)
    yield
    Bot.before = ()

@pytest.fixture(scope="module")
def opened():
    return []

def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"at most {Bot.most} at once")
"""

ALONE = """
import pytest

mark = pytest.mark.goals("demo", limit=3)
short = pytest.mark.todeval(max_turns=2, unserved="allowed")

@mark
@short
def test_together(dialogue, shop):
    assert {turn.system for turn in dialogue.turns} == {"Which day would suit you?"}

@mark
@short
def test_patched(patched, dialogue):
    assert dialogue.turns[0].system.startswith("Patched.")

@mark
@short
def test_ended(ended, dialogue):
    assert dialogue.turns[0].system.startswith("In between.")

@mark
@short
def test_of_module(opened, dialogue):
    assert {turn.system for turn in dialogue.turns} == {"Which day would suit you?"}

@pytest.mark.parametrize("day", ["monday"])
@mark
@short
def test_of_a_day(day, dialogue):
    assert day not in dialogue.turns[0].system

def test_without_a_dialogue(monkeypatch, shop):
    monkeypatch.setenv("ANY", "value")
"""


def test_what_patches_or_ends_plays_alone_and_says_so(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(FIXTURES)
    pytester.makepyfile(test_alone=ALONE)
    result = apart(pytester, "--todeval-concurrency=4")
    result.assert_outcomes(passed=16)
    result.stdout.fnmatch_lines(
        [
            "todeval: 4 dialogues at once (3 alone: the fixture monkeypatch; 3 alone: the fixture "
            "ended (it has a `yield`))"
        ]
    )
    assert most(result) >= 3


STATEFUL = """
import pytest

class Bot:
    def respond(self, text):
        self.said = [*getattr(self, "said", []), text]
        return "Which day would suit you?"

@pytest.fixture(scope="session")
def tod_system():
    return Bot()
"""


def test_one_object_that_keeps_what_was_said_answers_one_dialogue_after_the_other(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(STATEFUL)
    pytester.makepyfile(test_bot=TEST)
    result = apart(pytester, "--todeval-concurrency=4")
    result.stdout.fnmatch_lines(["todeval: one object of Bot answers all dialogues*"])


BREAKS = """
import pytest

class Bot:
    def __init__(self, goal_id):
        self.goal_id = goal_id

    def respond(self, text):
        if self.goal_id.endswith("2"):
            raise RuntimeError("no rooms today")
        return "Which day would suit you?"

@pytest.fixture(scope="session")
def tod_system():
    return Bot
"""


@pytest.mark.parametrize("options", [[], ["-x"], ["--maxfail=2"]], ids=["all", "x", "maxfail"])
def test_a_run_ends_where_it_would_have_ended(
    pytester: pytest.Pytester, options: list[str]
) -> None:
    pytester.makeconftest(BREAKS)
    pytester.makepyfile(test_bot=TEST)
    alone = apart(pytester, *options)
    together = apart(pytester, "--todeval-concurrency=6", *options)
    assert together.ret == alone.ret
    assert together.parseoutcomes() == alone.parseoutcomes()
    lines = [line for line in alone.outlines if line.startswith(("FAILED", "ERROR", "test_bot.py"))]
    together.stdout.fnmatch_lines([line.replace("[", "[[]") for line in lines])


def test_what_was_paid_for_ahead_stays_in_journals(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CHATS)
    pytester.makepyfile(test_bot=ASKS.replace("max_turns=3", "max_turns=1") + "    assert 0\n")
    recording = ("--todeval-model=judge:m", "--todeval-record=missing", "--todeval-concurrency=8")
    with StandInServer(model) as server:
        address = f"--todeval-base-url={server.base_url}"
        apart(pytester, *recording, address, "-x").assert_outcomes(failed=1)
        paid = server.hits
        again = apart(pytester, *recording, address)
        again.assert_outcomes(failed=8)
        # Each dialogue has one call of the bot and the judge's four; none of them is made twice.
        assert paid < server.hits == 8 * 5


def test_nobody_knows_what_comes_next(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(BREAKS)
    pytester.makepyfile(test_bot=TEST)
    options = ("--todeval-sequential=1", "--todeval-gate=success >= 0.1")
    result = apart(pytester, "--todeval-concurrency=2", *options)
    result.stderr.fnmatch_lines(["ERROR: --todeval-concurrency=2: with --todeval-sequential *"])


class Waits:
    """A model that answers the judge once as many judges as there are dialogues have asked."""

    def __init__(self, dialogues: int) -> None:
        self._together = threading.Barrier(dialogues)
        self.met = 0

    def __call__(self, request: ChatRequest) -> Any:
        if request.schema is not None and self.met < 1:
            self._together.wait(timeout=30)  # raises, and so fails the call, if they do not meet
            self.met += 1
        return model(request)


@pytest.mark.parametrize("marker", ['asks=["turns"]', "asks=()"], ids=["declared", "seen"])
def test_judges_of_several_dialogues_ask_at_once_though_verdicts_failed(
    pytester: pytest.Pytester, marker: str
) -> None:
    """The first test sets the example as it asks; where the marker says it, nobody waits for it."""
    pytester.makeconftest(CHATS)
    pytester.makepyfile(
        test_bot=f"""
import pytest

@pytest.mark.goals("demo", booking=True, limit=4)
@pytest.mark.todeval(max_turns=1, unserved="allowed", judge="fused", {marker})
def test_asks(dialogue, judge):
    assert not dialogue.success
    assert judge.turns(dialogue).policy_compliance >= 4
"""
    )
    with StandInServer(Waits(4)) as server:
        given = ("--todeval-model=judge:m", f"--todeval-base-url={server.base_url}")
        options = (*given, "--todeval-record=live", "--todeval-concurrency=4")
        apart(pytester, *options).assert_outcomes(passed=4)
        assert server.hits == 4 * 2  # one of the bot, one of the judge


def test_what_the_marker_says_is_asked_has_to_be_a_question(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(BREAKS)
    pytester.makepyfile(test_bot=TEST.replace("max_turns=3", "asks=['turn']"))
    apart(pytester).stdout.fnmatch_lines(["*marker todeval: asks: no question 'turn'*turns*"])


def test_each_process_is_given_as_many_tests_as_it_plays_at_once(
    pytester: pytest.Pytester,
) -> None:
    """By itself pytest-xdist hands out two or three tests of twelve."""
    pytester.makeconftest(
        CONFTEST.replace("0.05", "0.5").replace(
            "def pytest_terminal_summary(terminalreporter):",
            "def pytest_sessionfinish(session):\n"
            "    if hasattr(session.config, 'workerinput'):\n"
            "        session.config.workeroutput['most'] = Bot.most\n\n"
            "def pytest_testnodedown(node):\n"
            "    print(f'at most {node.workeroutput[\"most\"]} at once')\n\n"
            "def unused(terminalreporter):",
        )
    )
    pytester.makepyfile(test_bot=TEST.replace("limit=6", "limit=12"))
    result = apart(pytester, "--todeval-concurrency=6", "-n2", "-s")
    assert re.findall(r"at most (\d+) at once", result.stdout.str()) == ["6", "6"]


def test_modules_are_imported_from_their_bytecode(pytester: pytest.Pytester) -> None:
    """Else pytest would parse and rewrite each, in threads that import at the same time."""
    pytester.makeconftest(BREAKS)
    pytester.makepyfile(
        test_bot=TEST
        + """
    import sys
    ours = {name: it for name, it in sys.modules.items() if name.startswith("pytest_todeval.")}
    assert "pytest_todeval.simulation.loop" in ours
    rewritten = [n for n, it in ours.items() if "Rewriting" in type(it.__loader__).__name__]
    assert set(rewritten) <= {"pytest_todeval.plugin", "pytest_todeval.integration"}
"""
    )
    result = pytester.runpytest_subprocess("-k", "DEMO001")
    result.assert_outcomes(passed=1)
