"""Any test can have a cassette, without goal or dialogue: by a marker, or by a fixture."""

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.conftest import PROJECT
from tests.plugin.conftest import PROCESSES, apart
from tests.support.recording_server import Server, serving

NOWHERE = "http://127.0.0.1:9"
SUITE = """
import json
import os
import threading
import unittest
import urllib.request

import httpx
import pytest

URL = os.environ["API_URL"]


def ask(path, **body):
    answer = httpx.post(URL + path, json=body) if body else httpx.get(URL + path)
    return answer.json()["choices"][0]["message"]["content"]


@pytest.fixture
def room():
    made = ask("/rooms", name="Blue")
    yield made
    ask("/rooms/delete", name="Blue")


@pytest.mark.todeval_cassette
def test_marked():
    assert ask("/weather?city=Bergen") != ask("/weather?city=Bergen")


def test_by_fixture(todeval_cassette, todeval_now, todeval_seed):
    assert ask("/weather", city="Oslo")
    assert todeval_now == todeval_cassette.now and todeval_seed == todeval_cassette.seed


@pytest.mark.todeval_cassette
@pytest.mark.parametrize("city", ["Bergen/Nord", "Tromso"])
def test_of_cities(city):
    assert ask("/weather", city=city)


@pytest.mark.todeval_cassette
class TestRooms:
    def test_is_made_and_deleted(self, room):
        assert room


@pytest.mark.todeval_cassette
class RoomsOfUnittest(unittest.TestCase):
    def test_it(self):
        self.assertTrue(ask("/rooms", name="Red"))


@pytest.mark.anyio
@pytest.mark.todeval_cassette
async def test_async():
    async with httpx.AsyncClient() as client:
        answer = await client.get(URL + "/slow")
    assert answer.json()["choices"]


@pytest.mark.todeval_cassette
def test_in_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(ask("/threads", number=1)))
    thread.start()
    thread.join()
    assert found


@pytest.fixture
def anyio_backend():
    return "asyncio"
"""
NAMES = (
    "RoomsOfUnittest--test_it-",
    "TestRooms--test_is_made_and_deleted-",
    "test_async.",
    "test_by_fixture.",
    "test_in_a_thread.",
    "test_marked.",
    "test_of_cities[Bergen-Nord].",
    "test_of_cities[Tromso].",
)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serving() as server:
        monkeypatch.setenv("API_URL", server.url)
        monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:rerunfailures")
        yield server


def names(pytester: pytest.Pytester) -> list[str]:
    return sorted(path.name for path in pytester.path.glob("cassettes/**/*.todeval.jsonl"))


@pytest.mark.parametrize("spread", PROCESSES)
def test_every_sort_of_test_replays_offline(
    pytester: pytest.Pytester, api: Server, monkeypatch: pytest.MonkeyPatch, spread: list[str]
) -> None:
    pytester.makepyfile(test_api=SUITE)
    recording = apart(pytester, *spread, "--todeval-record=missing")
    recording.assert_outcomes(passed=8)
    recording.stdout.fnmatch_lines(["*cassettes: recorded 10 calls of 8 tests in cassettes*"])
    found = names(pytester)
    assert len(found) == len(NAMES)
    assert all(map(str.startswith, found, NAMES)), found
    assert api.hits == 10

    for url in (api.url, NOWHERE):  # the server is not asked, and need not be there
        monkeypatch.setenv("API_URL", url)
        replayed = apart(pytester, *spread)
        replayed.assert_outcomes(passed=8)
        replayed.stdout.no_fnmatch_line("*cassettes:*")
    assert api.hits == 10


def recorded(pytester: pytest.Pytester, test: str, *arguments: str) -> pytest.RunResult:
    head, _, _ = SUITE.partition("@pytest.fixture")
    pytester.makepyfile(test_api=head + test)
    return apart(pytester, "--todeval-record=missing", *arguments)


EDITED = """
@pytest.mark.todeval_cassette
def test_weather():
    try:
        ask("/weather", city="Bergen", days=3)
    except Exception:
        pass
"""


def test_a_changed_request_fails_even_if_the_test_swallows_it(
    pytester: pytest.Pytester, api: Server
) -> None:
    recorded(pytester, EDITED).assert_outcomes(passed=1)
    test = pytester.path / "test_api.py"
    test.write_text(test.read_text().replace('city="Bergen"', 'city="Oslo"'))
    result = apart(pytester, "--junitxml=junit.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "stale_cassette: not in the cassette: POST /weather",
            "  test: test_api.py::test_weather",
            "  call: 1, made by httpx, at test_api.py:* in ask",
            "  cassette: *test_weather.todeval.jsonl",
            '*city: "Bergen" -> "Oslo"*',
            "  record: pytest *test_api.py::test_weather*--todeval-record=rewrite",
        ]
    )
    result.stdout.no_fnmatch_line("*dialogue*")
    assert "stale_cassette" in (pytester.path / "junit.xml").read_text()
    assert api.hits == 1


def test_an_unrecorded_test_says_what_records_it(pytester: pytest.Pytester, api: Server) -> None:
    pytester.makepyfile(test_api=SUITE)
    result = apart(pytester, "-k", "test_marked or test_is_made")
    result.assert_outcomes(failed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "stale_cassette: not in the cassette: POST /rooms",
            "  cause: nothing is recorded for this test yet",
            "  record: pytest *TestRooms*--todeval-record=missing",
            "stale_cassette: not in the cassette: GET /weather",
        ]
    )
    assert api.hits == 0


