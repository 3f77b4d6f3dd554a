"""tornado: each request of its clients, redirects followed, with what its callbacks get."""

import asyncio
import builtins
import copy
import functools
import importlib
import io
import logging
import sys
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_todeval.core.context import holding
from pytest_todeval.recording.address import DEFAULT_PORTS
from pytest_todeval.recording.call import CUT, RaisedError, Response
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.refusals import NotRecorded
from pytest_todeval.recording.transport import (
    CANCELLED,
    Playing,
    Recording,
    calling,
    cut_of,
    raised_by,
    response_of,
    stopped_reading,
    tell_answer,
)

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

CLIENTS = {
    "tornado.simple_httpclient": "SimpleAsyncHTTPClient",
    "tornado.curl_httpclient": "CurlAsyncHTTPClient",
}
FAILED = 599
"""The status of tornado's responses that are none."""
_BEGUN: ContextVar["list[_Hearing] | None"] = ContextVar("todeval_tornado", default=None)
_PLAYING: set[asyncio.Future[None]] = set()
"""Else nobody would hold them."""

Callback = Callable[[Any], None]
Fetch = Callable[[Any, Any, Callback], None]


def installers(router: "Router") -> Mapping[str, Callable[[], None]]:
    """By module, what gives tornado's clients their adapter once it is imported."""
    return {module: partial(_install, router, module) for module in CLIENTS}


def _install(router: "Router", module: str) -> None:
    client = getattr(sys.modules[module], CLIENTS[module])
    client.fetch = _followed(client.fetch)
    client.fetch_impl = _routed(router, client.fetch_impl)


def _followed(real: Callable[..., Any]) -> Callable[..., Any]:
    """Who gives up a request cancels its future; tornado itself goes on reading."""

    @functools.wraps(real)
    def fetch(*given: Any, **options: Any) -> Any:
        begun: list[_Hearing] = []
        with holding(_BEGUN, begun):
            future = real(*given, **options)

        def ended(future: Any) -> None:
            for hearing in begun if future.cancelled() else ():
                hearing.cancelled()

        future.add_done_callback(ended)
        return future

    return fetch


def _routed(router: "Router", real: Fetch) -> Fetch:
    @functools.wraps(real)
    def fetch_impl(client: Any, request: Any, callback: Callback) -> None:
        url = urlsplit(request.url)
        host, port = url.hostname or "", url.port or DEFAULT_PORTS.get(url.scheme)
        what = f"{request.method} {url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"
        redirected = hasattr(request.request, "original_request")  # of a call that has begun
        if redirected or not router.takes(what, host, port):
            with calling():
                return real(client, request, callback)
        if getattr(request, "body_producer", None) is not None:
            raise _unknown_body(router, what)
        kind, body = request.headers.get("content-type", ""), request.body or b""
        path, address = url.path or "/", (host, port)
        exchange = router.begin(request.method, path, url.query, kind, body, address)
        if isinstance(exchange, Playing):
            task = asyncio.ensure_future(_play(exchange, request, callback))
            _PLAYING.add(task)
            task.add_done_callback(_PLAYING.discard)
            return None
        hearing = _Hearing(exchange, request)
        begun = _BEGUN.get()
        if begun is not None:
            begun.append(hearing)
        with calling():
            return real(client, hearing.request, partial(hearing.answered, callback))

    return fetch_impl


def _unknown_body(router: "Router", what: str) -> NotRecorded:
    error = NotRecorded(
        f"not recorded: {what}: its body is made while it is sent (`body_producer`). Give it as "
        "`body`, then it is recorded"
    )
    found = router.place()
    if found is not None:
        found[0].refuse(error)
    return error


