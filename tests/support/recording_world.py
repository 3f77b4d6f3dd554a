"""A model server that fails on demand, and the HTTP clients that tests record and replay with."""

import asyncio
import gzip
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import aiohttp
import httpx
import httpx2
import openai
import requests

__all__ = ["ASYNC", "HTTP", "SYNC", "Server", "refused_url", "served"]

TIMEOUT = 0.4
"""Seconds that a client waits for an answer that is to come too late."""


class Server(ThreadingHTTPServer):
    """Answers each request with its number, so that no two answers are the same."""

    daemon_threads = True
    request_queue_size = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.hits = 0
        self.failed: set[str] = set()
        self.gate = threading.Event()
        """A stream of `hold` stands still after its first event until this is set."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are the point."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server
    disable_nagle_algorithm: ClassVar[bool] = True

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.answer_to({}, "")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        asked = json.loads(body or b"{}")
        self.answer_to(asked, str((asked.get("messages") or [{}])[-1].get("content", "")))

    def answer_to(self, asked: dict[str, Any], prompt: str) -> None:
        with self.server.lock:
            self.server.hits += 1
            hit = self.server.hits
            first = prompt not in self.server.failed
            self.server.failed.add(prompt)
        if "wait" in prompt:
            time.sleep(int(prompt.split()[-1]) % 7 / 100)
        if "timeout" in prompt:
            time.sleep(TIMEOUT * 2)
        if "late" in prompt:
            self.server.gate.wait(5)
        if "reset" in prompt:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.close_connection = True
            self.connection.close()
            return
        if "crowded" in prompt and first:
            self.send(429, b'{"error":{"message":"slow down"}}', ("retry-after", "1"))
        elif "broken" in prompt:
            self.send(500, b'{"error":{"message":"broken"}}')
        elif self.path == "/moved":
            self.send(302, b"", ("location", "/v1/there"))
        elif asked.get("stream"):
            self.stream(hit, prompt)
        else:
            # As compact as a cassette gives it back.
            answer = json.dumps(completion(hit, prompt, asked), separators=(",", ":"))
            self.send(200, answer.encode())

    def send(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-type", "application/json")
        if "gzip" in self.headers.get("accept-encoding", ""):
            body = gzip.compress(body)
            self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, hit: int, prompt: str) -> None:
        self.send_response(200)
        kind = "application/x-ndjson" if "lines" in prompt else "text/event-stream"
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for word in ("one ", "two ", f"nr {hit}"):
            delta = {"index": 0, "delta": {"content": word}, "finish_reason": None}
            data = {**completion(hit, prompt, {}), "choices": [delta]}
            self.chunk(b"data: " + json.dumps(data, separators=(",", ":")).encode() + b"\n\n")
            if "hold" in prompt:
                self.server.gate.wait(5)
            if "cut" in prompt:
                self.close_connection = True
                return
        if "reason" in prompt:
            over = {"index": 0, "delta": {}, "finish_reason": "stop"}
            for choices in ([over], []):
                data = {**completion(hit, prompt, {}), "choices": choices}
                self.chunk(b"data: " + json.dumps(data, separators=(",", ":")).encode() + b"\n\n")
        self.chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


def completion(hit: int, prompt: str, asked: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": f"answer {hit} to {prompt}"}
    if asked.get("tools"):
        function = {"name": "find", "arguments": json.dumps({"hit": hit})}
        message["tool_calls"] = [{"id": f"call_{hit}", "type": "function", "function": function}]
    return {
        "id": f"c{hit}",
        "object": "chat.completion",
        "created": 1,
        "model": "stand-in",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


@contextmanager
def served() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.gate.set()
        SESSION.close()
        server.shutdown()
        server.server_close()


def refused_url() -> str:
    """The URL of a port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


TOOLS = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]


def body_of(kind: str, prompt: str) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": "stand-in",
        "messages": [{"role": "user", "content": prompt}],
    }
    if kind == "tools":
        body["tools"] = TOOLS
    if kind == "stream":
        body["stream"] = True
    return body


def raised(error: Exception) -> str:
    return f"raised {type(error).__module__}.{type(error).__name__}"


def error_or(call: Callable[[str, str, str], Any]) -> Callable[[str, str, str], Any]:
    def asking(url: str, kind: str, prompt: str) -> Any:
        try:
            return call(url, kind, prompt)
        except AssertionError:
            raise
        except Exception as error:
            return raised(error)

    return asking


