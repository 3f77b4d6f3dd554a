"""What a process asks for once belongs to no test: any order, selection and spread replays it."""

import json
from pathlib import Path

import pytest

from tests.plugin.conftest import apart, recorded_once, recordings

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("tests_importable")]

CONFTEST = """
import http.client
import json
import os
import random
import threading
import urllib.request
import pytest
from pytest_todeval import ScriptedUser
from tests.support.recording_server import serving

URL = os.environ.get("MODEL_URL", "http://127.0.0.1:9")
ONCE = {}


def ask(method, path, body=None, **headers):
    headers["content-type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(os.environ.get("MODEL_URL", URL) + path, data, headers)
    request.method = method
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def once(name, make):
    if name not in ONCE:
        ONCE[name] = make()
    return ONCE[name]


def respond(text):
    once("prices", lambda: ask("GET", "/static/model_prices.json"))
    once("flags", lambda: ask("GET", "/flags"))
    token = once("token", lambda: ask("POST", "/oauth", {"client_id": "bot"}))
    once("models", lambda: ask("GET", "/v1/models"))
    body = {"model": "stand-in", "messages": [{"role": "user", "content": text}]}
    return ask("POST", "/v1/chat/completions", body, authorization=token)


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"I am {goal.id}.", "Thank you."])


@pytest.fixture(scope="session", autouse=True)
def model(pytestconfig):
    if pytestconfig.getoption("todeval_record") in (None, "replay"):
        yield
        return
    with serving() as server:
        os.environ["MODEL_URL"] = server.url
        yield


@pytest.fixture(scope="session")
def tod_system(model):
    return lambda: respond


def pytest_collection_modifyitems(items):
    order = os.environ.get("ORDER")
    if order:
        random.Random(int(order)).shuffle(items)
"""

RECORDING = ("--todeval-record=missing", "--todeval-concurrency=1")
"""One dialogue after the other: the first makes the calls that are made once per process."""

TEST = """
import pytest

@pytest.mark.goals("demo", limit=6)
def test_it(dialogue):
    assert len(dialogue.turns) == 2
"""


@pytest.fixture
def recorded(pytester: pytest.Pytester, kept: dict[Path, bytes]) -> pytest.Pytester:
    """Six tests whose bot gets token, prices, flags and model list once per process."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    with recorded_once(kept, pytester.path) as first:
        if first:
            apart(pytester, *RECORDING).assert_outcomes(passed=6)
    return pytester


def test_they_lie_in_a_cassette_of_their_own(recorded: pytest.Pytester) -> None:
    lines = (recorded.path / "cassettes/_process.todeval.jsonl").read_text().splitlines()
    calls = [json.loads(line) for line in lines if line.startswith('{"call"')]
    assert [call["request"]["path"] for call in calls] == [
        "/flags",
        "/oauth",
        "/static/model_prices.json",
        "/v1/models",
    ]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_any_order_replays(
    recorded: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, order: int
) -> None:
    monkeypatch.setenv("ORDER", str(order))
    result = apart(recorded)
    result.assert_outcomes(passed=6)
    result.stdout.no_fnmatch_line("*not played*")


@pytest.mark.parametrize(("chosen", "count"), [(["-k", "DEMO005"], 1), (["-n4"], 6)], ids=str)
def test_a_selection_and_a_spread_run_replay(
    recorded: pytest.Pytester, chosen: list[str], count: int
) -> None:
    apart(recorded, *chosen).assert_outcomes(passed=count)


def test_what_failed_last_replays_alone(recorded: pytest.Pytester) -> None:
    test = recorded.path / "test_bot.py"
    test.write_text(TEST + "    assert dialogue.goal.id != 'DEMO004'\n")
    apart(recorded, "--lf").assert_outcomes(passed=5, failed=1)
    test.write_text(TEST)
    apart(recorded, "--lf").assert_outcomes(passed=1)


def test_a_run_on_four_processes_records_what_replays_on_one(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    apart(pytester, *RECORDING, "-n4").assert_outcomes(passed=6)
    apart(pytester, "-p", "no:xdist").assert_outcomes(passed=6)


def test_a_line_says_how_many_calls_went_where(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST.replace("limit=6", "limit=2"))
    result = apart(pytester, *RECORDING)
    result.stdout.fnmatch_lines(
        [
            "*cassettes: recorded 4 calls of the process in cassettes/_process.todeval.jsonl, "
            "5 calls of 2 tests in cassettes/test_bot"
        ]
    )
    assert "recorded" not in apart(pytester).stdout.str()


OUTSIDE = """
import pytest
from conftest import ask, respond
from pytest_todeval import ScriptedUser, run_dialogue

