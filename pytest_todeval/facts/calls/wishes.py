"""Whether a value is as somebody wants it; read alike by the simulated user and the metrics."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pytest_todeval.nlu.kinds.dates import DATE
from pytest_todeval.nlu.values.normalise import DONTCARE, normalise, same_value, to_minutes

SAYS_NOTHING = frozenset(
    {
        "", "?", "-", "none", "null", "nan", "n/a", "na", "unknown", "not available",
        "not mentioned", "not given", "not known", "not specified", "unspecified",
    }
)  # fmt: skip
LONGEST = 40
"""Characters of a value that are looked at to see whether it says nothing."""
EARLIEST, LATEST = "leaveAt", "arriveBy"


def given(value: object) -> bool:
    """Says whether a value says anything: absent ones, `?`, `n/a` and the like do not."""
    return value is not None and _given(str(value)[:LONGEST])


@lru_cache(maxsize=4096)
def _given(text: str) -> bool:
    return text.strip().lower() not in SAYS_NOTHING


def wants(slot: str, wish: object) -> bool:
    """Says whether a wish asks for anything: not for "any"."""
    return given(wish) and normalise(slot, wish) != DONTCARE


def agrees(slot: str, one: object, other: object) -> bool:
    """Says whether two values of a slot do not contradict each other: they mean the same, or one of
    them says nothing, or leaves it open ("any").
    """
    if not given(one) or not given(other):
        return True
    if {normalise(slot, one), normalise(slot, other)} & {"", DONTCARE}:
        return True
    return same_value(slot, one, other) or _same_date(str(one)[:LONGEST], str(other)[:LONGEST])


@lru_cache(maxsize=4096)
def _same_date(one: str, other: str) -> bool:
    """Says whether both are dates, and the same: `2019-03-08` is "March 8th"."""
    dates = [(span, text) for text in (one, other) for span in DATE.spans(text)]
    whole = all(span.end - span.start == len(text.strip()) for span, text in dates)
    return len(dates) == 2 and whole and DATE.same(dates[0][0], dates[1][0])


def meets(domain: str, slot: str, wanted: object, got: object) -> bool:
    """Says whether a value meets a wish.

    A value that says nothing meets any wish, as in the MultiWOZ databases. What leaves after
    `leaveAt`, or arrives before `arriveBy`, meets it; a taxi comes at the time it is ordered for.
    """
    if agrees(slot, wanted, got):
        return True
    if domain == "taxi" or slot not in (EARLIEST, LATEST):
        return False
    wish, time = (to_minutes(normalise(slot, value)) for value in (wanted, got))
    if wish is None or time is None:
        return True
    return time >= wish if slot == EARLIEST else time <= wish


def broken(domain: str, wishes: Mapping[str, str], values: Mapping[str, Any]) -> str | None:
    """Returns the first wish that values do not meet, as a clause; None if they meet all."""
    for slot, wanted in wishes.items():
        if not meets(domain, slot, wanted, values.get(slot)):
            return f"whose {slot} is {str(values[slot])!r}; the goal wants {wanted!r}"
    return None