def error_or_async(
    call: Callable[[str, str, str], Awaitable[Any]],
) -> Callable[[str, str, str], Awaitable[Any]]:
    async def asking(url: str, kind: str, prompt: str) -> Any:
        try:
            return await call(url, kind, prompt)
        except AssertionError:
            raise
        except Exception as error:
            return raised(error)

    return asking


HTTP: Any = httpx2 if issubclass(openai.DefaultHttpxClient, httpx2.Client) else httpx
"""The library that this version of openai sends with."""

OPENAI = openai.OpenAI(
    api_key="none",
    base_url="http://127.0.0.1:9",
    max_retries=0,
    timeout=TIMEOUT,
    # A connection that is kept would outlive the test, and its server.
    http_client=HTTP.Client(verify=False, limits=HTTP.Limits(max_keepalive_connections=0)),
)


def said(answer: Any) -> str:
    message = answer.choices[0].message
    calls = [call.function.arguments for call in message.tool_calls or ()]
    return f"{message.content} {calls}"


def patience(prompt: str) -> float:
    """The time-out of a call: short only if the server lets it run out."""
    return TIMEOUT if "timeout" in prompt else 30


def by_openai(url: str, kind: str, prompt: str) -> str:
    client = OPENAI.with_options(base_url=url + "/v1", timeout=patience(prompt))
    create: Any = client.chat.completions.create
    answer = create(**body_of(kind, prompt))
    if kind == "stream":
        return "|".join(part.choices[0].delta.content or "" for part in answer)
    return said(answer)


async def by_async_openai(url: str, kind: str, prompt: str) -> str:
    http = HTTP.AsyncClient(verify=False)
    async with openai.AsyncOpenAI(
        api_key="none",
        base_url=url + "/v1",
        max_retries=0,
        timeout=patience(prompt),
        http_client=http,
    ) as client:
        create: Any = client.chat.completions.create
        answer = await create(**body_of(kind, prompt))
        if kind == "stream":
            return "|".join([part.choices[0].delta.content or "" async for part in answer])
        return said(answer)


def by_httpx(url: str, kind: str, prompt: str) -> str:
    with httpx.Client(timeout=patience(prompt), verify=False) as client:
        address = url + "/v1/chat/completions"
        with client.stream("POST", address, json=body_of(kind, prompt)) as answer:
            return f"{answer.status_code} {'|'.join(answer.iter_lines())}"


async def by_async_httpx(url: str, kind: str, prompt: str) -> str:
    async with httpx.AsyncClient(timeout=patience(prompt), verify=False) as client:
        address = url + "/v1/chat/completions"
        async with client.stream("POST", address, json=body_of(kind, prompt)) as answer:
            return f"{answer.status_code} {'|'.join([line async for line in answer.aiter_lines()])}"


SESSION = requests.Session()
SESSION.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=40))


def by_requests(url: str, kind: str, prompt: str) -> str:
    address = url + "/v1/chat/completions"
    with SESSION.post(
        address, json=body_of(kind, prompt), timeout=patience(prompt), stream=kind == "stream"
    ) as answer:
        if kind == "stream":
            return "|".join(line.decode() for line in answer.iter_lines())
        return f"{answer.status_code} {answer.json()}"


async def by_aiohttp(url: str, kind: str, prompt: str) -> str:
    limit = aiohttp.ClientTimeout(total=patience(prompt))
    async with (
        aiohttp.ClientSession(timeout=limit) as session,
        session.post(url + "/v1/chat/completions", json=body_of(kind, prompt)) as answer,
    ):
        if kind == "stream":
            return "|".join([line.decode() async for line in answer.content])
        return f"{answer.status} {await answer.json()}"


def by_urllib(url: str, kind: str, prompt: str) -> str:
    data = json.dumps(body_of(kind, prompt)).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url + "/v1/chat/completions", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=patience(prompt)) as answer:
            if kind == "stream":
                return "|".join(line.decode() for line in answer)
            return f"{answer.status} {answer.read().decode()}"
    except urllib.error.HTTPError as error:
        with error:
            return f"{error.code} {error.read().decode()}"


SYNC: dict[str, Callable[[str, str, str], Any]] = {
    "openai": error_or(by_openai),
    "httpx": error_or(by_httpx),
    "requests": error_or(by_requests),
    "urllib": error_or(by_urllib),
}
ASYNC: dict[str, Callable[[str, str, str], Awaitable[Any]]] = {
    "openai-async": error_or_async(by_async_openai),
    "httpx-async": error_or_async(by_async_httpx),
    "aiohttp": error_or_async(by_aiohttp),
}


def run(coroutine: Any) -> Any:
    return asyncio.run(coroutine)
