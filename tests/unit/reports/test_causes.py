"""Dialogues that failed of the same stand together."""

from typing import Any

import pytest

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.causes import cause_of, groups_of, shape_of
from tests.support.page_world import entry_of


@pytest.mark.parametrize(
    ("reason", "shape"),
    [
        ("hotel: booked Rose House (reference X1), whose day is 'friday'; the goal wants 'monday'",
         "booked …, whose day is …; the goal wants …"),
        ("hotel: booked the b&b's inn (reference 9Z), whose stay is '4'; the goal wants '2'",
         "booked the b&b's inn, whose stay is …; the goal wants …"),
        ("the bot says it is booked, but the backend holds no such booking",
         "the bot says it is booked, but the backend holds no such booking"),
        ("the user gave up in turn 8: no help; what is lacking: hotel: no booking",
         "the user gave up in turn …: no help"),
        ("tells 'QX7', 'QX8' and 01223 456 789", "tells … and …"),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_of_one_dialogue_alone_is_left_out(reason: str, shape: str) -> None:
    assert shape_of(reason, entry_of("A")) == shape


BROKEN = {"no-phantom-booking": [{"turn": 1, "value": 0, "reason": "says it is booked"}]}
CAUSES: list[tuple[dict[str, Any], tuple[str, str, int | None, str] | None]] = [
    ({}, None),
    ({"wrong": "no booking"}, ("verdict", "booking", 2, "a tool called")),
    ({"wrong": "no", "rules": BROKEN, "raised": "assert <rule no-phantom-booking BROKEN in turn 1"},
     ("rule", "no-phantom-booking", 1, "no tool called")),
    ({"outcome": Outcome.FAILED, "rules": BROKEN},
     ("rule", "no-phantom-booking", 1, "no tool called")),
    ({"outcome": Outcome.FAILED, "raised": "ValueError: 7"}, ("test", "", 2, "")),
    ({"outcome": Outcome.SIMULATOR_FAULT, "detail": "no sense"}, ("test", "", 2, "")),
    ({"outcome": Outcome.ORACLE_FAULT, "detail": "no row", "replies": ()}, ("test", "", None, "")),
    ({"outcome": Outcome.FAILED, "rules": {"own": {"odd": 1}}}, ("test", "", 2, "")),
]  # fmt: skip


@pytest.mark.parametrize(("about", "expected"), CAUSES)
def test_a_dialogue_has_one_cause(
    about: dict[str, Any], expected: tuple[str, str, int | None, str] | None
) -> None:
    found = cause_of(entry_of("A", **about))
    told = found and (found.finding.kind, found.finding.name, found.turn, found.calls)
    assert told == expected


def test_the_bots_failures_come_first_and_the_largest_group_of_them() -> None:
    entries = [
        *(entry_of(f"S{n}", outcome=Outcome.SIMULATOR_FAULT, detail="no sense") for n in range(5)),
        entry_of("A", wrong="hotel: booked, whose stay is '4'; the goal wants '2'"),
        *(entry_of(f"B{n}", wrong=f"hotel: day is '{n}day'") for n in range(3)),
        entry_of("C"),
    ]
    found = [(group.title, len(group.entries)) for group in groups_of(entries)]
    assert found == [
        ("booking: day is …", 3),
        ("booking: booked, whose stay is …; the goal wants …", 1),
        ("no sense", 5),
    ]
