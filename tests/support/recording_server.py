"""A model server that fails on demand, in the standard library alone: a run that only needs it is
quick to start.
"""

import gzip
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

__all__ = ["TIMEOUT", "Server", "completion", "refused_url", "serving"]

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
def serving() -> Iterator[Server]:
    """One that listens."""
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.gate.set()
        server.shutdown()
        server.server_close()


def refused_url() -> str:
    """The URL of a port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"
