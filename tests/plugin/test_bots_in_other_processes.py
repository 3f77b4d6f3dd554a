"""Bots behind HTTP in several languages: recorded and replayed through the gateway."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_todeval.recording.jail import kernel
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.conftest import PROJECT
from tests.plugin.conftest import apart
from tests.support.recording_server import refused_url

pytestmark = pytest.mark.thorough

BOTS = PROJECT / "tests" / "other_languages"
EXAMPLE = PROJECT / "examples" / "http_bots"
UVICORN = [sys.executable, "-m", "uvicorn", "fastapi_bot:app", "--port", "{port}"]
SERVERS = {
    "python": (BOTS / "python_bot.py", [sys.executable, "python_bot.py"]),
    "node": (BOTS / "node_bot.mjs", ["node", "node_bot.mjs"]),
    "java": (BOTS / "JavaBot.java", ["java", "JavaBot.java"]),
    "fastapi": (EXAMPLE / "fastapi_bot.py", UVICORN),
    "node with openai": (EXAMPLE / "node_bot.mjs", ["node", "node_bot.mjs"]),
}
EDITS = {
    "python": ("You book hotels.", "hotels", "hostels"),
    "fastapi": ("Ask for day, time", "day", "date"),
    "node with openai": ("Ask for day, time", "day", "date"),
}
"""A part of each bot's prompt, the word in it that is edited, and what it becomes."""

CONFTEST = """
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"I am {goal.id}.", "What is there?", "Thank you."])

@pytest.fixture(scope="session")
def tod_system(todeval_server):
    command = ["sh", "-c", 'touch "bot-$$.pid" && exec "$@"', "sh", *COMMAND]
    env = {"OPENAI_API_KEY": "no-key-needed"}
    return todeval_server(command, env=env).url + "/chat"
"""
CLI = """
import subprocess, sys
import pytest
from pytest_todeval import ScriptedUser

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"I am {goal.id}.", "What is there?", "Thank you."])

@pytest.fixture
def tod_system(todeval_gateway):
    def respond(text):
        command = [sys.executable, "python_bot.py", text]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return respond
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=3)
def test_it(dialogue):
    assert [turn.system for turn in dialogue.turns][-1] == "Heard: Thank you."
"""
CALLS = 9
"""Three dialogues of three turns."""

WHY_NOT = kernel.why_not()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInServer]:
    """Where the bots' clients ask, were it not for the gateway."""
    with StandInServer(lambda request: f"Heard: {request.last_user}") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        yield server
        assert server.failures == ()


def suite(pytester: pytest.Pytester, server: str) -> None:
    if (missing := lacking(server)) is not None:
        pytest.skip(missing)
    file, command = SERVERS[server]
    shutil.copy(file, pytester.path)
    if server == "node with openai":
        (pytester.path / "node_modules").symlink_to(EXAMPLE / "node_modules")
    pytester.makeconftest(CONFTEST.replace("COMMAND", repr(command)))
    pytester.makepyfile(test_bot=TEST)


def lacking(server: str) -> str | None:
    """What a bot needs and is not installed here; None if all is."""
    program = SERVERS[server][1][0]
    if shutil.which(program) is None:
        return f"{program} is not installed"
    if server == "node with openai" and not (EXAMPLE / "node_modules" / "openai").is_dir():
        return f"no openai client for node: cd {EXAMPLE} && npm install"
    if server == "fastapi":
        for name in ("fastapi", "uvicorn"):
            if importlib.util.find_spec(name) is None:
                return f"{name} is not installed"
    return None


