"""Chance that is the same everywhere: in every process, on every machine, in every Python."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Draws by a seed. Only of `Random.random` Python promises the same numbers in all versions."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed).random

    def one(self, values: Sequence[T]) -> T:
        """Returns one of the values, each as likely."""
        return values[int(self._random() * len(values))]

    def between(self, least: int, most: int) -> int:
        """Returns a whole number, both ends included."""
        return least + int(self._random() * (most - least + 1))

    def happens(self, chance: float) -> bool:
        """Says whether something of this chance (0 to 1) happens."""
        return self._random() < chance

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """Returns the values in some order."""
        left = list(values)
        return [left.pop(self.between(0, len(left) - 1)) for _ in values]
