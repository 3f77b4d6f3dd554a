"""The shelf: recorded calls, each to be taken once."""

import json
from collections import defaultdict, deque
from collections.abc import Sequence

from pytest_todeval.recording.call import Call, Raised, Response

__all__ = ["Shelf"]

OUT_OF_ORDER = frozenset({401, 403, 404, 408, 409, 425, 429})
"""Besides 5xx: what a service answers that does not know the caller or the model, or has no time
now. Asked again, once that is mended, it answers."""


class Shelf:
    """Recorded calls by key: equal ones are taken in the order in which they were started."""

    def __init__(self, old: Sequence[Call], left: Sequence[Call]) -> None:
        self._old, self._left = old, left
        self._by_key = self._indexed(old)
        self._left_by_key = self._indexed(left)
        for waiting in self._left_by_key.values():
            while waiting and _failed(left[waiting[-1]]):
                waiting.pop()
        self._played: set[int] = set()
        self.left_count = len(left)
        """Calls of a recording that was broken off."""

    def take(self, key: str, *, old: bool, left: bool) -> Call | None:
        """The next call of this key, of what was `left` in the journal, then of the `old` ones.

        A failure that ended what was left of a key is not taken: a recording that an outage broke
        off would go on to the same failure for ever.
        """
        waiting = self._left_by_key.get(key)
        if waiting and left:
            return self._left[waiting.popleft()]
        waiting = self._by_key.get(key) if old else None
        if not waiting:
            return None
        index = waiting.popleft()
        self._played.add(index)
        return self._old[index]

    def unplayed(self) -> list[Call]:
        """What of the cassette was not taken."""
        return [call for index, call in enumerate(self._old) if index not in self._played]

    def played(self) -> frozenset[int]:
        """The places of what was taken from the cassette."""
        return frozenset(self._played)

    @staticmethod
    def _indexed(calls: Sequence[Call]) -> dict[str, deque[int]]:
        found: dict[str, deque[int]] = defaultdict(deque)
        for index, call in enumerate(calls):
            found[call.key].append(index)
        return found


def _failed(call: Call) -> bool:
    outcome = call.outcome
    if isinstance(outcome, Raised):
        return True
    return outcome.status in OUT_OF_ORDER or outcome.status >= 500 or _is_garbled(outcome)


def _is_garbled(response: Response) -> bool:
    """Whether it says that it is JSON and is none: a gateway's words, or a part of an answer."""
    kinds = [value for name, value in response.headers if name.lower() == "content-type"]
    if not any("json" in kind for kind in kinds) or response.events is not None:
        return False
    try:
        json.loads(response.body)
    except ValueError:
        return True
    return False
