"""What redaction took out of an answer: a bot may say it, and in replay cannot."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.recording.bodies import UNREADABLE, parse
from pytest_todeval.recording.call import Response
from pytest_todeval.recording.redaction.memory import is_memorable
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER, without_tokens
from pytest_todeval.recording.redaction.spans import placeholder_for


def removed_of(answer: Response, kept: Response) -> dict[str, str]:
    """Returns each value that was removed, with the name it stood under.

    Only what no sentence holds by chance: a password that is a word stays where it is said.
    """
    kind = next((value for name, value in answer.headers if name.lower() == "content-type"), "")
    pairs = [(parse(kind, answer.body), parse(kind, kept.body))]
    if answer.events is not None and kept.events is not None:
        both = zip(answer.events, kept.events, strict=False)
        pairs = [(_data(one), _data(other)) for one, other in both]
    elif UNREADABLE in pairs[0]:
        pairs = [(answer.body.decode("utf-8", "replace"), kept.body.decode("utf-8", "replace"))]
    found = (each for one, other in pairs for each in _removed(one, other, ""))
    return {value: name for value, name in found if is_memorable(value)}


def without_any(value: Any, removed: Mapping[str, str]) -> Any:
    """A JSON value, or one of tuples, with the placeholder for each of these; itself if none is."""
    if isinstance(value, str):
        for each in sorted(removed, key=len, reverse=True):
            value = value.replace(each, placeholder_for(each, tokens=True))
        return value
    if isinstance(value, Mapping):
        found = {key: without_any(each, removed) for key, each in value.items()}
        return value if found == value else found
    if isinstance(value, list | tuple):
        items = [without_any(each, removed) for each in value]
        return value if items == list(value) else type(value)(items)
    return value


def _removed(one: Any, other: Any, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(one, str) and isinstance(other, str) and one != other:
        start, place = 0, 0
        other = without_tokens(other)
        pieces = other.split(PLACEHOLDER)
        for number, piece in enumerate(pieces):
            last = number == len(pieces) - 1 and number > 0 and one.endswith(piece)
            end = len(one) - len(piece) if last else one.find(piece, place)
            if end < place:
                return
            if number:
                yield one[start:end].strip(), name
            start = place = end + len(piece)
    elif isinstance(one, dict) and isinstance(other, dict):
        for (key, each), its in zip(one.items(), other.values(), strict=False):
            yield from _removed(each, its, key)
    elif isinstance(one, list) and isinstance(other, list):
        for each, its in zip(one, other, strict=False):
            yield from _removed(each, its, name)


def _data(event: bytes) -> Any:
    """Returns what an event of a stream says."""
    text = event.decode("utf-8", "replace").partition("data:")[2].strip()
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
