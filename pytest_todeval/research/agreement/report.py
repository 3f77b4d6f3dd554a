"""What the agreement of a table of ratings is, with intervals, and whether chance would do as well.

A judge is held against the people one by one, and against judges that always say the same: where
nine ratings of ten are 4 or 5, one that always says 5 agrees well by every coefficient that rests
on the declared scale, and tells nothing.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from pytest_todeval.errors import UsageError
from pytest_todeval.research.agreement import association
from pytest_todeval.research.agreement.coefficients import (
    cohen,
    fleiss,
    given,
    gwet,
    krippendorff,
    observed,
    randolph,
    table,
)
from pytest_todeval.research.agreement.ratings import Grade, Ratings, Rows
from pytest_todeval.research.agreement.weights import equal, linear, ordinal, quadratic
from pytest_todeval.runs.statistics.resampling import Interval, bootstrap, every

SAMPLES = 1000
"""Of the bootstrap and of the permutation test."""

Statistic = Callable[[Rows], float | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """One coefficient."""

    value: float | None
    """None if it has no value, such as the correlation with a rater who gave one grade only."""
    interval: Interval | None
    constant: float | None = None
    """Of a judge, what the best judge that always says the same would have."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A judge beside one that always says the same."""

    grade: Grade
    """The one that is nearest to what people gave, by the mean square of the distance."""
    nearer: float
    """How much more of the quadratic agreement with people the judge has; below 0 if less."""
    interval: Interval | None

    @property
    def better(self) -> bool | None:
        """Says whether the judge is better; None if these ratings do not decide it."""
        if self.interval is None or self.interval.low <= 0 <= self.interval.high:
            return None
        return self.interval.low > 0


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of a table of ratings."""

    items: int
    """Those that two raters rated at least."""
    raters: tuple[str, ...]
    scale: tuple[Grade, ...]
    figures: Mapping[str, Figure]
    chance: float | None
    """How likely raters who do not look at the items would agree as much: the share of shufflings
    of each rater's ratings with as much agreement (a permutation test, one-sided)."""
    constant: Constant | None = None
    """Of a judge."""


def agreement(ratings: Ratings, *, samples: int = SAMPLES, seed: int = 0) -> Agreement:
    """Returns how far all raters agree with each other, each counting the same."""
    statistics = _among_raters(ratings)
    intervals = bootstrap(ratings.by_cluster, every(statistics), number=samples, seed=seed)
    figures = {
        name: Figure(statistic(ratings.rows), intervals[name])
        for name, statistic in statistics.items()
    }
    return Agreement(
        _rated_twice(ratings.rows),
        ratings.raters,
        ratings.scale,
        figures,
        _by_chance(ratings, samples, seed),
    )


def judged_by(ratings: Ratings, judge: str, *, samples: int = SAMPLES, seed: int = 0) -> Agreement:
    """How far a judge, one of the raters, agrees with each of the others; the mean over them.

    Raises UsageError if there is no such rater.
    """
    if judge not in ratings.raters:
        raise UsageError(
            f"judge: got {judge!r}, which rated nothing; the raters are {', '.join(ratings.raters)}"
        )
    place = ratings.raters.index(judge)
    statistics = {
        name: partial(_over_people, statistic, place, None)
        for name, statistic in _of_two(ratings).items()
    }
    size = len(ratings.scale)
    near = partial(observed, weights=quadratic(ratings.scale))
    constants = {
        name: [
            value
            for grade in range(size)
            if (value := _over_people(statistic, place, grade, ratings.rows)) is not None
        ]
        for name, statistic in _of_two(ratings).items()
    }
    nearest = max(
        range(size), key=lambda grade: _over_people(near, place, grade, ratings.rows) or 0.0
    )

    def nearer(rows: Rows) -> float | None:
        judge_has = _over_people(near, place, None, rows)
        constant_has = _over_people(near, place, nearest, rows)
        return None if judge_has is None or constant_has is None else judge_has - constant_has

    intervals = bootstrap(
        ratings.by_cluster, every({**statistics, "": nearer}), number=samples, seed=seed
    )
    figures = {
        name: Figure(statistic(ratings.rows), intervals[name], max(constants[name], default=None))
        for name, statistic in statistics.items()
    }
    difference = nearer(ratings.rows)
    if difference is None:
        raise UsageError(f"judge: {judge} and the others rated no item in common")
    return Agreement(
        _rated_twice(ratings.rows),
        ratings.raters,
        ratings.scale,
        figures,
        _by_chance(ratings, samples, seed, only=place),
        Constant(ratings.scale[nearest], difference, intervals[""]),
    )


