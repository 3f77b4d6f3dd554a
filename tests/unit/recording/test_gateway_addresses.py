"""Where the gateway sends a request, for which dialogue, and what it passes on."""

import json
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.gateway.asked import DIALOGUE_HEADER
from pytest_todeval.recording.gateway.upstreams import upstreams_from
from tests.support.gateway_world import answer_to, asked, gateway_to, open_tape
from tests.support.recording_world import SYNC, Server, body_of, refused_url

CHAT = "/v1/chat/completions"
CLOSE = "Connection: close"
LOST = refused_url()


def chat(prompt: str) -> bytes:
    return json.dumps(body_of("plain", prompt)).encode()


class Echo(BaseHTTPRequestHandler):
    """Tells the headers it was sent; redirects as its path says."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[dict[str, str]]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.seen.append({name.lower(): value for name, value in self.headers.items()})
        to = self.path.partition("?to=")[2]
        self.send_response(307 if to else 200)
        if to:
            self.send_header("location", to)
        self.send_header("set-cookie", "session=secret-of-the-upstream")
        self.send_header("keep-alive", "timeout=5")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def echo() -> Iterator[str]:
    Echo.seen.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_headers_of_the_connection_and_of_the_gateway_are_not_passed_on(
    echo: str, tmp_path: Path
) -> None:
    headers = (
        "Authorization: Bearer the-key",
        "X-Tenant: a",
        "Connection: close, X-Private",
        "X-Private: 1",
        "Keep-Alive: timeout=1",
        "Accept-Encoding: br, gzip;q=0.5",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABk",
        f"{DIALOGUE_HEADER}: d",
    )
    with open_tape(tmp_path / "a") as tape, gateway_to(echo) as gateway:
        answer = answer_to(gateway, asked("/model/v1/x?api_key=hush", b"{}", *headers))
        tape.finish(keep=True)
    assert Echo.seen == [
        {
            "host": echo.removeprefix("http://"),
            "content-type": "application/json",
            "authorization": "Bearer the-key",
            "x-tenant": "a",
            "content-length": "2",
            "accept-encoding": "gzip;q=0.5",
            "connection": "close",
        }
    ]
    assert b"session=secret-of-the-upstream" in answer
    assert b"timeout=5" not in answer
    text = (tmp_path / "a").read_text(encoding="utf-8")
    assert not [word for word in ("the-key", "hush", "session=", "tenant") if word in text.lower()]


class Tunnel(BaseHTTPRequestHandler):
    """A proxy: every tunnel leads to the same place."""

    to: ClassVar[tuple[str, int]]
    seen: ClassVar[list[tuple[str, str | None]]] = []

    def do_CONNECT(self) -> None:
        self.seen.append((self.path, self.headers.get("proxy-authorization")))
        self.send_response(200)
        self.end_headers()
        with socket.create_connection(self.to) as there:
            ways = {there: self.connection, self.connection: there}
            while ways:
                for one in select.select(list(ways), [], [])[0]:
                    data = one.recv(65536)
                    if not data:
                        ways.clear()
                        break
                    ways[one].sendall(data)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


def test_a_proxy_leads_to_providers_and_learns_no_key(
    echo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, port = echo.removeprefix("http://").partition(":")
    Tunnel.to = host, int(port)
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Tunnel)
    threading.Thread(target=proxy.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("http_proxy", f"http://me:pass@127.0.0.1:{proxy.server_address[1]}")
    monkeypatch.setenv("no_proxy", "other.example")
    with open_tape(tmp_path / "a") as tape, gateway_to("http://model.example") as gateway:
        answer = answer_to(gateway, asked("/model/v1", b"{}", CLOSE, "Authorization: Bearer k"))
        tape.finish(keep=True)
    proxy.shutdown()
    proxy.server_close()
    assert b" 200 " in answer.partition(b"\r\n")[0]
    assert Tunnel.seen == [("model.example:80", "Basic bWU6cGFzcw==")]
    assert [(seen["host"], seen["authorization"]) for seen in Echo.seen] == [
        ("model.example", "Bearer k")
    ]
    assert "proxy-authorization" not in Echo.seen[0]


def test_redirects_stay_behind_the_gateway(echo: str, tmp_path: Path) -> None:
    for to in ("/v1/there", f"{echo}/v1/there"):
        with open_tape(tmp_path / to[-20:].replace("/", "-"), "d/1") as tape:
            with gateway_to(echo) as gateway:
                answer = answer_to(
                    gateway, asked(f"/dialogue/d%2F1/model/x?to={to}", b"", CLOSE)
                ).decode()
            assert f"\r\nlocation: {gateway.url}/dialogue/d%2F1/model/v1/there\r\n" in answer
            assert tape.refusals == []


def test_a_redirect_to_nobody_known_is_refused(echo: str, tmp_path: Path) -> None:
    with open_tape(tmp_path / "a") as tape, gateway_to(echo) as gateway:
        answer = answer_to(gateway, asked("/model/x?to=https://cdn.example/y", b"", CLOSE))
    assert b"424" in answer.partition(b"\r\n")[0]
    assert ["cdn.example" in str(error) for error in tape.refusals] == [True]


def test_dialogues_open_at_once_are_told_apart_by_path_or_header(
    server: Server, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        tapes = {
            name: stack.enter_context(open_tape(tmp_path / name[-1], name))
            for name in ("demo/1#0", "demo/2#0")
        }
        gateway = stack.enter_context(gateway_to(server.url))
        for name, tape in tapes.items():
            assert "answer" in SYNC["httpx"](gateway.base_url("model", name), "plain", "hello")
            header = f"{DIALOGUE_HEADER}: {quote(name, safe='')}"
            answer_to(gateway, asked(f"/model{CHAT}", chat("x"), CLOSE, header))
            assert tape.calls[Lane.SYSTEM].recorded == 2
        for path, header in ((f"/model{CHAT}", "X-A: b"), (f"/dialogue/other/model{CHAT}", "X: y")):
            answer = answer_to(gateway, asked(path, chat("x"), CLOSE, header))
            assert b"belongs to no dialogue" in answer
        assert {len(tape.strays) for tape in tapes.values()} == {2}
        assert {tape.calls[Lane.SYSTEM].recorded for tape in tapes.values()} == {2}


READ = "import os; print(os.environ['MODEL_BASE_URL'], os.environ.get('PLAIN'))"


def test_processes_that_a_dialogue_starts_are_given_its_address(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_BASE_URL", "http://elsewhere")

    def started(**options: Any) -> str:
        command = [sys.executable, "-c", READ]
        output = subprocess.run(command, capture_output=True, text=True, check=True, **options)
        return str(output.stdout)

    with gateway_to(server.url + "/v1") as gateway:
        with in_lane("demo/1#0", Lane.SYSTEM, 1):
            address = f"{gateway.url}/dialogue/demo%2F1%230/model/v1"
            assert started() == f"{address} None\n"
            assert started(env={"PLAIN": "1"}) == f"{address} 1\n"
            assert started(env={"MODEL_BASE_URL": "http://own"}) == "http://own None\n"
        with in_lane("demo/1#0", Lane.USER, 1):
            assert started() == "http://elsewhere None\n"
        assert started() == "http://elsewhere None\n"
    with in_lane("demo/1#0", Lane.SYSTEM, 1):
        assert started() == "http://elsewhere None\n"


def test_a_variable_says_where_an_upstream_is_then_a_line_then_the_default() -> None:
    lines = ["vllm = http://gpu:8000/v1", "mistral=https://eu.example/x"]
    environ = {"OPENAI_BASE_URL": "https://own.example/api/v1/", "AZURE_OPENAI_ENDPOINT": ""}
    found = upstreams_from(lines, environ)
    assert (found["openai"].origin, found["openai"].path) == ("https://own.example", "/api/v1")
    assert found["anthropic"].url == "https://api.anthropic.com"
    assert found["mistral"].url == "https://eu.example/x"
    assert found["vllm"].variable == "VLLM_BASE_URL"
    assert "azure" not in found


@pytest.mark.parametrize(
    "line",
    [
        "vllm",
        "=http://x",
        "VLLM=http://x",
        "dialogue=http://x",
        "a b=http://x",
        "vllm=gpu:8000",
        "vllm=ftp://x",
        "vllm=http://",
        "vllm=http://x:0",
        "vllm=http://[::1",
        "vllm=http://x?key=1",
        "vllm=http://me:pass@x",
    ],
)
def test_a_line_that_cannot_be_read_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match=r"^todeval_gateway: "):
        upstreams_from([line], {})


def test_a_variable_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^the variable OPENAI_BASE_URL: "):
        upstreams_from([], {"OPENAI_BASE_URL": "localhost:8000/v1"})
