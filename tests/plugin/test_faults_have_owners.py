"""Every dialogue ends in exactly one outcome; only the bot's own failure counts against it."""

import json

import pytest

from tests.plugin.conftest import Suite, apart, run

TEST = """
import pytest

@pytest.mark.goals("demo", booking=True, limit=1)
def test_it(dialogue):
    assert dialogue is not None
"""


def outcomes(pytester: pytest.Pytester) -> list[str]:
    results = json.loads(pytester.path.joinpath("r.json").read_text())
    return [entry["outcome"] for entry in results["dialogues"]]


def bot(body: str) -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return f"import pytest\n\n@pytest.fixture\ndef tod_system():\n{lines}\n"


def test_a_bot_that_crashes_fails_even_where_nothing_is_asserted_of_it(
    suite: Suite, processes: list[str]
) -> None:
    pytester = suite(TEST, bot("def respond(text):\n    return {}['slot']\nreturn respond"))
    result = run(pytester, *processes, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the bot failed during the dialogue (system_error)*KeyError*"])
    assert outcomes(pytester) == ["failed"]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("return lambda text: ''", "*empty_reply*"),
        ("return lambda text: 42", "*bad_reply*int*"),
        ("return lambda text: {'text': 'hi'}", "*bad_reply*dict*"),
    ],
)
def test_replies_that_are_no_text_are_the_bots_failure(suite: Suite, body: str, shown: str) -> None:
    pytester = suite(TEST, bot(body))
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([shown])
    assert outcomes(pytester) == ["failed"]


def test_an_unreachable_bot_is_infrastructure(suite: Suite) -> None:
    pytester = suite(TEST, bot("return 'http://127.0.0.1:9/respond'"))
    result = apart(pytester, "--todeval-json=r.json")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*infrastructure: *"])
    assert outcomes(pytester) == ["infrastructure"]


def test_a_broken_user_is_a_simulator_fault(suite: Suite) -> None:
    conftest = (
        bot("return lambda text: 'Hello'")
        + """
@pytest.fixture
def user_simulator():
    class Broken:
        def respond(self, turn):
            raise RuntimeError("no idea what to say")
    return Broken()
"""
    )
    pytester = suite(TEST, conftest)
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*simulator_fault: *no idea what to say*"])
    assert outcomes(pytester) == ["simulator_fault"]


def test_a_goal_nothing_satisfies_is_an_oracle_fault(suite: Suite) -> None:
    pytester = suite(
        """
import pytest

@pytest.mark.goals("wrong.yaml")
def test_it(dialogue):
    assert dialogue.booking
"""
    )
    pytester.path.joinpath("wrong.yaml").write_text(
        "database: demo\n"
        "goals:\n"
        "- id: no-such-place\n"
        "  domains:\n"
        "    restaurant:\n"
        "      inform: {name: the restaurant at the end of the universe}\n"
    )
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*oracle_fault: *end of the universe*"])
    assert outcomes(pytester) == ["oracle_fault"]


def test_a_test_that_is_itself_broken_is_not_the_bots_failure(suite: Suite) -> None:
    pytester = suite(TEST.replace("assert dialogue is not None", "assert dialogue.no_such_thing"))
    result = run(pytester, "--todeval-json=r.json")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["  test_error: *: the test itself raised AttributeError: *"])
    result.stdout.no_fnmatch_line("*assertable.py*")
    assert outcomes(pytester) == ["test_error"]


@pytest.mark.parametrize("misspelt", ["judge.dialog(dialogue)", "dialogue.sucess"])
def test_a_misspelt_name_shows_the_line_of_the_test_alone(suite: Suite, misspelt: str) -> None:
    test = TEST.replace("(dialogue)", "(dialogue, judge)").replace("dialogue is not None", misspelt)
    result = run(suite(test))
    result.stdout.fnmatch_lines(["E *AttributeError: *: did you mean '*'? Known: *"])
    assert not [line for line in result.outlines if "def __getattr__" in line]


