"""Each coefficient beside the field's own libraries, on random tables, if they are installed."""

import math
import random
import warnings
from collections.abc import Sequence
from typing import Any

import pytest

from pytest_todeval.research.agreement import association
from pytest_todeval.research.agreement.coefficients import (
    cohen,
    fleiss,
    given,
    gwet,
    krippendorff,
    randolph,
    table,
)
from pytest_todeval.research.agreement.ratings import Ratings
from pytest_todeval.research.agreement.weights import equal, linear, ordinal, quadratic

pytestmark = pytest.mark.thorough
TABLES = 200
WEIGHTS = {"identity": equal, "linear": linear, "quadratic": quadratic}


def tables(missing: bool) -> list[Ratings]:
    """Raters who give what an item deserves six times of ten, else anything."""
    draw = random.Random(11)
    found = []
    for _ in range(TABLES):
        scale = tuple(range(1, draw.choice([2, 3, 5, 7]) + 1))
        raters = draw.choice([2, 3, 6])
        holes = draw.choice([0.1, 0.3]) if missing else 0
        rows: list[Sequence[int | None]] = []
        for _ in range(draw.randint(6, 60)):
            worth = draw.choice(scale)
            grades = [worth if draw.random() < 0.6 else draw.choice(scale) for _ in range(raters)]
            rows.append([None if draw.random() < holes else grade for grade in grades])
        found.append(Ratings.of(scale, [row for row in rows if any(row)]))
    return found


def cells(ratings: Ratings) -> list[list[float]]:
    return [
        [math.nan if place is None else float(ratings.scale[place]) for place in row]
        for row in ratings.given
    ]


def grades(ratings: Ratings) -> list[list[Any]]:
    return [[None if p is None else ratings.scale[p] for p in row] for row in ratings.given]


def same(ours: float | None, theirs: Any) -> bool:
    if ours is None:
        return not math.isfinite(theirs)
    return math.isclose(ours, float(theirs), abs_tol=1e-9)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", WEIGHTS)
def test_gwets_own(name: str, missing: bool) -> None:
    raw = pytest.importorskip("irrCAC.raw")
    pandas = pytest.importorskip("pandas")
    for ratings in tables(missing):
        weights = WEIGHTS[name](ratings.scale)
        categories = [float(grade) for grade in ratings.scale]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = raw.CAC(
                pandas.DataFrame(cells(ratings)), weights=name, categories=categories, digits=12
            )
            for ours, other in (
                (gwet, theirs.gwet),
                (randolph, theirs.bp),
                (fleiss, theirs.fleiss),
            ):
                assert same(ours(ratings.rows, weights), other()["est"]["coefficient_value"])


@pytest.mark.parametrize("missing", [False, True])
def test_krippendorffs(missing: bool) -> None:
    library = pytest.importorskip("krippendorff")
    numpy = pytest.importorskip("numpy")
    for ratings in tables(missing):
        ranks = ordinal(given(ratings.rows, len(ratings.scale)))
        levels = {"nominal": equal(ratings.scale), "interval": quadratic(ratings.scale)}
        for level, weights in {**levels, "ordinal": ranks}.items():
            theirs = library.alpha(
                reliability_data=numpy.array(cells(ratings)).T,
                value_domain=[float(grade) for grade in ratings.scale],
                level_of_measurement=level,
            )
            assert same(krippendorff(ratings.rows, weights), theirs), level


def test_statsmodels() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    numpy = pytest.importorskip("numpy")
    for ratings in tables(missing=False):
        counts = inter_rater.aggregate_raters(numpy.array(ratings.given), n_cat=len(ratings.scale))[
            0
        ]
        weights = equal(ratings.scale)
        assert same(fleiss(ratings.rows, weights), inter_rater.fleiss_kappa(counts))
        assert same(randolph(ratings.rows, weights), inter_rater.fleiss_kappa(counts, "randolph"))


def test_scikit_learn_and_scipy() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    stats = pytest.importorskip("scipy.stats")
    for ratings in tables(missing=False):
        pair = Ratings.of(ratings.scale, [row[:2] for row in grades(ratings)])
        one, other = zip(*cells(pair), strict=True)
        counts = table(pair.rows, 0, 1, len(pair.scale))
        for name, weights in ((None, equal), ("linear", linear), ("quadratic", quadratic)):
            theirs = metrics.cohen_kappa_score(one, other, labels=list(pair.scale), weights=name)
            assert same(cohen(pair.rows, weights(pair.scale)), theirs), name
        assert same(association.f1(counts), metrics.f1_score(one, other, average="macro"))
        assert same(association.matthews(counts), metrics.matthews_corrcoef(one, other))
        assert same(association.spearman(counts), stats.spearmanr(one, other)[0])
        assert same(association.kendall(counts), stats.kendalltau(one, other)[0])
