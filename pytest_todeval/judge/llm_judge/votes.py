"""What several answers come to where they are no numbers: a fault counts where most name it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from pytest_todeval.core.verdict import Sample

__all__ = ["most_name", "nothing_said", "yes_or_no"]

T = TypeVar("T")


def most_name(named: Sequence[Iterable[str]]) -> list[str]:
    """What more than half of the answers name, in the order in which it was named first."""
    counts = Counter(name for names in named for name in dict.fromkeys(names))
    return [name for name, count in counts.items() if 2 * count > len(named)]


def nothing_said(samples: Sequence[Sample]) -> str | None:
    """Why the answers do not settle the question: fewer than half of them could be read.

    None where they do.
    """
    without = [sample for sample in samples if sample.value is None]
    if 2 * len(without) <= len(samples) and len(without) < len(samples):
        return None
    if len(samples) == 1:
        return without[0].reason
    first = f"; {without[0].by}: {without[0].reason}" if without else ""
    return f"{len(without)} of {len(samples)} answers cannot be read{first}"


def yes_or_no(samples: Sequence[Sample]) -> tuple[bool | None, str]:
    """What more than half of the answers (1 or 0) say, with the reason of the first to say so.

    None with why where they do not settle it.
    """
    for value in (0.0, 1.0):
        agreeing = [sample.reason for sample in samples if sample.value == value]
        if 2 * len(agreeing) > len(samples):
            return bool(value), agreeing[0]
    return None, nothing_said(samples) or "the answers are divided"
