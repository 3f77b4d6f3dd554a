"""http.client, and with it urllib, urllib3, requests, botocore and httplib2, which build on it.

A request that a tape takes is held back until it is whole; then it is answered from the tape, in
the bytes of HTTP, for the client itself to read, or really sent.
"""

import builtins
import functools
import http.client
import io
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pytest_todeval.recording.address import DEFAULT_PORTS
from pytest_todeval.recording.call import RaisedError
from pytest_todeval.recording.clients.wire import StandIn, Tee, replayed, unchunked
from pytest_todeval.recording.transport import Exchange, Playing, broke, calling, raised_by

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

HELD = "_todeval_held"
CONNECTING = "_todeval_connecting"
ASKING = "_todeval_asking"
OWN_CONNECT = {
    "http.client": ("HTTPConnection", "HTTPSConnection"),
    "urllib3.connection": ("HTTPConnection", "HTTPSConnection"),
    "httplib2": ("HTTPConnectionWithTimeout", "HTTPSConnectionWithTimeout"),
}
"""The classes of connections that know how to connect."""
BY_KIND: dict[str, type[Exception]] = {
    "connect": ConnectionRefusedError,
    "timeout": TimeoutError,
    "read": ConnectionResetError,
    "protocol": http.client.RemoteDisconnected,
}


def installers(router: "Router") -> Mapping[str, Callable[[], None]]:
    """By module, what gives its connections their adapter once it is imported."""
    adapter = _HttpClientAdapter(router)
    return {module: partial(_install, adapter, module) for module in OWN_CONNECT}


def _install(adapter: "_HttpClientAdapter", module: str) -> None:
    if module == "http.client":
        base = http.client.HTTPConnection
        for name in ("putrequest", "send", "getresponse"):
            setattr(base, name, getattr(adapter, name)(getattr(base, name)))
    for owner in (getattr(sys.modules[module], name) for name in OWN_CONNECT[module]):
        # urllib3-future's classes bear urllib3's names.
        if "connect" in vars(owner) and issubclass(owner, http.client.HTTPConnection):
            owner.connect = adapter.connect(vars(owner)["connect"])