def _among_raters(ratings: Ratings) -> dict[str, Statistic]:
    scale = ratings.scale
    same, near, square = equal(scale), linear(scale), quadratic(scale)
    return {
        "agreement": partial(observed, weights=same),
        "AC1": partial(gwet, weights=same),
        "AC2, linear": partial(gwet, weights=near),
        "AC2, quadratic": partial(gwet, weights=square),
        "Randolph's kappa": partial(randolph, weights=same),
        "Fleiss' kappa": partial(fleiss, weights=same),
        "Cohen's kappa": partial(cohen, weights=same),
        "Cohen's kappa, linear": partial(cohen, weights=near),
        "Cohen's kappa, quadratic": partial(cohen, weights=square),
        "Krippendorff's alpha, nominal": partial(krippendorff, weights=same),
        "Krippendorff's alpha, ordinal": partial(_alpha_of_ranks, size=len(scale)),
        "Krippendorff's alpha, interval": partial(krippendorff, weights=square),
    }


def _alpha_of_ranks(rows: Rows, size: int) -> float | None:
    return krippendorff(rows, ordinal(given(rows, size)))


def _of_two(ratings: Ratings) -> dict[str, Statistic]:
    """Returns those of two raters; the first one is believed."""
    size = len(ratings.scale)
    found = _among_raters(ratings)
    followed = {
        "macro F1": association.f1,
        "Matthews' correlation": association.matthews,
        "Spearman's rho": association.spearman,
        "Kendall's tau": association.kendall,
    }

    def of_table(coefficient: Callable[..., float | None], rows: Rows) -> float | None:
        return coefficient(table(rows, 0, 1, size))

    return found | {name: partial(of_table, each) for name, each in followed.items()}


def _over_people(
    statistic: Statistic, judge: int, constant: int | None, rows: Rows
) -> float | None:
    """Returns the mean over the people of what the judge has with each, in items that both rated.

    `constant`: what the judge is taken to have given every time it gave something.
    """
    raters = len(next(iter(rows), ()))
    found = []
    for person in range(raters):
        if person == judge:
            continue
        both: Counter[tuple[int | None, ...]] = Counter()
        for row, times in rows.items():
            one, other = row[person], row[judge]
            if one is not None and other is not None:
                both[one, other if constant is None else constant] += times
        if both and (value := statistic(both)) is not None:
            found.append(value)
    return math.fsum(found) / len(found) if found else None


def _rated_twice(rows: Rows) -> int:
    return sum(times for row, times in rows.items() if sum(grade is not None for grade in row) > 1)


def _by_chance(ratings: Ratings, samples: int, seed: int, only: int | None = None) -> float | None:
    """`only`: the judge, whose pairs alone count."""
    weights = equal(ratings.scale)
    agreeing: Statistic = (
        partial(observed, weights=weights)
        if only is None
        else partial(_over_people, partial(observed, weights=weights), only, None)
    )
    truth = agreeing(ratings.rows)
    if truth is None:
        return None
    columns = [list(column) for column in zip(*ratings.given, strict=True)]
    rated = [[n for n, grade in enumerate(column) if grade is not None] for column in columns]
    shuffle = random.Random(seed)
    as_much = 0
    for _ in range(samples):
        for column, places in zip(columns, rated, strict=True):
            grades = [column[place] for place in places]
            shuffle.shuffle(grades)
            for place, grade in zip(places, grades, strict=True):
                column[place] = grade
        shuffled = agreeing(Counter(zip(*columns, strict=True)))
        as_much += shuffled is not None and shuffled >= truth - 1e-12
    return (1 + as_much) / (1 + samples)
