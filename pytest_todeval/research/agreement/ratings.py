"""Ratings: what several raters gave to the same items, on a declared scale."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pytest_todeval.errors import UsageError

Grade = float | str
"""A value of the scale: a number, or a label."""

Row = tuple[int | None, ...]
"""What an item was given: a place on the scale by rater, 0 for the lowest; None if not rated."""

Rows = Mapping[Row, int]
"""Items, without their names: how many were given the same by everybody."""


@dataclass(frozen=True)
class Ratings:
    """Items by raters."""

    scale: tuple[Grade, ...]
    """All grades that could be given, from the lowest to the highest, given or not. A coefficient
    whose chance agreement rests on the scale (AC1, AC2, Randolph's) is another one on another."""
    raters: tuple[str, ...]
    items: tuple[str, ...]
    given: tuple[Row, ...]
    """By item."""
    clusters: tuple[str, ...] = field(default=())
    """By item, what it belongs to, such as its dialogue: items of one cluster are resampled
    together. Without any, each item stands for itself."""

    def __post_init__(self) -> None:
        if len(set(self.raters)) < len(self.raters):
            raise UsageError(f"ratings: two raters have one name, among {', '.join(self.raters)}")

    @classmethod
    def of(
        cls,
        scale: Sequence[Grade],
        rows: Sequence[Sequence[Grade | None]],
        *,
        raters: Sequence[str] = (),
        items: Sequence[str] = (),
        clusters: Sequence[str] = (),
    ) -> "Ratings":
        """From rows of as many grades, an item each.

        Raises UsageError on a grade that is not on the scale, and on two raters of one name.
        """
        place = {grade: number for number, grade in enumerate(scale)}
        for number, row in enumerate(rows, 1):
            if wrong := [grade for grade in row if grade is not None and grade not in place]:
                told = ", ".join(map(str, scale))
                raise UsageError(f"item {number}: got {wrong[0]!r}, expected one of {told}")
        return cls(
            tuple(scale),
            tuple(raters) or tuple(f"rater {number}" for number in range(1, len(rows[0]) + 1)),
            tuple(items) or tuple(map(str, range(1, len(rows) + 1))),
            tuple(tuple(None if g is None else place[g] for g in row) for row in rows),
            tuple(clusters),
        )

    @cached_property
    def rows(self) -> Rows:
        """Returns the items by what they were given; those that nobody rated are left out."""
        return Counter(row for row in self.given if any(grade is not None for grade in row))

    @cached_property
    def by_cluster(self) -> tuple[Rows, ...]:
        """Returns the same, by cluster, in the order of their first items."""
        found: dict[str, Counter[Row]] = {}
        for name, row in zip(self.clusters or self.items, self.given, strict=True):
            if any(grade is not None for grade in row):
                found.setdefault(name, Counter())[row] += 1
        return tuple(found.values())
