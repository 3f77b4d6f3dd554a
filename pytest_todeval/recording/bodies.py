"""Bodies as JSON: what a request or response carried, in a form people can read and compare.

One of `{}` (empty), `{"json": value}`, `{"events": [...]}`, `{"text": "..."}`, `{"base64": "..."}`.
"""

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NoReturn

FORM = "application/x-www-form-urlencoded"
UNREADABLE = object()
"""What `parse` returns for bytes that plain JSON cannot give back with the same meaning."""

MAX_DEPTH = 64
"""Levels of nesting of JSON that is read as such."""

MAX_INFLATED = 64 * 2**20
"""Bytes to which a compressed body of a request may unfold; a larger one is kept as it is."""

_GZIP = b"\x1f\x8b\x08"
_PLAIN = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_ASCII = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_BLANK = re.compile(rb"(?:\r\n|\n|\r(?!\n)){2,}")
_EVENT = re.compile(rb"(?:event: ([^\r\n]+)\n)?data: ([\[{][^\r\n]*)\n\n")


def to_json(value: object) -> str:
    """Compact JSON; characters beyond ASCII as they are, unless UTF-8 cannot hold them."""
    text = _PLAIN.encode(value)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a character that takes two escapes
        return _ASCII.encode(value)
    return text


def json_bytes(value: object) -> bytes:
    """Returns the bytes a body of this value is given back as."""
    return to_json(value).encode()


def parse(content_type: str, body: bytes) -> Any:
    """Returns the value of a JSON body, else `UNREADABLE`.

    Also unreadable: names given twice, NaN, numbers too large, too deep nesting. Such bodies are
    kept as text.
    """
    media = content_type.partition(";")[0].strip().lower()
    if media not in ("application/json", "text/json") and not media.endswith("+json"):
        return UNREADABLE
    return _parse(body)


def inflated(body: bytes) -> bytes:
    """Returns a body without gzip, which would have the time in it; any other body as it is."""
    if not body.startswith(_GZIP):
        return body
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        plain = decoder.decompress(body, MAX_INFLATED)
    except zlib.error:
        return body
    return plain if decoder.eof and not decoder.unused_data else body


def pack(content_type: str, body: bytes, events: Iterable[bytes] | None = None) -> dict[str, Any]:
    """Returns the body as JSON."""
    if events is not None:
        return {"events": [_pack_event(event) for event in events]}
    if not body:
        return {}
    value = parse(content_type, body)
    return _verbatim(body) if value is UNREADABLE else {"json": value}


def unpack(packed: Mapping[str, Any]) -> tuple[bytes, tuple[bytes, ...] | None]:
    """Body and, of a stream, its events. JSON comes back compact, everything else byte for byte.

    Raises ValueError saying what is wrong with what was packed.
    """
    if "json" in packed:
        return json_bytes(packed["json"]), None
    if "events" in packed:
        if not isinstance(packed["events"], list):
            raise ValueError("`events` is not a list")
        events = tuple(map(_unpack_event, packed["events"]))
        return b"".join(events), events
    return _bytes(packed), None


def split_events(body: bytes) -> tuple[bytes, ...]:
    """Returns the events of a `text/event-stream` body, each with the blank line that ends it.

    Their concatenation is the body; the last one may be cut off.
    """
    ends = [0, *(found.end() for found in _BLANK.finditer(body)), len(body)]
    return tuple(body[start:end] for start, end in pairwise(ends) if start < end)


# A request is redacted, then looked up: both read its body, neither changes what it says.
@lru_cache(maxsize=4)
def _parse(body: bytes) -> Any:
    try:
        value = _STRICT.decode(body.decode())
    except (ValueError, RecursionError):
        return UNREADABLE
    openings = body.count(b"{") + body.count(b"[")
    return UNREADABLE if openings > MAX_DEPTH and _is_deep(value) else value


def _is_deep(value: object) -> bool:
    """Says whether it is nested so deeply that working on it may not end well."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            item
            for each in level
            if isinstance(each, dict | list)
            for item in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def not_json(text: str) -> NoReturn:
    """Raises ValueError: this is something that Python would read."""
    raise ValueError(f"{text} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    return number if number - number == 0 else not_json(text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else not_json("a name given twice")


_STRICT = json.JSONDecoder(
    parse_constant=not_json, parse_float=_finite, object_pairs_hook=_distinct
)


def _pack_event(event: bytes) -> dict[str, Any]:
    found = _EVENT.fullmatch(event)
    value = _parse(found[2]) if found else UNREADABLE
    if found is None or value is UNREADABLE:
        return _verbatim(event)
    try:
        name = {"event": found[1].decode()} if found[1] else {}
    except UnicodeDecodeError:
        return _verbatim(event)
    return {**name, "data": value}


def _unpack_event(packed: object) -> bytes:
    if not isinstance(packed, dict):
        raise ValueError("an event is not an object")
    if "data" not in packed:
        return _bytes(packed)
    name = packed.get("event")
    if name is None:
        return b"data: %b\n\n" % json_bytes(packed["data"])
    if not isinstance(name, str) or "\n" in name or "\r" in name:
        raise ValueError("the name of an event is not a line of text")
    return b"event: %b\ndata: %b\n\n" % (name.encode(), json_bytes(packed["data"]))


def _verbatim(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(body).decode()}


def _bytes(packed: Mapping[str, Any]) -> bytes:
    if "text" in packed:
        if not isinstance(packed["text"], str):
            raise ValueError("`text` is not a text")
        return packed["text"].encode()
    if "base64" in packed:
        if not isinstance(packed["base64"], str):
            raise ValueError("`base64` is not a text")
        return b64decode(packed["base64"], validate=True)
    return b""
