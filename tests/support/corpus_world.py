"""A MultiWOZ corpus of two dialogues and a handful of rows, written for these tests."""

import json
from pathlib import Path
from typing import Any

HOTELS = [
    {"id": "1", "name": "river hotel", "area": "north", "stars": "4", "parking": "yes"},
    {"id": "2", "name": "mill hotel", "area": "north", "stars": "3", "parking": "?"},
    {"id": "3", "name": "park hotel", "area": "south", "stars": "4", "parking": "no"},
]
TRAINS = [
    {"trainID": "TR01", "departure": "ely", "leaveAt": "09:00", "arriveBy": "09:30"},
    {"trainID": "TR02", "departure": "ely", "leaveAt": "11:00", "arriveBy": "11:30"},
]
HOTEL_GOAL = {
    "info": {"area": "north", "stars": "4"},
    "fail_info": {},
    "reqt": ["phone", "parking"],
    "book": {"day": "friday", "people": "2", "stay": "1"},
    "fail_book": {},
}
TRAIN_GOAL = {
    "info": {"departure": "ely", "leaveAt": "10:00"},
    "fail_info": {},
    "reqt": ["trainID", "price"],
}


def _turns(*annotations: dict[str, Any]) -> list[dict[str, Any]]:
    log: list[dict[str, Any]] = []
    for number, metadata in enumerate(annotations, start=1):
        log.append({"text": f"user {number}", "metadata": {}})
        log.append({"text": f"system {number}", "metadata": metadata})
    return log


def _hotel(booked: bool, **semi: str) -> dict[str, Any]:
    book: dict[str, Any] = {"booked": [{"name": "river hotel"}] if booked else [], "day": ""}
    slots = {"area": "", "stars": "not mentioned", "name": "", "parking": "dontcare", **semi}
    return {"hotel": {"semi": slots, "book": book}}


DIALOGUES: dict[str, Any] = {
    "SNG01.json": {
        "goal": {"hotel": HOTEL_GOAL, "train": {}, "message": ["You want a hotel"]},
        "log": _turns(
            _hotel(False, area="north"),
            _hotel(False, area="north", stars="4"),
            _hotel(True, area="north", stars="4"),
        ),
    },
    "MUL02.json": {
        "goal": {"train": TRAIN_GOAL, "hotel": {}, "message": ["You want a train"]},
        "log": _turns(
            {"train": {"semi": {"departure": "ely", "leaveAt": "10:00"}, "book": {"booked": []}}},
            {},
        ),
    },
}


def write_world(folder: Path) -> Path:
    """The corpus as a MultiWOZ folder, its test split only."""
    (folder / "db").mkdir(parents=True)
    (folder / "test.json").write_text(json.dumps(DIALOGUES))
    (folder / "db" / "hotel_db.json").write_text(json.dumps(HOTELS))
    (folder / "db" / "train_db.json").write_text(json.dumps(TRAINS))
    return folder


GOOD_HOTEL: list[dict[str, Any]] = [
    {"response": "what area ?", "state": {"hotel": {"area": "north"}}},
    {
        "response": "how about [value_name] ? its phone is [value_phone]",
        "state": {"hotel": {"area": "north", "stars": "4"}},
    },
    {
        "response": "booked , your reference is [value_reference]",
        "state": {"hotel": {"area": "north", "stars": "4", "people": "2"}},
    },
]
GOOD_TRAIN: list[dict[str, Any]] = [
    {
        "response": "[train_id] leaves at [train_leave]",
        "state": {"train": {"departure": "ely", "leaveAt": "10:00"}},
    },
    {"response": "bye", "state": {"train": {"departure": "ely", "leaveAt": "10:00"}}},
]


def write_predictions(path: Path, predictions: Any) -> Path:
    """A prediction file."""
    path.write_text(json.dumps(predictions))
    return path
