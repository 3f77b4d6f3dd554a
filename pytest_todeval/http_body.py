"""HTTP requests that come to a server of ours, the gateway or the stand-in: bodies, and whose."""

import re
from email.message import Message
from io import BufferedIOBase

MAX_LINE = 4096
OWN = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?", re.I)
"""What clients of this machine call it."""


class Gone(ConnectionError):
    """The client left before it was answered."""


class UnreadableBody(ValueError):
    """It cannot be told where a body ends."""


class BodyTooLarge(UnreadableBody):
    """A body has more bytes than are taken."""


def is_foreign(headers: Message) -> bool:
    """Says whether a web page asks, or a client that was told another name of this machine."""
    named = headers.get_all("Host", [])
    return "Origin" in headers or any(OWN.fullmatch(each.strip()) is None for each in named)


def body_of(stream: BufferedIOBase, headers: Message, most: int) -> bytes:
    """The body of a request, as long as its headers say, without chunks; at most `most` bytes.

    Raises UnreadableBody if its end cannot be told, BodyTooLarge, and Gone if it ends before.
    """
    coding = headers.get("Transfer-Encoding")
    if coding is not None:
        if coding.strip().lower() != "chunked" or "Content-Length" in headers:
            raise UnreadableBody("Transfer-Encoding: expected `chunked`, and no Content-Length")
        return _unchunked(stream, most)
    lengths = set(headers.get_all("Content-Length", ["0"]))
    length = lengths.pop().strip()
    if lengths or not re.fullmatch("[0-9]{1,12}", length):
        raise UnreadableBody("Content-Length: expected one number")
    return _exactly(stream, int(length), most)


def _unchunked(stream: BufferedIOBase, most: int) -> bytes:
    body = bytearray()
    while True:
        size = _line(stream).partition(b";")[0].strip()
        if not re.fullmatch(b"[0-9a-fA-F]{1,12}", size):
            raise UnreadableBody("a chunk of the body does not begin with its size")
        if not int(size, 16):
            break
        body += _exactly(stream, int(size, 16), most - len(body))
        if _line(stream):
            raise UnreadableBody("a chunk of the body is longer than its size")
    while _line(stream):  # trailers
        pass
    return bytes(body)


def _exactly(stream: BufferedIOBase, size: int, most: int) -> bytes:
    if size > most:
        raise BodyTooLarge("the body is too large")
    data = stream.read(size)
    if len(data) < size:
        raise Gone("the client left before its request ended")
    return data


def _line(stream: BufferedIOBase) -> bytes:
    line = stream.readline(MAX_LINE)
    if not line:
        raise Gone("the client left before its request ended")
    if not line.endswith(b"\n"):
        raise UnreadableBody("a line between the chunks of the body is too long")
    return line.rstrip(b"\r\n")
