"""Bots that earn nothing pass nothing."""

import pytest

from benchmarks.hearing.false_passes import FALSE_PASSES, passes


@pytest.mark.parametrize("name", FALSE_PASSES)
def test_a_bot_that_earns_nothing_passes_nothing(name: str) -> None:
    found, tried = passes(name)
    assert tried >= 14
    assert found == []
