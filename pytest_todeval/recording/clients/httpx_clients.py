"""httpx and httpx2 (which openai uses): at their transports, so below redirects and SDKs' retries.

Transports of one's own and those that call an application in this process are left alone.
"""

import functools
import importlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

from pytest_todeval.recording.address import DEFAULT_PORTS
from pytest_todeval.recording.call import RaisedError
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.transport import (
    CANCELLED,
    HELD,
    Exchange,
    Playing,
    Recording,
    broke,
    calling,
    cut_of,
    is_cancelled,
    stopped_reading,
)

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

SWITCHED = 101
BY_KIND = {
    "connect": "ConnectError",
    "timeout": "ReadTimeout",
    "read": "ReadError",
    "protocol": "RemoteProtocolError",
}


def install(router: "Router", name: str) -> None:
    """Gives the two transports of `httpx` or `httpx2` their adapters."""
    module = importlib.import_module(name)
    adapter = _HttpxAdapter(router, module)
    for owner, method, wrap in (
        (module.HTTPTransport, "handle_request", adapter.sync),
        (module.AsyncHTTPTransport, "handle_async_request", adapter.asynchronous),
    ):
        setattr(owner, method, wrap(getattr(owner, method)))


class _HttpxAdapter:
    def __init__(self, router: "Router", module: Any) -> None:
        self._router, self._httpx = router, module
        # The client asks of a stream that it is one of its own classes.
        theirs = (module.SyncByteStream, module.AsyncByteStream)
        self._replay: Any = type("Replay", (_Replay, *theirs), {})
        self._tee: Any = type("Tee", (_Tee, *theirs), {})

    def sync(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def handle_request(transport: Any, request: Any) -> Any:
            if not self._takes(request):
                with self._router.asking(*_address(request)):
                    return real(transport, request)
            exchange = self._begin(request, b"".join(request.stream))
            if isinstance(exchange, Playing):
                return self._played(exchange, request)
            try:
                with calling():
                    response = real(transport, request)
            except BaseException as error:
                broke(exchange, error, self._httpx.TransportError)
                raise
            return self._teed(exchange, response)

        return handle_request

    def asynchronous(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        async def handle_async_request(transport: Any, request: Any) -> Any:
            if not self._takes(request):
                with self._router.asking(*_address(request)):
                    return await real(transport, request)
            exchange = self._begin(request, b"".join([part async for part in request.stream]))
            if isinstance(exchange, Playing):
                if (
                    isinstance(exchange.outcome, RaisedError)
                    and exchange.outcome.kind == "cancelled"
                ):
                    await _forever()  # until it is, as it was then
                return self._played(exchange, request)
            try:
                with calling():
                    response = await real(transport, request)
            except BaseException as error:
                broke(exchange, error, self._httpx.TransportError)
                raise
            return self._teed(exchange, response)

        return handle_async_request

    def _takes(self, request: Any) -> bool:
        if self._router.idle:
            return False
        if request.headers.get("upgrade", "").lower() == "websocket" and self._router.replaying():
            return False  # it is no call: that it connects is refused, by the address
        url = request.url
        path = url.raw_path.decode("ascii").partition("?")[0]
        what = f"{request.method} {url.scheme}://{url.netloc.decode('ascii')}{path}"
        return self._router.takes(what, *_address(request))

    def _begin(self, request: Any, body: bytes) -> Exchange:
        request.stream = self._httpx.ByteStream(body)  # reading it consumed it
        path, _, query = request.url.raw_path.decode("ascii").partition("?")
        kind = request.headers.get("content-type", "")
        address = _address(request)
        return self._router.begin(request.method, path, query, kind, body, address)

    def _played(self, playing: Playing, request: Any) -> Any:
        outcome = playing.outcome
        if isinstance(outcome, RaisedError):
            if outcome.kind == "cancelled":
                raise playing.read_on()
            raise self._error(outcome.message, outcome.kind, request)
        cut = cut_of(outcome)
        error = None if cut is None else self._error(cut, "read", request)
        return self._httpx.Response(
            outcome.status,
            headers=list(outcome.headers),
            stream=self._replay(playing, error),
            request=request,
        )

    def _error(self, text: str, kind: str, request: Any) -> Exception:
        name, _, message = text.partition(": ")
        found = getattr(self._httpx, name, None)
        if not (isinstance(found, type) and issubclass(found, self._httpx.TransportError)):
            found = getattr(self._httpx, BY_KIND.get(kind, "ReadError"))
        error: Exception = found(message, request=request)
        return error

    def _teed(self, recording: Recording, response: Any) -> Any:
        if response.status_code == SWITCHED:
            recording.abandoned("it became a websocket (101), and what that says is in no cassette")
            return response
        intake = Intake(recording, response.status_code, response.headers.multi_items())
        response.stream = self._tee(intake, response.stream)
        return response


async def _sleep(seconds: float) -> None:
    import anyio

    await anyio.sleep(seconds)


async def _forever() -> None:
    import anyio

    await anyio.sleep_forever()


class _Replay:
    """What was recorded, event by event."""

    def __init__(self, playing: Playing, error: Exception | None) -> None:
        assert not isinstance(playing.outcome, RaisedError)
        response = playing.outcome
        self._parts = response.events if response.events is not None else (response.body,)
        self._playing, self._error = playing, error
        self._stopped = stopped_reading(response)

    def __iter__(self) -> Iterator[bytes]:
        for place, part in enumerate((*self._parts, b"")):
            while self._playing.is_held(place):
                time.sleep(HELD)
            if part:
                yield part
        if self._stopped is not None:
            raise self._playing.read_on()
        if self._error is not None:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for place, part in enumerate((*self._parts, b"")):
            while self._playing.is_held(place):
                await _sleep(HELD)
            if part:
                yield part
        if self._stopped == CANCELLED:
            await _forever()
        if self._stopped is not None:
            raise self._playing.read_on()
        if self._error is not None:
            raise self._error


class _Tee:
    """Passes a response on as it comes, and tells what its reader gets of it."""

    def __init__(self, intake: Intake, stream: Any) -> None:
        self._intake, self._stream = intake, stream

    def __iter__(self) -> Iterator[bytes]:
        try:
            self._intake.reading = True
            for part in self._stream:
                self._intake.add(part)
                self._intake.reading = False
                yield part
                self._intake.reading = True
        except BaseException as error:
            self._over(error)
            raise
        self._intake.ended()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            self._intake.reading = True
            async for part in self._stream:
                self._intake.add(part)
                self._intake.reading = False
                yield part
                self._intake.reading = True
        except BaseException as error:
            self._over(error)
            raise
        self._intake.ended()

    def _over(self, error: BaseException) -> None:
        if isinstance(error, Exception):
            self._intake.broke(error)
        elif is_cancelled(error) and self._intake.reading:
            self._intake.cancelled()
        else:
            self._intake.stopped()

    def close(self) -> None:
        self._intake.stopped()
        self._stream.close()

    async def aclose(self) -> None:
        self._intake.stopped()
        await self._stream.aclose()

    def __del__(self) -> None:
        self._intake.stopped()


def _address(request: Any) -> tuple[str, int | None]:
    return request.url.host, request.url.port or DEFAULT_PORTS.get(request.url.scheme)
