"""Turns evidence into a turn score from 1 to 5: one table, with a version.

The dimensions are TD-Eval's (Acikgoz et al. 2025, section 3.1), and so is the scale: 5 very good,
4 good, 3 fair, 2 bad, 1 very bad. They ask a model; this counts what can be found: a turn has
5 unless something speaks against it. Each kind of fault allows a turn at most the score below, and
every further fault takes one more, down to 1.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from pytest_todeval.core.score import Score

JUDGE_VERSION = "rule judge 4"
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
    "no look-up": 2,
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
    """Scores a turn from what speaks against it; `good` is the reason if nothing does."""
    faults = sorted(faults, key=lambda fault: AT_MOST[fault.kind])
    if not faults:
        return Score(name, BEST, good, turn, definition=JUDGE_VERSION)
    value = max(AT_MOST[faults[0].kind] - (len(faults) - 1), WORST)
    reason = "; ".join(fault.reason for fault in faults)
    return Score(name, value, reason, turn, definition=JUDGE_VERSION)


def mean_score(name: str, parts: Sequence[Score]) -> Score:
    """Averages several scores of one turn, or of one dialogue: TD-Eval's Overall (table 3).

    Parts that are not applicable are left out; it is unscored if one of them is.
    """
    first = parts[0]
    definition = "; ".join(dict.fromkeys(part.definition for part in parts))
    values = [part.value for part in parts if part.value is not None]
    faults = [part.unscored for part in parts if part.is_fault]
    unscored = faults[0] if faults else None if values else Score.NOT_APPLICABLE
    value = None if unscored else fmean(values)
    reason = unscored or f"the mean of {', '.join(f'{each:g}' for each in values)}"
    return Score(name, value, reason, first.turn, first.scale, unscored, (), definition)
