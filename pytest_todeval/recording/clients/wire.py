"""Raw HTTP: fake sockets, recorded responses as bytes, and a tee over live ones."""

import http.client
import io
import socket
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pytest_todeval.recording.call import RaisedError
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.transport import (
    HELD,
    Playing,
    Recording,
    cut_of,
    stopped_reading,
)


class StandIn:
    """A socket for a connection that has none; `file` is what comes in on it."""

    family, type, proto = socket.AF_INET, socket.SOCK_STREAM, 0

    def __init__(self, file: io.BufferedReader | None = None) -> None:
        self._file = file or io.BufferedReader(_Segments([]))

    def makefile(self, *_: object, **__: object) -> io.BufferedReader:
        return self._file

    def close(self, *_: object) -> None:
        """There is nothing to do."""

    shutdown = settimeout = gettimeout = setsockopt = close

    def fileno(self) -> int:
        return -1


class _Segments(io.RawIOBase):
    """A file that is read segment by segment, and may break at its end."""

    def __init__(
        self,
        segments: Sequence[bytes],
        error: Callable[[], Exception] | None = None,
        is_held: Callable[[int], bool] | None = None,
    ) -> None:
        self._segments = [segment for segment in reversed(segments) if segment]
        self._error, self._is_held = error, is_held
        self._whole, self._begun = len(self._segments), False

    @property
    def held(self) -> bool:
        """Whether the next segment has to wait: the first one, with the headers, never does."""
        place = self._whole - len(self._segments) - 1
        return bool(self._is_held and not self._begun and place >= 0 and self._is_held(place))

    @property
    def at_end(self) -> bool:
        return not self._segments

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._segments:
            if self._error is not None:
                raise self._error()
            return 0
        while self.held:
            time.sleep(HELD)
        segment = self._segments.pop()
        size = min(len(buffer), len(segment))
        buffer[:size] = segment[:size]
        self._begun = size < len(segment)
        if self._begun:
            self._segments.append(segment[size:])
        return size


def replayed(playing: Playing, method: str | None) -> io.BufferedReader:
    """Returns the response as it comes over the wire; of a stream each event is a chunk."""
    response = playing.outcome
    assert not isinstance(response, RaisedError)
    reason = http.client.responses.get(response.status, "")
    lines = [f"HTTP/1.1 {response.status} {reason}"]
    lines += [f"{_clean(name)}: {_clean(value)}" for name, value in response.headers]
    cut = cut_of(response) or stopped_reading(response)
    broken = None if cut is None else _broken(cut)
    error = None if broken is None else lambda: broken
    if stopped_reading(response) is not None:
        error = playing.read_on
    parts = response.events
    if parts is None and error is not None:
        # With a length, urllib3 would give nothing of it before it came to the error.
        parts = (response.body,)
    if parts is None:
        # A length that is not reached makes the client find what it found then.
        lines.append(f"content-length: {len(response.body) + (cut is not None)}")
        segments = [response.body]
    else:
        lines.append("transfer-encoding: chunked")
        segments = [b"%x\r\n%b\r\n" % (len(event), event) for event in parts if event]
        segments += [] if cut is not None else [b"0\r\n\r\n"]
    if method == "HEAD":
        segments = []
    head = "\r\n".join(lines).encode("iso-8859-1", "replace") + b"\r\n\r\n"
    is_held = None if response.events is None else playing.is_held
    return io.BufferedReader(_Segments([head, *segments], error, is_held))


def is_held(response: http.client.HTTPResponse) -> bool:
    """Says whether a response is a recorded one that has to wait before it goes on."""
    raw = getattr(response.fp, "raw", None)
    return isinstance(raw, _Segments) and raw.held


def all_played(response: http.client.HTTPResponse) -> bool:
    """Says whether a response is a recorded one whose reader stopped here: to read on is a miss."""
    raw = getattr(response.fp, "raw", None)
    if not isinstance(raw, _Segments) or not raw.at_end:
        return False
    left = response.chunk_left if response.chunked else response.length
    return left == (0 if response.chunked else 1)


def _broken(cut: str) -> Exception | None:
    """The error of the socket, if it was one; else the client finds out from what is missing."""
    name, _, message = cut.partition(": ")
    if "timeout" in name.lower():
        return TimeoutError(message)
    return ConnectionResetError(message) if name == "ConnectionResetError" else None


def _clean(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def unchunked(data: bytes) -> tuple[bytes, bool]:
    """Returns the body of a chunked message, and whether it is whole."""
    body, position = b"", 0
    while True:
        end = data.find(b"\r\n", position)
        if end < 0:
            return body, False
        try:
            size = int(data[position:end].partition(b";")[0], 16)
        except ValueError:
            return body, False
        if size == 0:
            return body, True
        start = end + 2
        body += data[start : start + size]
        position = start + size + 2


class Tee(io.BufferedIOBase):
    """Stands between a response and its file; tells the recording when it is closed."""

    def __init__(self, response: Any, recording: Recording) -> None:
        self._file = response.fp
        # No method of this object: it would then live until the garbage collector comes.
        self._body_of = unchunked if response.chunked else partial(_measured, response.length)
        self._has_end = bool(response.chunked) or response.length is not None
        headers = response.getheaders()
        self._intake = Intake(recording, response.status, headers, body_of=self._body_of)
        self._ended = False

    def read(self, size: int | None = -1, /) -> bytes:
        return self._heard(self._try(self._file.read, -1 if size is None else size), size)

    def read1(self, size: int = -1, /) -> bytes:
        return self._heard(self._try(self._file.read1, size), size)

    def readline(self, size: int | None = -1, /) -> bytes:
        return self._heard(self._try(self._file.readline, -1 if size is None else size), size)

    def readinto(self, buffer: Any, /) -> int:
        count: int = self._try(self._file.readinto, buffer)
        self._heard(bytes(memoryview(buffer)[:count]), len(buffer))
        return count

    readinto1 = readinto

    def peek(self, size: int = 0, /) -> bytes:
        data: bytes = self._try(self._file.peek, size)
        return data

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        number: int = self._file.fileno()
        return number

    def close(self) -> None:
        if not self.closed:
            try:
                self._over()
            finally:
                self._file.close()
                super().close()

    def _try(self, read: Any, argument: Any) -> Any:
        self._intake.reading = True
        try:
            return read(argument)
        except Exception as error:
            # Told at once: kept, the error would hold the reader's frames, and they this file.
            self._intake.broke(error)
            raise
        finally:
            self._intake.reading = False

    def _heard(self, data: bytes, size: int | None) -> bytes:
        if data:
            self._intake.add(data)
        elif size != 0:
            self._ended = True
        return data

    def _over(self) -> None:
        body, whole = self._body_of(self._intake.read())
        if whole or (self._ended and not self._has_end):
            self._intake.ended()
        elif self._ended:
            self._intake.broke(http.client.IncompleteRead(body))
        else:
            self._intake.stopped()


def _measured(length: int | None, data: bytes) -> tuple[bytes, bool]:
    return data, length is not None and len(data) >= length