def gone(model: StandInServer, monkeypatch: pytest.MonkeyPatch) -> None:
    model.close()
    monkeypatch.setenv("OPENAI_BASE_URL", refused_url() + "/v1")


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_is_recorded_and_replayed_with_its_model_gone(
    server: str,
    pytester: pytest.Pytester,
    model: StandInServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    suite(pytester, server)
    apart(pytester, "--todeval-record=missing").assert_outcomes(passed=3)
    assert model.hits == CALLS
    assert len(list(pytester.path.glob("cassettes/**/*.jsonl"))) == 3
    gone(model, monkeypatch)
    apart(pytester, "-n2").assert_outcomes(passed=3)


def test_recorded_by_two_processes_each_call_has_its_turn(
    pytester: pytest.Pytester, model: StandInServer
) -> None:
    suite(pytester, "python")
    apart(pytester, "--todeval-record=rewrite", "-n2").assert_outcomes(passed=3)
    calls = [
        line
        for path in sorted(pytester.path.glob("cassettes/**/*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith('{"call"')
    ]
    turns = [f'{{"call":{{"lane":"system","turn":{turn},' for turn in [1, 2, 3] * 3]
    assert [line[: len(turn)] for line, turn in zip(calls, turns, strict=True)] == turns
    assert model.hits == CALLS


@pytest.mark.parametrize("server", EDITS)
def test_an_edited_prompt_is_stale_and_the_word_is_shown(
    server: str,
    pytester: pytest.Pytester,
    model: StandInServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    suite(pytester, server)
    apart(pytester, "--todeval-record=missing").assert_outcomes(passed=3)
    gone(model, monkeypatch)
    words, old, new = EDITS[server]
    bot = pytester.path / SERVERS[server][0].name
    text = bot.read_text()
    assert text.count(words) == 1
    bot.write_text(text.replace(words, words.replace(old, new)))
    result = apart(pytester)
    result.assert_outcomes(errors=3)
    shown = f'*(system) word *: "{old}*" -> "{new}*"'
    result.stdout.fnmatch_lines(["*stale_cassette*", "*the prompt was edited*", shown])
    assert "3 stale" in result.stdout.str()


def test_processes_that_a_bot_starts_in_each_turn_are_recorded(
    pytester: pytest.Pytester, model: StandInServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(BOTS / "python_bot.py", pytester.path)
    pytester.makeconftest(CLI)
    pytester.makepyfile(test_bot=TEST)
    apart(pytester, "--todeval-record=missing").assert_outcomes(passed=3)
    assert model.hits == CALLS
    gone(model, monkeypatch)
    apart(pytester).assert_outcomes(passed=3)
    [first, *_] = sorted(pytester.path.glob("cassettes/**/*.jsonl"))
    assert '"turn":3,' in first.read_text(encoding="utf-8")


@pytest.mark.parametrize("server", EDITS)
def test_killed_in_the_middle_nothing_that_was_answered_is_asked_again(
    server: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(pytester, server)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--todeval-record=missing"]
    runs: list[subprocess.Popen[bytes]] = []

    def answer(request: ChatRequest) -> str:
        if asked.hits == 5:
            runs[0].kill()
        return f"Heard: {request.last_user}"

    with StandInServer(answer) as asked:
        monkeypatch.setenv("OPENAI_BASE_URL", asked.base_url)
        runs.append(subprocess.Popen(command, cwd=pytester.path, stdout=subprocess.DEVNULL))
        assert runs[0].wait() == -signal.SIGKILL
        stop_orphans(pytester.path)
        assert asked.hits == 5
        apart(pytester, "--todeval-record=missing").assert_outcomes(passed=3)
        assert asked.hits == CALLS + 1  # the fifth was never answered
    apart(pytester).assert_outcomes(passed=3)
    assert list(pytester.path.glob("cassettes/**/.*")) == []


def stop_orphans(folder: Path) -> None:
    for file in folder.glob("bot-*.pid"):
        os.kill(int(file.stem.partition("-")[2]), signal.SIGKILL)


@pytest.mark.skipif(WHY_NOT is not None, reason=f"the kernel's jail: {WHY_NOT}")
def test_a_server_that_does_not_ask_the_gateway_is_told(
    pytester: pytest.Pytester, model: StandInServer
) -> None:
    suite(pytester, "python")
    conftest = (pytester.path / "conftest.py").read_text()
    past = f'env = {{"OPENAI_BASE_URL": {model.base_url!r}, '
    assert "env = {" in conftest
    pytester.makeconftest(conftest.replace("env = {", past))
    recorded = apart(pytester, "--todeval-record=missing", "-k", "1")
    recorded.assert_outcomes(passed=1, deselected=2)
    port = model.base_url.split(":")[2].partition("/")[0]
    recorded.stdout.fnmatch_lines(
        [f"*cassettes: a connection to 127.0.0.1:{port} *in no cassette*"]
    )
    hits = model.hits
    replayed = apart(pytester, "-k", "1")
    replayed.assert_outcomes(errors=1, deselected=2)
    replayed.stdout.fnmatch_lines([f"*infrastructure: *127.0.0.1:{port}*network is blocked*"])
    assert model.hits == hits


def test_a_bot_is_not_failed_for_a_model_that_does_not_answer(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite(pytester, "python")
    monkeypatch.setenv("OPENAI_BASE_URL", refused_url() + "/v1")
    result = apart(pytester, "--todeval-record=missing", "-k", "1")
    result.assert_outcomes(errors=1, deselected=2)
    result.stdout.fnmatch_lines(["*infrastructure: *answered 500*what it asked did not answer*"])
    assert list(pytester.path.glob("cassettes/**/*.jsonl")) == []


def test_a_server_that_does_not_start_says_what_it_printed(pytester: pytest.Pytester) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no such setting: AREA')"]
    pytester.makeconftest(CONFTEST.replace("COMMAND", repr(command)))
    pytester.makepyfile(test_bot=TEST)
    result = apart(pytester)
    result.assert_outcomes(errors=3)
    result.stdout.fnmatch_lines(["*ended with status 1 before it listened at 127.0.0.1:*"])
    result.stdout.fnmatch_lines(["*no such setting: AREA*"])


def test_other_providers_are_named_in_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ntodeval_gateway =\n    vllm = http://gpu.local:8000/v1\n")
    pytester.makepyfile(
        """
        def test_it(todeval_gateway):
            told = todeval_gateway.environment("demo/1#0")
            base = todeval_gateway.url + "/dialogue/demo%2F1%230"
            assert told["VLLM_BASE_URL"] == base + "/vllm/v1"
            assert told["OPENAI_BASE_URL"] == base + "/openai/v1"
            assert told["ANTHROPIC_BASE_URL"] == base + "/anthropic"
        """
    )
    apart(pytester).assert_outcomes(passed=1)


def test_a_line_that_cannot_be_read_is_refused(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ntodeval_gateway = vllm\n")
    pytester.makepyfile("def test_it(todeval_gateway): pass")
    result = apart(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*UsageError: todeval_gateway: 'vllm' cannot be read; expected*"])


@pytest.mark.parametrize("server", ["fastapi", "node"])
def test_the_example(server: str, tmp_path: Path) -> None:
    copy = shutil.copytree(EXAMPLE, tmp_path / "http_bots", symlinks=True)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "-k", server]
    result = subprocess.run(command, capture_output=True, text=True, cwd=copy, check=False)
    if "2 skipped" in result.stdout:
        pytest.skip(result.stdout.partition("SKIPPED")[2].partition("\n")[0])
    assert "2 passed" in result.stdout, result.stdout + result.stderr
