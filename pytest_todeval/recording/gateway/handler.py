"""HTTP with the bots' clients: one request after another on a connection."""

import http.client
import json
import time
from contextlib import nullcontext
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING

from pytest_todeval.core.lane import in_lane
from pytest_todeval.errors import TodevalError
from pytest_todeval.http_body import Gone, UnreadableBody, body_of, is_foreign
from pytest_todeval.recording.clients.wire import all_played, is_held
from pytest_todeval.recording.gateway.asked import GatewayRefused, GatewayRequest
from pytest_todeval.recording.gateway.passage import ForwardedRequest, Headers
from pytest_todeval.recording.gateway.upstreams import BACKEND, Upstream
from pytest_todeval.recording.transport import HELD

if TYPE_CHECKING:
    from pytest_todeval.recording.gateway.listener import GatewayListener

MAX_BODY = 64 * 1024 * 1024

BLOCK = 65536
BETWEEN_TWO = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "http2-settings",
    }
)
"""Headers that are for the connection they came on, and not passed on."""
ENCODINGS = frozenset({"gzip", "x-gzip", "deflate", "identity"})
"""Those that a recording can decode anywhere."""
OURS = "x-todeval-"
BODILESS = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class GatewayHandler(BaseHTTPRequestHandler):
    """Passes requests on to upstreams, and answers back, piece by piece as they come."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: "GatewayListener"

    def _serve(self) -> None:
        self._begun = False
        prefix = f"/{self.server.key}/"
        if is_foreign(self.headers) or not self.path.startswith(prefix):
            self._turn_away()
            return
        self.path = self.path[len(prefix) - 1 :]
        asked = GatewayRequest.of(self.command, self.path, self.headers)
        try:
            self._answer(asked)
        except TodevalError as error:
            self._refuse(error)
        except (OSError, http.client.HTTPException):
            # The client is gone, or the upstream broke off: here, too, the connection breaks.
            self.close_connection = True
        except Exception as error:
            failed = GatewayRefused(f"the gateway failed: {type(error).__name__}: {error}")
            self.server.keep(asked, failed)
            self._refuse(failed)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _serve

    def _turn_away(self) -> None:
        """Answers who is no bot of the run: that it asked is kept nowhere."""
        self.close_connection = True
        self._refuse(
            GatewayRefused(
                "the gateway answers the bots of its run alone: ask it as no proxy, from no web "
                "page, at the whole address that it gives (`todeval_gateway.base_url(NAME)`)"
            )
        )

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed: what was asked stands in the cassette."""

    def _answer(self, asked: GatewayRequest) -> None:
        try:
            body = self._read()
            if asked.name == BACKEND:
                self._serve_backend(asked, body)
                return
            upstream = asked.upstream(self.server.upstreams)
            asked.require_place_in(upstream)
        except GatewayRefused as error:
            self.server.keep(asked, error)
            raise
        place = self.server.place(asked, body)
        lane = in_lane(place.dialogue, place.lane, place.turn) if place else nullcontext()
        headers = self._passed_on(body)
        self._passage = ForwardedRequest(self.connection)
        asking = self._passage.asking(upstream, asked.method, asked.target, headers, body)
        with lane, asking as response:
            self._pass_back(response, self._moved(asked, upstream, response))
        if self._chunked and not self.close_connection:
            self.wfile.write(b"0\r\n\r\n")

    def _serve_backend(self, asked: GatewayRequest, body: bytes) -> None:
        """Has the dialogue itself answer: nothing of this is recorded."""
        answer = b""
        status = HTTPStatus.METHOD_NOT_ALLOWED
        if asked.method == "POST":
            answer = self.server.served(asked, body)
            status = HTTPStatus.OK if answer else HTTPStatus.ACCEPTED
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def _moved(
        self, asked: GatewayRequest, upstream: Upstream, response: http.client.HTTPResponse
    ) -> str | None:
        """Returns where a redirect leads, behind the gateway."""
        location = response.headers.get("location")
        if location is None:
            return None
        try:
            return asked.moved(location, upstream, self.server.upstreams)
        except GatewayRefused as error:
            self.server.keep(asked, error)
            raise

    def _read(self) -> bytes:
        if self.headers.get("upgrade", "").strip().lower() == "websocket":
            self.close_connection = True
            raise GatewayRefused(
                f"{self.path.partition('?')[0]} is asked for by WebSocket, which the gateway "
                "cannot record"
            )
        if not self.path.startswith("/"):
            self.close_connection = True
            raise GatewayRefused(
                "the gateway was asked as a proxy; give its address as the base URL of the client"
            )
        try:
            return body_of(self.rfile, self.headers, MAX_BODY)
        except Gone:
            self.close_connection = True
            raise
        except UnreadableBody as error:
            self.close_connection = True  # nobody knows where the next request begins
            path = self.path.partition("?")[0]
            raise GatewayRefused(f"{path}: {error} (at most {MAX_BODY} bytes are taken)") from error

    def _passed_on(self, body: bytes) -> Headers:
        """Returns the headers of the request, but for what is between client and gateway."""
        named = {name.strip().lower() for name in self.headers.get("connection", "").split(",")}
        self.close_connection = self.close_connection or "close" in named
        left_out = BETWEEN_TWO | {"host", "content-length", "accept-encoding", "expect"} | named
        kept = [
            (name, value)
            for name, value in self.headers.items()
            if name.lower() not in left_out and not name.lower().startswith(OURS)
        ]
        accepted = self.headers.get("accept-encoding", "identity").split(",")
        encodings = [each for each in accepted if each.partition(";")[0].strip() in ENCODINGS]
        accept = ", ".join(each.strip() for each in encodings) or "identity"
        if body or self.headers.get("content-length") is not None:
            kept.append(("Content-Length", str(len(body))))
        return [*kept, ("Accept-Encoding", accept), ("Connection", "close")]

    def _pass_back(self, response: http.client.HTTPResponse, location: str | None) -> None:
        """The answer. A stream goes piece by piece; else its end is kept before it is passed on.

        What broke off before its end breaks off for the client, too.
        """
        length = response.headers.get("content-length")
        bodiless = self.command == "HEAD" or response.status in BODILESS
        self._chunked = length is None and not bodiless and self.request_version == "HTTP/1.1"
        if length is None and not bodiless and not self._chunked:
            self.close_connection = True
        if length is None or bodiless:
            self._send_head(response, location)
            while not bodiless and (piece := self._piece(response)):
                chunk = b"%x\r\n%b\r\n" % (len(piece), piece)
                self.wfile.write(chunk if self._chunked else piece)
            return
        pieces = []
        while piece := self._piece(response):
            pieces.append(piece)
        response.close()  # this brings it to the journal
        self._send_head(response, location)
        self.wfile.write(b"".join(pieces))

    def _piece(self, response: http.client.HTTPResponse) -> bytes:
        """What came; empty at the end, after which the connection is closed if it is too early."""
        while is_held(response):
            if self._passage.hung_up():
                self.close_connection, self._chunked = True, False
                return b""
            time.sleep(HELD)
        if all_played(response):
            self.close_connection, self._chunked = True, False
            return b""
        try:
            piece = response.read1(BLOCK)
        except (OSError, http.client.HTTPException):
            self.close_connection, self._chunked = True, False
            return b""
        if not piece and response.length:
            self.close_connection = True
        return piece

    def _send_head(self, response: http.client.HTTPResponse, location: str | None) -> None:
        self._begun = True
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            known = name.lower()
            if known == "location" and location is not None:
                value = f"http://{self.server.address}/{self.server.key}{location}"
            if known not in BETWEEN_TWO and not known.startswith(OURS):
                self.send_header(name, value)
        if self._chunked:
            self.send_header("Transfer-Encoding", "chunked")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def _refuse(self, error: TodevalError) -> None:
        """In a form that the clients of all providers show, with the advice not to try again."""
        if self._begun:
            self.close_connection = True
            return
        status = HTTPStatus.FAILED_DEPENDENCY
        kind = type(error).__name__
        said = {"type": kind, "code": int(status), "message": str(error), "status": kind}
        body = json.dumps({"type": "error", "error": said, "message": str(error)}).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("x-should-retry", "false")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
