"""What a goal wants if its author does not say it twice."""

from pytest_todeval.core.goal import DomainGoal


def test_slots_to_book_are_a_wish_for_a_booking() -> None:
    assert DomainGoal("hotel", book={"stay": "2"}).wants_booking is True
    assert DomainGoal("hotel", {"area": "north"}).wants_booking is False


def test_who_says_that_no_booking_is_wanted_wants_none() -> None:
    assert DomainGoal("hotel", book={"stay": "2"}, wants_booking=False).wants_booking is False
    assert DomainGoal("taxi", wants_booking=True).wants_booking is True
