"""What a judge answers stands in the results: with its turn, and nothing in another's place."""

from dataclasses import replace
from typing import Any
from unittest.mock import MagicMock

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score, ScoreSeries
from pytest_todeval.core.verdict import Sample, Verdict
from pytest_todeval.evaluate.judge.llm_judge.comparison import Comparison, Game
from pytest_todeval.evaluate.metrics.coverage import coverage
from pytest_todeval.evaluate.rules.report import RuleReport, RuleResult
from pytest_todeval.runs.reports.answers import Answers
from pytest_todeval.runs.reports.results import dialogue_entry
from pytest_todeval.runs.reports.stored import dialogue_of

GOAL = Goal("G1", "demo", (DomainGoal("hotel", {"area": "north"}, request=("phone",)),))
TURNS = (Turn(1, "A hotel in the north?", "The Rose House."), Turn(2, "Its phone?", "01223 1."))
NEW, OLD = Dialogue(GOAL, TURNS), Dialogue(GOAL, TURNS[:1])
GAME = Game("m", "one", "tie", "one first: better; other first: even")
BETTER = Comparison("one", "better", False, None, (GAME,), "comparison 1, m")


def entry_of(answers: Answers) -> dict[str, Any]:
    return {
        **dialogue_entry(
            NEW,
            test="t",
            outcome=Outcome.PASSED,
            metrics=answers.verdicts,
            scores=answers.scores,
            rules=answers.rules,
            keywords=answers.keywords,
            comparisons=answers.comparisons,
            rule_definitions=answers.rule_definitions,
        )
    }


def test_a_comparison_is_kept_as_seen_from_the_dialogue() -> None:
    answers = Answers()
    answers.keep(BETTER, NEW, NEW, OLD)
    (told,) = entry_of(answers)["comparisons"]
    assert (told["winner"], told["reason"], told["consistent"]) == ("this", "better", False)
    assert [(g["by"], g["first"], g["second"]) for g in told["games"]] == [("m", "this", "tie")]
    assert told["definition"] == "comparison 1, m"
    mirrored = Answers()
    mirrored.keep(BETTER, NEW, OLD, NEW)
    (turned,) = entry_of(mirrored)["comparisons"]
    assert (turned["winner"], turned["games"][0]["first"]) == ("other", "other")
    assert turned["against"] == told["against"]


def test_comparisons_with_several_others_and_an_undecided_one_are_all_kept() -> None:
    answers = Answers()
    undecided = Comparison(None, "unread", False, "unread", (replace(GAME, first=None),), "c")
    answers.keep(BETTER, NEW, NEW, OLD)
    answers.keep(undecided, NEW, NEW, replace(OLD, turns=TURNS[1:]))
    found = entry_of(answers)["comparisons"]
    assert sorted(str(each["winner"]) for each in found) == ["None", "this"]
    assert len({each["against"] for each in found}) == 2


def test_answers_of_one_name_and_several_definitions_are_all_kept() -> None:
    answers = Answers()
    one = Verdict("completion", True, "all done", version="completion 1, m", metric_set="model")
    two = replace(one, passed=False, version="published completion 1, m")
    for each in (one, two, replace(one, reason="asked again")):
        answers.keep(each, NEW, NEW)
    found = entry_of(answers)
    assert found["metrics"]["completion"] is True
    assert found["verdicts"]["completion"]["reason"] == "asked again"
    assert found["metrics"]["completion (model published completion 1, m)"] is False
    for definition in ("a", "b"):
        scored = Score("polite", 4, "so", 1, definition=definition)
        answers.keep({"polite": ScoreSeries("polite", [scored])}, NEW, NEW)
    assert list(entry_of(answers)["scores"]) == ["polite", "polite (b)"]


def test_the_answers_of_a_panel_stand_beside_the_verdict_of_most() -> None:
    votes = (Sample("m", 1.0, "done"), Sample("n", 0.0, "not done"), Sample("o", 1.0, "so"))
    answers = Answers()
    answers.keep(Verdict("completion", True, "done", samples=votes), NEW, NEW)
    made = entry_of(answers)
    told = made["verdicts"]["completion"]["samples"]
    assert [(each["by"], each["value"], each["reason"]) for each in told] == [
        ("m", 1.0, "done"),
        ("n", 0.0, "not done"),
        ("o", 1.0, "so"),
    ]
    read: Any = made
    assert dialogue_of(read).verdicts["completion"].samples == votes


def test_keywords_stand_with_their_turn_and_speaker() -> None:
    answers = Answers()
    answers.keep(coverage(NEW), NEW, NEW)
    area, phone = entry_of(answers)["keywords"]["goal_coverage"]
    assert (area["keyword"], area["turn"], area["speaker"]) == ("hotel area: north", 1, "user")
    assert (phone["keyword"], phone["turn"], phone["speaker"]) == (
        "hotel phone (to be asked)",
        2,
        "user",
    )
    assert phone["value"] is None


def rule(name: str, value: int, by: str = "evidence") -> RuleResult:
    return RuleResult(name, "Be polite.", 1, value, "so", by)


def test_judged_rules_say_what_they_mean_and_others_do_not() -> None:
    answers = Answers()
    answers.keep(RuleReport([rule("polite", 1, "m"), rule("short", 0)], "rules 1, m"), NEW, NEW)
    answers.keep(RuleReport([rule("polite", 0, "m")], "published rules 1, m"), NEW, NEW)
    found = entry_of(answers)
    assert list(found["rules"]) == ["polite", "short", "polite (published rules 1, m)"]
    assert found["rule_definitions"] == {
        "polite": "rules 1, m",
        "polite (published rules 1, m)": "published rules 1, m",
    }


@pytest.mark.parametrize("found", [None, 3, "yes", {"a": 1}, {"a": [1]}, object(), MagicMock()])
def test_what_is_no_answer_is_left_alone(found: object) -> None:
    answers = Answers()
    answers.keep(found, NEW, NEW)
    assert answers == Answers()
