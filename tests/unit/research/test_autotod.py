"""Stored LLM dialogues: flags computed anew, under both definitions, and never echoed."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.autotod import _bookings, _together, score_dialogues
from pytest_todeval.research.offline.autotod_metrics import (
    CORRECTED,
    PUBLISHED,
    Flag,
    StoredReading,
    find,
)

HOTELS = [
    {"name": "river hotel", "area": "north", "phone": "01223", "postcode": "cb1", "stars": "4"},
    {"name": "the mill", "area": "south", "phone": "01224", "entrance fee": "free", "stars": "?"},
]
TRAINS = [
    {"trainID": "TR01", "departure": "ely", "leaveAt": "09:00", "price": "5 pounds"},
    {"trainID": "TR02", "departure": "ely", "leaveAt": "11:00", "price": "5 pounds"},
]
TABLES = {"hotel": HOTELS, "train": TRAINS}
BOOK = {"day": "friday", "people": "2", "invalid": False}


def flags(
    domain: str, wanted: dict[str, Any], reading: StoredReading
) -> list[tuple[bool | None, bool | None]]:
    """Inform, success, booking: each as published and corrected."""
    published = find(domain, wanted, reading, TABLES, PUBLISHED)
    corrected = find(domain, wanted, reading, TABLES, CORRECTED)
    names = ("inform", "success", "booking")
    return [(published[name].passed, corrected[name].passed) for name in names]


def test_a_venue_told_rightly_and_booked() -> None:
    wanted = {"info": {"area": "north"}, "reqt": ["phone"], "book": BOOK}
    record = {"name": "river", "day": "friday", "people": "2"}
    told = {"phone": "012 23"}
    reading = StoredReading(venue="River Hotel", told=told, reference="x1", record=record)
    assert flags("hotel", wanted, reading) == [(True, True)] * 3


def test_a_wrong_venue_fails_everything() -> None:
    wanted = {"info": {"area": "north"}, "reqt": ["phone"], "book": BOOK}
    record = {"name": "mill", "day": "friday", "people": "2"}
    reading = StoredReading(
        venue="the Mill", told={"phone": "01224"}, reference="x1", record=record
    )
    assert flags("hotel", wanted, reading) == [(False, False)] * 3
    unknown = StoredReading(venue="none", told={"phone": "1"}, reference="none", record={})
    assert flags("hotel", wanted, unknown) == [(False, False)] * 3


def test_a_venue_that_meets_only_the_failing_constraints() -> None:
    wanted = {"info": {"area": "north"}, "fail_info": {"area": "south"}}
    assert flags("hotel", wanted, StoredReading(venue="mill"))[0] == (True, False)


def test_a_goal_that_names_the_venue() -> None:
    wanted = {"info": {"name": "river hotel"}}
    assert flags("hotel", wanted, StoredReading(venue="River Hotel"))[0] == (False, True)


def test_first_booking_with_other_slots_wrong() -> None:
    wanted = {"info": {}, "book": BOOK, "fail_book": {"day": "sunday"}}
    first = {"name": "mill", "day": "sunday", "people": "2"}
    reading = StoredReading(venue="mill", reference="x", record=first)
    assert flags("hotel", wanted, reading)[2] == (True, True)
    reading = StoredReading(venue="mill", reference="x", record={**first, "people": "7"})
    assert flags("hotel", wanted, reading)[2] == (True, False)
    reading = StoredReading(venue="mill", reference="x", record={**first, "day": "monday"})
    assert flags("hotel", wanted, reading)[2] == (False, False)


def test_what_was_not_told() -> None:
    wanted = {"info": {}, "reqt": ["phone", "stars"]}
    reading = StoredReading(venue="river hotel", told={"phone": "none", "stars": "4"})
    assert flags("hotel", wanted, reading)[1] == (True, False)
    nobody_knows = StoredReading(venue="mill", told={"phone": "01224", "stars": "none"})
    assert flags("hotel", wanted, nobody_knows)[1] == (True, True)
    wrong = StoredReading(venue="river hotel", told={"phone": "99", "stars": "4"})
    assert flags("hotel", wanted, wrong)[1] == (False, False)


def test_a_fee_in_capitals() -> None:
    reading = StoredReading(venue="mill", told={"entrance fee": "Free"})
    assert flags("hotel", {"info": {}, "reqt": ["entrance fee"]}, reading)[1] == (False, True)


def test_a_train_booked() -> None:
    wanted = {"info": {"departure": "ely", "leaveAt": "10:00"}, "book": {"people": "3"}}
    good = StoredReading(reference="x", record={"trainID": "tr02", "tickets": "3"})
    assert flags("train", wanted, good) == [(True, True), (None, None), (True, True)]
    early = StoredReading(reference="x", record={"trainID": "tr01", "tickets": "3"})
    assert flags("train", wanted, early)[0] == (False, False)
    alone = StoredReading(reference="x", record={"trainID": "tr02", "tickets": "1"})
    assert flags("train", wanted, alone)[2] == (False, False)
    assert flags("train", wanted, StoredReading(reference="x", record={}))[2] == (False, False)


def test_a_time_told_of_a_train() -> None:
    wanted = {"info": {"departure": "ely"}, "reqt": ["leaveAt"]}
    right = StoredReading(told={"leaveAt": "09:00"})
    assert flags("train", wanted, right)[1] == (True, True)
    no_such = StoredReading(told={"leaveAt": "10:30"})
    assert flags("train", wanted, no_such)[1] == (True, False)


def test_a_taxi() -> None:
    wanted = {"info": {"leaveAt": "10:00"}, "reqt": ["phone"]}
    taken = {"leaveAt": "10:00"}
    good = StoredReading(taken=taken, told={"phone": "123"})
    assert flags("taxi", wanted, good) == [(True, True), (True, True), (None, None)]
    vague = StoredReading(taken=taken, told={"phone": "<Not mentioned>"})
    assert flags("taxi", wanted, vague)[1] == (True, False)
    late = StoredReading(taken={"leaveAt": "12:00"}, told={"phone": "123"})
    assert flags("taxi", wanted, late)[:2] == [(False, False)] * 2


@pytest.mark.parametrize(
    ("domain", "wanted"),
    [
        ("hotel", {"info": {"area": "north"}, "reqt": ["phone"], "book": BOOK}),
        ("train", {"info": {}, "reqt": ["price"]}),
        ("train", {"info": {}, "book": {"people": "1"}}),
        ("taxi", {"info": {"leaveAt": "10:00"}, "reqt": ["phone"]}),
    ],
)
def test_without_readings_nothing_is_told(domain: str, wanted: dict[str, Any]) -> None:
    found = find(domain, wanted, StoredReading(), TABLES, CORRECTED)
    asked = [finding for finding in found.values() if "nothing of the kind" not in finding.reason]
    assert asked
    assert all(finding.unknown and finding.passed is None for finding in asked)
    assert all("cannot be recomputed" in finding.reason for finding in asked)


def a_line(**changes: Any) -> dict[str, Any]:
    goal = {"info": {"area": "north"}, "fail_info": {}, "reqt": ["phone"]}
    results = {
        "inform": {"complete": 0, "venue_name": "river hotel"},
        "success": {"complete": 0, "slot_values": {"phone": "01223"}},
        "book": {"complete": None, "refer_number": None, "book_record": None},
    }
    run = {
        "goals": {"hotel": goal},
        "goal_messages": ["You want a hotel"],
        "dialog_pred": [{"turn_idx": 1, "user": "hello", "agent": "\ud800 hi"}],
    }
    line = {"dialog_id": "MUL1.json", "eval_results": {"hotel": results}, "run_result": run}
    return {**line, **changes}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "db").mkdir()
    (tmp_path / "db" / "hotel_db.json").write_text(json.dumps(HOTELS))
    return tmp_path


def write(data: Path, *lines: object) -> Path:
    path = data / "dialogues.jsonl"
    path.write_text(
        "\n".join(text if isinstance(text, str) else json.dumps(text) for text in lines)
    )
    return path


def test_stored_flags_are_not_echoed(data: Path) -> None:
    scored = score_dialogues(write(data, a_line(eval_summary={"hotel": {"inform": 0}})), data)
    (dialogue,) = scored.dialogues
    assert dialogue.goal.name == "multiwoz/MUL1"
    assert dialogue.inform
    assert dialogue.verdicts["autotod_success/hotel"]
    assert not dialogue.booking.applicable
    assert dialogue.verdicts["inform"].version == CORRECTED
    assert scored.definitions["autotod_inform"] == PUBLISHED
    assert dialogue.turns[0].user == "hello"


def test_the_first_line_counts_too(data: Path) -> None:
    lines = [a_line(dialog_id=f"MUL{number}.json") for number in range(3)]
    assert len(score_dialogues(write(data, *lines, ""), data).dialogues) == 3


def test_a_dialogue_without_readings_is_no_failure_of_the_bot(data: Path) -> None:
    scored = score_dialogues(write(data, a_line(eval_results={})), data)
    (dialogue,) = scored.dialogues
    assert str(dialogue.fault) == "judge_fault"
    assert "cannot be recomputed: the file does not say which venue" in dialogue.detail
    assert dialogue.inform.metric is None
    assert any("1 dialogues lack what a flag is computed from" in note for note in scored.notes)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "no dialogues; expected one JSON object per line"),
        (["{"], r"dialogues\.jsonl:1: not JSON"),
        (["[" * 100_000], r"dialogues\.jsonl:1: not JSON"),
        (["", "[]"], r"dialogues\.jsonl:2: expected an object, got list"),
        ([a_line(dialog_id=1)], "dialog_id: expected a text, got int 1"),
        ([a_line(), a_line()], r"dialogues\.jsonl:2: MUL1 is already on line 1"),
        ([a_line(run_result=None)], "run_result: expected an object, got null"),
        ([a_line(run_result={"goals": {"hotel": 1}})], "hotel: expected an object, got int"),
        ([a_line(eval_results={"hotel": []})], "hotel: expected an object, got list"),
        ([a_line(eval_results=[])], "eval_results: expected an object, got list"),
        (
            [a_line(run_result={"goals": {"hotel": {"info": {}, "reqt": []}}})],
            "dialog_pred: expected a list, got nothing",
        ),
        (
            [a_line(run_result={"goals": {"hotel": {"info": 3}}, "dialog_pred": []})],
            r"goal\.hotel\.info: got int 3, expected an object",
        ),
    ],
)
def test_bad_files(data: Path, lines: list[Any], message: str) -> None:
    with pytest.raises(InvalidFile, match=message):
        score_dialogues(write(data, *lines), data)


YES, NO = Flag(True, "yes"), Flag(False, "no")
NOT_ASKED, UNKNOWN = Flag(None, "not asked"), Flag(None, "unread", unknown=True)


@pytest.mark.parametrize(
    ("parts", "passed", "reason"),
    [
        ({"hotel": YES, "train": YES}, True, "hotel: yes; train: yes"),
        ({"hotel": YES, "train": NO}, False, "train: no"),
        ({"hotel": YES, "train": NOT_ASKED}, True, "hotel: yes"),
        ({"hotel": YES, "train": UNKNOWN}, None, "unread"),
        ({"hotel": NO, "train": UNKNOWN}, False, "hotel: no"),
        ({"hotel": NOT_ASKED}, None, "not asked"),
        ({}, None, "the goal has no domain"),
    ],
)
def test_what_the_domains_come_to_together(
    parts: dict[str, Flag], passed: bool | None, reason: str
) -> None:
    found = _together(parts)
    assert (found.passed, found.reason) == (passed, reason)


def test_a_booking_is_its_record_without_its_numbers() -> None:
    record = {"name": "the mill", "day": "friday", "id": "7", "refer_number": "x1", "type": "hotel"}
    readings = {
        "hotel": StoredReading(venue="", told={}, reference="x1", record=record),
        "train": StoredReading(venue="", told={}, reference="", record=record),
        "taxi": StoredReading(venue="", told={}, reference="x2", record={}),
    }
    (booking,) = _bookings(readings)
    assert (booking.domain, booking.reference) == ("hotel", "x1")
    assert booking.slots == {"name": "the mill", "day": "friday"}
