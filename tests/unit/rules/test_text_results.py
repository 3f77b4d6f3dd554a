"""Tools may return text, lists of text, JSON in a string: rules know it as they know records."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, ToolCall
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.load import load_rules
from tests.support.dialogue_world import dialogue, goal, said

RECORDS: dict[str, tuple[str, dict[str, str]]] = {
    "seat": (
        "Updated seat to 12A for confirmation number LL0EZ6",
        {"seat": "12A", "confirmation_number": "LL0EZ6"},
    ),
    "balance": ("John's balance is $123.45", {"name": "John", "balance": "$123.45"}),
    "gate": (
        "Flight FLT-123 leaves from gate B18 at 12:15 pm",
        {"flight": "FLT-123", "gate": "B18", "departure": "12:15 pm"},
    ),
}
SHAPES: dict[str, Callable[[str, dict[str, str]], Any]] = {
    "text": lambda text, record: text,
    "texts": lambda text, record: ["Done.", text],
    "record": lambda text, record: record,
    "text in a record": lambda text, record: {"output": text},
    "nested": lambda text, record: {"data": [{"items": [record]}]},
    "JSON in a string": lambda text, record: json.dumps({"data": [record]}),
    "JSON in a string in a record": lambda text, record: {"output": json.dumps([record])},
}
WRONG = [
    ("seat", "Your seat is now 2A."),
    ("seat", "Your seat is now 12 A, that is 12B."),
    ("seat", "Your seat is 12A, confirmation number LL0EZ7."),
    ("seat", "Your seat is 12A. A fee of $25 was charged."),
    ("balance", "Your balance is $1234.50."),
    ("balance", "Your balance is $23.45."),
    ("balance", "Your balance is $8,450."),
    ("gate", "Your flight leaves from gate B1."),
    ("gate", "Your flight leaves at 2:15 pm."),
    ("gate", "That is flight FLT-12, gate B18."),
]
RIGHT = [
    ("seat", "Your seat is now 12A (confirmation number LL0EZ6)."),
    ("seat", "Seat 12 A is yours, reference LL0-EZ6."),
    ("balance", "You have $123.45."),
    ("balance", "Your balance: 123.45 dollars."),
    ("gate", "Flight FLT-123, gate B18, 12:15."),
    ("gate", "FLT 123 leaves at 12.15pm from gate B18."),
    ("gate", "Gate B18, quarter past twelve."),
]


def told(text: str, result: Any) -> Dialogue:
    asked = "I want another seat, my name is John."
    call = ToolCall("handle", {}, result=result)
    return dialogue(goal(DomainGoal("desk")), said(asked, text, call))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("about", "text"), WRONG)
def test_what_a_tool_did_not_say_is_found_whatever_the_shape(
    about: str, text: str, shape: str
) -> None:
    report = check(told(text, SHAPES[shape](*RECORDS[about])), load_rules("common"))
    assert "tells-what-it-knows" in {result.rule for result in report.broken}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("about", "text"), RIGHT)
def test_what_a_tool_said_is_no_fault_whatever_the_shape(about: str, text: str, shape: str) -> None:
    report = check(told(text, SHAPES[shape](*RECORDS[about])), load_rules("common"))
    assert not report.broken, report.broken


@pytest.mark.parametrize("result", [None, "", "OK", True, [], {}, "done"])
def test_a_result_that_says_nothing_tells_nothing_of_what_the_bot_knows(result: Any) -> None:
    report = check(told("Your balance is $1234.50.", result), load_rules("common"))
    applied = {result.rule for result in report.results if result.value != -1}
    assert "tells-what-it-knows" not in applied


def test_a_venue_in_a_text_result_is_not_invented() -> None:
    call = ToolCall("find", {}, result="Golden Gate Grill, north; Blue Harbour Inn, south")
    for text, kept in (
        ("I recommend the Golden Gate Grill.", True),
        ("I recommend the Silver Spoon Diner.", False),
    ):
        played = dialogue(goal(DomainGoal("food")), said("Where can I eat?", text, call))
        assert bool(check(played, load_rules("common"))) is kept, text
