"""A model server that counts connections, and has the manners that servers have with them."""

import json
import socket
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = ["CountingServer", "Manners"]

Answer = Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class Manners:
    """What a server does with its connections."""

    version: str = "HTTP/1.1"
    chunked: bool = False
    ends_after: int = 0
    """Closes a connection after so many answers without having said so; 0: never."""
    resets_after: int = 0
    """Resets a connection on reading the request after so many answers; 0: never."""
    malformed_after: int = 0
    """Answers the request after so many with what is no HTTP; 0: never."""


class CountingServer(ThreadingHTTPServer):
    """Answers chat completions, each with `answer(body)`; `accepted` counts connections."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(
        self,
        answer: Answer = lambda body: "Hi.",
        manners: Manners = Manners(),
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.answer, self.manners = answer, manners
        self.accepted = 0
        """Connections taken so far."""
        self.asked = 0
        """Requests read so far."""
        self.open: set[socket.socket] = set()
        """Connections that neither side has closed."""
        self.changed = threading.Condition()
        super().__init__(("127.0.0.1", 0), _Handler)
        self._tls = tls

    @property
    def base_url(self) -> str:
        scheme = "http" if self._tls is None else "https"
        return f"{scheme}://127.0.0.1:{self.server_address[1]}/v1"

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        with self.changed:
            self.accepted += 1
        return connection, address

    def process_request(self, request: Any, client_address: Any) -> None:
        with self.changed:
            self.open.add(request)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        raw = request
        try:
            if self._tls is not None:
                request = self._tls.wrap_socket(raw, server_side=True)
            super().process_request_thread(request, client_address)
        except OSError:
            raw.close()  # no handshake: the client did not trust the certificate
        finally:
            with self.changed:
                self.open.discard(raw)
                self.changed.notify_all()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is none of the test's business."""

    def all_closed(self) -> bool:
        """Whether no connection is open, or none will be soon."""
        return self.keeps_open(0)

    def keeps_open(self, count: int) -> bool:
        """Whether so many connections are open, or will be soon: a close takes time to arrive."""
        with self.changed:
            return self.changed.wait_for(lambda: len(self.open) == count, 10)

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()
        with self.changed:
            for connection in self.open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the client was faster
        assert self.all_closed()


class _Handler(BaseHTTPRequestHandler):
    server: CountingServer
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        self.protocol_version = self.server.manners.version
        self.answered = 0
        super().setup()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        self._send(b'{"object": "list", "data": []}')

    def do_POST(self) -> None:
        manners, server = self.server.manners, self.server
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with server.changed:
            server.asked += 1
        if manners.resets_after and self.answered >= manners.resets_after:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.close_connection = True
            self.connection.close()
            return
        if manners.malformed_after and self.answered >= manners.malformed_after:
            self.wfile.write(b"what is this\r\n\r\n")
            self.close_connection = True
            return
        text = server.answer(body)
        if body.get("stream"):
            self._stream(text)
        else:
            self._send(json.dumps(_completion(text)).encode())
        self.answered += 1
        if self.answered == manners.ends_after:
            self.close_connection = True

    def _send(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        if self.server.manners.chunked and self.protocol_version == "HTTP/1.1":
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for start in range(0, len(content), 40):
                self._chunk(content[start : start + 40])
            self._chunk(b"")
            return
        if self.protocol_version == "HTTP/1.1":
            self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for word in (*text.split(), ""):
            delta = {"content": f"{word} "} if word else {}
            choice = {"index": 0, "delta": delta, "finish_reason": None if word else "stop"}
            self._chunk(b"data: " + json.dumps({**_HEAD, "choices": [choice]}).encode() + b"\n\n")
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


_HEAD = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        **_HEAD,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
    }
