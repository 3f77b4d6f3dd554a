"""What a bot's server answered: read, and made into a reply."""

import codecs
import http.client
import json
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.errors import SystemContractError
from pytest_todeval.simulation.event_stream import (
    EventStream,
    NoReplyStreamed,
    read_events,
    read_json_lines,
    reply_of,
)
from pytest_todeval.simulation.reply import described, reply_from_json
from pytest_todeval.simulation.session import session_id

MAX_BODY = 10_000_000
"""Bytes read of an answer; a longer one is no reply of a bot."""
SHOWN_BODY = 300
PLAIN = ("", "identity")
PACKED = {
    **dict.fromkeys(("gzip", "x-gzip"), (16 + zlib.MAX_WBITS,)),
    "deflate": (zlib.MAX_WBITS, -zlib.MAX_WBITS),
}
"""How bodies are unpacked, by encoding: nobody asks for one, and some servers send it."""
UNASKED = "nobody asked for that: let the server send it as it is"
SESSION_NAMES = (
    "session",
    "session_id",
    "sessionId",
    "conversation_id",
    "conversationId",
    "id",
)
"""Where an object has the id of a session; the first of these counts."""
FUNCTION = "for another form pass a function `open(dialogue_id)` that returns the id"
STREAMS = {
    "text/event-stream": read_events,
    **dict.fromkeys(
        (
            *("application/x-ndjson", "application/ndjson", "application/jsonl"),
            *("application/x-jsonlines", "application/jsonlines", "application/stream+json"),
        ),
        read_json_lines,
    ),
}
"""How streams are read, by media type."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A successful answer. Its methods raise SystemContractError, which names the `place`."""

    kind: str
    """The media type, in lower case without parameters."""
    body: bytes
    charset: str = ""
    """That of the body, if the server tells it."""
    stream: EventStream | None = None
    """The events, if the answer is a stream."""

    def reply(self, own: Callable[[Any], Any] | None, place: str) -> Reply:
        """The bot's reply; `own` makes text, a Reply or our object from the parsed answer."""
        value = self.value(place, expected="JSON or plain text") if own else self._said(place)
        if own is not None:
            value = self._mapped(own, value, place)
        if isinstance(value, Reply):
            return value
        if own is not None and not isinstance(value, str | Mapping):
            raise SystemContractError(
                f"{place}: `reply` returned {described(value)}, expected text, a `Reply`, or an "
                "object with `text`"
            )
        return Reply(value) if isinstance(value, str) else self._from_json(value, own, place)

    def session(self, place: str) -> str:
        """Returns the id of the session that it tells."""
        value = self.value(place, expected="the session's id")
        if isinstance(value, dict):
            name = next((name for name in SESSION_NAMES if name in value), None)
            if name is None:
                raise SystemContractError(
                    f"{place} is {described(value)}, expected the session's id as text, or an "
                    f"object with one of {', '.join(SESSION_NAMES)}; {FUNCTION}: "
                    f"{start_of(self.body)}"
                )
            try:
                return session_id(value[name], f"`{name}` in {place}")
            except SystemContractError as error:
                raise SystemContractError(f"{error}; {FUNCTION}: {start_of(self.body)}") from None
        return session_id(value.strip() if isinstance(value, str) else value, place)

    def value(self, place: str, *, expected: str) -> Any:
        """Returns the answer as JSON if it says it is or is an object, its events if it is a
        stream, else as text.
        """
        if self.stream is not None:
            return list(self.stream.values)
        if len(self.body) > MAX_BODY:
            raise SystemContractError(f"{place} is longer than {MAX_BODY} bytes")
        text = self._text(place)
        if self.kind.endswith("json") and not text.strip():
            raise SystemContractError(f"{place} is empty, expected {expected}")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            if self.kind.endswith("json"):
                raise SystemContractError(
                    f"{place} claims to be JSON and is not ({error}): {start_of(self.body)}"
                ) from None
            if self.kind == "text/html":
                raise SystemContractError(
                    f"{place} is a web page, expected {expected}; is the URL that of the bot? "
                    f"{start_of(self.body)}"
                ) from None
            return text
        # Plain text such as `42` or `true` parses too, and is meant as said.
        return value if self.kind.endswith("json") or isinstance(value, dict) else text

    def _text(self, place: str) -> str:
        """Returns the body as text, by its charset, else by what it begins with, else UTF-8."""
        charset = self.charset
        if not charset or self.body.startswith(codecs.BOM_UTF8):
            charset = json.detect_encoding(self.body)
        try:
            try:
                return self.body.decode(charset)
            except LookupError:
                return self.body.decode()
        except UnicodeDecodeError as error:
            raise SystemContractError(
                f"{place} is not {error.encoding}: byte {error.start} is "
                f"{self.body[error.start]:#x} (its Content-Type may tell another charset): "
                f"{start_of(self.body)}"
            ) from None

    def _said(self, place: str) -> Any:
        if self.stream is None:
            return self.value(place, expected="JSON or plain text")
        try:
            return reply_of(self.stream)
        except NoReplyStreamed as error:
            raise SystemContractError(f"{place} is a stream: {error}") from None

    def _from_json(self, value: Any, own: object, place: str) -> Reply:
        try:
            return reply_from_json(value, place)
        except SystemContractError as error:
            if self.stream is not None or own is not None:
                raise
            raise SystemContractError(
                f"{error}: {start_of(self.body)}. `HttpSystem(url, reply=...)` reads other forms"
            ) from None

    def _mapped(self, own: Callable[[Any], Any], value: Any, place: str) -> Any:
        try:
            return own(value)
        except Exception as error:
            shown = f"{value!r:.300}" if self.stream is not None else start_of(self.body)
            raise SystemContractError(
                f"{place}: `reply` could not read it ({type(error).__name__}: {error}); "
                f"it was {described(value)}: {shown}"
            ) from error


