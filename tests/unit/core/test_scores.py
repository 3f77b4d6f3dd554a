"""One score compared with a number, and what a score may be made of."""

import operator
from collections.abc import Callable

import pytest

from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.errors import JudgeFault


@pytest.mark.parametrize(
    ("compare", "holds"),
    [
        (operator.lt, (True, False, False)),
        (operator.le, (True, True, False)),
        (operator.eq, (False, True, False)),
        (operator.ne, (True, False, True)),
        (operator.ge, (False, True, True)),
        (operator.gt, (False, False, True)),
    ],
)
def test_a_score_is_compared_as_its_number_is(
    compare: Callable[[object, object], object], holds: tuple[bool, ...]
) -> None:
    assert tuple(compare(Score("polite", value, "so"), 3) for value in (2, 3, 4)) == holds


def test_a_score_of_the_same_number_and_reason_is_equal_to_it() -> None:
    score = Score("polite", 3, "so", 1)
    assert score == Score("polite", 3, "so", 1)
    assert not score != Score("polite", 3, "so", 1)  # noqa: SIM202
    assert score != Score("polite", 3, "so", 2)
    assert score != Score("polite", 4, "so", 1)


def test_what_could_not_be_scored_is_neither_more_nor_less() -> None:
    unscored = Score("polite", None, "", 2, unscored="no answer")
    with pytest.raises(JudgeFault, match="polite of turn 2 is unscored: no answer"):
        assert unscored < 3
    with pytest.raises(JudgeFault, match="unscored"):
        assert unscored >= 3


@pytest.mark.parametrize(("value", "unscored"), [(None, None), (3, "no answer")])
def test_a_score_has_a_number_or_a_reason_for_none(value: float | None, unscored: str) -> None:
    with pytest.raises(ValueError, match="'polite': give either a value or why"):
        Score("polite", value, "so", unscored=unscored)


@pytest.mark.parametrize("value", [0.9, 5.1])
def test_a_number_outside_the_scale_is_no_score(value: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        Score("polite", value, "so")
    assert [Score("polite", end, "so").value for end in (1, 5)] == [1, 5]


def test_how_far_samples_lie_apart() -> None:
    samples = tuple(Sample("m", value, "so") for value in (4, None, 1, 2))
    assert Score("polite", 2, "so", samples=samples).spread == 3
    assert Score("polite", 2, "so", samples=samples[1:2]).spread == 0
    assert Score("polite", 2, "so").spread == 0
