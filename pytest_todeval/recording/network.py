"""Blocks the network during replay, except for allowed addresses."""

import functools
import socket
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from pytest_todeval.recording.imports import when_imported
from pytest_todeval.recording.own_sockets import socket_class

if TYPE_CHECKING:
    from pytest_todeval.recording.router import Router

_GUARDS: set[Callable[..., Any]] = set()
_SERVED: WeakSet[socket.socket] = WeakSet()
"""What servers of this process accepted, as far as anything was sent back over it."""
_CLIENTS: WeakSet[socket.socket] = WeakSet()
"""What this process connected: that need not be looked up, which takes a millisecond or more."""

_INTERNET = (int(socket.AF_INET), int(socket.AF_INET6))
_family = socket.SocketType.family.__get__  # Python's own way makes a member of an enum each time

MESSAGE_ADDRESS = 3
"""`sendmsg(buffers, ancillary, flags, address)`: all but the first may be left out."""
UDP_ADDRESS = -1
"""`sendto(data, address)`, `sendto(data, flags, address)`: the last argument."""


def install(router: "Router") -> None:
    """Has each connection and each look-up of a name ask the router first.

    Again before each dialogue: pytest-socket puts back what it found when it was imported.
    """
    if not _GUARDS:
        when_imported({"ssl": partial(_guard_tls, router)})
    for name in ("connect", "connect_ex"):
        _guard(name, router, lambda arguments: arguments[0])
    _guard("sendto", router, lambda arguments: arguments[UDP_ADDRESS])
    if hasattr(socket.socket, "sendmsg"):
        _guard("sendmsg", router, lambda arguments: [*arguments, None, None, None][MESSAGE_ADDRESS])
    for name in ("send", "sendall"):
        _guard_send(socket_class(), name, router)
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
        _guard_look_up(name, router)


def _guard(name: str, router: "Router", address_of: Callable[[tuple[Any, ...]], Any]) -> None:
    owner = socket_class()
    real = getattr(owner, name)
    if real in _GUARDS:
        return

    @functools.wraps(real)
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        address = None if router.idle or not arguments else address_of(arguments)
        if address is None and name == "sendmsg":
            _ask_for_peer(router, self)
        if name.startswith("connect"):
            _CLIENTS.add(self)
        host, port = ("", None) if address is None else _host_and_port(address)
        if host and not _is_multiprocessing(host):
            try:
                router.check(f"a socket was to {name.partition('_')[0]} to", host, port)
            except BaseException:
                self.close()  # the standard library closes it only after an OSError
                raise
            with router.watch.jail.announced(port):
                return real(self, *arguments)
        return real(self, *arguments)

    setattr(owner, name, guarded)
    _GUARDS.add(guarded)


def _guard_tls(router: "Router") -> None:
    for name in ("send", "write"):  # `sendall` sends
        _guard_send(sys.modules["ssl"].SSLSocket, name, router)


def _guard_send(owner: Any, name: str, router: "Router") -> None:
    """What goes out over a connection asks, too: it may have been open before the dialogue."""
    real = getattr(owner, name)
    if real in _GUARDS:
        return

    @functools.wraps(real)
    def guarded(self: socket.socket, *arguments: Any, **options: Any) -> Any:
        _ask_for_peer(router, self)
        return real(self, *arguments, **options)

    setattr(owner, name, guarded)
    _GUARDS.add(guarded)


def _ask_for_peer(router: "Router", connection: socket.socket) -> None:
    from pytest_todeval.recording.earlier import is_served

    if _family(connection) not in _INTERNET or router.idle or router.place() is None:
        return
    try:
        host, port = _host_and_port(connection.getpeername())
        if port is None or connection in _SERVED:
            return
        if connection not in _CLIENTS and is_served(connection):
            _SERVED.add(connection)
            return
        _CLIENTS.add(connection)
    except OSError:
        return
    router.check("a socket was to send to", host, port)


def _host_and_port(address: Any) -> tuple[str, int | None]:
    """Of a unix socket its path; of families unknown here how Python shows the address."""
    if isinstance(address, tuple) and len(address) >= 2 and isinstance(address[1], int):
        return str(address[0]), address[1]
    if isinstance(address, bytes):
        address = address.decode("utf-8", "surrogateescape")
    return str(address), None


def _is_multiprocessing(path: str) -> bool:
    """Whether it is a unix socket between the standard library's processes: managers, pools."""
    return path.startswith("/") and "/pymp-" in path


def _guard_look_up(look_up: str, router: "Router") -> None:
    real = getattr(socket, look_up)
    if real in _GUARDS:
        return

    @functools.wraps(real)
    def guarded(host: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode("idna") if isinstance(host, bytes) else host
        if router.idle or name is None or _is_number(name):
            return real(host, *arguments, **options)
        port = str(arguments[0] if arguments else options.get("port"))
        number = int(port) if port.isdecimal() else None
        router.check("a name was to be looked up:", str(name), number, connects=False)
        found = real(host, *arguments, **options)
        for *_, address in found if look_up == "getaddrinfo" else ():
            router.resolved(str(name), address[1], str(address[0]))
        return found

    setattr(socket, look_up, guarded)
    _GUARDS.add(guarded)


def _is_number(host: str) -> bool:
    """Says whether the host is an address already: to look it up asks nobody."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host.partition("%")[0])
        except (OSError, ValueError):
            continue
        return True
    return host in ("", "localhost")
