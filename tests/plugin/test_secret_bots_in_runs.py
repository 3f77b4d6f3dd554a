"""A bot with secrets, and one whose requests differ a little, in whole runs."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from pytest_todeval.cli import main
from tests.plugin.conftest import apart

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("tests_importable")]

SECRET = "S3cr3t-" + "q8Zk29vT"
TOKEN = "t0k-" + "f81Jd72Lq0Zx"

CONFTEST = """
import os, time, uuid
import httpx
import pytest
from pytest_todeval import ScriptedUser

URL = os.environ.get("BOT_URL", "http://127.0.0.1:9")
PROMPT = os.environ.get("PROMPT", "You book hotels.")


def answer(text):
    form = {"grant_type": "client_credentials", "client_secret": os.environ["CLIENT_SECRET"]}
    token = httpx.post(URL + "/token", data=form).json()["access_token"]
    body = {
        "model": "m",
        "session": token,
        "at": time.time(),
        "messages": [
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": text},
        ],
    }
    headers = {"authorization": "Bearer " + token}
    said = httpx.post(URL + "/v1/chat/completions", json=body, headers=headers).json()
    return said["choices"][0]["message"]["content"]


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser([f"I am {goal.id}."])


@pytest.fixture(scope="session")
def tod_system():
    return lambda: answer
"""
TEST = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert dialogue.turns[0].system.startswith("heard ")
"""
INI = """
[pytest]
todeval_match = $.at
"""


class Handler(BaseHTTPRequestHandler):
    """Gives a token for the secret, and an answer for the token."""

    server: "Service"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.server.hits += 1
        status: int = 200
        value: dict[str, object] = {}
        if self.path == "/token":
            right = parse_qs(body)["client_secret"] == [SECRET]
            status, value = (200, {"access_token": TOKEN}) if right else (401, {"error": "who?"})
        elif self.headers["authorization"] == f"Bearer {TOKEN}":
            asked = json.loads(body)
            assert asked["session"] == TOKEN
            text = f"heard {asked['messages'][1]['content']} under {TOKEN}"
            value = {"choices": [{"message": {"role": "assistant", "content": text}}]}
        else:
            status = 403
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Service(ThreadingHTTPServer):
    daemon_threads = True
    hits = 0


@contextmanager
def served() -> Iterator[Service]:
    server = Service(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def test_is_recorded_replayed_and_accepted_and_its_secrets_are_nowhere(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_bot=TEST)
    pytester.makeini(INI)
    monkeypatch.setenv("CLIENT_SECRET", SECRET)
    with served() as server:
        monkeypatch.setenv("BOT_URL", f"http://127.0.0.1:{server.server_address[1]}")
        apart(pytester, "--todeval-record=rewrite").assert_outcomes(passed=1)
        assert server.hits == 2
        # Who goes on recording needs a token that opens something; nothing else is asked anew.
        apart(pytester, "--todeval-record=missing").assert_outcomes(passed=1)
        assert server.hits == 3
    # The test's cassette, and that of the process, where tokens are kept.
    texts = {p: p.read_text(encoding="utf-8") for p in pytester.path.rglob("*.jsonl")}
    assert len(texts) == 2
    assert not any(SECRET in text or TOKEN in text for text in texts.values())
    assert sum(text.count("todeval-redacted") for text in texts.values()) >= 4
    assert main(["cassettes", "verify"]) == 0

    # The service is gone, the secret another, the prompt edited.
    monkeypatch.setenv("CLIENT_SECRET", "none")
    monkeypatch.delenv("BOT_URL")
    monkeypatch.setenv("PROMPT", "You book good hotels.")
    apart(pytester, "--todeval-record=accept").assert_outcomes(passed=1, warnings=1)
    assert {path: path.read_text(encoding="utf-8") for path in texts} == texts
    capsys.readouterr()
    assert main(["cassettes", "accept", "--yes"]) == 0
    assert "You book {+good+} hotels." in capsys.readouterr().out
    apart(pytester).assert_outcomes(passed=1)


TELLS = """
import pytest
from pytest_todeval import Reply, ScriptedUser, ToolCall

@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["My card is 4111 1111 1111 1111.", "Thank you."])

@pytest.fixture(scope="session")
def tod_system():
    def respond(text):
        print("the token is TOKEN")
        call = ToolCall("sign_in", {"password": "SECRET"}, {"access_token": "TOKEN"})
        return Reply("You are signed in with SECRET.", tool_calls=[call])
    return lambda: respond
"""
FAILS = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert "SECRET" not in dialogue.turns[0].system, "SECRET was said"
"""


def test_what_a_bot_tells_stands_neither_in_results_nor_in_the_terminal(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeini("[pytest]\ntodeval_redact = personal: card\n")
    pytester.makeconftest(TELLS.replace("SECRET", SECRET).replace("TOKEN", TOKEN))
    pytester.makepyfile(test_bot=FAILS.replace("SECRET", 'S3cr3t-" + "q8Zk29vT'))
    result = apart(pytester, "--todeval-json=results.json", "-vv", "-rA", "--junitxml=junit.xml")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*You are signed in with todeval-redacted.*"])
    written = [pytester.path / name for name in ("results.json", "junit.xml")]
    texts = [result.stdout.str(), *(path.read_text(encoding="utf-8") for path in written)]
    for text in texts:
        assert [secret for secret in (SECRET, TOKEN, "4111") if secret in text] == []
    [entry] = json.loads(texts[1])["dialogues"]
    [call] = entry["turns"][0]["tool_calls"]
    assert call["arguments"] == {"password": "todeval-redacted"}
    assert entry["turns"][0]["user"] == "My card is todeval-redacted."
    shown = apart(pytester).stdout.str()
    assert [secret for secret in (SECRET, TOKEN, "4111") if secret in shown] == []


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        ("todeval_match=$.a[", "*todeval_match: '$.a[[]' is not a path into JSON*"),
        ("todeval_redact=cookie: a", "*todeval_redact: 'cookie: a'*Known: header, query*"),
    ],
)
def test_a_line_that_cannot_be_read_stops_the_run(
    pytester: pytest.Pytester, option: str, shown: str
) -> None:
    pytester.makepyfile(test_bot=TEST)
    result = apart(pytester, "-o", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([shown])
