"""Recording and replaying spread over processes: the same files, nothing lost."""

import pytest

from tests.plugin.conftest import apart

pytestmark = pytest.mark.thorough

CONFTEST = """
import os
import urllib.request, json
import pytest
from pytest_todeval import ScriptedUser
from pytest_todeval.testing import StandInServer


def respond(text):
    body = {"model": "stand-in", "messages": [{"role": "user", "content": text}]}
    request = urllib.request.Request(
        os.environ.get("MODEL_URL", "http://localhost/v1") + "/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"I am {goal.id}.", "What is there?", "Thank you."])


@pytest.fixture(scope="session")
def tod_system(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield lambda: respond
        return
    with StandInServer(lambda request: f"Heard: {request.last_user}") as server:
        os.environ["MODEL_URL"] = server.base_url
        yield lambda: respond
"""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=40)
def test_it(dialogue):
    assert [turn.system for turn in dialogue.turns][-1] == "Heard: Thank you."
"""


def cassettes(pytester: pytest.Pytester) -> dict[str, bytes]:
    """The cassettes by name; taken away, for the next recording to begin anew."""
    found = {path.name: path for path in pytester.path.glob("cassettes/**/*.jsonl")}
    contents = {name: path.read_bytes() for name, path in found.items()}
    for path in found.values():
        path.unlink()
    return contents


def test_forty_tests_on_four_processes_record_what_one_process_records(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    apart(pytester, "--todeval-record=missing").assert_outcomes(passed=40)
    serial = cassettes(pytester)
    assert len(serial) == 40
    apart(pytester, "--todeval-record=missing", "-n4").assert_outcomes(passed=40)
    apart(pytester, "-n4").assert_outcomes(passed=40)
    assert list(pytester.path.glob("cassettes/**/.*")) == []
    assert cassettes(pytester) == serial
