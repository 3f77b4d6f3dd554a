"""A rate that a judge gave, corrected for the errors that people found in its grades.

People rate some of the items, the judge all of them. An item is *good* if its grade is at least
the declared one; what several people say of one item is averaged.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from pytest_todeval.errors import UsageError
from pytest_todeval.research.agreement.ratings import Grade, Ratings, Row, Rows
from pytest_todeval.runs.statistics.mean_interval import mean_interval
from pytest_todeval.runs.statistics.resampling import Interval, bootstrap, every

SAMPLES = 2000
NORMAL = 1.96
"""Standard errors that an interval of 95 % reaches to either side."""


Said = tuple[float | None, float | None]
"""Of an item: the share of people who call it good, and whether the judge does."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of good items, 0 to 1."""

    value: float | None
    """None if the method has no value here, such as for a judge that is right by chance only."""
    interval: Interval | None

    def passes(self, bound: float) -> bool | None:
        """Says whether the rate is at least `bound`; None if its interval holds the bound."""
        if self.interval is None or self.interval.low < bound <= self.interval.high:
            return None
        return self.interval.low >= bound


@dataclass(frozen=True, slots=True)
class Corrected:
    """The share of good items by the judge, by people, and corrected in two ways."""

    judge: Rate
    judged: int
    """Items that the judge rated."""
    people: Rate
    rated: int
    """Items that the judge and somebody else rated."""
    powered: Rate
    """Prediction-powered (Angelopoulos et al. 2023, PPI++): what people said, moved by what the
    judge said of the items that nobody else rated, as far as it has proved to foresee people."""
    rogan_gladen: Rate
    """Rogan and Gladen 1978: from the judge's shares of right yes and right no."""
    too_good: int
    """Pairs of ratings in which the judge said good and a person did not."""
    too_bad: int
    """Pairs in which a person said good and the judge did not."""


def corrected(
    ratings: Ratings, judge: str, good: Grade, *, samples: int = SAMPLES, seed: int = 0
) -> Corrected:
    """Returns the judge's rate of items with at least the grade `good`, corrected.

    Raises UsageError if there is no such rater or grade, or if people rated fewer than two items.
    """
    if judge not in ratings.raters:
        raise UsageError(f"judge: got {judge!r}; the raters are {', '.join(ratings.raters)}")
    if good not in ratings.scale[1:]:
        told = ", ".join(map(str, ratings.scale[1:]))
        raise UsageError(f"good: got {good!r}, expected one of {told}")
    read = partial(_read, ratings.raters.index(judge), ratings.scale.index(good))
    rows = ratings.rows
    labelled = [(row, times) for row, times in rows.items() if _both(read(row))]
    rated = sum(times for _, times in labelled)
    if rated < 2:
        raise UsageError(
            f"judge: people rated {rated} of the items that {judge} rated; expected 2 or more"
        )
    methods: dict[str, Callable[[Rows], float | None]] = {
        "judge": lambda rows: _mean(rows, read, 1),
        "people": lambda rows: _mean(rows, read, 0, only_both=True),
        "powered": lambda rows: _powered(rows, read),
        "rogan_gladen": lambda rows: _rogan_gladen(rows, read),
    }
    intervals = bootstrap(ratings.by_cluster, every(methods), number=samples, seed=seed)
    said = [(*read(row), times) for row, times in rows.items()]
    ends = {
        "judge": _widest(intervals["judge"], [(j, n) for _, j, n in said if j is not None]),
        "people": _widest(
            intervals["people"], [(p, n) for p, j, n in said if p is not None and j is not None]
        ),
        "powered": _powered_ends(intervals["powered"], rows, read),
        "rogan_gladen": intervals["rogan_gladen"],
    }
    rates = {name: Rate(method(rows), ends[name]) for name, method in methods.items()}
    return Corrected(
        rates["judge"],
        sum(times for row, times in rows.items() if read(row)[1] is not None),
        rates["people"],
        rated,
        rates["powered"],
        rates["rogan_gladen"],
        *_errors(ratings, judge, good),
    )


