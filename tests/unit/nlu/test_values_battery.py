"""The battery of values is sound, and its runner says what became of a case."""

import runpy
from pathlib import Path
from typing import Any

import pytest

VALUES = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "values.py"))
BATTERY = VALUES["battery"]
HALVES = VALUES["HALVES"]


@pytest.mark.parametrize("half", HALVES)
def test_each_slot_has_its_answers(half: str) -> None:
    for slot in BATTERY(half)["slots"]:
        right, wrong = slot["right"].values(), slot["wrong"].values()
        assert (len(right), len(wrong)) == (12, 4)
        assert not set(right) & set(wrong)
        assert slot["slot"] in slot["other"]
    for fault in BATTERY(half)["faults"]:
        assert len(fault["right"]) == 2
        assert fault["wrong"] not in fault["right"]


def test_the_halves_have_nothing_in_common() -> None:
    slots, faults = (
        [{str(each.get("domain")) + str(each[key]) for each in BATTERY(h)[part]} for h in HALVES]
        for part, key in (("slots", "slot"), ("faults", "fault"))
    )
    assert not slots[0] & slots[1]
    assert not faults[0] & faults[1]


@pytest.mark.parametrize(
    ("answer", "outcome", "again"),
    [
        ("The colour is teal.", "passed", False),
        ("The colour is beige.", "failed", False),
        ("I am sorry, I cannot tell you that.", "failed", True),
    ],
)
def test_a_case_is_played_to_its_end(answer: str, outcome: str, again: bool) -> None:
    slot: dict[str, Any] = {
        "domain": "kayak", "slot": "colour", "kind": "choice", "inform": {"number": "K7"},
        "value": "teal", "record": {"number": "K7"}, "other": {"number": "K8", "colour": "beige"},
        "text": "K7 is teal, K8 is beige.",
    }  # fmt: skip
    case = VALUES["Case"]("open", slot, "right", "sentence", answer)
    played = VALUES["play"](case, "rows")
    assert (played.outcome, played.asked_again) == (outcome, again)


def test_a_fault_is_caught_and_its_right_variant_is_not_blamed() -> None:
    fault = {
        "fault": "another colour", "domain": "kayak", "inform": {"number": "K7"},
        "request": ["colour"], "tool": "find_kayak", "record": {"number": "K7", "colour": "teal"},
        "text": "K7: teal",
    }  # fmt: skip
    right, wrong = (
        VALUES["checked"]("open", fault, variant, text, "records")
        for variant, text in (("0", "The colour is teal."), ("wrong", "The colour is beige."))
    )
    assert not right.found
    assert "success" in wrong.found
