"""Secrets within one text: where they stand, and the text without them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from pytest_todeval.recording.bodies import UNREADABLE, parse
from pytest_todeval.recording.redaction.excerpt import Span
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER, token_like

Text = TypeVar("Text", str, bytes)


def merged(spans: Iterable[Span]) -> list[Span]:
    """Returns the spans in order, those that overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def without(text: str, spans: Iterable[Span], *, tokens: bool) -> str:
    """Returns the text with a placeholder for each span.

    `tokens`: one that a client can read for a JSON web token.
    """
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], placeholder_for(text[start:end], tokens)]
        at = end
    return "".join((*pieces, text[at:]))


def placeholder_for(secret: str, tokens: bool) -> str:
    """Returns what stands in place of a secret."""
    if tokens and secret.startswith("eyJ") and secret.count(".") == 2:
        return token_like(secret)
    return PLACEHOLDER


def json_text(text: str) -> Any:
    """Returns the object or list that a text is as JSON, else `UNREADABLE`."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return UNREADABLE
    return parse("application/json", text.encode("utf-8", "surrogatepass"))


def spans_of_value(text: str, value: str) -> Iterator[Span]:
    """Returns where a string of the JSON in a text stands, however it is escaped there."""
    for form in {json.dumps(value), json.dumps(value, ensure_ascii=False)}:
        yield from ((start + 1, end - 1) for start, end in places(text, form))


def places(text: Text, piece: Text) -> Iterator[Span]:
    """Returns where a piece of a text, or of bytes, stands in it."""
    end = 0
    while (start := text.find(piece, end)) >= 0:
        end = start + len(piece)
        yield start, end
