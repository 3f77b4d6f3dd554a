"""A bot leaves a thread running that calls when its dialogue is over: it is told, and nobody's."""

from collections.abc import Iterator

import pytest

from tests.plugin.conftest import PROCESSES, apart
from tests.support.recording_server import Server, serving

CONFTEST = """
import os
import threading

import httpx
import pytest
from pytest_todeval import ScriptedUser

URL = os.environ["API_URL"]
LATER = threading.Event()
STARTED = []


def ask(path):
    return httpx.post(URL + path, json={"messages": [{"content": path}]}).json()["model"]


def later():
    LATER.wait(30)
    try:
        ask("/afterwards")
    except Exception:
        pass


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Hello."])


@pytest.fixture
def tod_system():
    def respond(text):
        if not STARTED:
            STARTED.append(threading.Thread(target=later))
            STARTED[0].start()
        return ask("/chat")
    return respond


@pytest.fixture(scope="session", autouse=True)
def ends():
    yield
    LATER.set()


@pytest.fixture(autouse=True)
def between(request):
    yield
    if STARTED:
        LATER.set()
        STARTED[0].join()
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=2)
def test_it(dialogue):
    assert dialogue.turns
"""


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving() as server:
        monkeypatch.setenv("API_URL", server.url)
        yield server


def test_it_is_told_and_nobodys_fault(pytester: pytest.Pytester, api: Server) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    told = (
        "*network: POST /afterwards, after its dialogue demo/DEMO001#0 was over (made by httpx, "
        "at conftest.py:* in ask)*"
    )
    recorded = apart(pytester, "-p", "no:xdist", "--todeval-record=rewrite", ONE_AT_A_TIME)
    recorded.assert_outcomes(passed=2)
    recorded.stdout.fnmatch_lines([told])
    hits = api.hits
    replayed = apart(pytester, "-p", "no:xdist")
    replayed.assert_outcomes(passed=2)
    replayed.stdout.fnmatch_lines([told])
    assert api.hits == hits


ONE_AT_A_TIME = "--todeval-concurrency=1"


@pytest.mark.parametrize("spread", PROCESSES[1:])
def test_workers_tell_it_too(pytester: pytest.Pytester, api: Server, spread: list[str]) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    result = apart(pytester, *spread, "--todeval-record=rewrite", ONE_AT_A_TIME)
    result.stdout.fnmatch_lines(["*network: POST /afterwards, after its dialogue *"])
