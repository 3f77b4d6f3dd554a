"""The misses of one dialogue: what was asked of its cassette, and is not in it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Request
from pytest_todeval.recording.files import journal_path
from pytest_todeval.recording.miss import Miss, SpokenTurn, Where


class Misses:
    """Knows of the dialogue what a miss has to say."""

    def __init__(self, test: str, dialogue: str, path: Path, make: Callable[..., Miss]) -> None:
        """`make`: `Miss`, given what is the same in all misses of the dialogue."""
        self.found: list[Miss] = []
        """Each once; also if the bot caught the error."""
        self.heard: list[SpokenTurn] = []
        """What the bot said, turn by turn."""
        self._test, self._dialogue, self._path, self._make = test, dialogue, path, make
        self._numbers: Counter[tuple[Lane, int]] = Counter()

    def count(self, lane: Lane, turn: int) -> None:
        """A call is made, whether it is recorded or not."""
        self._numbers[lane, turn] += 1

    def add(
        self, key: str, request: Request, turn: int, played: frozenset[int], *, read_on: bool
    ) -> Miss:
        """The miss of the call counted last; the same one for a client that tries again."""
        for miss in self.found:
            if miss.key == key and miss.where.turn == turn:
                return miss
        number = self._numbers[request.lane, turn]
        miss = self._make(
            key,
            request,
            Where(self._test, self._dialogue, request.lane, turn, number),
            self._path,
            played=played,
            heard=tuple(self.heard),
            journal=journal_path(self._path).exists(),
            read_on=read_on,
        )
        self.found.append(miss)
        return miss
