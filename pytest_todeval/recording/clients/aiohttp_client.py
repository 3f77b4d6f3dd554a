"""aiohttp: as the innermost of its middlewares, so that it makes bodies, follows redirects itself.

The responses of replay are vcrpy's, which keeps up with what aiohttp's constructor asks for.
"""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp.payload import Payload
from aiohttp.streams import StreamReader

from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import RaisedError, Response
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.transport import (
    CANCELLED,
    Playing,
    Recording,
    broke,
    calling,
    cut_of,
    stopped_reading,
)

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

LIMIT = 1 << 28
"""Bytes: what is replayed is there already, and needs no brake."""
BROKEN = (aiohttp.ClientError, OSError, TimeoutError)
BY_KIND: dict[str, Callable[[str], Exception]] = {
    "connect": aiohttp.ClientConnectionError,
    "timeout": aiohttp.ServerTimeoutError,
    "read": aiohttp.ClientOSError,
    "protocol": aiohttp.ServerDisconnectedError,
}

Handler = Callable[[Any], Awaitable[Any]]


def install(router: "Router") -> None:
    """Gives client sessions their adapter."""
    real: Callable[..., Awaitable[Any]] = aiohttp.ClientSession._request

    @functools.wraps(real)
    async def _request(session: Any, method: Any, url: Any, **options: Any) -> Any:
        if router.idle:
            return await real(session, method, url, **options)
        given = options.get("middlewares")
        middlewares = getattr(session, "_middlewares", None) if given is None else given
        if middlewares is None or not hasattr(Payload, "as_bytes"):
            raise UsageError(
                "calls of aiohttp are recorded and replayed with aiohttp 3.12.1 or later, "
                f"not with {aiohttp.__version__}: `pip install 'aiohttp>=3.12.1'`"
            )
        asked = options.get("auto_decompress")
        attempt = _Attempt(router, packed=not (session.auto_decompress if asked is None else asked))
        options["middlewares"] = (*middlewares, attempt)
        try:
            return await real(session, method, url, **options)
        except BaseException as error:
            attempt.broke(error)
            raise

    aiohttp.ClientSession._request = _request  # type: ignore[method-assign, assignment]


class _Attempt:
    """The middleware of one request and of the redirects it leads to."""

    def __init__(self, router: "Router", *, packed: bool) -> None:
        """`packed`: whether bodies come as they were sent. In replay they come unpacked."""
        self._router, self._packed = router, packed
        self._recording: Recording | None = None

    async def __call__(self, request: Any, handler: Handler) -> Any:
        url = request.url
        if "upgrade" in request.headers:  # a websocket is no call
            return await handler(request)
        if not self._router.takes(f"{request.method} {url.with_query(None)}", url.host, url.port):
            with self._router.asking(url.host, url.port):
                return await handler(request)
        body = await request.body.as_bytes() if request.body else b""
        kind = request.headers.get("content-type", "")
        path, query = url.raw_path, url.raw_query_string
        address = (url.host, url.port)
        exchange = self._router.begin(request.method, path, query, kind, body, address)
        if isinstance(exchange, Playing):
            return await _played(exchange, request)
        self._recording = exchange
        with calling():
            response = await handler(request)
        self._recording = None
        _tee(exchange, response, packed=self._packed)
        return response

    def broke(self, error: BaseException) -> None:
        """Tells here: a time-out of the whole request is an error only outside the middlewares."""
        if self._recording is not None:
            broke(self._recording, error, BROKEN)


async def _played(playing: Playing, request: Any) -> Any:
    from vcr.request import Request as VcrRequest  # type: ignore[import-untyped]
    from vcr.stubs.aiohttp_stubs import build_response  # type: ignore[import-untyped]

    outcome = playing.outcome
    if isinstance(outcome, RaisedError):
        if outcome.kind == "cancelled":
            await asyncio.get_running_loop().create_future()  # until it is, as it was then
        raise _error(outcome.message, outcome.kind)
    headers: dict[str, list[str]] = {}
    for name, value in outcome.headers:
        headers.setdefault(name, []).append(value)
    answer = {
        "status": {"code": outcome.status, "message": ""},
        "headers": headers,
        "body": {"string": outcome.body},
    }
    asked = VcrRequest(request.method, str(request.url), None, {})
    response = build_response(asked, answer, [])
    error = None if (cut := cut_of(outcome)) is None else _error(cut, "read")
    response.content = _fed(playing, outcome, error)
    if error is not None or stopped_reading(outcome) is not None:
        _break(response, error)
    return response


