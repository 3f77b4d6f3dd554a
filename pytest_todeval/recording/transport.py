"""What the adapters of all HTTP clients share: how an exchange begins, and how its end is told."""

import zlib
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from pytest_todeval.core.context import holding
from pytest_todeval.recording.bodies import split_events
from pytest_todeval.recording.call import CUT, RaisedError, Response

if TYPE_CHECKING:
    from pytest_todeval.recording.intake import Intake

STOPPED = "reader stopped"
"""The value of `CUT` if the reader did not want the rest."""
CANCELLED = "reader cancelled"
"""The value of `CUT` if the reader was cancelled while it waited for the rest."""
MOST_DECODED, PIECE = 256 << 20, 16
"""Bytes of a response, unpacked; and of a piece of brotli, which may unpack to some 30 MiB."""

WAIT = "have the code wait for its calls"
"""What to do if nobody saw how a call ended."""
LESS = "have what was called answer with less, or without packing"
"""What to do if an answer cannot be unpacked."""

_CALLING: ContextVar[bool] = ContextVar("todeval_calling", default=False)


def calling() -> AbstractContextManager[object]:
    """While the body makes a call whose recording has begun: its connections are known."""
    return holding(_CALLING, True)


def is_calling() -> bool:
    """Says whether the code now running makes a call whose recording has begun."""
    return _CALLING.get()


