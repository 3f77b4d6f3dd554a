"""Patterns of rule files, matched at bounded cost: the text they meet is hostile.

Python's `re` backtracks and knows no time-out. So a pattern may hold two open-ended repeats, with
nothing in them that can match in several ways; it is matched in windows of `WINDOW` characters, and
given up after `MOST_SECONDS` of the processor.
"""

import re
import time
import warnings
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

from pytest_todeval.errors import JudgeFault

WINDOW = 400
"""Characters matched at a time; windows overlap by half, so longer matches may be missed."""
MAX_COST = (WINDOW + 1) ** 2
"""Ways a pattern may match from one place: two open-ended repeats, or as much in closed ones."""

MOST_SECONDS = 0.5
"""For all of a text; a usual pattern needs some milliseconds for 20,000 characters."""


@lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, without regard to case.

    Raises ValueError, saying what to change, if it is no pattern or could take too long.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Python may read otherwise one day, e.g. `[[`
            expression = re.compile(pattern, re.IGNORECASE)
            cost = _cost(import_module("re._parser").parse(pattern))
    except (re.error, RecursionError, OverflowError, Warning) as error:
        raise ValueError(f"bad pattern {pattern!r}: {error}") from error
    if cost > MAX_COST:
        raise ValueError(
            f"pattern {pattern!r} could take too long on a hostile text; use at most two "
            "open-ended repeats (`*`, `+`, `{2,}`), none inside another, and no back-reference"
        )
    return expression


def search(pattern: str, text: str) -> str | None:
    """Returns the first match of a pattern in a text; None if there is none.

    Raises JudgeFault if the pattern takes too long on this text: then nobody knows.
    """
    expression, end = compiled(pattern), time.thread_time() + MOST_SECONDS
    for start in range(0, max(len(text) - WINDOW // 2, 1), WINDOW // 2):
        if start and time.thread_time() > end:
            raise JudgeFault(
                f"the pattern {pattern!r:.200} took more than {MOST_SECONDS:g} s for "
                f"{start:,} of {len(text):,} characters of a reply: nobody knows if it matches. "
                "With fewer `*` and `+` that match the same it is faster"
            )
        found = expression.search(text, start, start + WINDOW)
        # what ends where a window is cut may only seem to end there
        if found and (found.end() < start + WINDOW or found.end() == len(text)):
            return found[0]
    return None


def _cost(items: Iterable[tuple[Any, Any]]) -> int:
    """In how many ways a pattern may try to match from one place, cut at `MAX_COST` + 1."""
    ways = 1
    for operation, argument in items:
        ways = min(ways * _item_cost(str(operation), argument), MAX_COST + 1)
    return ways


def _item_cost(operation: str, argument: Any) -> int:
    match operation:
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, body = argument
            times = min(int(high), WINDOW)
            # each time round may go any way: (a+)+ splits a text in 2**n ways
            ways: int = (times - min(int(low), times) + 1) * _cost(body) ** times
            return ways
        case "BRANCH":
            return sum(_cost(branch) for branch in argument[1])
        case "SUBPATTERN":
            return _cost(argument[-1])
        case "ASSERT" | "ASSERT_NOT":
            return _cost(argument[1])
        case "ATOMIC_GROUP":
            return _cost(argument)
        case "GROUPREF":
            return MAX_COST + 1  # what it repeats is not known, and may be as long as the text
        case "GROUPREF_EXISTS":
            return sum(_cost(branch) for branch in argument[1:] if branch)
    return 1
