"""Bytes on the wire: bodies that come, compression and chunks of those that go."""

import contextlib
import re
import socket
import zlib
from email.message import Message
from http import HTTPStatus
from io import BufferedIOBase

from pytest_todeval.standin.listener import Gone
from pytest_todeval.standin.rejected import Rejected

__all__ = ["Gzip", "accepts_gzip", "as_chunk", "drain", "read"]

MAX_BODY = 32 * 1024 * 1024
MAX_LINE = 4096
DRAIN_PAUSE = 0.2
"""Seconds without data after which nothing more is expected."""


def read(stream: BufferedIOBase, headers: Message) -> bytes:
    """The body of a request.

    Raises Rejected where its length cannot be told or is too much, Gone where it ends before.
    """
    if headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Rejected(
            "The stand-in reads no compressed requests.", status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        )
    coding = headers.get("Transfer-Encoding")
    if coding is not None:
        if coding.strip().lower() != "chunked" or "Content-Length" in headers:
            raise Rejected("Transfer-Encoding: expected 'chunked', and no Content-Length with it.")
        return _read_chunks(stream)
    lengths = set(headers.get_all("Content-Length", ["0"]))
    length = lengths.pop().strip()
    if lengths or not re.fullmatch("[0-9]{1,12}", length):
        raise Rejected("Content-Length: expected one number.")
    return _exactly(stream, int(length), 0)


def accepts_gzip(headers: Message) -> bool:
    """Whether the client says that it takes gzip."""
    for coding in headers.get("Accept-Encoding", "").split(","):
        name, _, weight = coding.replace(" ", "").lower().partition(";q=")
        if name == "gzip":
            return not re.fullmatch(r"0(\.0*)?", weight)
    return False


def as_chunk(data: bytes) -> bytes:
    """A chunk of `Transfer-Encoding: chunked`; of no data, the last one."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def drain(connection: socket.socket) -> None:
    """Take what still comes: closing before would reset the connection under the answer."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(DRAIN_PAUSE)
        taken = 0
        while taken < MAX_BODY and (data := connection.recv(65536)):
            taken += len(data)


class Gzip:
    """A gzip stream that can be read up to each piece; without time stamp, so always the same."""

    def __init__(self) -> None:
        self._deflate = zlib.compressobj(wbits=31)

    def piece(self, data: bytes) -> bytes:
        return self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        return self._deflate.flush()


def _read_chunks(stream: BufferedIOBase) -> bytes:
    body = b""
    while True:
        size = _line(stream).partition(b";")[0].strip()
        if not re.fullmatch(b"[0-9a-fA-F]{1,12}", size):
            raise Rejected("A chunk of the body does not begin with its size.")
        if not int(size, 16):
            break
        body += _exactly(stream, int(size, 16), len(body))
        if _line(stream):
            raise Rejected("A chunk of the body is longer than its size.")
    while _line(stream):  # trailers
        pass
    return body


def _exactly(stream: BufferedIOBase, size: int, before: int) -> bytes:
    if before + size > MAX_BODY:
        raise Rejected(
            f"The body has more than {MAX_BODY} bytes.",
            status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        )
    data = stream.read(size)
    if len(data) < size:
        raise Gone("the client left before its request ended")
    return data


def _line(stream: BufferedIOBase) -> bytes:
    line = stream.readline(MAX_LINE)
    if not line:
        raise Gone("the client left before its request ended")
    if not line.endswith(b"\n"):
        raise Rejected("A line between the chunks of the body is too long.")
    return line.rstrip(b"\r\n")
