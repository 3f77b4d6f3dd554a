"""Bots that are called over HTTP: which dialogues wait for an answer of theirs now."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from pytest_todeval.core.lane import Place


class BotsAsked:
    """The places from which bots are asked: what their servers call meanwhile may be told by it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[Place] = Counter()

    @contextmanager
    def asking(self, place: Place) -> Iterator[None]:
        with self._lock:
            self._counts += Counter((place,))
        try:
            yield
        finally:
            with self._lock:
                self._counts -= Counter((place,))  # which keeps no count of 0

    def places(self) -> list[Place]:
        with self._lock:
            return list(self._counts)

    def forget(self, dialogue: str) -> None:
        """A dialogue is over: whatever still asks for it, nobody waits for that."""
        with self._lock:
            for place in [place for place in self._counts if place.dialogue == dialogue]:
                del self._counts[place]
