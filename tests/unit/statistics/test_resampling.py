"""Intervals of the bootstrap."""

from collections.abc import Mapping

import pytest

from pytest_todeval.runs.statistics.resampling import bootstrap, every


def mean(sample: Mapping[int, int]) -> float | None:
    total = sum(sample.values())
    return sum(value * times for value, times in sample.items()) / total if total else None


def test_equal_seeds_draw_equal_samples() -> None:
    clusters = [{0: 1}] * 30 + [{1: 1}] * 70

    one, same, other = (
        bootstrap(clusters, every({"mean": mean}), number=200, seed=seed)["mean"]
        for seed in (1, 1, 2)
    )

    assert one == same != other


def test_the_interval_of_a_share_is_about_two_standard_errors_wide() -> None:
    clusters = [{0: 1}] * 50 + [{1: 1}] * 50

    found = bootstrap(clusters, every({"mean": mean}), number=2000)["mean"]

    assert found is not None
    assert found.low == pytest.approx(0.5 - 1.96 * 0.05, abs=0.015)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.05, abs=0.015)
    assert str(found) == f"{found.low:.2f} to {found.high:.2f}"


def test_a_number_that_most_samples_lack_has_no_interval() -> None:
    clusters = [{0: 1}, {1: 1}]

    found = bootstrap(
        clusters, lambda sample: {"both": 1.0 if len(sample) == 2 else None}, number=100
    )

    assert found == {"both": None}
