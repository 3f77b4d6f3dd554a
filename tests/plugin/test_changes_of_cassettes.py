"""What changes in a cassette that is recorded again: the lines whose words changed."""

import json
import secrets
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.plugin.conftest import apart

SUITE = """
import json
import os

import httpx
import pytest
from pytest_todeval import ScriptedUser

URL = os.environ["API_URL"] + "/v1/chat/completions"
TOOLS = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]


class Bot:
    def __init__(self):
        self.messages = [{"role": "system", "content": os.environ["PROMPT"]}]

    def ask(self, stream=False):
        body = {"model": "m", "messages": self.messages, "tools": TOOLS, "stream": stream}
        return httpx.post(URL, json=body)

    def respond(self, text):
        self.messages.append({"role": "user", "content": text})
        message = self.ask().json()["choices"][0]["message"]
        self.messages.append(message)
        call = message["tool_calls"][0]["id"]
        self.messages.append({"role": "tool", "tool_call_id": call, "content": "none"})
        lines = self.ask(stream=True).text.splitlines()
        parts = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
        said = "".join(part["choices"][0]["delta"]["content"] for part in parts)
        self.messages.append({"role": "assistant", "content": said})
        return said


@pytest.fixture
def user_simulator(goal):
    return ScriptedUser(["A hotel.", "Cheap.", "Today.", "Bye."])


@pytest.fixture
def tod_system():
    return Bot


@pytest.mark.goals("demo", limit=1)
def test_it(dialogue):
    assert len(dialogue.turns) == 4
"""


class Provider(BaseHTTPRequestHandler):
    """Says the same to the same words, with ids and times of its own each time."""

    counter = 1_700_000_000

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        Provider.counter += 7
        words = [m["content"] for m in asked["messages"] if m["role"] == "user"]
        answer: dict[str, Any] = {
            "id": f"chatcmpl-{secrets.token_hex(8)}",
            "created": Provider.counter,
            "system_fingerprint": f"fp_{secrets.token_hex(5)}",
        }
        if asked["stream"]:
            parts = [f"You said {words[-1]}", " Gladly." if "kindly" in str(asked) else " Yes."]
            chunks = [answer | {"choices": [{"delta": {"content": part}}]} for part in parts]
            body = b"".join(b"data: %b\n\n" % json.dumps(c).encode() for c in chunks)
            self.send("text/event-stream", body + b"data: [DONE]\n\n")
            return
        function = {"name": "find", "arguments": json.dumps({"what": words[-1]})}
        call = {"id": f"call_{secrets.token_hex(8)}", "type": "function", "function": function}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        self.send(
            "application/json", json.dumps(answer | {"choices": [{"message": message}]}).encode()
        )

    def send(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.Pytester]:
    pytester.makepyfile(test_bot=SUITE)
    with ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setenv("API_URL", f"http://127.0.0.1:{server.server_address[1]}")
        yield pytester
        server.shutdown()


def lines_after(suite: pytest.Pytester, prompt: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("PROMPT", prompt)
    apart(suite, "--todeval-record=rewrite").assert_outcomes(passed=1)
    (path,) = Path(suite.path).rglob("*.todeval.jsonl")
    apart(suite).assert_outcomes(passed=1)  # what was settled replays
    return path.read_text(encoding="utf-8").splitlines()


def changed(old: list[str], new: list[str]) -> list[str]:
    assert len(old) == len(new)
    return [line for line, other in zip(new[1:], old[1:], strict=True) if line != other]


def test_a_word_of_the_prompt_changes_one_line(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = lines_after(suite, "You book hotels.", monkeypatch)
    (line,) = changed(old, lines_after(suite, "You book cottages.", monkeypatch))
    assert "You book cottages." in line


def test_answers_in_other_words_change_their_lines_and_those_that_repeat_them(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = lines_after(suite, "You book hotels.", monkeypatch)
    found = changed(old, lines_after(suite, "You kindly book hotels.", monkeypatch))
    assert sum('{"call"' in line for line in found) == 4  # the streamed ones alone
    assert all("kindly" in line or "Gladly" in line for line in found)
