"""What a bot's server answered: read, and made into a reply."""

import http.client
import json
from collections.abc import Callable
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

__all__ = ["MAX_BODY", "HttpAnswer", "read_answer", "start_of"]

MAX_BODY = 10_000_000
"""Bytes read of an answer; a longer one is no reply of a bot."""
SHOWN_BODY = 300
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
    stream: EventStream | None = None
    """The events, if the answer is a stream."""

    def reply(self, own: Callable[[Any], Any] | None, place: str) -> Reply:
        """The bot's reply; `own` makes text, a Reply or our object from the parsed answer."""
        value = self.value(place, expected="JSON or plain text") if own else self._said(place)
        if own is not None:
            value = self._mapped(own, value, place)
        if isinstance(value, Reply):
            return value
        return Reply(value) if isinstance(value, str) else self._from_json(value, place)

    def session(self, place: str) -> str:
        """The id of the session that it tells."""
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
        """The answer as JSON if it says it is or is an object, its events if it is a stream, else
        as text.
        """
        if self.stream is not None:
            return list(self.stream.values)
        if len(self.body) > MAX_BODY:
            raise SystemContractError(f"{place} is longer than {MAX_BODY} bytes")
        text = self.body.decode("utf-8", "replace")
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

    def _said(self, place: str) -> Any:
        if self.stream is None:
            return self.value(place, expected="JSON or plain text")
        try:
            return reply_of(self.stream)
        except NoReplyStreamed as error:
            raise SystemContractError(f"{place} is a stream: {error}") from None

    def _from_json(self, value: Any, place: str) -> Reply:
        try:
            return reply_from_json(value, place)
        except SystemContractError as error:
            if self.stream is not None:
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
    """Read an answer to its end; a stream up to `[DONE]`.

    Raises SystemContractError for a stream that is too long or broken JSON, StreamedError for one
    that tells of an error.
    """
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind not in STREAMS:
        return HttpAnswer(kind, _body(response))
    try:
        return HttpAnswer(kind, b"", STREAMS[kind](response, MAX_BODY))
    except NoReplyStreamed as error:
        raise SystemContractError(f"the stream from {shown}: {error}") from None


def start_of(body: bytes) -> str:
    """The beginning of a body, for a message; of a traceback the end, which says what happened."""
    if b"Traceback (most recent call last)" in body:
        text = " ".join(body[-SHOWN_BODY * 4 :].decode("utf-8", "replace").split())
        return repr(("..." if len(text) > SHOWN_BODY else "") + text[-SHOWN_BODY:])
    text = " ".join(body[: SHOWN_BODY * 4].decode("utf-8", "replace").split())
    return repr(text[:SHOWN_BODY] + ("..." if len(text) > SHOWN_BODY else ""))


def _body(response: http.client.HTTPResponse) -> bytes:
    body = response.read(MAX_BODY + 1)
    if response.length and len(body) <= MAX_BODY:  # a bounded read does not tell that it was cut
        raise http.client.IncompleteRead(body, response.length)
    return body
