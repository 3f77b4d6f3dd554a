"""How evidence becomes a turn score from 1 to 5: one table, with a version.

The dimensions are TD-Eval's (Acikgoz et al. 2025, section 3.1), and so is the scale: 5 very good,
4 good, 3 fair, 2 bad, 1 very bad. If they ask a model, this counts what can be found: a turn has
5 unless something speaks against it. Each kind of fault allows a turn at most the score below, and
every further fault takes one more, down to 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_todeval.core.verdict import Score

__all__ = ["AT_MOST", "BEST", "JUDGE_VERSION", "WORST", "Fault", "scored"]

JUDGE_VERSION = "rule judge 2"
"""Of this table and of what finds the faults; scores of different versions are not comparable."""

WORST, BEST = 1, 5

AT_MOST: Mapping[str, int] = {
    # conversation cohesion
    "empty reply": 1,
    "echo": 1,
    "repeated again": 1,
    "repeated reply": 2,
    "one word": 2,
    "no answer": 2,
    "beside the point": 2,
    "half an answer": 3,
    "asks again": 3,
    # backend consistency
    "phantom booking": 1,
    "invented venue": 1,
    "wrong reference": 1,
    "wrong value": 2,
    "denies results": 2,
    "untold booking": 3,
    # policy compliance
    "rule broken": 2,
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that speaks against a turn."""

    kind: str
    """A key of `AT_MOST`."""
    reason: str


def scored(name: str, turn: int, faults: Iterable[Fault], good: str) -> Score:
    """The score of a turn from what speaks against it; `good` is the reason if nothing does."""
    faults = sorted(faults, key=lambda fault: AT_MOST[fault.kind])
    if not faults:
        return Score(name, BEST, good, turn, definition=JUDGE_VERSION)
    value = max(AT_MOST[faults[0].kind] - (len(faults) - 1), WORST)
    reason = "; ".join(fault.reason for fault in faults)
    return Score(name, value, reason, turn, definition=JUDGE_VERSION)
