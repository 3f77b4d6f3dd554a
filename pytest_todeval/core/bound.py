"""What a score is compared with: signs, and the bounds that decide anything on a scale."""

import operator
from collections.abc import Callable, Mapping

SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    ">": operator.gt,
    "<=": operator.le,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}


def decides(sign: str, bound: float, least: float, most: float) -> bool:
    """Says whether some numbers from `least` to `most` meet the comparison and others do not."""
    if sign in (">=", "<"):
        return least < bound <= most
    if sign in (">", "<="):
        return least <= bound < most
    return least <= bound <= most


def good(least: float, most: float) -> float:
    """A bound that a good bot meets and a bad one does not: one less than the most, if it can."""
    return most - 1 if most - least > 1 else most
