"""What a goal wants if its author does not say it twice; and goals that are read when asked for."""

import copy
import pickle
from dataclasses import replace

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal

WHOLE = Goal("g1", "spa", (DomainGoal("spa", request=("phone",)),), ("Ask.",), raw={"id": "g1"})


def test_slots_to_book_are_a_wish_for_a_booking() -> None:
    assert DomainGoal("hotel", book={"stay": "2"}).wants_booking is True
    assert DomainGoal("hotel", {"area": "north"}).wants_booking is False


def test_who_says_that_no_booking_is_wanted_wants_none() -> None:
    assert DomainGoal("hotel", book={"stay": "2"}, wants_booking=False).wants_booking is False
    assert DomainGoal("taxi", wants_booking=True).wants_booking is True


class Reader:
    """Reads the one goal there is, and counts how often it was asked to."""

    def __init__(self) -> None:
        self.records: list[bytes] = []

    def __call__(self, record: bytes) -> Goal:
        self.records.append(record)
        return WHOLE


def test_a_goal_is_read_once_and_not_for_its_name() -> None:
    read = Reader()
    goal = Goal.unread("g1", "spa", b"record", read)
    assert (goal.name, read.records) == ("spa/g1", [])
    assert goal.domains is WHOLE.domains
    assert goal.raw is WHOLE.raw
    assert goal.message == ("Ask.",)
    assert read.records == [b"record"]


def test_an_unread_goal_is_a_goal_like_others() -> None:
    def fresh() -> Goal:
        return Goal.unread("g1", "spa", b"", Reader())

    assert fresh() == WHOLE
    assert repr(fresh()) == repr(WHOLE)
    assert replace(fresh(), id="g2") == replace(WHOLE, id="g2")
    assert copy.deepcopy(fresh()) == WHOLE
    assert pickle.loads(pickle.dumps(fresh())) == WHOLE
    assert fresh().domain("spa") is WHOLE.domains[0]


def test_a_goal_has_no_other_fields() -> None:
    read = Reader()
    goal = Goal.unread("g1", "spa", b"", read)
    for each in (goal, WHOLE):
        with pytest.raises(AttributeError, match="'Goal' object has no attribute 'wants'"):
            each.wants  # type: ignore[attr-defined]  # noqa: B018
    assert read.records == []


def test_goals_that_say_the_same_are_equal_whatever_record_they_were_read_from() -> None:
    assert Goal("1", "own", (), raw={"a": 1}) == Goal("1", "own", (), raw={"b": 2})
    assert hash(Goal("1", "own", (), raw={"a": 1})) == hash(Goal("1", "own", (), raw={}))
    assert Goal("1", "own", ()) != Goal("1", "own", (), published=True)
