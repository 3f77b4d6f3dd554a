"""Shards: every test in one of them, and all about as long."""

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.integration.shards import shares

TIMES = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.floats(0, 100), max_size=30)


@given(TIMES, st.integers(1, 7))
def test_each_test_is_in_one_shard_and_none_lasts_much_longer(
    seconds: dict[str, float], of: int
) -> None:
    found = shares(list(seconds), seconds, of)

    assert sorted(test for share in found for test in share) == sorted(seconds)
    sums = [sum(seconds[test] for test in share) for share in found]
    longest = max(seconds.values(), default=0)
    assert max(sums) - min(sums) <= longest + 1e-6


@given(st.lists(st.text("abcd", min_size=1, max_size=4), unique=True), st.integers(1, 7))
def test_without_times_the_numbers_are_even_whatever_the_order(tests: list[str], of: int) -> None:
    found = shares(tests, {}, of)

    sizes = [len(share) for share in found]
    assert max(sizes) - min(sizes) <= 1
    assert shares(tests[::-1], {}, of) == found


def test_a_test_that_is_new_counts_as_the_median() -> None:
    seconds = {"long": 10.0, "short": 2.0, "usual": 4.0}

    # long 10; usual and new 4 each, and short 2
    assert shares([*seconds, "new"], seconds, 2) == [["long"], ["new", "usual", "short"]]
