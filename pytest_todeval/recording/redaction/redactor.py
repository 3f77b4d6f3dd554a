"""The redactor: calls as they are kept, without the secrets with which they are really made."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from pytest_todeval.recording.bodies import (
    FORM,
    UNREADABLE,
    inflated,
    json_bytes,
    pack,
    parse,
    to_json,
    unpack,
)
from pytest_todeval.recording.call import Call, RaisedError, Request, Response
from pytest_todeval.recording.json_path import JsonPlace
from pytest_todeval.recording.redaction.excerpt import Span, printed
from pytest_todeval.recording.redaction.learned import Learned
from pytest_todeval.recording.redaction.memory import SecretMemory
from pytest_todeval.recording.redaction.names import (
    MOST_BESIDE,
    SECRET_HEADER,
    is_secret_value,
    named_texts,
    pair_of,
    plain_name,
)
from pytest_todeval.recording.redaction.placeholder import (
    PLACEHOLDER,
    REMOVED,
    without_tokens,
)
from pytest_todeval.recording.redaction.rules import COMMON, Rules
from pytest_todeval.recording.redaction.shape import LONG_TEXT, Shapes
from pytest_todeval.recording.redaction.shapes import SHAPES
from pytest_todeval.recording.redaction.spans import (
    json_text,
    merged,
    spans_of_value,
    without,
)
from pytest_todeval.recording.redaction.stream import without_secrets
from pytest_todeval.recording.secrets import kept_query

CACHED = 20_000
"""Texts whose secrets are remembered: a dialogue's history is sent again with each call."""
LONGEST_CACHED = 100_000
SHORTEST = 6
"""Characters of a secret."""
LOST = re.compile(
    rb'(?:"|>|=|^)(?:eyJ[A-Za-z0-9_-]{0,8192}\.eyJ[A-Za-z0-9_-]{0,8192}\.)?'
    + PLACEHOLDER.encode()
    + rb'(?:"|<|&|$)'
)
"""A placeholder that is all of a value: of JSON, XML or a form."""
BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))', re.IGNORECASE)
NAME = re.compile(rb'content-disposition:[^\r\n]*?[; ]name="?([^"\r\n;]{1,200})', re.IGNORECASE)
"""Of a field in a multipart body."""
CHECKED = "application/vnd.amazon.eventstream"
"""Its frames have check sums: without its secrets no client would read it."""


def has_lost_secret(outcome: Response | RaisedError) -> bool:
    """Says whether an answer would give a bot a placeholder for a token that it is to use."""
    if isinstance(outcome, RaisedError):
        return False
    if any(PLACEHOLDER in value for _, value in outcome.headers):
        return True
    return PLACEHOLDER.encode() in outcome.body and LOST.search(outcome.body) is not None