SECRET = """
@pytest.mark.todeval_cassette
def test_secret():
    secret = "zebra-" + "99ztrauQ7"[::-1]
    httpx.post(URL + "/login", json={"password": secret})
    print(secret)
    assert not secret
"""


def test_secrets_reach_neither_cassette_nor_report(pytester: pytest.Pytester, api: Server) -> None:
    result = recorded(pytester, SECRET, "--junitxml=junit.xml", "-o", "junit_logging=all")
    result.assert_outcomes(failed=1)
    written = [path for path in pytester.path.rglob("*.*") if path.is_file()]
    told = {path.name for path in written if b"7Quartz99" in path.read_bytes()}
    assert not {name for name in told if not name.endswith((".pyc", ".py"))}
    (cassette,) = pytester.path.glob("cassettes/**/*.todeval.jsonl")
    assert "todeval-redacted" in cassette.read_text()


NETWORK = """
import socket

@pytest.mark.todeval_cassette(allow=os.environ.get("ALLOWED", ""))
def test_sockets():
    address = os.environ["REAL"].rpartition(":")
    with socket.create_connection((address[0], int(address[2]))):
        pass
"""


def test_the_network_is_held_back_but_for_what_the_marker_allows(
    pytester: pytest.Pytester, api: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REAL", api.address)
    head, _, _ = SUITE.partition("@pytest.fixture")
    pytester.makepyfile(test_api=head + NETWORK)
    result = apart(pytester)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the network is blocked*--todeval-allow*"])
    result = apart(pytester, "--todeval-record=rewrite")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["infrastructure: not recorded: a connection to * in test_api.py*"])
    monkeypatch.setenv("ALLOWED", api.address)
    apart(pytester).assert_outcomes(passed=1)


LEFT = """
@pytest.mark.todeval_cassette
def test_less():
    ask("/one", number=1)
    if not os.environ.get("LESS"):
        ask("/two", number=2)
"""


def test_what_a_replay_did_not_ask_is_told(
    pytester: pytest.Pytester, api: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(pytester, LEFT).assert_outcomes(passed=1)
    monkeypatch.setenv("LESS", "1")
    result = apart(pytester)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["*cassettes: 1 recorded calls were not played*test_api.py::test_less*"]
    )


FAILING = """
@pytest.mark.todeval_cassette
def test_fails():
    assert ask("/one", number=1) == os.environ.get("EXPECTED")
"""


def test_a_failed_test_keeps_its_first_recording_and_replaces_no_whole_one(
    pytester: pytest.Pytester, api: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(pytester, FAILING).assert_outcomes(failed=1)
    (cassette,) = pytester.path.glob("cassettes/**/*.todeval.jsonl")
    first = cassette.read_bytes()
    monkeypatch.setenv("EXPECTED", "answer 1 to ")
    apart(pytester).assert_outcomes(passed=1)

    result = apart(pytester, "--todeval-record=rewrite")  # the server has another answer now
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*not kept: *1 wait in the journal*"])
    assert cassette.read_bytes() == first
    assert api.hits == 2


WITH_DIALOGUE = """
from pytest_todeval import ScriptedUser

pytestmark = pytest.mark.todeval_cassette


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Hello."])


@pytest.fixture
def tod_system():
    return lambda text: ask("/chat", messages=[{"content": text}])


@pytest.mark.goals("demo", limit=1)
def test_dialogue(dialogue, todeval_cassette):
    assert dialogue.turns[0].system and todeval_cassette.calls


def test_plain():
    assert ask("/plain", number=1)
"""


def test_a_marked_module_may_have_dialogues_too(
    pytester: pytest.Pytester, api: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(pytester, WITH_DIALOGUE).assert_outcomes(passed=2)
    monkeypatch.setenv("API_URL", NOWHERE)
    apart(pytester, "-p", "no:randomly").assert_outcomes(passed=2)
    assert api.hits == 2


def test_the_plan_counts_tests_and_the_marker_refuses_what_it_does_not_know(
    pytester: pytest.Pytester, api: Server
) -> None:
    head, _, _ = SUITE.partition("@pytest.fixture")
    pytester.makepyfile(test_api=head + LEFT)
    result = apart(pytester, "--collect-only", "--todeval-record=missing")
    result.stdout.fnmatch_lines(["todeval: plan (missing): 1 test, 0 with a cassette; 1 will *"])
    pytester.makepyfile(test_api=head + LEFT.replace("_cassette", "_cassette(mode='once')"))
    result = apart(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*todeval_cassette*mode*allow*"])
    result.stdout.no_fnmatch_line("*Traceback*")


class Weather(BaseHTTPRequestHandler):
    """Says of which city it was asked."""

    def do_GET(self) -> None:
        body = b'{"city":"%b"}' % self.path.rpartition("=")[2].encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_the_example_of_the_documents(pytester: pytest.Pytester, api: Server) -> None:
    text = (PROJECT / "docs" / "cassettes.md").read_text(encoding="utf-8")
    block = next(b for b in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "weather" in b)
    with ThreadingHTTPServer(("127.0.0.1", 0), Weather) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        pytester.makepyfile(test_weather=block.replace("https://api.example.com", url))
        apart(pytester, "--todeval-record=missing").assert_outcomes(passed=1)
        server.shutdown()
    apart(pytester).assert_outcomes(passed=1)
