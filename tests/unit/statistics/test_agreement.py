"""Agreement of raters: values worked out by hand, and what must hold of every table."""

import math
import random
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from inspect import signature

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_todeval.errors import UsageError
from pytest_todeval.research.agreement import association, weights
from pytest_todeval.research.agreement.coefficients import (
    cohen,
    fleiss,
    gwet,
    krippendorff,
    observed,
    randolph,
)
from pytest_todeval.research.agreement.ratings import Grade, Ratings, Rows
from pytest_todeval.research.agreement.report import agreement, judged_by
from pytest_todeval.research.agreement.weights import Weights

Coefficient = Callable[[Rows, Weights], float | None]
Table = list[list[int | None]]
SAME = weights.equal((1, 2))
TWO = [[1, 1]] * 6 + [[1, 2]] * 2 + [[2, 1]] + [[2, 2]]
"""Ten items of two raters: 7 agree; the first gave 8 ones, the second 7."""
CHANCE: dict[Coefficient, Fraction] = {
    gwet: Fraction(3, 8),  # 2 * .75 * .25, the share of ones being 15 / 20
    randolph: Fraction(1, 2),
    fleiss: Fraction(5, 8),  # .75 ** 2 + .25 ** 2
    cohen: Fraction(62, 100),  # .8 * .7 + .2 * .3
}


@pytest.mark.parametrize("coefficient", CHANCE, ids=lambda each: each.__name__)
def test_agreement_beyond_chance(coefficient: Coefficient) -> None:
    by_chance = CHANCE[coefficient]
    expected = (Fraction(7, 10) - by_chance) / (1 - by_chance)

    found = coefficient(Ratings.of((1, 2), TWO).rows, SAME)

    assert found == pytest.approx(float(expected))


def test_krippendorff_draws_without_putting_back() -> None:
    # 20 ratings, 15 ones and 5 twos: two of them are alike with (15 * 14 + 5 * 4) / (20 * 19)
    by_chance = Fraction(230, 380)

    found = krippendorff(Ratings.of((1, 2), TWO).rows, SAME)

    assert found == pytest.approx(float((Fraction(7, 10) - by_chance) / (1 - by_chance)))


def test_the_declared_scale_counts_not_the_grades_that_were_given() -> None:
    narrow, wide = Ratings.of((1, 2), TWO), Ratings.of((1, 2, 3, 4, 5), TWO)

    assert fleiss(narrow.rows, SAME) == fleiss(wide.rows, weights.equal(wide.scale))
    assert gwet(wide.rows, weights.equal(wide.scale)) > gwet(narrow.rows, SAME)  # type: ignore[operator]
    assert randolph(wide.rows, weights.equal(wide.scale)) == pytest.approx((0.7 - 0.2) / 0.8)


def test_weights_by_distance_on_the_scale() -> None:
    assert weights.linear((1, 2, 5))[0] == [1, 0.75, 0]
    assert weights.quadratic((1, 3, 5))[0] == [1, 0.75, 0]
    assert weights.linear(("bad", "fair", "good"))[2] == [0, 0.5, 1]
    assert weights.ordinal([2, 4, 2])[0] == pytest.approx([1, 1 - 9 / 36, 0])


def test_missing_ratings_leave_the_item_to_those_who_rated_it() -> None:
    rows = Ratings.of((1, 2), [[1, 1, None], [1, None, None], [2, 1, 2], [None, None, None]]).rows

    # the first agrees, the second has no pair, of the third's three pairs one agrees
    assert observed(rows, SAME) == pytest.approx((1 + 1 / 3) / 2)
    # ones: all, all, and a third of three items
    share = (1 + 1 + 1 / 3) / 3
    by_chance = share**2 + (1 - share) ** 2
    expected = ((1 + 1 / 3) / 2 - by_chance) / (1 - by_chance)
    assert fleiss(rows, SAME) == pytest.approx(expected)


@pytest.mark.parametrize("coefficient", [fleiss, cohen, krippendorff])
def test_raters_who_gave_one_grade_only_have_no_such_coefficient(coefficient: Coefficient) -> None:
    assert coefficient(Ratings.of((1, 2), [[1, 1]] * 5).rows, SAME) is None


def test_samples_are_as_many_as_the_docs_say() -> None:
    for function in (agreement, judged_by):
        assert signature(function).parameters["samples"].default == 1000


def test_nothing_rated_twice_has_no_agreement() -> None:
    rows = Ratings.of((1, 2), [[1, None], [None, 2]]).rows

    assert [each(rows, SAME) for each in (observed, gwet, fleiss, cohen, krippendorff)] == [
        None
    ] * 5


def test_following_one_who_is_believed() -> None:
    # believed by given: 1 as 1 three times, 1 as 2 once, 2 as 2 twice
    counts = [[3.0, 1.0], [0.0, 2.0]]

    assert association.f1(counts) == pytest.approx((6 / 7 + 4 / 5) / 2)
    assert association.matthews(counts) == pytest.approx((3 * 2 - 0) / math.sqrt(3 * 3 * 4 * 2))
    phi = association.matthews(counts)
    assert association.spearman(counts) == pytest.approx(phi)  # of two grades they are one
    assert association.kendall(counts) == pytest.approx(phi)


