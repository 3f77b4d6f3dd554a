"""urllib3-future, which niquests brings: it takes urllib3's name, so requests and botocore use it.

It does not build on `http.client`. A call is recorded at its pool of connections, and its answer
read to the end then; several calls over one connection at once (`multiplexed`) are made one by one.
"""

import functools
import http.client
import io
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_todeval.recording.call import RaisedError, Response
from pytest_todeval.recording.clients.http_client import error_of
from pytest_todeval.recording.transport import (
    Exchange,
    Playing,
    Recording,
    broke,
    calling,
    response_of,
)

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

POOLS = {
    "connectionpool": ("HTTPConnectionPool", "response", "HTTPResponse"),
    "_async.connectionpool": ("AsyncHTTPConnectionPool", "_async.response", "AsyncHTTPResponse"),
}
PACKAGES = ("urllib3", "urllib3_future")


def installers(router: "Router") -> Mapping[str, Callable[[], None]]:
    """By module, what gives its pool of connections the adapter once it is imported."""
    return {
        f"{package}.{module}": partial(_install, router, package, module)
        for package in PACKAGES
        for module in POOLS
    }


def _install(router: "Router", package: str, module: str) -> None:
    pool, responses, response = POOLS[module]
    owner = getattr(import_module(f"{package}.{module}"), pool)
    if issubclass(owner.ConnectionCls, http.client.HTTPConnection):
        return  # urllib3 itself
    adapter = _Urllib3FutureAdapter(
        router, getattr(import_module(f"{package}.{responses}"), response)
    )
    wrap = adapter.asynchronous if module.startswith("_async") else adapter.sync
    owner._make_request = wrap(owner._make_request)


class _Urllib3FutureAdapter:
    def __init__(self, router: "Router", response: type[Any]) -> None:
        self._router, self._response = router, response

    def sync(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def make(pool: Any, connection: Any, method: str, url: str, **options: Any) -> Any:
            if not self._takes(pool, method, url):
                with self._router.asking(pool.host, pool.port):
                    return real(pool, connection, method, url, **options)
            preload = options.get("preload_content", True)
            exchange = self._begin(pool, method, url, options, _whole(options.get("body")))
            if isinstance(exchange, Playing):
                return self._played(exchange, pool, method, preload)
            try:
                with calling():
                    found = real(pool, connection, method, url, **options)
                    data = found.read(decode_content=True)
            except BaseException as error:
                broke(exchange, error)
                raise
            return self._recorded(exchange, found, data, method, preload)

        return make

    def asynchronous(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        async def make(pool: Any, connection: Any, method: str, url: str, **options: Any) -> Any:
            if not self._takes(pool, method, url):
                with self._router.asking(pool.host, pool.port):
                    return await real(pool, connection, method, url, **options)
            body: Any = options.get("body")
            preload = options.get("preload_content", True)
            if hasattr(body, "__aiter__"):
                body = b"".join([part async for part in body])
            exchange = self._begin(pool, method, url, options, _whole(body))
            if isinstance(exchange, Playing):
                return self._played(exchange, pool, method, preload)
            try:
                with calling():
                    found = await real(pool, connection, method, url, **options)
                    data = await found.read(decode_content=True)
            except BaseException as error:
                broke(exchange, error)
                raise
            return self._recorded(exchange, found, data, method, preload)

        return make

    def _takes(self, pool: Any, method: str, url: str) -> bool:
        if self._router.idle:
            return False
        what = f"{method} {pool.scheme}://{pool.host}:{pool.port}{url.partition('?')[0]}"
        return self._router.takes(what, pool.host, pool.port)

    def _begin(
        self, pool: Any, method: str, url: str, options: dict[str, Any], body: bytes
    ) -> Exchange:
        options["multiplexed"] = options["preload_content"] = False
        if options.get("body") is not None:
            options["body"] = body  # reading it consumed it
        headers = {str(k).lower(): str(v) for k, v in (options.get("headers") or {}).items()}
        path, _, query = url.partition("?")
        kind = headers.get("content-type", "")
        address = (pool.host, pool.port)
        return self._router.begin(method, path, query, kind, body, address)

    def _played(self, playing: Playing, pool: Any, method: str, preload: bool) -> Any:
        if isinstance(playing.outcome, RaisedError):
            raise error_of(playing.outcome, pool)
        return self._answer(playing.outcome, method, preload)

    def _recorded(
        self, recording: Recording, found: Any, data: bytes, method: str, preload: bool
    ) -> Any:
        response = response_of(found.status, found.headers.items(), data, encoded=False)
        recording.answered(response)
        return self._answer(response, method, preload)

    def _answer(self, response: Response, method: str, preload: bool) -> Any:
        # Bytes are there at once, as `data`; a file is read.
        body = response.body
        return self._response(
            body if preload else io.BytesIO(body),
            headers=dict(response.headers),
            status=response.status,
            version=11,
            reason=http.client.responses.get(response.status, ""),
            preload_content=False,
            request_method=method,
        )


def _whole(body: Any) -> bytes:
    """Returns what urllib3 takes as a body: bytes, text, a file, or an iterable of either."""
    if body is None:
        return b""
    if hasattr(body, "read"):
        body = body.read()
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    return b"".join(part.encode() if isinstance(part, str) else bytes(part) for part in body)
