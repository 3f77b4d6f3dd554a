"""Figures over many dialogues, each against the value that the paper's definition gives by hand."""

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.statistics.combine import combine
from pytest_todeval.runs.statistics.composite import Composite, composites_from


@pytest.mark.parametrize(
    ("inform", "success", "booking", "expected"),
    [
        (1, 1, 0, 0.75),
        (1, None, 0, 0.5),
        (0, 1, None, 0.5),
        (1, None, None, 1.0),
        (0, 1, 1, 0.5),
    ],
)
def test_combine_of_one_goal(
    inform: float, success: float | None, booking: float | None, expected: float
) -> None:
    assert combine(inform, success, booking) == expected


@pytest.mark.parametrize(
    ("inform", "success", "book", "printed"),
    [
        (0.37, 0.29, 0.32, 0.34),
        (0.54, 0.43, 0.44, 0.49),
        (0.63, 0.53, 0.51, 0.57),
        (0.85, 0.59, 0.87, 0.79),
        (0.29, 0.23, 0.27, 0.27),
        (0.33, 0.31, 0.32, 0.32),
        (0.80, 0.47, 0.82, 0.72),
    ],
)
def test_combine_of_rates_is_near_what_clem_todd_prints(
    inform: float, success: float, book: float, printed: float
) -> None:
    """Table 7 but for one cell, which only the mean over dialogues gives (see tests/real_data)."""
    assert abs(0.5 * inform + 0.25 * success + 0.25 * book - printed) <= 0.0075


def test_a_composite_is_the_weighted_mean_of_its_parts() -> None:
    (ours, other) = composites_from(["ours = 3 success + 1 booking", "b=0.5 * no-price"])
    assert ours == Composite("ours", {"success": 3, "booking": 1})
    assert ours.value({"success": 1.0, "booking": 0.2, "inform": None}) == (3 * 1.0 + 0.2) / 4
    assert ours.formula == "3 success + 1 booking"
    assert Composite.parse("again", ours.formula).weights == ours.weights
    assert (other.value({}), other.missing({"no-price": None})) == (None, ("no-price",))


@pytest.mark.parametrize(
    "line",
    ["ours", "ours = success", "ours = 0 success", "ours = -1 success", "= 1 a", "a = 1 b + 2 b"],
)
def test_a_wrong_composite_is_refused_with_how_to_write_it(line: str) -> None:
    with pytest.raises(UsageError, match="composite"):
        composites_from([line])


def test_two_composites_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="'a' is there twice"):
        composites_from(["a = 1 b", "a = 1 c"])
