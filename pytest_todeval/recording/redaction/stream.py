"""Secrets in streams, which come in pieces: a bit of each event."""

import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pytest_todeval.recording.redaction.excerpt import Span
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER

DATA = re.compile(r"^data: ?(.*)$", re.MULTILINE)


@dataclass(slots=True)
class _Piece:
    """A text within an event."""

    text: str
    put: Callable[[str], None]


def put_together(events: Sequence[Any]) -> Iterator[str]:
    """Returns the texts that the events of a stream (as cassettes hold them) add up to."""
    for pieces in _texts(events).values():
        yield "".join(piece.text for piece in pieces)


def without_secrets(
    events: list[dict[str, Any]], spans: Callable[[str], Sequence[Span]]
) -> list[dict[str, Any]]:
    """Returns the events, without the secrets that `spans` finds in what they add up to.

    A secret's placeholder stands in the first event that had a part of it.
    """
    copied = deepcopy(events)
    for pieces in _texts(copied).values():
        found = spans("".join(piece.text for piece in pieces))
        if found:
            _cut(pieces, found)
    return copied


def _cut(pieces: list[_Piece], spans: Sequence[Span]) -> None:
    start = 0
    for piece in pieces:
        end = start + len(piece.text)
        cut = [span for span in spans if span[0] < end and span[1] > start]
        text, at = "", 0
        for first, last in cut:
            text += piece.text[at : max(0, first - start)]
            # The first event with a part of it holds the placeholder, the others nothing.
            text += PLACEHOLDER if first >= start else ""
            at = min(len(piece.text), last - start)
        if cut:
            piece.put(text + piece.text[at:])
        start = end


def _texts(events: Sequence[Any]) -> dict[str, list[_Piece]]:
    """Returns the texts of each place, event by event."""
    found: dict[str, list[_Piece]] = {}
    for event in events:
        if not isinstance(event, dict):
            continue
        if isinstance(event.get("text"), str) and "data" not in event:
            _of_lines(event, found.setdefault("data", []))
        else:
            _of_value(event, "", found)
    return found


def _of_lines(event: dict[str, Any], pieces: list[_Piece]) -> None:
    """Of an event that is no JSON, what its lines `data: ...` say."""
    lines = list(DATA.finditer(event["text"]))
    for number, line in enumerate(lines):

        def put(text: str, number: int = number) -> None:
            current = list(DATA.finditer(event["text"]))[number]
            event["text"] = (
                event["text"][: current.start(1)] + text + event["text"][current.end(1) :]
            )

        pieces.append(_Piece(line[1], put))


def _of_value(value: Any, path: str, found: dict[str, list[_Piece]]) -> None:
    todo = [(path, value)]
    while todo:
        path, value = todo.pop()
        items: Any = value.items() if isinstance(value, dict) else enumerate(value)
        for name, item in items:
            below = f"{path}/{_mark(item, name) if isinstance(value, list) else name}"
            if isinstance(item, str):

                def put(text: str, holder: Any = value, name: Any = name) -> None:
                    holder[name] = text

                found.setdefault(below, []).append(_Piece(item, put))
            elif isinstance(item, dict | list):
                todo.append((below, item))


def _mark(item: Any, number: int) -> object:
    """Returns what tells an item of a list from the others, event after event."""
    index = item.get("index") if isinstance(item, dict) else None
    return index if type(index) is int else number