# In this order: a ConnectTimeout is a time-out.
KIND_NAMES = {
    "timeout": ("Timeout",),
    "connect": ("ConnectError", "ConnectorError", "NewConnection", "Refused", "NameResolution"),
    "protocol": ("Protocol", "Disconnected", "BadStatusLine", "IncompleteRead"),
}
HELD = 0.005
"""Seconds between two looks at whether a stream may go on."""
RETRIED = frozenset({408, 409, 425, 429})
# The adapters give bodies without them.
ENCODINGS = frozenset({"content-encoding", "content-length", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class Playing:
    """The cassette knows the call: this is what came of it."""

    outcome: Response | RaisedError
    beyond: Callable[[], Exception] | None = field(default=None, compare=False)
    """The error for who reads on after the place where the recorded reader stopped."""

    may_play: Callable[[int], bool] | None = field(default=None, compare=False)
    """Whether the event at a place may come now, or behind the last one the end."""

    def is_held(self, place: int) -> bool:
        """Whether what is at a place of a stream has to wait: for its time, and for its reader."""
        return self.may_play is not None and not self.may_play(place)

    def read_on(self) -> Exception:
        """Returns the error for who wants more of the answer than was recorded."""
        return EOFError("the recorded answer ends here") if self.beyond is None else self.beyond()


class Recording(Protocol):
    """The call is to be really made; one end of it is told, what comes later is ignored."""

    def began(self, intake: "Intake") -> None:
        """The answer has begun; what is read of it is there."""

    def answered(self, response: Response) -> None:
        """The response came, whole or cut."""

    def failed(self, raised: RaisedError) -> None:
        """No response came."""

    def abandoned(self, why: str = "", todo: str = WAIT) -> None:
        """Nobody will know what came of it: why, and what to do about that."""


Exchange = Playing | Recording


def broke(
    recording: Recording,
    error: BaseException,
    transport: type[Exception] | tuple[type[Exception], ...] = Exception,
) -> None:
    """Tell how a call ended that gave no response: an error of the `transport`, or of its maker."""
    if isinstance(error, transport):
        recording.failed(raised_by(error))
    elif is_cancelled(error):
        recording.failed(raised_by(error, "cancelled"))
    else:
        recording.abandoned(f"{type(error).__name__}: {error}".removesuffix(": "))


def tell_answer(recording: Recording, make: Callable[[], Response]) -> None:
    """Tells of the answer that `make` gives; if it cannot be unpacked, that there is none.

    The client is no party to this: it gets what came.
    """
    try:
        response = make()
    except Exception as error:  # the libraries that unpack have errors of their own
        recording.abandoned(str(error), LESS)
    else:
        recording.answered(response)


def raised_by(error: BaseException, kind: str | None = None) -> RaisedError:
    """An error of a client; its class stands before the message, so that it can be raised again."""
    return RaisedError(kind or _kind(type(error).__name__), f"{type(error).__name__}: {error}")


def is_cancelled(error: BaseException) -> bool:
    """Says whether whoever waited for a call was cancelled: asyncio's way, or trio's."""
    return type(error).__name__ in ("CancelledError", "Cancelled")


def _kind(name: str) -> str:
    for kind, parts in KIND_NAMES.items():
        if any(part in name for part in parts):
            return kind
    return "read"


def response_of(
    status: int,
    headers: Iterable[tuple[str, str]],
    body: bytes,
    *,
    cut: BaseException | str | None = None,
    encoded: bool = True,
) -> Response:
    """Returns a response as it is kept: without content encoding, streams as their events.

    `cut` is what the client saw if the body ended too early, or `STOPPED`, or `CANCELLED`.
    """
    pairs = [(name.lower(), value) for name, value in headers]
    encoding = ", ".join(value for name, value in pairs if name == "content-encoding")
    if encoded:
        body = _decoded(body, encoding)
    pairs = [pair for pair in pairs if pair[0] not in ENCODINGS]
    if cut is not None:
        pairs.append((CUT, cut if isinstance(cut, str) else raised_by(cut).message))
    kind = next((value for name, value in pairs if name == "content-type"), "")
    stream = kind.partition(";")[0].strip().lower() == "text/event-stream"
    return Response(status, tuple(pairs), body, split_events(body) if stream else None)


def cut_of(response: Response) -> str | None:
    """Returns what was raised if a response broke off, `Class: message`; None if nothing was."""
    cut = _cut(response)
    return None if cut in (STOPPED, CANCELLED) else cut


def stopped_reading(response: Response) -> str | None:
    """`STOPPED` or `CANCELLED` if it was the reader who ended it."""
    cut = _cut(response)
    return cut if cut in (STOPPED, CANCELLED) else None


def _cut(response: Response) -> str | None:
    return next((value for name, value in response.headers if name == CUT), None)


def without_waiting(outcome: Response | RaisedError) -> Response | RaisedError:
    """Returns the outcome such that a client that tries again does so at once."""
    if isinstance(outcome, RaisedError) or not (outcome.status in RETRIED or outcome.status >= 500):
        return outcome
    kept = (pair for pair in outcome.headers if not pair[0].startswith("retry-after"))
    return replace(outcome, headers=(*kept, ("retry-after-ms", "1")))


def _decoded(body: bytes, encoding: str) -> bytes:
    """As far as it can be decoded: a body that was cut gives what came of it."""
    for name in reversed([part.strip().lower() for part in encoding.split(",")]):
        if name in ("gzip", "x-gzip"):
            body = _inflated(body, 16 + zlib.MAX_WBITS)
        elif name == "deflate":
            raw = len(body) < 2 or (body[0] & 0x0F) != 8 or (body[0] << 8 | body[1]) % 31
            body = _inflated(body, -zlib.MAX_WBITS if raw else zlib.MAX_WBITS)
        elif name in ("br", "zstd"):
            body = _with_library(name, body)
    return body


def _inflated(body: bytes, wbits: int) -> bytes:
    decoder, out = zlib.decompressobj(wbits), b""
    while body:
        try:
            out += decoder.decompress(body, MOST_DECODED - len(out) + 1)
            if not decoder.unconsumed_tail:
                out += decoder.flush()
        except zlib.error:
            return out
        _require_small(len(out))
        # A gzip file may have several members.
        body, decoder = decoder.unused_data, zlib.decompressobj(wbits)
    return out


def _require_small(size: int) -> None:
    if size > MOST_DECODED:
        raise ValueError(f"a response unpacks to more than {MOST_DECODED >> 20} MiB")


def _with_library(name: str, body: bytes) -> bytes:
    """Clients ask for these two only if the library that decodes them is installed."""
    import importlib

    for library in ("brotli", "brotlicffi") if name == "br" else ("zstandard",):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        if name == "zstd":
            plain = module.ZstdDecompressor().stream_reader(body).read(MOST_DECODED + 1)
            _require_small(len(plain))
            return bytes(plain)
        decoder, out = module.Decompressor(), bytearray()
        decode = getattr(decoder, "process", None) or decoder.decompress
        for start in range(0, len(body), PIECE):
            out += decode(body[start : start + PIECE])
            _require_small(len(out))
        return bytes(out)
    package = "brotli" if name == "br" else "zstandard"
    raise ValueError(f"a response is encoded with {name}: to decode it, `pip install {package}`")