class _HttpClientAdapter:
    def __init__(self, router: "Router") -> None:
        self._router = router
        self._send: Callable[..., None] = http.client.HTTPConnection.send

    def connect(self, real: Callable[[Any], None]) -> Callable[[Any], None]:
        """Not before it is known whether the request is to be sent at all."""

        @functools.wraps(real)
        def connect(connection: Any) -> None:
            held: _Held | None = vars(connection).get(HELD)
            if CONNECTING in vars(connection) or (held is None and not self._takes(connection)):
                return _connected(connection, real)
            if held is not None and held.exchange is not None:
                return _connected(connection, real)
            connection.sock = StandIn()
            if hasattr(connection, "is_verified"):
                connection.is_verified = True
            return None

        return connect

    def putrequest(self, real: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(real)
        def putrequest(connection: Any, method: str, url: str, *more: Any, **options: Any) -> None:
            vars(connection).pop(HELD, None)
            _stop_asking(connection)
            if self._takes(connection, f"{method} ", url):
                vars(connection)[HELD] = _Held()
            elif isinstance(connection.sock, StandIn):
                connection.sock = None
            real(connection, method, url, *more, **options)

        return putrequest

    def send(self, real: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(real)
        def send(connection: Any, data: Any) -> None:
            held: _Held | None = vars(connection).get(HELD)
            if CONNECTING in vars(connection) or (held is not None and held.exchange is not None):
                real(connection, data)
                return
            if held is None:
                self._really_send(connection, data, real)
                return
            if connection.sock is None:
                connection.sock = StandIn()
            held.add(data)
            if held.whole:
                self._decide(connection, held)

        return send

    def getresponse(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def getresponse(connection: Any) -> Any:
            held: _Held | None = vars(connection).get(HELD)
            if held is None:
                try:
                    return real(connection)
                finally:
                    _stop_asking(connection)
            exchange = held.exchange or self._decide(connection, held)
            del vars(connection)[HELD]
            if isinstance(exchange, Playing):
                return _play(connection, exchange, real)
            try:
                with calling():
                    response = real(connection)
            except BaseException as error:
                broke(exchange, error)
                raise
            response.fp = Tee(response, exchange)
            return response

        return getresponse

    def _really_send(self, connection: Any, data: Any, real: Callable[..., None]) -> None:
        """If it is the bot that is sent to, it is at work from now until its answer comes."""
        if not self._router.idle and ASKING not in vars(connection):
            asking = vars(connection)[ASKING] = ExitStack()
            asking.enter_context(self._router.asking(*_address(connection, "")))
        try:
            real(connection, data)
        except BaseException:
            _stop_asking(connection)
            raise

    def _takes(self, connection: Any, what: str = "a connection to ", url: str = "") -> bool:
        if self._router.idle:
            return False
        host, port = _address(connection, url)
        path = urlsplit(url).path
        return self._router.takes(f"{what}{host}:{port}{path}", host, port)

    def _decide(self, connection: Any, held: "_Held") -> Exchange:
        address = _address(connection, "")
        exchange = held.exchange = self._router.begin(*held.request(), address)
        if isinstance(exchange, Playing):
            if isinstance(exchange.outcome, RaisedError) and exchange.outcome.kind == "connect":
                connection.close()
                raise error_of(exchange.outcome, connection)
            return exchange
        try:
            if isinstance(connection.sock, StandIn):
                connection.sock = None
            with calling():
                if connection.sock is None:
                    connection.connect()
                self._send(connection, bytes(held.data))
        except Exception as error:
            exchange.failed(raised_by(error, "connect"))
            raise
        except BaseException as error:
            exchange.abandoned(type(error).__name__)
            raise
        return exchange


class _Held:
    """A request on its way out."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.exchange: Exchange | None = None
        """Set as soon as it is whole."""
        self._headers: http.client.HTTPMessage | None = None
        self._start = 0

    def add(self, data: Any) -> None:
        """What `send` may be given: bytes, a file, or an iterable of bytes."""
        if hasattr(data, "read"):
            while block := data.read(65536):
                self.data += block.encode("iso-8859-1") if isinstance(block, str) else block
        elif isinstance(data, bytes | bytearray | memoryview):
            self.data += data
        else:
            try:
                self.data += memoryview(data)
            except TypeError:
                for block in data:
                    self.data += block

    @property
    def whole(self) -> bool:
        if self._headers is None and not self._read_headers():
            return False
        assert self._headers is not None
        if "chunked" in self._headers.get("transfer-encoding", "").lower():
            return self.data.endswith(b"0\r\n\r\n")
        length = self._headers.get("content-length", "0")
        return not length.isdecimal() or len(self.data) - self._start >= int(length)

    def request(self) -> tuple[str, str, str, str, bytes]:
        line = bytes(self.data[: self.data.find(b"\r\n")]).decode("iso-8859-1")
        method, _, rest = line.partition(" ")
        target = rest.rpartition(" ")[0]
        if not target.startswith("/") and "://" in target:  # as proxies are asked
            parts = urlsplit(target)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        path, _, query = target.partition("?")
        headers = self._headers or http.client.HTTPMessage()
        body = bytes(self.data[self._start :])
        if "chunked" in headers.get("transfer-encoding", "").lower():
            body, _ = unchunked(body)
        return method, path, query, headers.get("content-type", ""), body

    def _read_headers(self) -> bool:
        end = self.data.find(b"\r\n\r\n")
        if end < 0:
            return False
        first = self.data.find(b"\r\n") + 2
        self._headers = http.client.parse_headers(io.BytesIO(self.data[first : end + 4]))
        self._start = end + 4
        return True


def _stop_asking(connection: Any) -> None:
    asking: ExitStack | None = vars(connection).pop(ASKING, None)
    if asking is not None:
        asking.close()


def _connected(connection: Any, real: Callable[[Any], None]) -> None:
    """Really connect; on the way other classes' `connect` and a proxy's `send` are gone through."""
    if CONNECTING in vars(connection):
        return real(connection)
    if isinstance(connection.sock, StandIn):
        connection.sock = None
    vars(connection)[CONNECTING] = True
    try:
        return real(connection)
    finally:
        del vars(connection)[CONNECTING]


def _play(connection: Any, playing: Playing, real: Callable[..., Any]) -> Any:
    if isinstance(playing.outcome, RaisedError):
        connection.close()
        if playing.outcome.kind == "cancelled":
            raise playing.read_on()
        raise error_of(playing.outcome, connection)
    kept = connection.sock
    connection.sock = StandIn(replayed(playing, connection._method))
    try:
        return real(connection)
    finally:
        # Of a stand-in nothing can be read again; a real one stays for the next real call.
        connection.sock = None if isinstance(kept, StandIn) else kept


def error_of(raised: RaisedError, connection: Any) -> Exception:
    """Returns the error that the client itself raised, or the standard library's of that kind."""
    name, _, message = raised.message.partition(": ")
    urllib3 = sys.modules.get("urllib3.exceptions")
    built_on = {base.__module__.partition(".")[0] for base in type(connection).__mro__}
    for place in (builtins, http.client, urllib3):
        found = getattr(place, name, None)
        if not (isinstance(found, type) and issubclass(found, Exception)):
            continue
        if place is urllib3 and built_on.isdisjoint(("urllib3", "urllib3_future")):
            continue
        for arguments in ((message,), (connection, message), (connection.host, connection, None)):
            try:
                return found(*arguments)
            except (TypeError, AttributeError):
                continue
    return BY_KIND.get(raised.kind, OSError)(message)


def _address(connection: Any, url: str) -> tuple[str, int | None]:
    """Behind a proxy the address that is asked for, not the proxy's."""
    if connection._tunnel_host:
        return connection._tunnel_host, connection._tunnel_port
    if "://" in url[:10]:
        parts = urlsplit(url)
        return parts.hostname or "", parts.port or DEFAULT_PORTS.get(parts.scheme)
    return connection.host, connection.port
