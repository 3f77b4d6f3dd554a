"""Rules in the results file: what is read of the short form is what the long one had."""

import pytest

from pytest_todeval.evaluate.rules.report import RuleResult
from pytest_todeval.runs.reports.answer_summary import rule_values
from pytest_todeval.runs.reports.entry import rule_entries
from pytest_todeval.runs.reports.plain import plain


def result(turn: int, value: int | None, by: str = "evidence") -> RuleResult:
    return RuleResult("polite", "Be polite.", turn, value, "so", by)


def test_turns_of_the_same_stand_together_and_broken_ones_with_their_reason() -> None:
    found = [result(1, 1), result(2, -1), result(3, 0), result(4, 1), result(5, None, "m")]
    assert rule_entries({"polite": found})["polite"] == [
        {"says": "Be polite.", "turn": 3, "value": 0, "reason": "so"},
        {"says": "Be polite.", "turn": 5, "value": None, "reason": "so", "by": "m"},
        {"value": 1, "turns": [1, 4]},
        {"value": -1, "turns": [2]},
    ]


@pytest.mark.parametrize("by", ["evidence", "m"])
def test_as_much_is_counted_as_of_older_files(by: str) -> None:
    found = [result(turn, value, by) for turn, value in enumerate([1, -1, 0, 1, None, -1], 1)]
    short = rule_entries({"polite": found})["polite"]
    assert sorted(map(str, rule_values(short))) == sorted(map(str, rule_values(plain(found))))


def test_what_an_evaluator_of_ones_own_found_keeps_its_shape() -> None:
    for own in ([{"value": 1, "turn": 1}], {"kept": True}, "fine", []):
        assert rule_entries({"mine": own}) == {"mine": own}
