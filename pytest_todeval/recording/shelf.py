"""The shelf: recorded calls, each to be taken once."""

from collections import defaultdict, deque
from collections.abc import Sequence

from pytest_todeval.recording.call import Call

__all__ = ["Shelf"]


class Shelf:
    """Recorded calls by key: equal ones are taken in the order in which they were started."""

    def __init__(self, old: Sequence[Call], left: Sequence[Call]) -> None:
        self._old, self._left = old, left
        self._by_key = self._indexed(old)
        self._left_by_key = self._indexed(left)
        self._played: set[int] = set()
        self.left_count = len(left)
        """Calls of a recording that was broken off."""

    def take(self, key: str, *, old: bool, left: bool) -> Call | None:
        """The next call of this key, of what was `left` in the journal, then of the `old` ones."""
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
