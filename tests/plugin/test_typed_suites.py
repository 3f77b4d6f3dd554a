"""A suite whose fixtures are annotated: it runs, and what its judge offers can be listed."""

from pathlib import Path

import pytest

from tests.support import typed_suite

CONFTEST = """
import pytest
from pytest_todeval.systems import RuleSystem


@pytest.fixture
def tod_system():
    return RuleSystem
"""
OWN_JUDGE = """

class Mine:
    def turns(self, dialogue):
        return 3


@pytest.fixture
def judge():
    return Mine()
"""
LISTS = """
import pytest


@pytest.mark.goals("demo", limit=1)
def test_lists(dialogue, judge):
    assert "turns" in dir(judge)
    assert hasattr(judge, "turns")
    assert not hasattr(judge, "quality")
    assert judge.turns(dialogue) == 3
"""


def test_an_annotated_suite_runs(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_typed=Path(typed_suite.__file__).read_text())
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_a_judge_of_ones_own_lists_what_it_has(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(CONFTEST + OWN_JUDGE)
    pytester.makepyfile(test_own=LISTS)
    pytester.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)
