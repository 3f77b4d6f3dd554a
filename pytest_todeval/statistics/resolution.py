"""In how many turns goals are resolved (AutoEval-ToD, sections 3.2 and 3.3, figure 5)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Resolved:
    """Whether a dialogue was resolved, and in which turn."""

    resolved: bool
    turn: int | None = None
    """1-based; None if it never was, or if nothing tells in which turn."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What many dialogues come to."""

    total: int
    resolved: int
    turns: float | None
    """#Res: the mean turn over those resolved in a known turn; None without any."""
    by_turn: tuple[float, ...]
    """The share of all dialogues that is resolved by turn 1, 2, ... (cumulative), up to the last
    turn in which one was."""
    unplaced: int
    """How many were resolved in a turn that nothing tells: in `resolved`, in neither of the
    figures by turn."""


def resolution(dialogues: Sequence[Resolved]) -> Resolution:
    """Turns to resolution, and the share resolved by each turn."""
    resolved = [each for each in dialogues if each.resolved]
    turns = [each.turn for each in resolved if each.turn is not None]
    return Resolution(
        total=len(dialogues),
        resolved=len(resolved),
        turns=math.fsum(turns) / len(turns) if turns else None,
        by_turn=tuple(
            sum(turn <= last for turn in turns) / len(dialogues)
            for last in range(1, max(turns, default=0) + 1)
        ),
        unplaced=len(resolved) - len(turns),
    )
