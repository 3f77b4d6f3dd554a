"""What is redacted in a cassette is redacted in what tests see: while recording as in replay."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.plugin.conftest import apart

CODE = "HX83K2P9QW21ZT55"
WIFI = "sunny2024"
ANSWER = {
    "booking": {"code": CODE, "room": "Rose 12", "signature": "Olive-Press-dish-2024"},
    "wifi": {"password": WIFI},
    "phone": "01223 555123",
}
CONFTEST = """
import json, os, urllib.request
import pytest
from pytest_todeval import Reply, ScriptedUser, ToolCall

def respond(text):
    with urllib.request.urlopen(os.environ["BOOKS"], b"{}") as answer:
        found = json.load(answer)
    booking, wifi = found["booking"], found["wifi"]["password"]
    said = f"Room {booking['room']}, code {booking['code']}. WiFi password: {wifi}. "
    said += f"Tel. {found['phone']}"
    return Reply(said, (ToolCall("book", {}, found),))

@pytest.fixture
def tod_system():
    return respond

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["Hello.", "Thank you."])
"""
TEST = """
import json
import pytest

@pytest.mark.goals("demo", limit=1)
@pytest.mark.todeval(unserved="allowed")
def test_it(dialogue):
    told = [[turn.system, turn.tool_calls[0].result] for turn in dialogue.turns]
    with open("told.jsonl", "a") as file:
        file.write(json.dumps(told) + "\\n")
"""


class Books(BaseHTTPRequestHandler):
    """Answers with what looks like secrets, and is none."""

    def do_POST(self) -> None:
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.Pytester]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Books) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setenv("BOOKS", f"http://127.0.0.1:{server.server_address[1]}/book")
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(test_it=TEST)
        yield pytester
        server.shutdown()


def heard(folder: Path) -> list[object]:
    return [json.loads(line) for line in (folder / "told.jsonl").read_text().splitlines()]


def test_tests_see_the_same_while_recording_and_in_replay(suite: pytest.Pytester) -> None:
    recorded = apart(suite, "--todeval-record=rewrite")
    replayed = apart(suite)
    for result in (recorded, replayed):
        result.assert_outcomes(passed=1)
    first, second = heard(suite.path)
    assert first == second
    assert "todeval-redacted" in json.dumps(first)
    assert "Rose 12" in json.dumps(first)
    assert "01223 555123" in json.dumps(first)
    assert "redacted in demo/DEMO001#0, turn 1" in str(recorded.stdout)
    assert "(code" in str(recorded.stdout)
    assert "redacted in" not in str(replayed.stdout)


def test_what_is_said_to_be_no_secret_is_seen(suite: pytest.Pytester) -> None:
    suite.makeini("[pytest]\ntodeval_redact =\n    keep: code\n    keep: password\n")
    for mode in ("rewrite", "replay"):
        apart(suite, f"--todeval-record={mode}").assert_outcomes(passed=1)
    first, second = heard(suite.path)
    assert first == second
    assert CODE in json.dumps(first)


def test_a_live_run_hides_nothing(suite: pytest.Pytester) -> None:
    apart(suite, "--todeval-record=live").assert_outcomes(passed=1)
    assert f"code {CODE}. WiFi password: {WIFI}" in json.dumps(heard(suite.path))
