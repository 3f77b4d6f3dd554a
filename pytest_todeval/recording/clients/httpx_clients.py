"""httpx and httpx2 (which openai uses): at their transports, so below redirects and SDKs' retries.

Transports of one's own and those that call an application in this process are left alone.
"""

import functools
import importlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any

from pytest_todeval.recording.call import Raised, Response
from pytest_todeval.recording.transport import (
    Exchange,
    Playing,
    Recording,
    cut_of,
    raised_by,
    response_of,
)

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

__all__ = ["install"]

PORTS = {"http": 80, "https": 443}
BY_KIND = {
    "connect": "ConnectError",
    "timeout": "ReadTimeout",
    "read": "ReadError",
    "protocol": "RemoteProtocolError",
}


def install(router: "Router", name: str) -> None:
    """Give the two transports of `httpx` or `httpx2` their adapters."""
    module = importlib.import_module(name)
    adapter = _Adapter(router, module)
    for owner, method, wrap in (
        (module.HTTPTransport, "handle_request", adapter.sync),
        (module.AsyncHTTPTransport, "handle_async_request", adapter.asynchronous),
    ):
        setattr(owner, method, wrap(getattr(owner, method)))


class _Adapter:
    def __init__(self, router: "Router", module: Any) -> None:
        self._router, self._httpx = router, module
        self._streams = _streams(module)

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
                response = real(transport, request)
            except BaseException as error:
                self._broke(exchange, error)
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
                return self._played(exchange, request)
            try:
                response = await real(transport, request)
            except BaseException as error:
                self._broke(exchange, error)
                raise
            return self._teed(exchange, response)

        return handle_async_request

    def _takes(self, request: Any) -> bool:
        if self._router.idle:
            return False
        url = request.url.copy_with(query=None, userinfo=b"")
        return self._router.takes(f"{request.method} {url}", *_address(request))

    def _begin(self, request: Any, body: bytes) -> Exchange:
        request.stream = self._httpx.ByteStream(body)  # reading it consumed it
        path, _, query = request.url.raw_path.decode("ascii").partition("?")
        kind = request.headers.get("content-type", "")
        return self._router.begin(request.method, path, query, kind, body)

    def _played(self, playing: Playing, request: Any) -> Any:
        outcome = playing.outcome
        if isinstance(outcome, Raised):
            raise self._error(outcome.message, outcome.kind, request)
        cut = cut_of(outcome)
        error = None if cut is None else self._error(cut, "read", request)
        return self._httpx.Response(
            outcome.status,
            headers=list(outcome.headers),
            stream=self._streams(_Replay(outcome, error)),
            request=request,
        )

    def _error(self, text: str, kind: str, request: Any) -> Exception:
        name, _, message = text.partition(": ")
        found = getattr(self._httpx, name, None)
        if not (isinstance(found, type) and issubclass(found, self._httpx.TransportError)):
            found = getattr(self._httpx, BY_KIND.get(kind, "ReadError"))
        error: Exception = found(message, request=request)
        return error

    def _broke(self, recording: Recording, error: BaseException) -> None:
        if isinstance(error, self._httpx.TransportError):
            recording.failed(raised_by(error))
        else:
            recording.abandoned()

    def _teed(self, recording: Recording, response: Any) -> Any:
        tee = _Tee(recording, response, self._httpx.TransportError)
        response.stream = self._streams(tee)
        return response


class _Replay:
    """What was recorded, event by event."""

    def __init__(self, response: Response, error: Exception | None) -> None:
        self._parts = response.events if response.events is not None else (response.body,)
        self._error = error

    def __iter__(self) -> Iterator[bytes]:
        yield from filter(None, self._parts)
        if self._error is not None:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part

    def close(self) -> None:
        pass

    async def aclose(self) -> None:
        pass


class _Tee:
    """Passes a response on as it comes, and tells the recording when it is over."""

    def __init__(self, recording: Recording, response: Any, broken: type[Exception]) -> None:
        self._recording, self._broken = recording, broken
        self._stream, self._parts = response.stream, list[bytes]()
        self._status, self._headers = response.status_code, response.headers.multi_items()

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in self._stream:
                self._parts.append(part)
                yield part
        except self._broken as error:
            self._over(error)
            raise
        self._over()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._stream:
                self._parts.append(part)
                yield part
        except self._broken as error:
            self._over(error)
            raise
        self._over()

    def close(self) -> None:
        self._over()
        self._stream.close()

    async def aclose(self) -> None:
        self._over()
        await self._stream.aclose()

    def _over(self, cut: Exception | None = None) -> None:
        body, self._parts = b"".join(self._parts), []
        self._recording.answered(response_of(self._status, self._headers, body, cut=cut))
        self._over = _nothing  # type: ignore[method-assign]


def _nothing(cut: Exception | None = None) -> None:
    pass


def _streams(module: Any) -> Callable[[_Replay | _Tee], Any]:
    """The client asks of a stream that it is one of its own classes."""

    class Stream(module.SyncByteStream, module.AsyncByteStream):  # type: ignore[misc]
        def __init__(self, inner: _Replay | _Tee) -> None:
            self._inner = inner

        def __iter__(self) -> Iterator[bytes]:
            return iter(self._inner)

        def __aiter__(self) -> AsyncIterator[bytes]:
            return self._inner.__aiter__()

        def close(self) -> None:
            self._inner.close()

        async def aclose(self) -> None:
            await self._inner.aclose()

    return Stream


def _address(request: Any) -> tuple[str, int | None]:
    return request.url.host, request.url.port or PORTS.get(request.url.scheme)
