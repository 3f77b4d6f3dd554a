"""Gateways over tapes, and clients that see the bytes."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_todeval.recording.gateway.gateway import Gateway
from pytest_todeval.recording.gateway.upstreams import Upstream
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape

__all__ = ["answer_to", "asked", "gateway_to", "open_tape", "raw"]


@contextmanager
def gateway_to(url: str, *, replays: bool = False, **others: str) -> Iterator[Gateway]:
    """A gateway whose upstream `model` is at `url`."""
    urls = {"model": url, **others}
    upstreams = {name: Upstream(name, f"{name.upper()}_BASE_URL", at) for name, at in urls.items()}
    with Gateway.open(upstreams, replays=replays) as gateway:
        yield gateway


def open_tape(path: Path, dialogue: str = "d", mode: str = "rewrite") -> Tape:
    return Tape(path, test="test_it", dialogue=dialogue, modes=modes_from(mode))


def raw(gateway: Gateway, data: bytes, *, timeout: float = 5) -> socket.socket:
    """A connection on which these bytes were sent."""
    host, _, port = gateway.url.removeprefix("http://").rpartition(":")
    connection = socket.create_connection((host, int(port)), timeout)
    connection.sendall(data)
    return connection


def asked(path: str, body: bytes, *headers: str, method: str = "POST") -> bytes:
    """A request as it stands on the wire."""
    lines = [f"{method} {path} HTTP/1.1", "Host: gateway", f"Content-Length: {len(body)}"]
    lines += ["Content-Type: application/json", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def answer_to(gateway: Gateway, data: bytes) -> bytes:
    """All that comes back on a connection that is asked to close."""
    with raw(gateway, data) as connection:
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
        return b"".join(parts)
