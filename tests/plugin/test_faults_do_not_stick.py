"""A recording that ended in a fault: what is kept of it, what is asked anew, what is said."""

import os
from pathlib import Path

import pytest

from tests.plugin.conftest import apart

pytestmark = pytest.mark.thorough

CONFTEST = """
import json
import os
import pytest
import httpx
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import SimulatorFault
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.testing import StandInServer

FAULTY = os.environ.get("FAULTY", "")


def answer(request):
    unusable = FAULTY == "user" and "user 2" in request.last_user
    return "" if unusable else "Heard: " + request.last_user


@pytest.fixture(scope="session", autouse=True)
def model(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield
        return
    with StandInServer(answer) as server:
        os.environ["MODEL_URL"] = server.base_url
        yield
        with open("asked.txt", "a") as file:
            file.writelines(request.last_user + "\\n" for request in server.requests)


def ask(text, path="/chat/completions", **more):
    body = {"model": "stand-in", "messages": [{"role": "user", "content": text}], **more}
    url = os.environ.get("MODEL_URL", "http://localhost/v1")
    return httpx.post(url + path, json=body)


class User:  # asks for a draft, once more if it is none, then gives up
    def respond(self, turn):
        number = 1 if turn is None else turn.index + 1
        for text in (f"user {number}", f"user {number}, again"):
            if ask(text).json()["choices"][0]["message"]["content"]:
                done = StopReason.USER_DONE if number == 3 else None
                return Utterance(f"I say {number}", done)
        raise SimulatorFault("two drafts could not be used")


@pytest.fixture
def user_simulator(goal):
    return User()


@pytest.fixture(scope="session")
def tod_system():
    def respond(text):
        lost = FAULTY == "bot" and "2" in text
        answered = ask(text, "/nowhere" if lost else "/chat/completions")
        return answered.raise_for_status().json()["choices"][0]["message"]["content"]

    return lambda: respond
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert len(dialogue.turns) >= 2
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    return pytester


def asked(suite: pytest.Pytester) -> list[str]:
    """What was really asked since this was last looked at."""
    file = suite.path / "asked.txt"
    found = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return found


def journals(suite: pytest.Pytester) -> list[Path]:
    return list(suite.path.rglob("*.journal"))


def run(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, mode: str, faulty: str = ""
) -> pytest.RunResult:
    monkeypatch.setitem(os.environ, "FAULTY", faulty)
    return apart(suite, f"--todeval-record={mode}")


def test_a_fault_of_the_user_is_recorded_and_replayed_until_it_is_asked_again(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(suite, monkeypatch, "missing", "user")
    result.assert_outcomes(errors=1)
    recorded = ["*this simulator_fault is recorded: a replay ends in it, too.*"]
    result.stdout.fnmatch_lines(recorded)
    assert asked(suite) == ["user 1", "I say 1", "user 2", "user 2, again"]
    assert journals(suite) == []
    replay = run(suite, monkeypatch, "replay")
    replay.assert_outcomes(errors=1)
    replay.stdout.fnmatch_lines(["*simulator_fault: *two drafts could not be used*", *recorded])
    replay.stdout.no_fnmatch_line("*stale*")
    again = run(suite, monkeypatch, "missing")
    again.assert_outcomes(passed=1)
    # What was answered before the fault is not paid twice; the drafts are asked for anew.
    assert asked(suite) == ["user 2", "I say 2", "user 3"]
    assert journals(suite) == []
    run(suite, monkeypatch, "replay").assert_outcomes(passed=1)
    run(suite, monkeypatch, "missing").assert_outcomes(passed=1)
    assert asked(suite) == []


def test_a_fault_takes_the_place_of_a_fault_and_of_no_whole_dialogue(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    for mode in ("rewrite", "rewrite", "missing"):
        run(suite, monkeypatch, mode, "user").assert_outcomes(errors=1)
        assert journals(suite) == []
    asked(suite)
    run(suite, monkeypatch, "rewrite").assert_outcomes(passed=1)
    assert asked(suite) == ["user 1", "I say 1", "user 2", "I say 2", "user 3"]
    result = run(suite, monkeypatch, "rewrite", "user")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*not kept: no cassette was written, as the dialogue ended in simulator_fault. Of its*"]
    )
    run(suite, monkeypatch, "replay").assert_outcomes(passed=1)


def test_lanes_that_replay_play_the_fault_as_it_was(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(suite, monkeypatch, "missing", "user")
    asked(suite)
    run(suite, monkeypatch, "system:missing").assert_outcomes(errors=1)
    assert asked(suite) == []
    run(suite, monkeypatch, "user:missing,system:missing").assert_outcomes(passed=1)
    assert asked(suite) == ["user 2", "I say 2", "user 3"]


def test_a_call_that_failed_is_asked_again(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(suite, monkeypatch, "missing", "bot")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["*not kept: *ended in failed. Of its calls 3 wait *, 1 belong to*"]
    )
    asked(suite)
    again = run(suite, monkeypatch, "missing")
    again.assert_outcomes(passed=1)
    assert asked(suite) == ["I say 2", "user 3"]


def test_rewrite_asks_all_anew(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    run(suite, monkeypatch, "rewrite", "bot")
    asked(suite)
    plan = run(suite, monkeypatch, "rewrite")
    plan.stdout.fnmatch_lines(["todeval: journals: 1 of recordings that did not finish*not used"])
    plan.assert_outcomes(passed=1)
    assert asked(suite) == ["user 1", "I say 1", "user 2", "I say 2", "user 3"]


def test_plan_and_error_say_what_comes_from_a_journal(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(suite, monkeypatch, "missing", "bot")
    result = run(suite, monkeypatch, "missing", "bot")
    result.stdout.fnmatch_lines(
        [
            "todeval: journals: 1 of recordings that did not finish, with 3 calls*answered from*",
            "*3 calls were answered from the journal of an unfinished recording*",
        ]
    )


def test_the_plan_says_how_many_faults_are_asked_again(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(suite, monkeypatch, "missing", "user")
    result = run(suite, monkeypatch, "missing")
    result.stdout.fnmatch_lines(["todeval: faults: 1 of the cassettes end in one; *asked again"])


def test_a_bot_that_crashes_by_itself_is_replayed_to_that(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash = "assert '2' not in text\n        return answered"
    suite.makeconftest(CONFTEST.replace("return answered", crash))
    run(suite, monkeypatch, "missing").assert_outcomes(failed=1)
    assert journals(suite) == []
    result = run(suite, monkeypatch, "replay")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*stale*")


STREAMING = """
def ask(text, path="/chat/completions"):
    import threading
    def in_background():
        httpx.post(os.environ["SILENT_URL"], json={"say": "nothing"}, timeout=9)
    if "2" in text and "say" in text:
        threading.Thread(target=in_background, daemon=True).start()
    body = {"model": "stand-in", "messages": [{"role": "user", "content": text}]}
"""


def test_a_recorded_dialogue_that_lacks_a_call_is_no_pass(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    start = CONFTEST.index("def ask("), CONFTEST.index("    url = ")
    suite.makeconftest(CONFTEST[: start[0]] + STREAMING.lstrip() + CONFTEST[start[1] :])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("SILENT_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/telemetry")
        result = run(suite, monkeypatch, "missing")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*infrastructure: not recorded: POST /telemetry (lane system, turn 2; made by httpx, "
            "at conftest.py:* in in_background): it was still under way when its dialogue was over*"
        ]
    )
    assert list(suite.path.rglob("*.todeval.jsonl")) == []
