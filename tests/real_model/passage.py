"""A server that passes calls on to a model's, so that its address can be shut and calls counted."""

import http.client
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import urlsplit

__all__ = ["Passage"]

PIECE = 8192
ANSWERS_WITHIN = 600
"""Seconds."""


@dataclass
class Passage:
    """The way to a model's server; `open` it for as long as a run may call."""

    target: str
    """Its base URL."""
    port: int = 0
    held: bool = False
    """Whether the next call is not passed on, but kept waiting until its client hangs up."""
    calls: int = 0
    hung_up: Event = field(default_factory=Event)

    @property
    def base_url(self) -> str:
        """Where clients call; the same each time it is opened, refused while it is not open."""
        return f"http://127.0.0.1:{self.port}{urlsplit(self.target).path}"

    @contextmanager
    def open(self) -> Iterator[None]:
        """Listen, and pass calls on."""
        server = _Listening(("127.0.0.1", self.port), _Passing)
        server.passage, self.port = self, server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


class _Listening(ThreadingHTTPServer):
    daemon_threads = False
    passage: Passage


class _Passing(BaseHTTPRequestHandler):
    server: _Listening

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        passage = self.server.passage
        passage.calls += 1
        if passage.held:
            passage.held = False
            self.connection.settimeout(ANSWERS_WITHIN)
            if self.connection.recv(1) == b"":
                passage.hung_up.set()
            self.close_connection = True
            return
        with suppress(ConnectionError):  # of a client that does not wait: its calls are its own
            self._pass_on(passage.target, body)

    def _pass_on(self, target: str, body: bytes) -> None:
        way = http.client.HTTPConnection(urlsplit(target).netloc, timeout=ANSWERS_WITHIN)
        try:
            kind = {"Content-Type": self.headers["Content-Type"]}
            way.request("POST", self.path, body, kind)
            answer = way.getresponse()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.end_headers()
            while piece := answer.read1(PIECE):
                self.wfile.write(piece)
                self.wfile.flush()
        finally:
            way.close()

    def log_message(self, *_: object) -> None:
        """Say nothing."""
