"""Runs of a bot that flips as real ones do, drawn for `gate_errors.py`: no dialogue is played.

What was measured: of gpt-4o's four trials of each of tau-bench's 50 airline tasks (its stored
trajectories, and the published pass^1 to pass^4: 0.420, 0.273, 0.220, 0.200), how many tasks passed
0, 1, ... 4 times; of its 115 retail tasks the same, as the published pass^1 to pass^4 give it
(0.604, 0.491, 0.430, 0.383). Of GPT-4o as the judge of AutoTOD's dialogues (TD-Eval's published
replies, conversation cohesion), how often it gave 1, 2, ... 5.

Shrinkage: four trials of a task do not tell its probability (a task that passed four times of four
may pass nine times of ten). A beta distribution is fitted to the counts by most likelihood; each
goal of a simulated set is one of the measured tasks, and its probability is drawn from that
distribution given the task's own count.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pytest_todeval.core.outcome import Outcome

__all__ = ["DAMAGES", "TONE", "WORLDS", "World", "results_of", "run_of", "tone_of"]

TRIALS = 4
"""Of each measured task."""
JUDGED = (25, 16, 22, 54)
"""Turns that were given 1, 2, 3, 4: a quarter of all."""
TURNS = 5
"""Of a simulated dialogue that is judged."""
LOW_TURNS = (1.0, 3.0)
"""Over goals, the share of turns that are given less than 5: a beta distribution with the measured
mean; dialogues then differ as much as the measured ones (standard deviation 0.5)."""
TONE = 5 - LOW_TURNS[0] / sum(LOW_TURNS) * (
    5 - sum((place + 1) * count for place, count in enumerate(JUDGED)) / sum(JUDGED)
)
"""The mean score of all dialogues that could be drawn."""


@dataclass(frozen=True)
class World:
    """Tasks with four trials each."""

    name: str
    passed: tuple[int, ...]
    """How many tasks passed 0, 1, ... 4 times."""
    better: float = 0.0
    """Added to each goal's log-odds: of a bot that is better than the measured one."""

    def probability(self, draw: random.Random) -> float:
        """That a goal drawn at random passes."""
        a, b = _best_fit(self.passed)
        (count,) = draw.choices(range(TRIALS + 1), self.passed)
        return _moved(draw.betavariate(a + count, b + TRIALS - count), self.better)

    @property
    def rate(self) -> float:
        """The mean of these probabilities."""
        return _rate(self.passed, self.better)


WORLDS = {
    "airline": World("airline", (14, 12, 10, 4, 10)),
    "retail": World("retail", (22, 18, 9, 22, 44)),
    "retail, better bot": World("retail, better bot", (22, 18, 9, 22, 44), 3.5),
}


def _moved(likely: float, better: float) -> float:
    odds = likely * math.exp(better)
    return odds / (odds + 1 - likely)


@cache
def _best_fit(passed: tuple[int, ...]) -> tuple[float, float]:
    """The beta distribution under which these counts are most likely, on a grid."""

    def likelihood(a: float, b: float) -> float:
        return math.fsum(
            tasks * (_log_beta(a + count, b + TRIALS - count) - _log_beta(a, b))
            for count, tasks in enumerate(passed)
        )

    pairs = [
        (mean / 200 * 10 ** (size / 20), (1 - mean / 200) * 10 ** (size / 20))
        for mean in range(1, 200)
        for size in range(-30, 40)
    ]
    return max(pairs, key=lambda pair: likelihood(*pair))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@cache
def _rate(passed: tuple[int, ...], better: float) -> float:
    a, b = _best_fit(passed)
    means = (_mean(a + count, b + TRIALS - count, better) for count in range(TRIALS + 1))
    return math.fsum(w * m for w, m in zip(passed, means, strict=True)) / sum(passed)


def _mean(a: float, b: float, better: float) -> float:
    """Of a beta distribution's probabilities, moved: a sum over equal steps of log-odds."""
    likely = [1 / (1 + math.exp(-step / 20)) for step in range(-1000, 1001)]
    weights = [p**a * (1 - p) ** b for p in likely]
    moved = (w * _moved(p, better) for w, p in zip(weights, likely, strict=True))
    return math.fsum(moved) / math.fsum(weights)


def _all_a_bit(draw: random.Random, likely: float, lost: float) -> float:
    return likely * (1 - lost)


def _few_broken(draw: random.Random, likely: float, lost: float) -> float:
    return 0.0 if draw.random() < lost else likely


DAMAGES: dict[str, Callable[[random.Random, float, float], float]] = {
    "all goals a bit worse": _all_a_bit,
    "few goals broken": _few_broken,
}
"""A goal's probability after a share of all passes was lost: the same loss on average."""


def tone_of(draw: random.Random) -> float:
    """Of a goal that is drawn: how likely the judge gives a turn less than 5."""
    return draw.betavariate(*LOW_TURNS)


def run_of(
    draw: random.Random,
    likely: Sequence[float],
    trials: int,
    *,
    low: Sequence[float] = (),
    metrics: int = 0,
    apart: float = 1.0,
) -> list[dict[str, Any]]:
    """Entries of a results file: each goal `trials` times.

    `likely`: by goal, that a trial passes. `low`: by goal, that the judge gives a turn less than 5.
    `metrics`: so many verdicts more, each of which passes as often as the test. `apart`: the share
    of dialogues in which it does so on its own; in the others it comes out as the test does.
    """
    entries = []
    for number, chance in enumerate(likely):
        for trial in range(trials):
            passed = draw.random() < chance
            own = (draw.random() < apart for _ in range(metrics))
            entries.append(
                {
                    "test": f"t[{number}-{trial}]",
                    "goal": f"drawn/{number}",
                    "trial": trial,
                    "outcome": Outcome.PASSED if passed else Outcome.FAILED,
                    "metrics": {
                        f"metric {n}": draw.random() < chance if each else passed
                        for n, each in enumerate(own)
                    },
                    "scores": {"tone": list(_scores(draw, low[number]))} if low else {},
                    "rules": {},
                    "turns": [],
                }
            )
    return entries


def _scores(draw: random.Random, low: float) -> Iterator[dict[str, Any]]:
    for turn in range(TURNS):
        value = draw.choices(range(1, 5), JUDGED)[0] if draw.random() < low else 5
        yield {"value": value, "scale": [1, 5], "turn": turn + 1}


def results_of(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A results file with as much as a comparison reads."""
    return {"environment": {"goal_sets": {}, "metrics": {}}, "dialogues": list(entries)}
