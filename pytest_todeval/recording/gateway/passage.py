"""A request on its way to the upstream and back; its client may hang up at any time."""

import functools
import http.client
import select
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from pytest_todeval.recording.address import is_loopback
from pytest_todeval.recording.gateway.upstreams import Upstream

GLANCE = 0.05
"""Seconds between two looks at whether the client still waits."""
Headers = Sequence[tuple[str, str]]


class ForwardedRequest:
    """One request that is made again for a client."""

    def __init__(self, client: socket.socket) -> None:
        self._client = client
        self._cut = threading.Event()
        self._over = threading.Event()

    @property
    def is_cut(self) -> bool:
        """Says whether nobody waits for the answer any more."""
        return self._cut.is_set()

    @contextmanager
    def asking(
        self, upstream: Upstream, method: str, target: str, headers: Headers, body: bytes
    ) -> Iterator[http.client.HTTPResponse]:
        """Asks the upstream. Raises what the client of the standard library does."""
        connection = connection_to(upstream)
        connection.response_class = functools.partial(_Response, self)  # type: ignore[assignment]
        response = None
        try:
            connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in headers:
                connection.putheader(name, value)
            connection.endheaders(body or None)
            self._watch(connection.sock)
            response = connection.getresponse()
            yield response
        finally:
            self._over.set()
            if response is not None:
                response.close()
            connection.close()

    def _watch(self, upstream: Any) -> None:
        """Have the client watched while an upstream is really asked."""
        if isinstance(upstream, socket.socket):
            look, name = functools.partial(self._look, upstream), "todeval gateway"
            threading.Thread(target=look, name=name, daemon=True).start()

    def _look(self, upstream: socket.socket) -> None:
        while not self._over.wait(GLANCE):
            if self.hung_up():
                self._cut.set()
                with suppress(OSError):
                    # Not the method of TLS sockets, which the reading thread is in the midst of.
                    socket.socket.shutdown(upstream, socket.SHUT_RDWR)
                return

    def hung_up(self) -> bool:
        try:
            readable, _, _ = select.select([self._client], [], [], 0)
            return bool(readable) and not self._client.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):
            return True


class _Response(http.client.HTTPResponse):
    """Says who broke it off."""

    def __init__(self, passage: ForwardedRequest, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._passage = passage

    def begin(self) -> None:
        try:
            super().begin()
        except (OSError, http.client.HTTPException):
            if not self._passage.is_cut:
                raise
        if self._passage.is_cut or self._passage.hung_up():
            raise TimeoutError("the bot's client hung up before the answer came")


def connection_to(upstream: Upstream) -> http.client.HTTPConnection:
    """Returns a connection, not made yet.

    `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` hold, except for this machine itself; certificates
    are those of the system, or of `SSL_CERT_FILE`.
    """
    parts = urlsplit(upstream.url)
    host, port = parts.hostname or "", parts.port
    proxy = None if is_loopback(host) or proxy_bypass(host) else getproxies().get(parts.scheme)
    if proxy is None:
        return _connection(parts.scheme, host, port)
    by = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    said = {} if by.username is None else {"Proxy-Authorization": _basic(by.username, by.password)}
    connection = _connection(parts.scheme, by.hostname or "", by.port or 80)
    # A tunnel is asked for http, too: so credentials for the proxy never stand beside the bot's.
    connection.set_tunnel(host, port, said)
    return connection


def _connection(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, context=ssl.create_default_context())
    return http.client.HTTPConnection(host, port)


def _basic(name: str, password: str | None) -> str:
    pair = f"{unquote(name)}:{unquote(password or '')}"
    return "Basic " + b64encode(pair.encode()).decode()
