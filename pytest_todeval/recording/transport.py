"""What the adapters of all HTTP clients share: how an exchange begins, and how its end is told."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from pytest_todeval.recording.bodies import split_events
from pytest_todeval.recording.call import Raised, Response

__all__ = [
    "CUT",
    "Exchange",
    "Playing",
    "Recording",
    "cut_of",
    "raised_by",
    "response_of",
    "without_waiting",
]

CUT = "x-todeval-cut"
"""A response that broke off says so in this header: `ReadTimeout: the message`."""

# In this order: a ConnectTimeout is a time-out.
KIND_NAMES = {
    "timeout": ("Timeout",),
    "connect": ("ConnectError", "ConnectorError", "NewConnection", "Refused", "NameResolution"),
    "protocol": ("Protocol", "Disconnected", "BadStatusLine", "IncompleteRead"),
}
RETRIED = frozenset({408, 409, 425, 429})
# The adapters give bodies without them.
ENCODINGS = frozenset({"content-encoding", "content-length", "transfer-encoding"})


@dataclass(frozen=True, slots=True)
class Playing:
    """The cassette knows the call: this is what came of it."""

    outcome: Response | Raised


class Recording(Protocol):
    """The call is to be really made; one of these is told once, what comes later is ignored."""

    def answered(self, response: Response) -> None:
        """The response came, whole or cut."""

    def failed(self, raised: Raised) -> None:
        """No response came."""

    def abandoned(self) -> None:
        """Nobody waits for the response any more."""


Exchange = Playing | Recording


def raised_by(error: BaseException, kind: str | None = None) -> Raised:
    """An error of a client; its class stands before the message, so that it can be raised again."""
    return Raised(kind or _kind(type(error).__name__), f"{type(error).__name__}: {error}")


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
    cut: BaseException | None = None,
    encoded: bool = True,
) -> Response:
    """A response as it is kept: without content encoding, streams as their events.

    `cut` is what the client saw where the body ended too early.
    """
    pairs = [(name.lower(), value) for name, value in headers]
    encoding = ", ".join(value for name, value in pairs if name == "content-encoding")
    if encoded:
        body = _decoded(body, encoding)
    pairs = [pair for pair in pairs if pair[0] not in ENCODINGS]
    if cut is not None:
        pairs.append((CUT, raised_by(cut).message))
    kind = next((value for name, value in pairs if name == "content-type"), "")
    stream = kind.partition(";")[0].strip().lower() == "text/event-stream"
    return Response(status, tuple(pairs), body, split_events(body) if stream else None)


def cut_of(response: Response) -> str | None:
    """What was raised where a response broke off, `Class: message`; None where it did not."""
    return next((value for name, value in response.headers if name == CUT), None)


def without_waiting(outcome: Response | Raised) -> Response | Raised:
    """The outcome such that a client that tries again does so at once."""
    if isinstance(outcome, Raised) or not (outcome.status in RETRIED or outcome.status >= 500):
        return outcome
    headers = [pair for pair in outcome.headers if not pair[0].startswith("retry-after")]
    headers.append(("retry-after-ms", "1"))
    return Response(outcome.status, tuple(headers), outcome.body, outcome.events)


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
            out += decoder.decompress(body) + decoder.flush()
        except zlib.error:
            return out
        # A gzip file may have several members.
        body, decoder = decoder.unused_data, zlib.decompressobj(wbits)
    return out


def _with_library(name: str, body: bytes) -> bytes:
    """Clients ask for these two only where the library that decodes them is installed."""
    import importlib

    for library in ("brotli", "brotlicffi") if name == "br" else ("zstandard",):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        if name == "br":
            return bytes(module.decompress(body))
        return bytes(module.ZstdDecompressor().decompressobj().decompress(body))
    raise ValueError(f"a response is encoded with {name}, and no library to decode it is there")
