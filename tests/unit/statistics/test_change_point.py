"""Where a series changed its level."""

import random

import pytest

from pytest_todeval.runs.statistics.change_point import change_points


def test_a_fall_is_found_where_it_happened() -> None:
    draw = random.Random(1)
    values = [draw.gauss(0.9, 0.02) for _ in range(30)] + [draw.gauss(0.8, 0.02) for _ in range(12)]

    (found,) = change_points(values)

    assert found.place == 30
    assert found.before == pytest.approx(0.9, abs=0.01)
    assert found.after == pytest.approx(0.8, abs=0.01)


def test_a_fall_and_a_rise() -> None:
    draw = random.Random(2)
    levels = [0.9] * 20 + [0.7] * 15 + [0.9] * 20

    found = change_points([draw.gauss(level, 0.03) for level in levels])

    assert [change.place for change in found] == [20, 35]
    assert found[0].after == pytest.approx(found[1].before)


def test_nothing_is_found_where_nothing_changed() -> None:
    draw = random.Random(3)
    series = [[draw.gauss(0.9, 0.03) for _ in range(25)] for _ in range(60)]

    # three in a hundred are to be expected
    assert sum(bool(change_points(values)) for values in series) <= 5


@pytest.mark.parametrize("values", [[], [1.0], [1, 0, 1, 0, 1], [0.5] * 40])
def test_too_few_and_equal_numbers_have_none(values: list[float]) -> None:
    assert change_points(values) == []


@pytest.mark.parametrize("runs", [3, 8, 9, 20, 60])
def test_a_break_of_a_steady_bot_is_named_for_ever(runs: int) -> None:
    (found,) = change_points([1.0] * 12 + [0.5] * runs, [50] * (12 + runs))
    assert (found.place, found.before, found.after) == (12, 1.0, 0.5)


def test_one_goal_that_flips_once_in_a_steady_series_is_no_change() -> None:
    for place in range(25):
        values = [1.0] * 25
        values[place] = 0.98
        assert change_points(values, [50] * 25) == []