ASKED = []

@pytest.fixture(scope="module", autouse=True)
def flags(tod_system):
    return ask("POST", "/rules", {"of": "hotel"})

def test_body(tod_system):
    assert "answer" in ask("POST", "/count", {"n": 1})

@pytest.mark.goals("demo", limit=1)
def test_plain(goal, flags):
    dialogue = run_dialogue(goal, ScriptedUser(["Hello.", "Bye."]), lambda: respond)
    assert dialogue.fault is None
    assert len(dialogue.turns) == 2
"""


def test_calls_outside_of_dialogues_replay_with_the_server_gone(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=OUTSIDE)
    apart(pytester, *RECORDING).assert_outcomes(passed=2)
    text = (pytester.path / "cassettes/_process.todeval.jsonl").read_text()
    assert all(path in text for path in ('"/rules"', '"/count"', '"/v1/chat/completions"'))
    apart(pytester, "-k", "plain").assert_outcomes(passed=1, deselected=1)
    result = apart(pytester)
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*really made*")


AT_IMPORT = 'ask("GET", "/settings/of/bot")\n'


def test_a_call_at_import_replays(pytester: pytest.Pytester) -> None:
    served = CONFTEST + (
        "\nSERVER = None\n"
        "if 'rewrite' in os.environ.get('HOW', ''):\n"
        "    KEPT = serving()\n"
        "    SERVER = KEPT.__enter__()\n"
        "    import atexit\n"
        "    atexit.register(KEPT.__exit__, None, None, None)\n"
        "    os.environ['MODEL_URL'] = SERVER.url\n"
    )
    pytester.makeconftest(served + AT_IMPORT)
    pytester.makepyfile(test_bot=TEST.replace("limit=6", "limit=1"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOW", "rewrite")
        apart(pytester, "--todeval-record=rewrite").assert_outcomes(passed=1)
    assert "/settings/of/bot" in (pytester.path / "cassettes/_process.todeval.jsonl").read_text()
    apart(pytester).assert_outcomes(passed=1)


def test_ignored_calls_are_answered_offline_and_recorded_nowhere(
    pytester: pytest.Pytester,
) -> None:
    telling = CONFTEST.replace(
        "def respond(text):\n",
        "def respond(text):\n"
        "    told = urllib.request.Request('http://telemetry.invalid/batch', b'{}')\n"
        "    with urllib.request.urlopen(told) as answer:\n"
        "        assert json.load(answer) == {}\n",
    )
    pytester.makeconftest(telling)
    pytester.makepyfile(test_bot=TEST.replace("limit=6", "limit=1"))
    pytester.makeini("[pytest]\ntodeval_ignore = *.invalid\n")
    apart(pytester, *RECORDING).assert_outcomes(passed=1)
    assert not any(b"batch" in content for content in recordings(pytester.path).values())
    apart(pytester).assert_outcomes(passed=1)


def test_todeval_shared_names_calls_of_the_process(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST.replace('"POST", "/oauth"', '"POST", "/warm-up"'))
    pytester.makepyfile(test_bot=TEST.replace("limit=6", "limit=2"))
    pytester.makeini("[pytest]\ntodeval_shared = POST /warm-*\n")
    apart(pytester, *RECORDING).assert_outcomes(passed=2)
    apart(pytester, "-k", "DEMO002").assert_outcomes(passed=1, deselected=1)


def test_a_wrong_line_is_refused_by_name(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_bot=TEST)
    pytester.makeini("[pytest]\ntodeval_shared = what is this /\n")
    result = apart(pytester)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "*todeval_shared: 'what is this /' does not name a call; expected*"
    result.stderr.fnmatch_lines([told])


def test_a_miss_names_the_cassette_that_holds_the_call(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST.replace('"POST", "/oauth"', '"POST", "/warm-up"'))
    pytester.makepyfile(test_bot=TEST.replace("limit=6", "limit=2"))
    apart(pytester, *RECORDING).assert_outcomes(passed=2)
    result = apart(pytester, "-k", "DEMO002")
    result.assert_outcomes(errors=1, deselected=1)
    result.stdout.fnmatch_lines(
        [
            "stale_cassette: not in the cassette: POST /warm-up",
            "*recorded elsewhere: *cassettes/test_bot/*DEMO001*",
            "*todeval_shared = POST /warm-up*",
        ]
    )