class _Hearing:
    """A request that is really made; hears what its callbacks get, part by part."""

    def __init__(self, recording: Recording, request: Any) -> None:
        self._recording, self._asked = recording, request
        self._intake: Intake | None = None
        self._lines: list[str] = []
        self.request = request
        """What tornado is given in its place."""
        if request.streaming_callback is not None:
            heard = copy.copy(request.request)
            heard.header_callback, heard.streaming_callback = self._header, self._part
            self.request = type(request)(heard, request.defaults)

    def answered(self, callback: Callback, response: Any) -> None:
        """There is no more to come: the response, or an error in its place."""
        response.request = self._asked.request
        error = None if response._error_is_response_code else response.error
        if error is not None and self._intake is None:
            self._recording.failed(raised_by(error))
        elif error is not None and self._intake is not None:
            self._intake.broke(error)
        elif self._intake is not None:
            self._intake.ended()
        else:
            headers, body = response.headers.get_all(), response.body or b""
            encoded = not self._asked.decompress_response
            made = partial(response_of, response.code, headers, body, encoded=encoded)
            tell_answer(self._recording, made)
        callback(response)

    def cancelled(self) -> None:
        """Nobody waits for it any more."""
        if self._intake is not None:
            self._intake.cancelled()
        else:
            self._recording.failed(RaisedError("cancelled", "CancelledError: "))

    def _header(self, line: str) -> None:
        if line.startswith("HTTP/"):
            self._lines = []
        self._lines.append(line.rstrip("\r\n"))
        if not line.strip():
            pairs = (text.partition(":") for text in self._lines[1:-1])
            headers = [(name, value.strip()) for name, _, value in pairs]
            status = int(self._lines[0].split()[1])
            encoded = not self._asked.decompress_response
            self._intake = Intake(self._recording, status, headers, encoded=encoded)
            self._intake.reading = True
        if self._asked.header_callback is not None:
            self._asked.header_callback(line)

    def _part(self, data: bytes) -> Any:
        if self._intake is not None:
            self._intake.add(data)
        return self._asked.streaming_callback(data)


async def _play(playing: Playing, request: Any, callback: Callback) -> None:
    tornado = importlib.import_module("tornado.httpclient")
    headers, outcome = importlib.import_module("tornado.httputil").HTTPHeaders(), playing.outcome
    if isinstance(outcome, RaisedError):
        if outcome.kind != "cancelled":  # else it ends when it is cancelled again
            callback(tornado.HTTPResponse(request, FAILED, error=_error_of(outcome.message)))
        return
    for name, value in outcome.headers:
        if name != CUT:
            headers.add(name, value)
    told = await _tell(outcome, headers, request)
    stopped = stopped_reading(outcome)
    if told and stopped == CANCELLED:
        return
    error: Exception | None = None
    if (cut := cut_of(outcome)) is not None:
        error = _error_of(cut)
    elif not told:
        error = _error_of("HTTPStreamClosedError: Stream closed")
    elif stopped is not None:
        error = playing.read_on()
    streams = request.streaming_callback is not None
    body = io.BytesIO(b"" if streams else outcome.body)
    status = FAILED if error is not None else outcome.status
    callback(tornado.HTTPResponse(request, status, headers, body, error=error))


async def _tell(outcome: Response, headers: Any, request: Any) -> bool:
    """Gives the callbacks their parts; whether they took all. What they raise is logged only."""
    try:
        if request.header_callback is not None:
            request.header_callback(f"HTTP/1.1 {outcome.status} \r\n")
            for name, value in headers.get_all():
                request.header_callback(f"{name}: {value}\r\n")
            request.header_callback("\r\n")
        parts = outcome.events if outcome.events is not None else (outcome.body,)
        for part in filter(None, parts) if request.streaming_callback is not None else ():
            taken = request.streaming_callback(part)
            if taken is not None:
                await taken
            await asyncio.sleep(0)
    except Exception:
        logging.getLogger("tornado.application").exception("Uncaught exception")
        return False
    return True


def _error_of(text: str) -> Exception:
    """Returns the error that tornado gave, or one of its own with the same words."""
    name, _, message = text.partition(": ")
    message = message.removeprefix(f"HTTP {FAILED}: ")
    simple = importlib.import_module("tornado.simple_httpclient")
    for place in (simple, builtins):
        found = getattr(place, name, None)
        if isinstance(found, type) and issubclass(found, Exception):
            try:
                return found(message)
            except TypeError:
                break
    error: Exception = simple.HTTPError(FAILED, message)
    return error