def _break(response: Any, error: Exception | None) -> None:
    """Reading the whole body fails, as it did when it was recorded; or it was never tried."""

    async def broken(*_: object, **__: object) -> None:
        if error is not None:
            raise error
        await response.content.read()

    response.read = response.text = response.json = broken


def _fed(playing: Playing, response: Response, error: Exception | None) -> StreamReader:
    """Returns a stream into which each event comes for itself."""
    stopped = stopped_reading(response)
    stream = _Stream() if stopped is None else _Ending(playing, stopped)
    loop = asyncio.get_running_loop()
    events = list(response.events if response.events is not None else [response.body])

    def feed() -> None:
        if events:
            stream.feed_data(events.pop(0))
            loop.call_soon(feed)
        elif error is not None:
            stream.set_exception(error)
        elif isinstance(stream, _Ending):
            stream.over()
        else:
            stream.feed_eof()

    feed()
    return stream


def _tee(recording: Recording, response: Any, *, packed: bool) -> None:
    """Pass the body on as it comes; the recording hears it all, also if it is not read."""
    headers = [(str(name), value) for name, value in response.headers.items()]
    intake = Intake(recording, response.status, headers, encoded=packed)
    real, mirror = response.content, _Mirror(intake)
    response.content = mirror
    task = asyncio.ensure_future(_pump(intake, response, real, mirror))
    response._todeval_pump = task  # or nobody would hold it


async def _pump(intake: Intake, response: Any, real: Any, mirror: StreamReader) -> None:
    try:
        while part := await real.readany():
            intake.add(part)
            mirror.feed_data(part)
        mirror.feed_eof()
        intake.ended()
    except BROKEN as error:
        mirror.set_exception(error)
        if not response.closed:  # else its reader had enough
            intake.broke(error)
    except RuntimeError as error:  # so aiohttp says that the connection was closed on this side
        mirror.set_exception(error)
    finally:
        intake.stopped()


class _Stream(StreamReader):
    """One without a connection behind it."""

    def __init__(self) -> None:
        super().__init__(_NoProtocol(), LIMIT, loop=asyncio.get_running_loop())  # type: ignore[arg-type]


class _Mirror(_Stream):
    """What a reader gets of a body; tells whether it waits, and that it was cancelled then."""

    def __init__(self, intake: Intake) -> None:
        super().__init__()
        self._intake = intake

    async def _wait(self, func_name: str) -> None:
        self._intake.reading = True
        try:
            await super()._wait(func_name)
        except asyncio.CancelledError:
            self._intake.cancelled()
            raise
        finally:
            self._intake.reading = False


class _Ending(_Stream):
    """An answer that its recorded reader did not read to the end: nobody knows more of it."""

    def __init__(self, playing: Playing, stopped: str) -> None:
        super().__init__()
        self._playing, self._stopped = playing, stopped
        self._over = False

    def over(self) -> None:
        """All that was recorded is there; who waits for more finds out."""
        self._over = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _wait(self, func_name: str) -> None:
        if self._over and self._stopped != CANCELLED:
            raise self._playing.read_on()
        await super()._wait(func_name)


class _NoProtocol:
    """What a stream asks of its connection, if there is none."""

    _reading_paused = False
    connected = True
    """Else a reader that waits for the next event gets an error."""

    def pause_reading(self, *_: object, **__: object) -> None:
        """There is nothing to do."""

    resume_reading = pause_reading


def _error(text: str, kind: str) -> Exception:
    """The error that aiohttp raised; some of them are made from parts that were not recorded."""
    name, _, message = text.partition(": ")
    found = getattr(aiohttp, name, None) or {"TimeoutError": TimeoutError}.get(name)
    if not (isinstance(found, type) and issubclass(found, BROKEN)):
        return BY_KIND.get(kind, aiohttp.ClientOSError)(message)
    if not issubclass(found, aiohttp.ClientConnectorError):
        error: Exception = found.__new__(found, message)
        error.__init__(message)  # type: ignore[misc]
        return error
    from aiohttp.client_reqrep import ConnectionKey

    key = ConnectionKey("recorded", None, False, True, None, None, None)
    return found(key, OSError(message))
