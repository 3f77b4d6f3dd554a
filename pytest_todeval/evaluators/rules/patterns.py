"""Patterns of rule files, matched at bounded cost: the text they meet is hostile.

Python's `re` backtracks and knows no time-out. So a pattern may hold few open-ended repeats and
none inside another, and it is matched in windows of `WINDOW` characters.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

__all__ = ["MAX_COST", "WINDOW", "compiled", "search"]

WINDOW = 400
"""Characters matched at a time; windows overlap by half, so longer matches may be missed."""
MAX_COST = WINDOW * WINDOW
"""Ways to repeat, multiplied over a pattern: two open-ended repeats, or as much in closed ones."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, without regard to case.

    Raises ValueError, saying what to change, where it is no pattern or could take too long.
    """
    try:
        expression = re.compile(pattern, re.IGNORECASE)
        cost = _cost(import_module("re._parser").parse(pattern), repeated=False)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"bad pattern {pattern!r}: {error}") from error
    if cost > MAX_COST:
        raise ValueError(
            f"pattern {pattern!r} could take too long on a hostile text; use at most two "
            "open-ended repeats (`*`, `+`, `{2,}`), none inside another"
        )
    return expression


def search(pattern: str, text: str) -> str | None:
    """The first match of a pattern in a text; None where there is none."""
    expression = compiled(pattern)
    for start in range(0, max(len(text) - WINDOW // 2, 1), WINDOW // 2):
        found = expression.search(text, start, start + WINDOW)
        # what ends where a window is cut may only seem to end there
        if found and (found.end() < start + WINDOW or found.end() == len(text)):
            return found[0]
    return None


def _cost(items: Iterable[tuple[Any, Any]], *, repeated: bool) -> int:
    cost = 1
    for operation, argument in items:
        cost *= _item_cost(str(operation), argument, repeated)
    return cost


def _item_cost(operation: str, argument: Any, repeated: bool) -> int:
    match operation:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = argument
            ways = min(int(high), WINDOW) - int(low) + 1
            if ways > 1 and repeated:
                return MAX_COST + 1  # a repeat inside a repeat may split a text in 2**n ways
            inner = _cost(body, repeated=repeated or int(high) > 1)
            return max(ways, 1) * inner
        case "BRANCH":
            if repeated:
                return MAX_COST + 1  # so may alternatives
            return sum(_cost(branch, repeated=repeated) for branch in argument[1])
        case "SUBPATTERN":
            return _cost(argument[-1], repeated=repeated)
        case "ASSERT" | "ASSERT_NOT":
            return _cost(argument[1], repeated=repeated)
        case "ATOMIC_GROUP":
            return _cost(argument, repeated=repeated)
        case "GROUPREF_EXISTS":
            return sum(_cost(branch, repeated=repeated) for branch in argument[1:] if branch)
    return 1
