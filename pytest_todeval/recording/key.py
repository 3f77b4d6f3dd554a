"""Keys: which requests count as equal, so that one recorded is found again in one look-up.

A key is a BLAKE2b hash over lane, method, path, query and body. Not in it: host, port, headers. A
JSON body counts by its meaning: order of names, number format, absent or null, Unicode composition
and the spacing of JSON in `arguments` make no difference. Messages and other parts are hashed one
by one: a cassette holds each once, and so gets its keys without reading its bodies again.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qsl

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.bodies import UNREADABLE, parse
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.secrets import kept_query

__all__ = [
    "Masks",
    "Parts",
    "are_messages",
    "call_key",
    "composed",
    "digest",
    "kept_query",
    "key_of_parts",
    "member",
    "neutral_boundary",
    "request_parts",
]

Masks = Sequence[re.Pattern[str]]
"""What these match in a string of a request counts as equal; for keys only, never for files."""

Parts = Mapping[str, Any] | list[str]
"""A body, as `key_of_parts` takes it: by member of a JSON object, else one hash, or none."""

MASKED = "\N{OBJECT REPLACEMENT CHARACTER}"
MESSAGE_LISTS = frozenset({"messages", "input", "contents"})
BOUNDARY = "todeval-boundary"

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)


def call_key(request: Request, masks: Masks = ()) -> str:
    """The key of a request, 32 hexadecimal digits."""
    parts = request_parts(request, masks)
    return key_of_parts(request.lane, request.method, request.path, request.query, parts, masks)


def request_parts(request: Request, masks: Masks = ()) -> Parts:
    """The body of a request as `key_of_parts` takes it."""
    value = parse(request.content_type, request.body)
    if value is UNREADABLE:
        return _bytes_part(request, masks)
    if not isinstance(value, dict):
        return [digest(value, masks)]
    items = ((name, item) for name, item in value.items() if item is not None)
    return {composed(name): member(name, item, masks) for name, item in items}


def key_of_parts(
    lane: Lane, method: str, path: str, query: str, parts: Parts, masks: Masks = ()
) -> str:
    """The key of a request whose body is given as parts: see `member` and `digest`."""
    pairs = _pairs(query, masks) if query else []
    return _hash([lane.value, method.upper(), composed(path, masks), pairs, parts])


def member(name: str, value: Any, masks: Masks = ()) -> Any:
    """The part of one member of a JSON object: of messages a list of digests."""
    if are_messages(name, value):
        return [digest(item, masks) for item in value]
    if isinstance(value, dict | list):
        return digest(value, masks)
    return _canonical({name: value}, masks)[composed(name)]


def are_messages(name: str, value: object) -> bool:
    """Whether a member of a body is a dialogue's history, whose items are worth a line each."""
    return (
        name in MESSAGE_LISTS
        and isinstance(value, list)
        and all(isinstance(item, dict | str) for item in value)
    )


def digest(value: Any, masks: Masks = ()) -> str:
    """The hash of the meaning of a JSON value."""
    return _hash(_canonical(value, masks))


def _bytes_part(request: Request, masks: Masks = ()) -> list[str]:
    """The part of a body that is not JSON."""
    request = neutral_boundary(request)
    if not request.body:
        return []
    return [_hash(composed(request.body.decode("utf-8", "surrogateescape"), masks))]


def neutral_boundary(request: Request) -> Request:
    """A multipart request with a fixed boundary instead of the client's random one."""
    found = _BOUNDARY.search(request.content_type)
    if found is None or not request.content_type.lower().lstrip().startswith("multipart/"):
        return request
    boundary = found[1] or found[2]
    return Request(
        lane=request.lane,
        method=request.method,
        path=request.path,
        query=request.query,
        content_type=request.content_type.replace(boundary, BOUNDARY),
        body=request.body.replace(
            b"--" + boundary.encode("utf-8", "replace"), b"--" + BOUNDARY.encode()
        ),
    )


def _pairs(query: str, masks: Masks) -> list[list[str]]:
    pairs = parse_qsl(kept_query(query), keep_blank_values=True)
    return sorted([composed(name), composed(value, masks)] for name, value in pairs)


def _hash(value: object) -> str:
    return blake2b(_CANONICAL(value).encode(), digest_size=16).hexdigest()


def _canonical(value: Any, masks: Masks) -> Any:
    """The value in the one form that all values of its meaning share."""
    kind = type(value)
    if kind is str:
        return composed(value, masks)
    if kind is dict:
        return {
            name if name.isascii() else composed(name): (
                _arguments(item, masks)
                if name == "arguments" and type(item) is str
                else _canonical(item, masks)
            )
            for name, item in value.items()
            if item is not None
        }
    if kind is list:
        return [_canonical(item, masks) for item in value]
    if kind is float and value.is_integer():
        return int(value)
    return value


def _arguments(text: str, masks: Masks) -> Any:
    """The arguments of a tool call: JSON in a string, spaced as the model pleased."""
    value = parse("application/json", text.encode("utf-8", "surrogatepass"))
    return composed(text, masks) if value is UNREADABLE else _canonical(value, masks)


def composed(text: str, masks: Masks = ()) -> str:
    """The text in Unicode's composed form (NFC), masked."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    for mask in masks:
        text = mask.sub(MASKED, text)
    return text