def test_a_follower_who_gives_one_grade_only_has_no_correlation() -> None:
    counts = [[3.0, 0.0], [2.0, 0.0]]

    assert association.matthews(counts) is None
    assert association.spearman(counts) is None
    assert association.kendall(counts) is None


def test_a_judge_that_always_says_the_same_is_no_better_than_that() -> None:
    people = [5] * 18 + [1, 2]
    found = judged_by(
        Ratings.of(range(1, 6), [[grade, 5] for grade in people], raters=("ann", "judge")),
        "judge",
        samples=200,
    )

    assert found.constant is not None
    assert found.constant.nearer == 0
    assert found.constant.grade == 5
    assert found.constant.better is None
    assert found.figures["AC1"].value == found.figures["AC1"].constant
    assert found.figures["Cohen's kappa"].value == 0
    assert found.figures["Spearman's rho"].value is None
    assert found.figures["Spearman's rho"].interval is None
    assert found.chance == 1


def test_a_judge_that_sees_is_better_and_one_that_sees_the_contrary_is_worse() -> None:
    people = [1, 2, 3, 4, 5] * 8
    seeing = Ratings.of(range(1, 6), [[g, g] for g in people], raters=("ann", "judge"))
    contrary = Ratings.of(range(1, 6), [[g, 6 - g] for g in people], raters=("ann", "judge"))

    one, other = (judged_by(each, "judge", samples=200) for each in (seeing, contrary))

    assert one.constant is not None
    assert one.constant.better is True
    assert other.constant is not None
    assert other.constant.better is False
    assert one.chance == pytest.approx(1 / 201)


def test_a_judge_is_held_against_each_person() -> None:
    rows: Table = [[1, 1, 1], [2, 1, 1], [1, 1, None], [2, None, 2]]
    ratings = Ratings.of((1, 2), rows, raters=("ann", "judge", "bob"))

    found = judged_by(ratings, "judge", samples=50)

    # with ann 2 of 3 (both rated three items), with bob 2 of 2
    assert found.figures["agreement"].value == pytest.approx((2 / 3 + 1) / 2)


def test_an_unknown_judge_is_told_with_the_raters() -> None:
    with pytest.raises(UsageError, match=r"got 'jugde', .* the raters are ann, judge"):
        judged_by(Ratings.of((1, 2), [[1, 1]], raters=("ann", "judge")), "jugde")


def test_items_of_one_dialogue_are_resampled_together() -> None:
    rows = [[1, 1]] * 10 + [[1, 2]] * 10
    alone = Ratings.of((1, 2), rows)
    together = Ratings.of((1, 2), rows, clusters=["a"] * 10 + ["b"] * 10)

    one = agreement(alone, samples=300).figures["agreement"].interval
    other = agreement(together, samples=300).figures["agreement"].interval

    assert one is not None
    assert other is not None
    assert (other.low, other.high) == (0, 1)
    assert 0.2 < one.low < 0.5 < one.high < 0.8


GRADES: tuple[Grade, ...] = (1, 2, 3)
TABLES = st.integers(2, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([1, 2, 3, None]), min_size=raters, max_size=raters),
        min_size=1,
        max_size=25,
    )
)
EVERY = (
    *(partial(each, weights=weights.equal(GRADES)) for each in (gwet, randolph, fleiss)),
    *(partial(each, weights=weights.quadratic(GRADES)) for each in (gwet, cohen, krippendorff)),
)


def values(rows: Table) -> list[float | None]:
    found = Ratings.of(GRADES, rows).rows
    return [None if (value := each(found)) is None else round(value, 9) for each in EVERY]


@settings(max_examples=60)
@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_of_raters_and_items_is_nothing(rows: Table, shuffle: random.Random) -> None:
    turned = [list(row) for row in rows]
    order = list(range(len(rows[0])))
    shuffle.shuffle(order)
    shuffle.shuffle(turned)

    assert values([[row[place] for place in order] for row in turned]) == values(rows)


@settings(max_examples=60)
@given(TABLES)
def test_nobody_agrees_more_than_always(rows: Table) -> None:
    assert all(value is None or value <= 1 for value in values(rows))


@settings(max_examples=60)
@given(TABLES)
def test_the_scale_turned_round_agrees_as_much(rows: Table) -> None:
    turned = [[None if grade is None else 4 - grade for grade in row] for row in rows]

    assert values(turned) == values(rows)


@settings(max_examples=60)
@given(TABLES)
def test_an_item_that_nobody_rated_changes_nothing(rows: Table) -> None:
    assert values([*rows, [None] * len(rows[0])]) == values(rows)


@settings(max_examples=60)
@given(st.lists(st.sampled_from([1, 2, 3]), min_size=2, max_size=25), st.integers(2, 4))
def test_raters_who_give_the_same_agree_wholly(column: list[int], raters: int) -> None:
    found = values([[grade] * raters for grade in column])

    assert found[0] == 1
    assert {value for value in found if value is not None} == {1}
