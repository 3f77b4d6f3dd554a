"""What a kind of value is: its forms in a text, and when two of them mean the same."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

LONGEST = 8000
"""Characters of a text in which values are looked for."""


@dataclass(frozen=True, slots=True)
class Span:
    """A value in a text."""

    start: int
    end: int
    readings: tuple[Any, ...]
    """What it may mean: `03/04` is a day in March or in April."""
    sure: bool = True
    """Whether its form is that of this kind alone: `$5` is an amount, a bare `5` may be one."""


@dataclass(frozen=True)
class Kind:
    """A kind of value, such as phone numbers or dates."""

    name: str
    find: Callable[[str], Iterable[Span]]
    """Finds the values of this kind in a text, in any order."""
    agree: Callable[[Any, Any], bool] = lambda one, other: bool(one == other)
    """Whether two readings mean the same value."""
    shaped: bool = True
    """Whether a value can be told from other words by its form. If it can, a text in which nothing
    has that form tells no value."""

    def spans(self, text: str) -> Sequence[Span]:
        """The values of this kind in a text, in order, none inside another; sure ones first."""
        text = text[:LONGEST]
        found = sorted(self.find(text), key=lambda span: (not span.sure, span.start - span.end))
        return sorted(_apart(found), key=lambda span: span.start)

    def same(self, one: Span, other: Span) -> bool:
        """Says whether two spans may mean the same value."""
        return any(self.agree(a, b) for a in one.readings for b in other.readings)

    def told(self, value: str, text: str) -> Sequence[Span] | None:
        """Returns where a text tells a value; empty if it does not.

        None if the value itself has none of this kind's forms, so that nothing can be said.
        A value of several parts ("3 to 5 days") is told if each part is.
        """
        wanted = self.spans(value)
        if not wanted:
            return None
        said = self.spans(text)
        found = [[span for span in said if self.same(part, span)] for part in wanted]
        return [spans[0] for spans in found] if all(found) else []


def _apart(spans: Iterable[Span]) -> Iterator[Span]:
    taken: list[Span] = []
    for span in spans:
        if all(span.end <= other.start or other.end <= span.start for other in taken):
            taken.append(span)
            yield span