def test_a_hung_bot_is_cut_off_and_the_run_goes_on(suite: Suite) -> None:
    slow = bot("import time\ndef respond(text):\n    time.sleep(600)\nreturn respond")
    pytester = suite(
        TEST.replace("def test_it", "@pytest.mark.todeval(turn_timeout=0.2)\ndef test_it"), slow
    )
    result = pytester.runpytest_subprocess("--todeval-json=r.json", timeout=60)
    result.assert_outcomes(errors=1)
    assert outcomes(pytester) == ["infrastructure"]


@pytest.mark.parametrize("answer", ["text", "'Goodbye!'", "'Okay.'"])
def test_bots_that_do_nothing_pass_no_booking_goal(suite: Suite, answer: str) -> None:
    test = """
import pytest

@pytest.mark.goals("demo", booking=True)
def test_books(dialogue):
    assert dialogue.booking
"""
    pytester = suite(test, bot(f"return lambda text: {answer}"))
    result = run(pytester, "--todeval-json=r.json")
    counts = result.parseoutcomes()
    assert "passed" not in counts
    assert counts["failed"] >= 30
    assert set(outcomes(pytester)) == {"failed"}


def test_a_client_that_reaches_nobody_is_shown_with_address_and_line(suite: Suite) -> None:
    calls = (
        "import httpx\n"
        "def respond(text):\n"
        "    return httpx.get('http://127.0.0.1:9/menu?key=k').text\n"
        "return respond"
    )
    result = run(suite(TEST, bot(calls)), "--todeval-record=live")
    shown = "infrastructure: http://127.0.0.1:9/menu was not reached in turn 1: *ConnectError*"
    result.stdout.fnmatch_lines([f"{shown}called from conftest.py:* in respond:*"])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--todeval-turn-timeout=0.2"], "comes from --todeval-turn-timeout=0.2"),
        (["--todeval-dialogue-timeout=0.2"], "comes from --todeval-dialogue-timeout=0.2"),
    ],
)
def test_a_time_out_names_the_setting_that_decided(
    suite: Suite, options: list[str], named: str
) -> None:
    slow = bot("import time\ndef respond(text):\n    time.sleep(600)\nreturn respond")
    result = run(suite(TEST, slow), *options)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"infrastructure: *The limit {named}*"])


BOMB = """
import gzip, threading
import pytest
from http.server import BaseHTTPRequestHandler, HTTPServer
from pytest_todeval.recording import transport

transport.MOST_DECODED = 1 << 20

class Bomb(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-encoding", "gzip")
        self.end_headers()
        self.wfile.write(gzip.compress(bytes(2 << 20)))

    def log_message(self, *_):
        pass

SERVER = HTTPServer(("127.0.0.1", 0), Bomb)
threading.Thread(target=SERVER.serve_forever, daemon=True).start()
URL = f"http://127.0.0.1:{SERVER.server_port}/menu"

@pytest.fixture
def tod_system():
    return respond
"""
BOMBED = {
    "urllib": (
        "def respond(text):\n"
        "    import urllib.request\n"
        "    return f'{len(urllib.request.urlopen(URL).read())} bytes'"
    ),
    "httpx": "def respond(text):\n    import httpx\n    return f'{len(httpx.get(URL).text)} bytes'",
    "tornado": (
        "async def respond(text):\n"
        "    from tornado.httpclient import AsyncHTTPClient\n"
        "    asked = AsyncHTTPClient().fetch(URL, decompress_response=False)\n"
        "    return f'{len((await asked).body)} bytes'"
    ),
}


@pytest.mark.parametrize("client", BOMBED)
def test_an_answer_that_unpacks_to_gigabytes_is_no_fault_of_the_bot(
    suite: Suite, client: str
) -> None:
    """The bot's client gets what came; it is the recording that cannot hold it."""
    pytest.importorskip(client)
    pytester = suite(TEST, f"{BOMB}\n{BOMBED[client]}\n")
    options = ("--todeval-record=rewrite", "--todeval-json=r.json", "--todeval-turn-timeout=20")
    result = apart(pytester, *options)
    assert outcomes(pytester) == ["infrastructure"]
    result.stdout.fnmatch_lines(
        [
            "*infrastructure: not recorded: GET /menu (*): a response unpacks to more than 1 MiB. *"
            "have what was called answer with less, or without packing, then record again*"
        ]
    )
    assert not list(pytester.path.glob("cassettes/**/*.todeval.jsonl"))
