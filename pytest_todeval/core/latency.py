"""How long a bot took to answer, over the turns of a dialogue."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from pytest_todeval.core.assertable import Assertable


@dataclass(frozen=True, slots=True, eq=False)
class Latency(Assertable):
    """Seconds the bot took per turn: `p50` and `p90` by nearest rank, and the `worst` turn's.

    A percentile is a turn's own value: at least so many of 100 turns took no longer.
    """

    p50: float
    p90: float
    worst: float
    worst_turn: int
    """The number of the slowest turn, 1-based; the first of several."""

    @classmethod
    def of(cls, seconds: Mapping[int, float]) -> "Latency":
        """From the seconds by turn, of one turn at least."""
        ranked = sorted(seconds.values())
        worst = max(seconds, key=lambda turn: seconds[turn])
        return cls(nearest_rank(ranked, 50), nearest_rank(ranked, 90), seconds[worst], worst)

    def _line(self) -> str:
        return "dialogue.latency.p90 <= 2"

    def __repr__(self) -> str:
        return (
            f"<latency p50 {self.p50:.2f} s, p90 {self.p90:.2f} s, worst {self.worst:.2f} s in "
            f"turn {self.worst_turn}>"
        )


def nearest_rank(ranked: Sequence[float], percent: int) -> float:
    """The percentile of sorted values: the least of them that so many of 100 do not exceed."""
    return ranked[max(0, ceil(len(ranked) * percent / 100) - 1)]
