"""Expressions that would hold the process are known before they are evaluated."""

import pytest

from pytest_todeval.backends.arithmetic import too_large
from tests.conftest import must_end


@pytest.mark.parametrize(
    "expression",
    [
        "9**9**9", "9**9**9**9", "(2**30)**(2**30)", "1+(7**(9**9))*0", "2**99999999999999999999",
        "-9**99999", "2**" * 9000 + "1", "10**10**5", "(9**9**9)/1", "9**(9.0**9//1)**9**9",
        "-" * 3000 + "2**2", "2**2".ljust(10_001), f"2**2 + {hex(1 << 19_991)}",
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_runaway_powers(expression: str) -> None:
    with must_end(10):
        assert too_large(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "", "2 * (3 + 4)", "2**10", "1.05**12", "(1 + 0.05) ** 3", "10**300", "2**-3", "1**99999",
        "0**99", "2**", "**", "((((((", "1(2**3)", "2***3", "9" * 9000, None, 7, ["2**9"],
        "x**99999", "2**2".ljust(10_000), "1.05**99999",
        f"2**2 + {hex(1 << 19_990)}",  # 20,000 bits as they are counted
        f"1**{hex(1 << 19_999)} + 1",
    ],
    ids=lambda text: repr(text)[:24],
)  # fmt: skip
def test_everything_else_is_evaluated(expression: object) -> None:
    assert not too_large(expression)
