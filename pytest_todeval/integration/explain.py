"""What a failing assertion shows: the reason, the turn, the dialogue."""

import operator
from collections.abc import Callable
from typing import Any

from pytest_todeval.core.verdict import ScoreSeries

__all__ = ["explain_comparison"]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
}


def explain_comparison(op: str, left: object, right: object) -> list[str] | None:
    """Lines for `series >= bound`: each turn that breaks it, with score and reason."""
    if not isinstance(left, ScoreSeries) or op not in _COMPARISONS:
        return None
    if not isinstance(right, (int, float)):
        return None
    broken = left.breaking(_COMPARISONS[op], right)
    turns = ", ".join(str(score.turn) for score in broken)
    lines = [f"{left.name} {op} {right:g} in every turn: not in turn {turns}"]
    lines += [f"turn {score.turn}: {score.value:g}, {score.reason}" for score in broken]
    return lines
