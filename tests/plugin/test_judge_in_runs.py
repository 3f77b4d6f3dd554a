"""The fixture `judge` as a test and an editor see it."""

from tests.plugin.conftest import RULE_SYSTEM, Suite, run

QUESTIONS = """
import pytest
from pytest_todeval import Judge

@pytest.mark.goals("demo", limit=1)
def test_asks(dialogue, judge: Judge):
    assert isinstance(judge, Judge)
    assert {"turns", "rules", "quality", "compare"} < set(dir(judge))
    assert hasattr(judge, "quality")
    assert not hasattr(judge, "qality")
    assert judge.ask(Judge.turns, dialogue).policy_compliance >= 2

@pytest.mark.goals("demo", limit=1)
def test_misspells(dialogue, judge):
    judge.qality(dialogue)
"""
OWN = """
@pytest.fixture
def judge():
    class Curt:
        def turns(self, dialogue):
            return {"curtness": Score("curtness", 5, "curt")}
        def motto(self):
            return "Less is more."
    return Curt()
"""
ASKS_OWN = """
import pytest

@pytest.mark.goals("demo", limit=1)
def test_asks(dialogue, judge):
    assert judge.turns(dialogue)["curtness"] >= 5
    assert judge.motto() == "Less is more."
    assert not hasattr(judge, "quality")
"""


def test_questions_are_listed_and_misspelt_ones_told(suite: Suite) -> None:
    result = run(suite(QUESTIONS), "-p", "no:xdist")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*AttributeError: 'RuleJudge' object has no attribute 'qality'*"])
    result.stdout.fnmatch_lines(["*did you mean 'quality'?*"])


def test_a_suite_s_own_judge_answers_what_it_has(suite: Suite) -> None:
    conftest = f"{RULE_SYSTEM}\nfrom pytest_todeval import Score\n{OWN}"
    result = run(suite(ASKS_OWN, conftest), "-p", "no:xdist", "-rf")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*curtness*"])


OVERRIDING = """
@pytest.fixture
def judge(backend):
    class Curt(RuleJudge):
        def turns(self, dialogue):
            return {"curtness": Score("curtness", 5, "curt")}
    return Curt(backend=backend)
"""
ASKS_OVERRIDING = """
import pytest
from pytest_todeval import Judge

@pytest.mark.goals("demo", limit=1)
def test_asks(dialogue, judge):
    assert judge.turns(dialogue)["curtness"] >= 5
    assert judge.ask(Judge.turns, dialogue)["curtness"] >= 5
    assert judge.completion(dialogue)
"""


def test_a_subclass_may_answer_a_question_otherwise(suite: Suite) -> None:
    conftest = f"{RULE_SYSTEM}\nfrom pytest_todeval import RuleJudge, Score\n{OVERRIDING}"
    result = run(suite(ASKS_OVERRIDING, conftest), "-p", "no:xdist", "-rf")
    result.assert_outcomes(passed=1)


def test_the_questions_of_a_judge_are_those_of_the_table() -> None:
    from pytest_todeval.integration.judging import TestJudge
    from pytest_todeval.judge.judge import TABLE

    assert all(getattr(TestJudge, name) is question for name, question in TABLE.items())
