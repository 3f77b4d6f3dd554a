"""Keys: which requests count as equal, so that one recorded is found again in one look-up.

A key is a BLAKE2b hash over lane, method, path, query and body. Not in it: host, port, headers. A
body counts by its meaning (`meaning`), under what a project ignores or masks (`matching`). Messages
and other parts are hashed one by one: a cassette holds each once, and so gets its keys without
reading its bodies again.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.bodies import FORM, UNREADABLE, inflated, parse
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.meaning import (
    RequestMeaning,
    are_messages,
    endpoint_of,
    listed,
)
from pytest_todeval.recording.secrets import kept_query


class KeyPart(NamedTuple):
    """A member of a body, or one message, as keys take it."""

    digest: str
    links: tuple[str, ...] = ()
    """Ids in it that count by their place only, each once."""


Parts = Mapping[str, KeyPart | list[KeyPart]] | list[str]
"""A body: by member of a JSON object, of messages each; else one hash, or none."""

BOUNDARY = "todeval-boundary"
T = TypeVar("T")
CHAT_LIMITS = ("max_tokens", "max_completion_tokens")

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode
_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)


def call_key(request: Request, matching: Matching = EXACT) -> str:
    """Returns the key of a request, 32 hexadecimal digits."""
    parts = request_parts(request, matching)
    return key_of_parts(request.lane, request.method, request.path, request.query, parts, matching)


def request_parts(request: Request, matching: Matching = EXACT) -> Parts:
    """Returns the body of a request as `key_of_parts` takes it."""
    value = _read(request)
    if value is UNREADABLE:
        return _bytes_part(request, matching)
    if not isinstance(value, dict):
        return [digest(value, matching)]
    endpoint, _ = endpoint_of(request.path, value)
    found = ((name, part_of(name, item, endpoint, matching)) for name, item in value.items())
    return {composed(name): part for name, part in found if part is not None}


def part_of(
    name: str, value: Any, endpoint: str, matching: Matching = EXACT
) -> KeyPart | list[KeyPart] | None:
    """Returns a member of a JSON object, of messages a list; None if it says nothing.

    `endpoint`: what `endpoint_of` says of the path and the names of all members.
    """
    place = matching.ignored.at(name)
    value = listed(name, value, endpoint)
    if are_messages(name, value) and not place:
        return [message_part(item, endpoint, matching) for item in value]
    meaning = RequestMeaning(endpoint, matching)
    plain = meaning.member(name, value, place)
    return None if plain is None else KeyPart(_hash(plain), tuple(meaning.links))


def message_part(value: Any, endpoint: str, matching: Matching = EXACT) -> KeyPart:
    """Returns one message, under paths that lead to no part of it."""
    meaning = RequestMeaning(endpoint, matching)
    return KeyPart(_hash(meaning.message(value)), tuple(meaning.links))


def key_of_parts(
    lane: Lane, method: str, path: str, query: str, parts: Parts, matching: Matching = EXACT
) -> str:
    """Returns the key of a request whose body is given as parts: see `part_of`."""
    endpoint, path = endpoint_of(path, parts if isinstance(parts, Mapping) else ())
    pairs = _pairs(query, matching, endpoint) if query else []
    body = _body(parts) if isinstance(parts, Mapping) else parts
    return _hash([lane.value, method.upper(), composed(path, matching), pairs, body])


def plain_members(request: Request, matching: Matching = EXACT) -> Mapping[str, Any] | None:
    """Returns the members of a JSON body in the form that counts, those that say nothing left out.

    None for another body. For people, who compare what keys only hash.
    """
    value = _read(request)
    if not isinstance(value, dict):
        return None
    meaning = RequestMeaning(endpoint_of(request.path, value)[0], matching)
    found = {n: meaning.member(n, item, matching.ignored.at(n)) for n, item in value.items()}
    return _renamed({name: item for name, item in found.items() if item is not None})


def digest(value: Any, matching: Matching = EXACT) -> str:
    """Returns the hash of the meaning of a JSON value that is no part of a chat."""
    return _hash(RequestMeaning("", matching).value(value))


def composed(text: str, matching: Matching = EXACT) -> str:
    """Returns the text in Unicode's composed form (NFC), masked."""
    return RequestMeaning("", matching).text(text)


def neutral_boundary(request: Request) -> Request:
    """Returns a multipart request with a fixed boundary instead of the client's random one."""
    found = _BOUNDARY.search(request.content_type)
    if found is None or not request.content_type.lower().lstrip().startswith("multipart/"):
        return request
    boundary = found[1] or found[2]
    return replace(
        request,
        content_type=request.content_type.replace(boundary, BOUNDARY),
        body=request.body.replace(
            b"--" + boundary.encode("utf-8", "replace"), b"--" + BOUNDARY.encode()
        ),
    )


def _read(request: Request) -> Any:
    """Returns the JSON of a body; also of one whose content type does not say so."""
    body = inflated(request.body)
    value = parse(request.content_type, body)
    if value is UNREADABLE and body.lstrip()[:1] in (b"{", b"["):
        return parse("application/json", body)
    return value


def _bytes_part(request: Request, matching: Matching) -> list[str]:
    """Returns the part of a body that is not JSON."""
    request = neutral_boundary(request)
    body = inflated(request.body)
    if not body:
        return []
    text = body.decode("utf-8", "surrogateescape")
    if request.content_type.partition(";")[0].strip().lower() == FORM:
        fields = parse_qsl(text, keep_blank_values=True, errors="surrogateescape")
        if fields:
            fields = [(composed(name), composed(value, matching)) for name, value in fields]
            return [_hash(sorted(fields, key=lambda field: field[0]))]
    return [_hash(composed(text, matching))]


def _renamed(members: Mapping[str, T]) -> Mapping[str, T]:
    """Returns the members of a chat, its limit under its present name."""
    before, now = CHAT_LIMITS
    if before not in members or now in members or "messages" not in members:
        return members
    return {now if name == before else name: item for name, item in members.items()}


def _body(parts: Mapping[str, KeyPart | list[KeyPart]]) -> dict[str, Any]:
    """Returns the parts, with ids by their place in all of the body."""
    parts = _renamed(parts)
    known: dict[str, int] = {}
    found: dict[str, Any] = {}
    for name, part in sorted(parts.items()):
        each = part if isinstance(part, list) else [part]
        links = [[known.setdefault(link, len(known)) for link in one.links] for one in each]
        found[name] = [isinstance(part, list), [one.digest for one in each], links]
    return found


def _pairs(query: str, matching: Matching, endpoint: str) -> list[list[str]]:
    ignored = matching.query | ({"api-version"} if endpoint else set())
    pairs: Iterable[tuple[str, str]] = parse_qsl(kept_query(query), keep_blank_values=True)
    return sorted([composed(n), composed(v, matching)] for n, v in pairs if n not in ignored)


def _hash(value: object) -> str:
    return blake2b(_CANONICAL(value).encode(), digest_size=16).hexdigest()
