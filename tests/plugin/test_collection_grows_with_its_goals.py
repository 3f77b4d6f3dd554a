"""Ten times the goals, ten times the steps: with 10,000 a search for each would take minutes."""

import json

import pytest

from tests.plugin.conftest import Suite
from tests.support.steps import steps_of

MANY = """
import pytest

@pytest.mark.goals("many.json")
def test_it(dialogue):
    pass
"""


def collected(pytester: pytest.Pytester, count: int) -> int:
    """The steps of our own code in the collection of so many goals."""
    goals = [{"id": f"g{n}", "domains": {"spa": {"request": ["phone"]}}} for n in range(count)]
    (pytester.path / "many.json").write_text(json.dumps(goals))

    def collect() -> None:
        result = pytester.runpytest_inprocess("--collect-only", "-qq", "-p", "no:xdist")
        assert f"test_bot.py: {count}" in result.outlines

    return steps_of(collect)


@pytest.mark.parametrize("recorded", [False, True])
def test_ten_times_the_goals_take_ten_times_the_steps(suite: Suite, recorded: bool) -> None:
    pytester = suite(MANY)
    if recorded:
        pytester.mkdir("cassettes")
    collected(pytester, 1)  # what is done once
    few, many = collected(pytester, 30), collected(pytester, 300)
    assert many < 10.5 * few
    assert many - few <= 90 * 270  # each is checked and named; its test makes it
