"""A reply that a bot's server streams: server-sent events or lines of JSON, read to its end.

The format of events is that of the HTML standard, section 9.2. What they hold nobody has agreed on;
taken are pieces of text, as text or JSON, one object with the rest, and `[DONE]`.
"""

import http.client
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.deadline import remaining
from pytest_todeval.simulation.reply import described

BLOCK = 65536
END = "[DONE]"
SHOWN_KINDS = 5
SIGNS_OF_LIFE = frozenset({"ping", "heartbeat", "keepalive", "keep-alive"})
ANSWERS = frozenset(
    ("text", "tool_calls", "state", "turn_state", "retrieved", "usage", "done", "acts")
)
"""Members of an object that is a reply; see `simulation.reply.reply_from_json`."""


class StreamedError(Exception):
    """An event that says that the bot failed."""


class NoReplyStreamed(Exception):
    """Events from which no reply can be made."""


@dataclass(frozen=True, slots=True)
class EventStream:
    """The events of an answer."""

    values: tuple[Any, ...]
    """The data of each: JSON if it is an object or a string, else the text."""
    ended: bool
    """Whether its end is known to be its end: by `[DONE]`, or by how it was sent."""


def read_json_lines(response: http.client.HTTPResponse, most: int) -> EventStream:
    """Reads lines of JSON, each an event; raises what `read_events` does."""
    return _read(response, (("", line) for line in _lines(response, most) if line.strip()))


def read_events(response: http.client.HTTPResponse, most: int) -> EventStream:
    """Reads events up to `[DONE]` or the end, at most so many bytes.

    Raises StreamedError for an event that is an error, NoReplyStreamed for broken JSON and too
    many bytes, and what the client raises if the connection breaks.
    """
    return _read(response, _events(_lines(response, most), ends=_is_framed(response)))


def _read(response: http.client.HTTPResponse, events: Iterable[tuple[str, str]]) -> EventStream:
    values: list[Any] = []
    framed = _is_framed(response)
    for name, data in events:
        if data.strip() == END:
            return EventStream(tuple(values), ended=True)
        if name in SIGNS_OF_LIFE:
            continue
        value = _value(data, len(values) + 1)
        if name == "error" or (isinstance(value, dict) and _is_error(value)):
            raise StreamedError(data)
        values.append(value)
    return EventStream(tuple(values), ended=framed or any(map(_is_whole, values)))


def reply_of(stream: EventStream) -> str | dict[str, Any]:
    """Returns the reply that the events make: a text, or an object with `text`.

    Raises NoReplyStreamed.
    """
    pieces, rest = [], []
    for value in stream.values:
        piece = _piece(value)
        if piece is not None:
            pieces.append(piece)
        elif isinstance(value, dict) and not ANSWERS.isdisjoint(value):
            rest.append(value)
    texts = [value for value in rest if "text" in value]
    if len(texts) > 1:
        raise NoReplyStreamed(
            f"{len(texts)} of its {len(stream.values)} events have a `text`: a piece of the reply "
            'is to be text or {"delta": "..."}, and one event at the end may have all of it as '
            "`text`. Or make the reply yourself: HttpSystem(url, reply=lambda events: ...)"
        )
    if not pieces and not texts:
        kinds = dict.fromkeys(map(described, stream.values))
        seen = f" ({'; '.join(list(kinds)[:SHOWN_KINDS])})" if kinds else ""
        lacks = f"none of its {len(stream.values)} events has text" if kinds else "it has no event"
        raise NoReplyStreamed(
            f"{lacks}{seen}: expected pieces of the reply "
            'as text or {"delta": "..."}, or an object with `text`, then `[DONE]`. '
            "Or make the reply yourself: HttpSystem(url, reply=lambda events: ...)"
        )
    if not rest:
        return "".join(pieces)
    reply: dict[str, Any] = {"text": "".join(pieces)}
    for value in rest:
        reply.update(value)
    return reply


def _value(data: str, number: int) -> Any:
    if not data.lstrip().startswith(("{", '"')):
        return data
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        if not data.lstrip().startswith("{"):
            return data  # a text that begins with a quotation mark
        raise NoReplyStreamed(f"event {number} is no JSON ({error}): {data!r:.200}") from None
    return value if isinstance(value, dict | str) else data


def _piece(value: Any) -> str | None:
    """Returns the piece of text that an event is; None for one of another kind."""
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return None
    delta = value.get("delta")
    choices = value.get("choices")
    if isinstance(choices, list):
        first = choices[0] if choices and isinstance(choices[0], dict) else {}
        delta = first.get("delta")
    if isinstance(delta, dict):
        delta = delta.get("content", delta.get("text"))
    return delta if isinstance(delta, str) else None


def _is_framed(response: http.client.HTTPResponse) -> bool:
    """Says whether HTTP itself tells where the answer ends."""
    return response.chunked or response.length is not None


def _is_whole(value: Any) -> bool:
    return isinstance(value, dict) and "text" in value


def _is_error(value: dict[str, Any]) -> bool:
    return bool(value.get("error")) and ANSWERS.isdisjoint(value) and "delta" not in value


def _events(lines: Iterator[str], *, ends: bool) -> Iterator[tuple[str, str]]:
    """Name and data of each event; if the end of all is one, it `ends` the last, too."""
    name, data = "", list[str]()
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield name, "\n".join(data)
            name, data = "", []
        elif field == "data":
            data.append(value)
        elif field == "event":
            name = value
    if data and ends:
        yield name, "\n".join(data)


def _lines(response: http.client.HTTPResponse, most: int) -> Iterator[str]:
    """Lines as they come: ended by CR, LF or both."""
    held, taken, after_cr, first = list[bytes](), 0, False, True
    framed = _is_framed(response)
    while block := response.read1(BLOCK):
        taken += len(block)
        if taken > most:
            raise NoReplyStreamed(f"it is longer than {most} bytes")
        left = remaining()
        if left is not None and left < 0:  # nobody waits any more
            raise TimeoutError
        if after_cr and block.startswith(b"\n"):
            block = block[1:]
        after_cr = block.endswith(b"\r")
        *whole, rest = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            text = b"".join((*held, line)).decode("utf-8", "replace")
            yield text.removeprefix("\ufeff") if first else text
            held, first = [], False
        held.append(rest)
    if response.length:  # the connection ended before the answer did
        raise http.client.IncompleteRead(b"", response.length)
    if (last := b"".join(held)) and framed:
        yield last.decode("utf-8", "replace")
