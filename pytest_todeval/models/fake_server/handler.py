"""HTTP: one request after another on a connection."""

import math
import socket
import struct
import time
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from http.client import responses
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import unquote, urlsplit

from pytest_todeval.http_body import Gone, is_foreign
from pytest_todeval.models.fake_server.answer import Answer, Broken, Status
from pytest_todeval.models.fake_server.check import Rejected, error_body
from pytest_todeval.models.fake_server.completion import MODEL, completion, events, models, to_json
from pytest_todeval.models.fake_server.listener import StandInListener
from pytest_todeval.models.fake_server.model import AnswerFailed
from pytest_todeval.models.fake_server.request import ChatRequest
from pytest_todeval.models.fake_server.wire import Gzip, accepts_gzip, as_chunk, drain, read

CHAT = "/v1/chat/completions"
MODELS = "/v1/models"
GLANCE = 0.05
"""Seconds between two looks at whether the client still waits."""
JSON = "application/json"
DONE = b"data: [DONE]\n\n"
NO_RETRY = ("x-should-retry", "false")
Headers = Sequence[tuple[str, str]]


class StandInHandler(BaseHTTPRequestHandler):
    """Serves `POST /v1/chat/completions` and `GET /v1/models`."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body go in one packet
    server: StandInListener

    def setup(self) -> None:
        super().setup()
        self._unread = False  # whether a part of a request may still be on its way
        self._extra: Headers = ()

    def finish(self) -> None:
        super().finish()
        if self._unread:
            drain(self.connection)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the standard library does not understand: in JSON too, and the end of it."""
        self.server.model.count_hit()
        if code == HTTPStatus.NOT_IMPLEMENTED:
            code, message = HTTPStatus.METHOD_NOT_ALLOWED, f"Method {self.command} is not allowed."
        self.request_version = self.protocol_version  # unset if the first line was not read
        self.close_connection = self._unread = True
        said = f"{message or HTTPStatus(code).phrase}"
        self._send_json(code, error_body(said, "invalid_request_error"))
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed: what was asked stands in `requests`."""

    def _serve(self) -> None:
        self._extra = ()
        foreign = is_foreign(self.headers)
        if not foreign:
            self.server.model.count_hit()
        try:
            body = self._body()
            if foreign:
                raise Rejected("Another Host, or a web page.", status=HTTPStatus.FORBIDDEN)
            self._route(self.command, self._url_path(), body)
        except Rejected as rejected:
            self._send_json(rejected.status, rejected.body)
        except AnswerFailed as failed:
            self._send_failure(str(failed))
        except ConnectionError:
            self.close_connection = True
        except Exception as error:
            self.server.model.failures.append(error)
            self.close_connection = True  # an answer may be half sent
            self._send_failure(f"The stand-in itself failed: {type(error).__name__}: {error}")

    do_GET = do_POST = _serve

    def _body(self) -> bytes:
        try:
            return read(self.rfile, self.headers)
        except Rejected:
            self.close_connection = self._unread = True  # nobody knows where the next one begins
            raise

    def _url_path(self) -> str:
        try:
            return unquote(urlsplit(self.path).path).rstrip("/")
        except ValueError as error:
            raise Rejected(f"The URL cannot be read: {error}") from None

    def _route(self, method: str, path: str, body: bytes) -> None:
        match method, path:
            case "POST", "/v1/chat/completions":
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = self.server.model.read(body, headers)
                self._answer(request, self.server.model.answer(request))
            case "GET", "/v1/models":
                self._send_json(HTTPStatus.OK, {"object": "list", "data": models()})
            case "GET", "/v1/models/stand-in":
                self._send_json(HTTPStatus.OK, models()[0])
            case _, ("/v1/chat/completions" | "/v1/models" | "/v1/models/stand-in"):
                raise Rejected(
                    f"Method {method} is not allowed for {path}.",
                    status=HTTPStatus.METHOD_NOT_ALLOWED,
                )
            case _:
                raise Rejected(
                    f"Unknown URL: {method} {path or '/'}; the stand-in serves POST {CHAT} and "
                    f"GET {MODELS}, and its only model is '{MODEL}'.",
                    status=HTTPStatus.NOT_FOUND,
                    code="unknown_url",
                )

    def _answer(self, request: ChatRequest, answers: Sequence[Answer]) -> None:
        self._extra = [*{k: v for answer in answers for k, v in answer.headers.items()}.items()]
        self._wait(max(answer.delay for answer in answers))
        match next((answer.error for answer in answers if answer.error is not None), None):
            case Status() as status:
                self._send_status(status)
            case Broken.HANG:
                self._wait(math.inf)
            case Broken.RESET:
                self._reset()
            case broken if request.stream:
                self._send_stream(request, answers, broken)
            case broken:
                self._send_whole(to_json(completion(request, answers)), broken)

    def _send_whole(self, body: bytes, broken: Broken | None) -> None:
        if broken is Broken.CUT:
            self._send(HTTPStatus.OK, JSON, body, cut=True)
            self.close_connection = True
            return
        broken_bodies = {Broken.MALFORMED: body[: len(body) // 2], Broken.EMPTY: b""}
        self._send(HTTPStatus.OK, JSON, body if broken is None else broken_bodies[broken])

    def _send_stream(
        self, request: ChatRequest, answers: Sequence[Answer], broken: Broken | None
    ) -> None:
        said = [b"data: %b\n\n" % to_json(event) for event in events(request, answers)]
        middle = len(said) // 2
        match broken:
            case Broken.CUT:
                said = said[:middle]
            case Broken.MALFORMED:
                said[middle] = said[middle][: len(said[middle]) // 2] + b"\n\n"
            case Broken.EMPTY:
                said = []
        ending = () if broken in (Broken.CUT, Broken.EMPTY) else (DONE,)
        pause = max(answer.pause for answer in answers)
        self._send_events((*said, *ending), pause, whole=broken is not Broken.CUT)

    def _send_events(self, pieces: Iterable[bytes], pause: float, *, whole: bool) -> None:
        """Event by event; HTTP/1.0 knows no chunks, so there the end of the connection ends it."""
        chunked = self.request_version == "HTTP/1.1"
        packed = Gzip() if self._packs() else None
        self.close_connection = self.close_connection or not chunked or not whole
        length = [("transfer-encoding", "chunked")] if chunked else []
        self._head(HTTPStatus.OK, "text/event-stream", [*length, *self._coding()])
        for number, piece in enumerate(pieces):
            if number:
                self._wait(pause)
            data = packed.piece(piece) if packed else piece
            self.wfile.write(as_chunk(data) if chunked else data)
            self.wfile.flush()
        if not whole:
            return
        end = packed.end() if packed else b""
        self.wfile.write((as_chunk(end) if end and chunked else end) + (b"0\r\n\r\n" * chunked))

    def _send_status(self, status: Status) -> None:
        wait = status.retry_after
        headers = [] if wait is None else [("retry-after", f"{wait:g}")]
        if status.body is not None:
            body = status.body.encode("utf-8", "replace")
            self._send(status.status, "text/html; charset=utf-8", body, headers)
            return
        kinds = {429: "requests"}
        kind = "server_error" if status.status >= 500 else "invalid_request_error"
        codes = {401: "invalid_api_key", 429: "rate_limit_exceeded"}
        error = error_body(
            status.message or _phrase(status.status),
            status.type or kinds.get(status.status, kind),
            code=status.code or codes.get(status.status),
        )
        self._send_json(status.status, error, headers)

    def _send_failure(self, message: str) -> None:
        """A fault of the test's function: a retry would hide it or run into it again."""
        body = error_body(message, "stand_in_failure", code="answer_failed")
        self._send_json(HTTPStatus.INTERNAL_SERVER_ERROR, body, [NO_RETRY])

    def _send_json(self, status: int, value: object, headers: Headers = ()) -> None:
        self._send(status, JSON, to_json(value), headers)

    def _send(
        self,
        status: int,
        kind: str,
        body: bytes,
        headers: Headers = (),
        *,
        cut: bool = False,
    ) -> None:
        """The answer; with `cut`, half of the body that it announces."""
        if self._packs():
            packed = Gzip()
            body = packed.piece(body) + packed.end()
        length = ("content-length", str(len(body)))
        self._head(status, kind, [length, *self._coding(), *headers])
        self.wfile.write(body[: len(body) // 2] if cut else body)

    def _head(self, status: int, kind: str, headers: Headers) -> None:
        # Neither date nor version: they would differ from one recording to the next.
        self.send_response_only(status, _phrase(status))
        for name, value in (("content-type", kind), ("server", MODEL), *headers, *self._extra):
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()

    def _packs(self) -> bool:
        headers = getattr(self, "headers", None)  # unset if the first line was not read
        return self.server.gzip and headers is not None and accepts_gzip(headers)

    def _coding(self) -> Headers:
        return [("content-encoding", "gzip")] if self._packs() else []

    def _wait(self, seconds: float) -> None:
        """Raises Gone if the connection ends, from either side, before the time is over."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, GLANCE))
            if self._left():
                raise Gone("nobody waits for the answer any more")

    def _left(self) -> bool:
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        finally:
            self.connection.setblocking(True)

    def _reset(self) -> None:
        # Closing with a linger time of zero sends a reset instead of the usual end.
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


def _phrase(status: int) -> str:
    return responses.get(status, "Error")  # some have no name, such as 529