def _widest(
    drawn: Interval | None,
    values: Sequence[tuple[float, int]],
    low: float = 0.0,
    width: float = 1.0,
    added: float = 0.0,
    error: float = 0.0,
) -> Interval | None:
    """Returns the ends by resampling, widened to those of `mean_interval`: few labels that all
    agree leave errors open that no resample shows.

    `values`: from `low` on, over so wide a span, each as often as counted. `added`: to their mean;
    `error`: half the interval of what is added.
    """
    every = [(value - low) / width for value, times in values for _ in range(times)]
    if drawn is None or not every:
        return drawn
    least, most = (low + width * end + added for end in mean_interval(every, drawn.level))
    least, most = max(0.0, least - error), min(1.0, most + error)
    return Interval(min(drawn.low, least), max(drawn.high, most), drawn.level)


def _powered_ends(
    drawn: Interval | None, rows: Rows, read: Callable[[Row], Said]
) -> Interval | None:
    """Those of what people said less what the judge foresaw, with the judge's rate added."""
    trust, alone_good, alone = _trust(rows, read)
    rest = [
        (person - trust * judge, times)
        for (person, judge), times in ((read(row), times) for row, times in rows.items())
        if person is not None and judge is not None
    ]
    share = alone_good / alone if alone else 0.0
    error = NORMAL * trust * math.sqrt(share * (1 - share) / alone) if alone else 0.0
    return _widest(drawn, rest, -trust, 1 + trust, trust * share, error)


def _read(judge: int, good: int, row: Row) -> Said:
    people = [g >= good for n, g in enumerate(row) if n != judge and g is not None]
    given = row[judge]
    return (
        math.fsum(people) / len(people) if people else None,
        None if given is None else float(given >= good),
    )


def _both(said: Said) -> bool:
    return None not in said


def _mean(
    rows: Rows, read: Callable[[Row], Said], place: int, *, only_both: bool = False
) -> float | None:
    total, count = 0.0, 0
    for row, times in rows.items():
        said = read(row)
        value = said[place]
        if value is not None and (_both(said) or not only_both):
            total += times * value
            count += times
    return total / count if count else None


def _trust(rows: Rows, read: Callable[[Row], Said]) -> tuple[float, float, float]:
    """How far the judge foresees people, and how many items it alone called good, and rated."""
    both = [(*read(row), times) for row, times in rows.items()]
    labelled = [(p, j, n) for p, j, n in both if p is not None and j is not None]
    alone = sum(n for p, j, n in both if p is None and j is not None)
    alone_good = sum(n * j for p, j, n in both if p is None and j is not None)
    count = sum(n for *_, n in labelled)
    if not count or not alone:
        return 0.0, alone_good, alone
    person, judge = (sum(each[at] * each[2] for each in labelled) / count for at in (0, 1))
    together = sum(n * (p - person) * (j - judge) for p, j, n in labelled) / count
    spread = sum(n * (j - judge) ** 2 for _, j, n in labelled) / count
    trust = min(1.0, max(0.0, together / (spread * (1 + count / alone)))) if spread else 0.0
    return trust, alone_good, alone


def _powered(rows: Rows, read: Callable[[Row], Said]) -> float | None:
    trust, alone_good, alone = _trust(rows, read)
    person = _mean(rows, read, 0, only_both=True)
    judge = _mean(rows, read, 1, only_both=True)
    if person is None or judge is None or not alone:
        return person
    return person + trust * (alone_good / alone - judge)


def _rogan_gladen(rows: Rows, read: Callable[[Row], Said]) -> float | None:
    good = right_good = bad = right_bad = 0.0
    for row, times in rows.items():
        person, judge = read(row)
        if person is None or judge is None:
            continue
        good += times * person
        right_good += times * person * judge
        bad += times * (1 - person)
        right_bad += times * (1 - person) * (1 - judge)
    said = _mean(rows, read, 1)
    if not good or not bad or said is None:
        return None
    sensitivity, specificity = right_good / good, right_bad / bad
    if sensitivity + specificity <= 1:
        return None
    return min(1.0, max(0.0, (said + specificity - 1) / (sensitivity + specificity - 1)))


def _errors(ratings: Ratings, judge: str, good: Grade) -> tuple[int, int]:
    place, least = ratings.raters.index(judge), ratings.scale.index(good)
    too_good = too_bad = 0
    for row in ratings.given:
        given = row[place]
        if given is None:
            continue
        for number, grade in enumerate(row):
            if number != place and grade is not None:
                too_good += given >= least > grade
                too_bad += grade >= least > given
    return too_good, too_bad
