"""A call that is not in the cassette is never a pass, and the message says what changed where."""

import json
from pathlib import Path

import pytest

from tests.plugin.conftest import apart, recorded_once

CONFTEST = """
import os
import openai
import pytest
from pytest_todeval import ScriptedUser
from pytest_todeval.testing import StandInServer


class Bot:
    def __init__(self):
        self.client = openai.OpenAI(
            base_url=os.environ.get("MODEL_URL", "http://localhost/v1"),
            api_key="no-key-needed",
            max_retries=0,
        )
        self.messages = [{"role": "system", "content": os.environ["PROMPT"]}]

    def respond(self, text):
        self.messages.append({"role": "user", "content": text})
        try:
            said = self.client.chat.completions.create(
                model=os.environ["MODEL"], messages=self.messages
            ).choices[0].message.content
        except Exception:
            said = "Sorry, something went wrong."
        said += os.environ["SUFFIX"]
        self.messages.append({"role": "assistant", "content": said})
        return said


@pytest.fixture
def user_simulator():
    return ScriptedUser(["A table please.", "For two.", "Thank you."])


@pytest.fixture(scope="session")
def tod_system(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield Bot
        return
    with StandInServer(lambda request: f"Noted: {request.last_user}") as server:
        os.environ["MODEL_URL"] = server.base_url
        yield Bot
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert len(dialogue.turns) == 3
"""

WORDS = " ".join(f"word{n}" for n in range(1500))


@pytest.fixture
def recorded(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, kept: dict[Path, bytes]
) -> pytest.Pytester:
    """A suite with a cassette of a bot that swallows every exception."""
    for name, value in (("PROMPT", f"You book {WORDS}"), ("MODEL", "stand-in"), ("SUFFIX", "")):
        monkeypatch.setenv(name, value)
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    with recorded_once(kept, pytester.path) as first:
        if first:
            apart(pytester, "--todeval-record=missing").assert_outcomes(passed=1)
            apart(pytester).assert_outcomes(passed=1)
    return pytester


def test_a_swallowed_miss_is_a_stale_cassette(
    recorded: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, processes: list[str]
) -> None:
    monkeypatch.setenv("PROMPT", f"You book {WORDS}".replace("word1234 ", "WORD1234 "))
    result = apart(recorded, *processes, "--todeval-json=r.json")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "stale_cassette: not in the cassette: POST /v1/chat/completions",
            "*dialogue: demo/DEMO001#0 · lane system · turn 1 · call 1",
            "*cause: *prompt*",
            "*word 1237*word1234*WORD1234*",
            "  record: pytest *test_bot.py::test_it*--todeval-record=rewrite",
            "      then: todeval cassettes accept",
            "*1 dialogue (ScriptedUser with Bot): 1 stale_cassette",
        ]
    )
    entry = json.loads(recorded.path.joinpath("r.json").read_text())["dialogues"][0]
    assert entry["outcome"] == "stale_cassette"


@pytest.mark.parametrize(
    ("name", "value", "cause"),
    [
        ("MODEL", "another", "*cause: *model*"),
        ("SUFFIX", " Indeed.", "*cause: *the bot said something else in turn 1*"),
    ],
)
def test_the_cause_is_named(
    recorded: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
    cause: str,
) -> None:
    monkeypatch.setenv(name, value)
    result = apart(recorded)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([cause])


def test_a_rewrite_that_fails_leaves_the_old_cassette(
    recorded: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    (cassette,) = recorded.path.glob("cassettes/**/*.todeval.jsonl")
    before = cassette.read_bytes()
    conftest = recorded.path / "conftest.py"
    broken = conftest.read_text().replace("self.messages.append", "self.no_such_thing.append", 1)
    conftest.write_text(broken)
    apart(recorded, "--todeval-record=rewrite").assert_outcomes(failed=1)
    assert cassette.read_bytes() == before