class Redactor:
    """Takes secrets out of what is kept of calls. One for a run: what it saw once, it knows.

    Requests are redacted before they are looked up, too: whoever has another key, or what was
    played in place of one, finds the same recording. Threads may share it.
    """

    def __init__(self, rules: Rules = COMMON, environ: Mapping[str, str] | None = None) -> None:
        """`environ`: whose secrets are known from the start (the process's own)."""
        self.rules = rules
        self._memory = SecretMemory(environ)
        self._shapes = Shapes((*SHAPES, *rules.shapes)) if rules.shapes else SHAPES
        self._texts: dict[tuple[str, bool], list[Span]] = {}
        self._version = 0

    def request(self, request: Request) -> Request:
        """Returns the request as it is kept and looked up; itself if there is nothing to redact."""
        body = inflated(request.body)
        found = replace(
            request,
            path=self._text(request.path, given=True),
            query=self._query(request.query) if request.query else "",
            body=self._body(request.content_type, body, given=True),
        )
        return request if found == request else found

    def other_forms(self, sent: Request, redacted: Request, learned: Learned) -> Iterator[Request]:
        """Returns what else to look up for a request that was sent.

        As it is, for recordings made before what it holds was redacted; with a placeholder wherever
        recorded requests have one.
        """
        if redacted is not sent:
            yield sent
        found = learned.applied(redacted)
        if found is not None:
            yield found

    def outcome(self, outcome: Response | RaisedError) -> Response | RaisedError:
        """Returns the outcome as it is kept; itself if there is nothing to redact."""
        if isinstance(outcome, RaisedError):
            message = self.text(outcome.message)
            return outcome if message == outcome.message else RaisedError(outcome.kind, message)
        found = self._response(outcome)
        return outcome if found == outcome else found

    def call(self, call: Call) -> Call:
        """Returns a call as it is kept. Its key stays: it is that of the redacted request."""
        request, outcome = self.request(call.request), self.outcome(call.outcome)
        if request is call.request and outcome is call.outcome:
            return call
        return replace(call, request=request, outcome=outcome)

    def text(self, text: str) -> str:
        return self._text(text, given=False)

    def value(self, value: Any) -> Any:
        """A JSON value without its secrets, also one that stands before the name that tells it."""
        known = self._memory.version
        kept = self._value(value, self.rules.paths, given=False)
        if self._memory.version == known:
            return kept
        return self._value(kept, self.rules.paths, given=False)

    def _response(self, response: Response) -> Response:
        kind = next((v for name, v in response.headers if name.lower() == "content-type"), "")
        headers = tuple(self._header(name, value) for name, value in response.headers)
        if response.events is None:
            body = self._body(kind, response.body, given=False)
            return replace(response, headers=headers, body=body)
        packed = pack("", b"", response.events)["events"]
        kept = without_secrets(
            [self._event(event) for event in packed], lambda text: self._spans(text, given=False)
        )
        if kept == packed:
            return replace(response, headers=headers)
        body, events = unpack({"events": kept})
        return replace(response, headers=headers, body=body, events=events)

    def _header(self, name: str, value: str) -> tuple[str, str]:
        low = name.lower()
        if SECRET_HEADER.fullmatch(low) or low in self.rules.headers:
            if low == "set-cookie":
                cookie, _, rest = value.partition("=")
                self._memory.add(rest.partition(";")[0])
                return name, f"{cookie}={PLACEHOLDER}"
            self._memory.add(value)
            return name, PLACEHOLDER
        return name, value

    def _event(self, event: Mapping[str, Any]) -> dict[str, Any]:
        if "data" not in event:
            return dict(event)
        return {**event, "data": self._value(event["data"], self.rules.paths, given=False)}

    def _body(self, kind: str, body: bytes, *, given: bool) -> bytes:
        media = kind.partition(";")[0].strip().lower()
        if not body:
            return body
        value = parse(kind, body)
        if value is not UNREADABLE:
            if len(body) >= LONG_TEXT and self._is_clean(value, given=given):
                return body
            kept = self._value(value, self.rules.paths, given=given)
            return body if kept == value else json_bytes(kept)
        if media == FORM and not body.lstrip().startswith((b"{", b"[")):
            return self._form(body, given=given)
        if media.startswith("multipart/"):
            return self._multipart(kind, body, given=given)
        return body if media == CHECKED else self._plain(body, given=given)

    def _is_clean(self, value: Any, *, given: bool) -> bool:
        """Says whether nothing is to be redacted, as far as one look at all of its text tells."""
        text = to_json(value)
        if self.rules.names or self.rules.paths or PLACEHOLDER in text:
            return False
        return not self._spans(text, given=given) and "{\\" not in text and "[\\" not in text

    def _plain(self, body: bytes, *, given: bool) -> bytes:
        """Returns a text; of other bytes, each secret gives way to as many characters."""
        try:
            return self._text(body.decode(), given=given).encode()
        except UnicodeDecodeError:
            return self._binary(body, given=given)

    def _binary(self, body: bytes, *, given: bool) -> bytes:
        excerpt = printed(body)
        found = self._spans(excerpt.text, given=given)
        spans = [place for span in found for place in excerpt.places(span)]
        spans += self._memory.spans_in_bytes(body)
        if not spans:
            return body
        kept = bytearray(body)
        for start, end in spans:
            kept[start:end] = (PLACEHOLDER + "-" * (end - start))[: end - start].encode()
        return bytes(kept)

    def _value(self, value: Any, place: JsonPlace, *, given: bool) -> Any:
        """Returns a JSON value; those without secrets are given back as they are."""
        if isinstance(value, str):
            return self._text(value, given=given)
        if isinstance(value, dict):
            pair = pair_of(value) if 2 <= len(value) <= MOST_BESIDE else None
            told: dict[str, str] = {pair[1]: value[pair[0]]} if pair else {}
            return {
                self._text(name, given=given): self._member(
                    name, item, place.at(name), given, told.get(name) or name
                )
                for name, item in value.items()
            }
        if isinstance(value, list):
            if not place:
                return [self._value(item, place, given=given) for item in value]
            return [
                self._gone(item) if below.found else self._value(item, below, given=given)
                for item, below in ((item, place.at(i)) for i, item in enumerate(value))
            ]
        return value

    def _member(self, name: str, item: Any, place: JsonPlace, given: bool, told: str) -> Any:
        """Returns a member; `told` is what else says its name."""
        if place.found or not {name, told}.isdisjoint(self.rules.names):
            return self._gone(item)
        if isinstance(item, str) and any(
            self._named(each, item, parameter=False, given=given) for each in {name, told}
        ):
            return self._secret(item, given=given)
        return self._value(item, place, given=given)

    def _gone(self, value: Any) -> Any:
        """Returns what a rule names, of the same type, so that clients can read it."""
        if isinstance(value, dict):
            return {name: self._gone(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self._gone(item) for item in value]
        if isinstance(value, str):
            self._memory.add(value)
            return PLACEHOLDER if value else value
        return 0 if type(value) in (int, float) else value

    def _secret(self, value: str, *, given: bool) -> str:
        self._memory.add(value)
        return without(value, [(0, len(value))], tokens=not given)

    def _named(self, name: str, value: str, *, parameter: bool, given: bool) -> bool:
        if without_tokens(value) == PLACEHOLDER:
            return given and value != PLACEHOLDER
        if not is_secret_value(name, value, parameter=parameter, given=given):
            return False
        return plain_name(name) not in self.rules.kept

    def _text(self, text: str, *, given: bool) -> str:
        if len(text) < SHORTEST:
            return text
        if given:
            text = without_tokens(text)
        spans = self._spans(text, given=given)
        return without(text, spans, tokens=not given) if spans else text

    def _spans(self, text: str, *, given: bool) -> list[Span]:
        if self._version != self._memory.version:
            self._version = self._memory.version
            self._texts = {}
        found = self._texts.get((text, given))
        if found is None:
            found = merged((*self._found(text, given), *self._memory.spans(text)))
            if len(self._texts) < CACHED and len(text) < LONGEST_CACHED:
                self._texts[text, given] = found
        return found

    def _found(self, text: str, given: bool) -> Iterator[Span]:
        for _, span in self._shapes.found_in(text, self.rules.kept):
            self._memory.add(text[span[0] : span[1]])
            yield span
        value = json_text(text)
        if value is not UNREADABLE:
            for secret in self._within(value, given):
                self._memory.add(secret)
                yield from spans_of_value(text, secret)

    def _within(self, value: Any, given: bool) -> Iterator[str]:
        """Returns the credentials of a JSON value that stands in a text."""
        for _, name, text in named_texts(value):
            if text != PLACEHOLDER and (
                name in self.rules.names or self._named(name, text, parameter=False, given=given)
            ):
                yield text

    def _query(self, query: str) -> str:
        for name, value in parse_qsl(query, keep_blank_values=True):
            if self._named(name, value, parameter=True, given=True):
                self._memory.add(value)
        parts = kept_query(query, self.rules.kept).split("&")
        return "&".join(self._parameter(part) for part in parts)

    def _parameter(self, part: str) -> str:
        for name, value in parse_qsl(part, keep_blank_values=True):
            if name in self.rules.query and value != REMOVED:
                self._memory.add(value)
                return f"{quote(name)}={REMOVED}"
            kept = self._text(value, given=True)
            if kept != value:
                return f"{quote(name)}={quote(kept)}"
        return part

    def _form(self, body: bytes, *, given: bool) -> bytes:
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True)
        except (UnicodeDecodeError, ValueError):
            return self._plain(body, given=given)
        kept = [(name, self._field(name, value, given=given)) for name, value in pairs]
        return body if kept == pairs else urlencode(kept).encode()

    def _field(self, name: str, value: str, *, given: bool) -> str:
        if value and name in self.rules.form:
            self._memory.add(value)
            return PLACEHOLDER
        if self._named(name, value, parameter=True, given=given):
            return self._secret(value, given=given)
        return self._text(value, given=given)

    def _multipart(self, kind: str, body: bytes, *, given: bool) -> bytes:
        pieces: list[bytes] = []
        for name, piece in multipart_parts(kind, body):
            try:
                value = piece.decode() if name is not None else ""
            except UnicodeDecodeError:
                value = ""
            kept = self._field(name, value, given=given) if name is not None and value else value
            pieces.append(kept.encode() if kept != value else self._plain(piece, given=given))
        return b"".join(pieces)


def multipart_parts(kind: str, body: bytes) -> Iterator[tuple[str | None, bytes]]:
    """Returns the pieces that a multipart body is put together of.

    The content of each field with the field's name, what lies between them without one.
    """
    found = BOUNDARY.search(kind)
    if found is None:
        yield None, body
        return
    mark = b"--" + (found[1] or found[2]).encode("utf-8", "replace")
    first, *parts = body.split(mark)
    yield None, first
    for part in parts:
        head, blank, content = part.partition(b"\r\n\r\n")
        name = NAME.search(head)
        yield None, mark + head + blank
        if not blank:
            continue
        end = content[-2:] if content.endswith(b"\r\n") else b""
        yield (name[1].decode("utf-8", "replace") if name else ""), content.removesuffix(end)
        yield None, end
