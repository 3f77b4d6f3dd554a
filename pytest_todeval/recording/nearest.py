"""The recorded call that a request which is not recorded most resembles."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pytest_todeval.recording.bodies import to_json
from pytest_todeval.recording.call import Call, Request
from pytest_todeval.recording.key import plain_members
from pytest_todeval.recording.matching import EXACT, Matching
from pytest_todeval.recording.meaning import are_messages

CLOSELY = 200
"""So many calls are compared part by part; a search for pieces of text says which."""
PIECES = 12
PIECE = re.compile(rb"[A-Za-z0-9 ,.:;?!'()-]{12,40}")
NEXT_ONES = 40


def nearest(
    request: Request, calls: Sequence[Call], played: frozenset[int], matching: Matching = EXACT
) -> int | None:
    """The index of the call nearest to the request, of those of its lane; None if there is none.

    What counts, in this order: shared messages and members, shared words of what differs, not
    played yet, an early place.
    """
    lane = [i for i, call in enumerate(calls) if call.request.lane is request.lane]
    mine = _Profile(request, matching)
    ranked = [
        (mine.likeness(_Profile(calls[i].request, matching)), i not in played, -i)
        for i in _shortlist(request, calls, lane, played)
    ]
    return -max(ranked)[2] if ranked else None


def _shortlist(
    request: Request, calls: Sequence[Call], lane: list[int], played: frozenset[int]
) -> Iterable[int]:
    if len(lane) <= CLOSELY:
        return lane
    pieces = _pieces(request.body)
    size = len(request.body)

    def rank(index: int) -> tuple[int, bool, int]:
        body = calls[index].request.body
        return sum(piece in body for piece in pieces), index not in played, -abs(len(body) - size)

    upcoming = [index for index in lane if index not in played][:NEXT_ONES]
    best = sorted(lane, key=rank, reverse=True)[: CLOSELY - NEXT_ONES]
    return dict.fromkeys((*best, *upcoming))


def _pieces(body: bytes) -> list[bytes]:
    """Pieces of plain text from all over a body, most of them from its end, where calls differ."""
    found = [match[0] for match in PIECE.finditer(body)]
    half = PIECES // 2
    step = max(1, len(found) // half)
    return list(dict.fromkeys((*found[-half:], *found[::step][:half])))


class _Profile:
    """A request in the parts by which two are compared."""

    def __init__(self, request: Request, matching: Matching) -> None:
        self._target = (request.method, request.path, request.query)
        members = plain_members(request, matching)
        if members is None:
            members = {"body": request.body.decode("utf-8", "replace")}
        self.parts: dict[Any, tuple[str, Any]] = {}
        for name, item in members.items():
            if are_messages(name, item):
                for index, message in enumerate(item):
                    self.parts[name, index] = to_json(message), message
            else:
                self.parts[name, -1] = to_json(item), item

    def likeness(self, other: "_Profile") -> tuple[bool, int, int, int]:
        """Greater is nearer."""
        apart = [
            place
            for place in self.parts.keys() | other.parts.keys()
            if self.parts.get(place, ("",))[0] != other.parts.get(place, ("",))[0]
        ]
        same = len(self.parts) - sum(place in self.parts for place in apart)
        shared = sum(self._shared_words(other, place) for place in apart)
        return self._target == other._target, same, -len(apart), shared

    def _shared_words(self, other: "_Profile", place: object) -> int:
        if place not in self.parts or place not in other.parts:
            return 0
        mine, theirs = (set(_words(p.parts[place][1])) for p in (self, other))
        return len(mine & theirs) - len(mine ^ theirs)


def _words(value: object) -> list[str]:
    content = value.get("content") if isinstance(value, dict) else value
    return (content if isinstance(content, str) else repr(value)).split()
