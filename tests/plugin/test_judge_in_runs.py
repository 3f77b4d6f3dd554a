"""The fixture `judge` as a test and an editor see it."""

import pytest

from pytest_todeval.runs.reports.results import read_results
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


TRACKER = """
import pytest
from pytest_todeval import Reply

@pytest.fixture(scope="session")
def tod_system():
    def respond(text):
        state = {"table": {"day": "friday"}, "pub": {"a": "b"}}
        return Reply("Booked, reference AB12.", state=state)
    return respond
"""
TRACKED = """
import pytest

@pytest.mark.goals("goals.yaml")
@pytest.mark.todeval(max_turns=1)
def test_tracks(dialogue, judge):
    judge.state(dialogue, labels=[{"table": {"day": "friday"}}])
"""
TWO_GOALS = """
goals:
- {id: a, message: A table on friday., domains: {table: {book: {day: friday}}}}
- {id: b, message: A table for 4., domains: {table: {book: {people: "4"}}}}
"""


def test_states_of_goals_with_different_slots_have_one_mean(suite: Suite) -> None:
    written = suite(TRACKED, TRACKER)
    (written.path / "goals.yaml").write_text(TWO_GOALS)
    run(written, "-p", "no:xdist", "--todeval-json=all.json").assert_outcomes(passed=2)
    found = read_results(written.path / "all.json")["summary"]["scores"]
    assert found["slot_accuracy"]["mean"] == pytest.approx(
        2 / 3, abs=1e-4
    )  # day and people of the goals, pub-a of the bot


TELLING = """
@pytest.fixture
def judge(backend):
    class Telling(RuleJudge):
        def holds(self, dialogue, sentence):
            return Verdict(f"holds: {sentence}", "polite" in sentence, "as it is")
        def compare(self, one, other):
            return Comparison("one", "briefer", True, None, (Game("m", "one", "one", "so"),), "c")
    return Telling(backend=backend)
"""
ASKS_MUCH = """
import pytest
from dataclasses import replace

@pytest.mark.goals("demo", limit=2)
def test_asks(dialogue, judge):
    assert judge.holds(dialogue, "It is polite.")
    assert not judge.holds(dialogue, "It is brief.")
    assert judge.compare(dialogue, replace(dialogue, turns=dialogue.turns[:1]))
    assert judge.coverage(dialogue).score >= 0.1
"""


def test_all_that_a_judge_says_is_in_the_file(suite: Suite) -> None:
    imports = (
        "from pytest_todeval import RuleJudge, Verdict\n"
        "from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison, Game"
    )
    asked = suite(ASKS_MUCH, f"{RULE_SYSTEM}\n{imports}\n{TELLING}")
    result = run(asked, "-p", "no:xdist", "--todeval-json=r.json")
    result.assert_outcomes(passed=2)
    found = read_results(asked.path / "r.json")
    for entry in found["dialogues"]:
        assert entry["metrics"]["holds: It is polite."] is True
        assert entry["metrics"]["holds: It is brief."] is False
        assert [each["winner"] for each in entry["comparisons"]] == ["this"]
        raised = [each for each in entry["keywords"]["goal_coverage"] if each["turn"]]
        assert {each["speaker"] for each in raised} <= {"user", "bot"}
        assert raised
    rates = found["summary"]["metrics"]
    assert (rates["holds: It is polite."]["hits"], rates["holds: It is brief."]["hits"]) == (2, 0)
    definitions = found["environment"]["metrics"]
    assert {"holds: It is polite.", "holds: It is brief."} < set(definitions)


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
    from pytest_todeval.evaluate.judge.judge import TABLE
    from pytest_todeval.integration.judging import TestJudge

    assert all(getattr(TestJudge, name) is question for name, question in TABLE.items())
