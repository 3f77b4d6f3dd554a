"""The protocol: which calls break a schema, whose violation it is, when it ends the dialogue."""

from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.core.protocol import (
    LONGEST,
    Breach,
    ProtocolKept,
    ProtocolViolated,
    Side,
    held_to,
    violated,
    wrong_call,
)

TIME = "^([01][0-9]|2[0-3]):[0-5][0-9]$"
SCHEMA = {
    "type": "function",
    "function": {
        "name": "find_train",
        "parameters": {
            "type": "object",
            "properties": {
                "day": {"type": "string", "enum": ["monday", "tuesday"]},
                "people": {"type": "integer"},
                "leaveAt": {
                    "type": "object",
                    "properties": {
                        "operator": {"type": "string", "enum": ["=", ">="]},
                        "value": {"type": "string", "pattern": TIME},
                    },
                    "required": ["operator", "value"],
                    "additionalProperties": False,
                },
                "flags": {"type": ["array", "null"]},
            },
            "required": ["day"],
            "additionalProperties": False,
        },
    },
}
OPEN = {"type": "function", "function": {"name": "note", "parameters": {"type": "object"}}}


@pytest.mark.parametrize(
    "arguments",
    [
        {"day": "monday"},
        {"day": "tuesday", "people": 2},
        {"day": "tuesday", "people": "2"},
        {"day": "monday", "leaveAt": {"operator": ">=", "value": "08:30"}},
        {"day": "monday", "flags": None},
        {"day": "monday", "flags": ["a"]},
    ],
)
def test_a_call_that_keeps_to_the_schema(arguments: dict[str, Any]) -> None:
    assert wrong_call([OPEN, SCHEMA], "find_train", arguments) is None
    assert wrong_call([OPEN, SCHEMA], "note", {"whatever": 1}) is None


@pytest.mark.parametrize(
    ("arguments", "kind", "told"),
    [
        ({}, Breach.MISSING_ARGUMENT, "`day` is missing"),
        ({"day": "monday", "hat": 1}, Breach.UNKNOWN_ARGUMENT, "`hat` is not known"),
        ({"day": "someday"}, Breach.WRONG_VALUE, 'one of monday, tuesday, got "someday"'),
        ({"day": ["monday"]}, Breach.WRONG_VALUE, "must be string"),
        ({"day": None}, Breach.WRONG_VALUE, "must be string, got null"),
        ({"day": "monday", "people": "two"}, Breach.WRONG_VALUE, "must be integer"),
        ({"day": "monday", "people": True}, Breach.WRONG_VALUE, "must be integer"),
        ({"day": "monday", "people": 1.5}, Breach.WRONG_VALUE, "must be integer"),
        ({"day": "monday", "leaveAt": "08:30"}, Breach.WRONG_VALUE, "must be object"),
        (
            {"day": "monday", "leaveAt": {"operator": ">="}},
            Breach.MISSING_ARGUMENT,
            "`value` is missing",
        ),
        (
            {"day": "monday", "leaveAt": {"operator": "~", "value": "08:30"}},
            Breach.WRONG_VALUE,
            "one of =, >=",
        ),
        (
            {"day": "monday", "leaveAt": {"operator": "=", "value": "8.30"}},
            Breach.WRONG_VALUE,
            "must look like",
        ),
        (
            {"day": "monday", "leaveAt": {"operator": "=", "value": "08:30", "or": 1}},
            Breach.UNKNOWN_ARGUMENT,
            "`or` is not known",
        ),
        ({"day": "monday", "flags": "a"}, Breach.WRONG_VALUE, "must be array, null"),
    ],
)
def test_a_call_that_breaks_it(arguments: dict[str, Any], kind: Breach, told: str) -> None:
    found = wrong_call([OPEN, SCHEMA], "find_train", arguments)
    assert found is not None
    assert found[0] is kind
    assert found[1].startswith("find_train: ")
    assert told in found[1]


