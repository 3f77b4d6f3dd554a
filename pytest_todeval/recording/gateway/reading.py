"""Bodies of the requests that come."""

import re
from email.message import Message
from io import BufferedIOBase

from pytest_todeval.recording.gateway.asked import GatewayRefused

__all__ = ["Gone", "body_of"]

MAX_BODY = 64 * 1024 * 1024
MAX_LINE = 4096


class Gone(ConnectionError):
    """The client left in the midst of its request."""


def body_of(stream: BufferedIOBase, headers: Message) -> bytes:
    """The body of a request, as long as its headers say, without chunks.

    Raises GatewayRefused if its end cannot be told or is too far, Gone if it ends before.
    """
    coding = headers.get("Transfer-Encoding")
    if coding is not None:
        if coding.strip().lower() != "chunked" or "Content-Length" in headers:
            raise GatewayRefused("Transfer-Encoding: expected `chunked`, and no Content-Length")
        return _unchunked(stream)
    lengths = set(headers.get_all("Content-Length", ["0"]))
    length = lengths.pop().strip()
    if lengths or not re.fullmatch("[0-9]{1,12}", length):
        raise GatewayRefused("Content-Length: expected one number")
    return _exactly(stream, int(length), 0)


def _unchunked(stream: BufferedIOBase) -> bytes:
    body = bytearray()
    while True:
        size = _line(stream).partition(b";")[0].strip()
        if not re.fullmatch(b"[0-9a-fA-F]{1,12}", size):
            raise GatewayRefused("a chunk of the body does not begin with its size")
        if not int(size, 16):
            break
        body += _exactly(stream, int(size, 16), len(body))
        if _line(stream):
            raise GatewayRefused("a chunk of the body is longer than its size")
    while _line(stream):  # trailers
        pass
    return bytes(body)


def _exactly(stream: BufferedIOBase, size: int, before: int) -> bytes:
    if before + size > MAX_BODY:
        raise GatewayRefused(f"the body has more than {MAX_BODY} bytes")
    data = stream.read(size)
    if len(data) < size:
        raise Gone("the client left before its request ended")
    return data


def _line(stream: BufferedIOBase) -> bytes:
    line = stream.readline(MAX_LINE)
    if not line:
        raise Gone("the client left before its request ended")
    if not line.endswith(b"\n"):
        raise GatewayRefused("a line between the chunks of the body is too long")
    return line.rstrip(b"\r\n")
