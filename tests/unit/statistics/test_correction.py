"""A judge's rate, corrected for the errors that people found."""

import random
from pathlib import Path

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.research.agreement.correction import corrected
from pytest_todeval.research.agreement.ratings import Ratings
from tests.conftest import Todeval

SCALE = (1, 2, 3, 4, 5)


def lenient(seed: int, items: int = 600, rated: int = 120) -> Ratings:
    """Of these items 80 % are good; the judge calls 97 % of the good and 40 % of the bad so."""
    draw = random.Random(seed)
    rows: list[list[int | None]] = []
    for number in range(items):
        good = draw.random() < 0.8
        judge = draw.random() < (0.97 if good else 0.4)
        rows.append([(5 if good else 2) if number < rated else None, 4 if judge else 1])
    return Ratings.of(SCALE, rows, raters=("ann", "judge"))


def test_the_corrected_rates_hold_the_truth_that_the_judges_own_misses() -> None:
    runs = [corrected(lenient(seed), "judge", 4, samples=200, seed=seed) for seed in range(20)]

    def holding(name: str) -> int:
        intervals = [getattr(run, name).interval for run in runs]
        return sum(one is not None and one.low <= 0.8 <= one.high for one in intervals)

    assert holding("powered") >= 17
    assert holding("rogan_gladen") >= 17
    assert holding("judge") <= 3


def test_values_by_hand() -> None:
    # people: 2 of 4 good; the judge says so of 3 of these, and of 3 of the other 4
    rows: list[list[int | None]] = [
        [5, 5],
        [5, 5],
        [1, 5],
        [1, 1],
        [None, 5],
        [None, 5],
        [None, 5],
        [None, 1],
    ]
    found = corrected(Ratings.of(SCALE, rows, raters=("ann", "judge")), "judge", 4, samples=10)

    assert (found.judge.value, found.judged) == (0.75, 8)
    assert (found.people.value, found.rated) == (0.5, 4)
    # right yes 2 of 2, right no 1 of 2
    assert found.rogan_gladen.value == pytest.approx((0.75 + 0.5 - 1) / (1 + 0.5 - 1))
    # the judge said of the rest what it said of these, so nothing is moved
    assert found.powered.value == 0.5
    assert (found.too_good, found.too_bad) == (1, 0)


def test_peoples_rate_is_that_of_the_items_that_the_judge_rated_too() -> None:
    rows: list[list[int | None]] = [[5, 5], [1, 1], [5, None], [5, None], [None, 5]]
    found = corrected(Ratings.of(SCALE, rows, raters=("ann", "judge")), "judge", 4, samples=10)

    assert (found.people.value, found.rated) == (0.5, 2)
    assert found.judge.value == pytest.approx(2 / 3)
    assert found.judged == 3
    assert (found.too_good, found.too_bad) == (0, 0)


def test_what_the_judge_says_of_the_rest_moves_the_rate_as_far_as_it_is_right() -> None:
    rows: list[list[int | None]] = [[5, 5], [5, 5], [1, 1], [1, 1], *[[None, 5]] * 4]
    found = corrected(Ratings.of(SCALE, rows, raters=("ann", "judge")), "judge", 4, samples=10)

    # a judge that is always right: its trust is 1 / (1 + 4 / 4)
    assert found.powered.value == pytest.approx(0.5 + 0.5 * (1 - 0.5))


def test_a_judge_that_always_says_good_moves_nothing() -> None:
    rows: list[list[int | None]] = [[5, 5], [1, 5], [1, 5], *[[None, 5]] * 9]
    found = corrected(Ratings.of(SCALE, rows, raters=("ann", "judge")), "judge", 4, samples=50)

    assert found.powered.value == pytest.approx(1 / 3)
    assert found.rogan_gladen.value is None
    assert found.rogan_gladen.interval is None


@pytest.mark.parametrize(
    ("judge", "good", "told"),
    [
        ("jugde", 4, "got 'jugde'; the raters are ann, judge"),
        ("judge", 1, "good: got 1, expected one of 2, 3, 4, 5"),
        ("judge", 6, "good: got 6"),
    ],
)
def test_what_cannot_be_corrected(judge: str, good: int, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        corrected(lenient(1, items=10, rated=5), judge, good, samples=5)


def test_people_must_have_rated_something() -> None:
    with pytest.raises(UsageError, match="people rated 1 of the items that judge rated"):
        corrected(lenient(1, items=10, rated=1), "judge", 4)


def test_the_command_says_if_a_gate_would_be_decided_otherwise(
    tmp_path: Path, todeval: Todeval
) -> None:
    path = tmp_path / "r.csv"
    ratings = lenient(3, items=600, rated=300)
    cells = [",".join("" if g is None else str(g + 1) for g in row) for row in ratings.given]
    path.write_text("\n".join(["ann,judge", *cells]), encoding="utf-8")
    options = ["--scale", "1-5", "--judge", "judge", "--good", "4"]

    told = todeval("agreement", path, *options, "--gate", "0.85").out
    assert "a gate at 0.85 passes by judge's word, and fails once" in told


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--good", "4"], "--good needs --judge"),
        (["--judge", "b", "--gate", "0.9"], "--gate needs --good"),
        (["--judge", "b", "--good", "4", "--gate", "90"], "--gate: got 90, expected a share"),
    ],
)
def test_options_that_need_others(
    tmp_path: Path, todeval: Todeval, options: list[str], told: str
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,b\n5,4\n4,4\n", encoding="utf-8")

    assert told in todeval("agreement", path, "--scale", "1-5", *options, code=2).err