def test_a_call_that_nobody_declared() -> None:
    found = wrong_call([OPEN, SCHEMA], "drop_tables" * 50, {})
    assert found is not None
    assert found[0] is Breach.UNKNOWN_CALL
    assert "known are: note, find_train" in found[1]
    assert len(found[1]) < 200


def test_a_schema_that_is_none_excludes_nothing_and_breaks_nothing() -> None:
    strange: list[dict[str, Any]] = [{}, {"function": 7}, {"function": {"name": "f"}}]
    assert wrong_call(strange, "f", {"x": 1}) is None
    odd = {"function": {"name": "g", "parameters": {"properties": {"x": {"type": "colour"}}}}}
    assert wrong_call([odd], "g", {"x": 1}) is None


def test_a_long_value_is_not_matched_for_long() -> None:
    slow = {"properties": {"x": {"type": "string", "pattern": "^(a+)+$"}}}
    schema = {"function": {"name": "f", "parameters": slow}}
    found = wrong_call([schema], "f", {"x": "a" * 5000 + "!"})
    assert found is not None
    assert found[0] is Breach.WRONG_VALUE


@pytest.mark.parametrize(("lane", "side"), [(Lane.USER, Side.USER), (Lane.SYSTEM, Side.SYSTEM)])
def test_a_lenient_protocol_counts(lane: Lane, side: Side) -> None:
    kept = ProtocolKept("lenient")
    with held_to(kept), in_lane("demo/D#0", lane, 3):
        violated(Breach.NO_CALL, "words\nin place of a call " + "x" * 2000)
    (found,) = kept.violations
    assert (found.side, found.kind, found.turn) == (side, Breach.NO_CALL, 3)
    assert found.message.startswith("words in place of a call")
    assert len(found.message) <= LONGEST + 4


def test_a_strict_protocol_raises_and_counts() -> None:
    kept = ProtocolKept("strict")
    with (
        held_to(kept),
        in_lane("demo/D#0", Lane.SYSTEM, 1),
        pytest.raises(ProtocolViolated, match="no_call: Hello!") as raised,
    ):
        violated(Breach.NO_CALL, "Hello!")
    assert kept.violations == [raised.value.violation]


def test_outside_a_dialogue_nothing_is_held_to_anything() -> None:
    violated(Breach.NO_CALL, "Hello!")
    kept = ProtocolKept("strict")
    with held_to(kept):
        violated(Breach.NO_CALL, "no lane here")
    with in_lane("demo/D#0", Lane.SYSTEM, 1):
        violated(Breach.NO_CALL, "no protocol here")
    assert kept.violations == []


@pytest.mark.parametrize(
    "parameters",
    [
        7,
        [],
        {"properties": ["x"], "required": True},
        {"properties": {"x": True}},
        {"properties": {"x": {"enum": 7}}},
        {"properties": {"x": {"type": {"a": 1}}}},
        {"properties": {"x": {"pattern": "("}}},
        {"properties": {"x": {"type": "object", "properties": 3}}, "required": "x"},
        {"properties": {"x": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}},
    ],
)
@pytest.mark.parametrize("value", [1, "a", {"y": 1}, None, [1]])
def test_a_schema_of_whatever_shape_breaks_nothing(parameters: Any, value: Any) -> None:
    """Tools bring schemas of their own: what we do not understand in them excludes nothing."""
    schema = {"function": {"name": "f", "parameters": parameters}}
    found = wrong_call([schema], "f", {"x": value})
    assert found is None or found[0] in (Breach.WRONG_VALUE, Breach.MISSING_ARGUMENT)


@pytest.mark.parametrize(("number", "sound"), [(2.0, True), (2.5, False), (float("inf"), False)])
def test_a_whole_number_may_have_a_point(number: float, sound: bool) -> None:
    properties = {"x": {"type": "integer"}}
    schema = {"function": {"name": "f", "parameters": {"properties": properties}}}
    assert (wrong_call([schema], "f", {"x": number}) is None) is sound
