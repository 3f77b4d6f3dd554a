"""Bytes on the wire: bodies that come, compression and chunks of those that go."""

import contextlib
import re
import socket
import zlib
from email.message import Message
from http import HTTPStatus
from io import BufferedIOBase

from pytest_todeval.http_body import BodyTooLarge, UnreadableBody, body_of
from pytest_todeval.models.fake_server.check import Rejected

MAX_BODY = 32 * 1024 * 1024
DRAIN_PAUSE = 0.2
"""Seconds without data after which nothing more is expected."""


def read(stream: BufferedIOBase, headers: Message) -> bytes:
    """Returns the body of a request.

    Raises Rejected if its length cannot be told or is too much, Gone if it ends before.
    """
    if headers.get("Content-Encoding", "identity").strip().lower() != "identity":
        raise Rejected(
            "The stand-in reads no compressed requests.", status=HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        )
    try:
        return body_of(stream, headers, MAX_BODY)
    except BodyTooLarge as error:
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        raise Rejected(f"{error}: more than {MAX_BODY} bytes.", status=status) from error
    except UnreadableBody as error:
        raise Rejected(f"{error}.") from error


def accepts_gzip(headers: Message) -> bool:
    """Says whether the client says that it takes gzip."""
    for coding in headers.get("Accept-Encoding", "").split(","):
        name, _, weight = coding.replace(" ", "").lower().partition(";q=")
        if name == "gzip":
            return not re.fullmatch(r"0(\.0*)?", weight)
    return False


def as_chunk(data: bytes) -> bytes:
    """Returns a chunk of `Transfer-Encoding: chunked`; of no data, the last one."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def drain(connection: socket.socket) -> None:
    """Takes what still comes: closing before would reset the connection under the answer."""
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
