"""Gateways over tapes, and clients that see the bytes."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_todeval.recording.gateway.gateway import Gateway
from pytest_todeval.recording.gateway.upstreams import Upstream
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape

__all__ = ["answer_of", "answer_to", "asked", "gateway_to", "open_tape", "raw", "told_to"]


@contextmanager
def gateway_to(url: str, *, replays: bool = False, **others: str) -> Iterator[Gateway]:
    """A gateway whose upstream `model` is at `url`."""
    urls = {"model": url, **others}
    upstreams = {name: Upstream(name, f"{name.upper()}_BASE_URL", at) for name, at in urls.items()}
    with Gateway.open(upstreams, replays=replays) as gateway:
        yield gateway


def open_tape(path: Path, dialogue: str = "d", mode: str = "rewrite") -> Tape:
    return Tape(path, test="test_it", dialogue=dialogue, modes=modes_from(mode))


def told_to(gateway: Gateway, data: bytes) -> bytes:
    """A request for the path and the host that the bots of this gateway are told."""
    place, _, key = gateway.url.removeprefix("http://").partition("/")
    data = data.replace(b" /", f" /{key}/".encode(), 1)
    return data.replace(b"Host: gateway", f"Host: {place}".encode())


def raw(gateway: Gateway, data: bytes, *, timeout: float = 5) -> socket.socket:
    """A connection on which a bot sent this."""
    return _sent(gateway, told_to(gateway, data), timeout)


def _sent(gateway: Gateway, data: bytes, timeout: float = 5) -> socket.socket:
    host, _, port = gateway.url.split("/")[2].partition(":")
    connection = socket.create_connection((host, int(port)), timeout)
    connection.sendall(data)
    return connection


def asked(path: str, body: bytes, *headers: str, method: str = "POST") -> bytes:
    """A request as it stands on the wire."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: gateway",
        f"Content-Length: {len(body)}",
    ]
    lines += ["Content-Type: application/json", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def answer_to(gateway: Gateway, data: bytes) -> bytes:
    """All that comes back on a connection that is asked to close."""
    return answer_of(gateway, told_to(gateway, data))


def answer_of(gateway: Gateway, data: bytes) -> bytes:
    """The same of a request as it stands."""
    with _sent(gateway, data) as connection:
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts)
