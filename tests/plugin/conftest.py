"""Suites as a user would write them, run through pytester."""

from collections.abc import Callable

import pytest

RULE_SYSTEM = """
import pytest

@pytest.fixture(scope="session")
def tod_system():
    from pytest_todeval.systems import RuleSystem
    return RuleSystem
"""

BOOKING_TEST = """
import pytest

@pytest.mark.goals("demo", booking=True, limit=6, seed=1)
def test_books(dialogue):
    assert dialogue.booking
"""

PROCESSES = [
    pytest.param(["-p", "no:xdist"], id="no-xdist"),
    pytest.param(["-n0"], id="n0"),
    pytest.param(["-n2"], id="n2"),
]

Suite = Callable[..., pytest.Pytester]


@pytest.fixture(params=PROCESSES)
def processes(request: pytest.FixtureRequest) -> list[str]:
    """The three ways to spread a run; promises hold in each."""
    arguments: list[str] = request.param
    return arguments


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Suite:
    """Write a conftest and a test file: by default the reference bot and a booking test."""

    def write(test: str = BOOKING_TEST, conftest: str = RULE_SYSTEM) -> pytest.Pytester:
        pytester.makeconftest(conftest)
        pytester.makepyfile(test_bot=test)
        return pytester

    return write