def read_answer(response: http.client.HTTPResponse, shown: str) -> HttpAnswer:
    """Reads an answer to its end; a stream up to `[DONE]`.

    Raises SystemContractError for a stream that is too long or broken JSON, StreamedError for one
    that tells of an error.
    """
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if kind not in STREAMS:
        charset = response.headers.get_content_charset() or ""
        return HttpAnswer(kind, _unpacked(_body(response), encoding, shown), charset)
    if encoding not in PLAIN:
        raise SystemContractError(f"the stream from {shown} is encoded as {encoding}; {UNASKED}")
    try:
        return HttpAnswer(kind, b"", stream=STREAMS[kind](response, MAX_BODY))
    except NoReplyStreamed as error:
        raise SystemContractError(f"the stream from {shown}: {error}") from None


def start_of(body: bytes) -> str:
    """The beginning of a body, for a message; of a traceback the end, which says what happened."""
    if b"Traceback (most recent call last)" in body:
        text = " ".join(body[-SHOWN_BODY * 4 :].decode("utf-8", "replace").split())
        return repr(("..." if len(text) > SHOWN_BODY else "") + text[-SHOWN_BODY:])
    text = " ".join(body[: SHOWN_BODY * 4].decode("utf-8", "replace").split())
    return repr(text[:SHOWN_BODY] + ("..." if len(text) > SHOWN_BODY else ""))


def _unpacked(body: bytes, encoding: str, shown: str) -> bytes:
    if encoding in PLAIN or not body:
        return body
    if encoding not in PACKED:
        raise SystemContractError(f"the answer of {shown} is encoded as {encoding}; {UNASKED}")
    for bits in PACKED[encoding]:
        unpacker = zlib.decompressobj(bits)
        with suppress(zlib.error):
            found = unpacker.decompress(body, MAX_BODY + 1)
            if unpacker.eof or unpacker.unconsumed_tail:
                return found
    raise SystemContractError(f"the answer of {shown} says that it is {encoding}, and is not")


def _body(response: http.client.HTTPResponse) -> bytes:
    body = response.read(MAX_BODY + 1)
    if response.length and len(body) <= MAX_BODY:  # a bounded read does not tell that it was cut
        raise http.client.IncompleteRead(body, response.length)
    return body
