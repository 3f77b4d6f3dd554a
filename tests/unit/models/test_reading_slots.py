"""Slots with values that a judge names."""

import pytest

from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.slots import SlotsReader, SlotsReply

READER = SlotsReader("incorrect_domain_slots")


@pytest.mark.parametrize(
    "text",
    [
        '{"explanation": "so", "incorrect_domain_slots": {"hotel-area": "north"}}',
        '{"explanation": "so", "incorrect_domain_slot": {"hotel-area": "north"}}',
        '{"Incorrect_Domain_Slots": [{"slot": "hotel-area", "value": "north"}], "reason": "so"}',
        "```json\n{'explanation': 'so', 'incorrect_domain_slots': {'hotel-area ': ' north',}}\n```",
    ],
)
def test_each_shape_gives_the_slots(text: str) -> None:
    assert READER.read(text) == SlotsReply({"hotel-area": "north"}, "so")


def test_no_slots_and_numbers_are_fine() -> None:
    assert READER.read('{"explanation": "", "incorrect_domain_slots": {}}').slots == {}
    assert READER.read('{"explanation": "", "incorrect_domain_slots": []}').slots == {}
    found = READER.read('{"incorrect_domain_slots": {"hotel-stars": 4}}')
    assert found == SlotsReply({"hotel-stars": "4"}, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "{}",
        '{"explanation": "all right"}',
        '{"missed_domain_slots": {}}',
        '{"incorrect_domain_slots": null}',
        '{"incorrect_domain_slots": "hotel-area"}',
        '{"incorrect_domain_slots": ["hotel-area"]}',
        '{"incorrect_domain_slots": {"hotel": {"area": "north"}}}',
        '{"incorrect_domain_slots": {"hotel-area": null}}',
        '{"incorrect_domain_slots": {"hotel-parking": true}}',
        '{"incorrect_domain_slots": {"a": "1", "a": "2"}}',
        '{"incorrect_domain_slots": {"a": "1", "a ": "2"}}',
        '{"incorrect_domain_slots": [{"slot": "a", "value": "1"}, {"slot": "a", "value": "2"}]}',
        '{"incorrect_domain_slots": [{"value": "1"}]}',
        '{"incorrect_domain_slots": {}, "incorrect_domain_slot": {"a": "1"}}',
        '{"incorrect_domain_slots": {}} {"incorrect_domain_slots": {"a": "1"}}',
    ],
)
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        READER.read(text)


def test_the_schema_asks_for_pairs() -> None:
    pairs = READER.schema["properties"]["incorrect_domain_slots"]
    assert pairs["items"]["required"] == ["slot", "value"]
    assert '"incorrect_domain_slots"' in READER.expected
