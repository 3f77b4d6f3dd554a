"""What the user remembers of a domain, and what follows from it."""

import pytest

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.simulation.agenda.memory import DomainPart, GoalMemory
from tests.agenda.world import FAILING, FULL, HOTEL, PHONE, ROOM, TABLE, goal_of, told


def test_the_wish_that_is_to_fail_comes_first() -> None:
    part = DomainPart.of(FAILING)
    assert part.tries_first
    assert part.inform == {"food": "catalan", "area": "centre"}
    assert part.take_alternative() == {"food": "british"}
    assert not part.tries_first
    assert not part.tries_first_book


def test_a_wish_that_is_to_fail_and_does_not_differ_is_none() -> None:
    same = DomainGoal("hotel", inform={"area": "north"}, fail_inform={"area": "north"})
    assert not DomainPart.of(same).tries_first
    assert not DomainPart.of(HOTEL).tries_first


def test_what_the_alternative_drops_no_longer_matters() -> None:
    goal = DomainGoal(
        "hotel", inform={"area": "north"}, fail_inform={"area": "south", "stars": "5"}
    )
    part = DomainPart.of(goal)
    assert part.take_alternative() == {"area": "north", "stars": ""}
    assert part.indifferent == {"stars"}


def test_the_alternative_forgets_the_venue_and_what_was_told_of_it() -> None:
    part = told(FAILING, venue="The Oak")
    part.found, part.candidate, part.answers = True, "The Oak", {"phone": "123"}
    part.denied["phone"] += 1
    part.take_alternative()
    assert (part.venue, part.candidate, part.found, part.answers) == ("", "", False, {})
    assert not part.denied


def test_the_first_booking_differs_in_the_slots_that_are_to_fail() -> None:
    part = DomainPart.of(FULL)
    assert part.tries_first_book
    assert part.book == {"people": "3", "day": "friday", "time": "17:00"}
    assert part.take_alternative_booking() == {"time": "18:00"}
    assert not part.tries_first_book


def test_a_venue_must_be_found_first_where_domains_have_venues() -> None:
    for domain in ("restaurant", "hotel", "attraction", "train"):
        assert DomainPart.of(DomainGoal(domain, inform={})).needs_venue
    for domain in ("taxi", "police", "pizza"):
        assert not DomainPart.of(DomainGoal(domain, inform={})).needs_venue
    for known in ({"venue": "Sea View"}, {"found": True}, {"booked": True}):
        part = DomainPart.of(HOTEL)
        for name, value in known.items():
            setattr(part, name, value)
        assert not part.needs_venue


def test_untold_is_what_was_not_said_or_said_otherwise() -> None:
    part = DomainPart.of(ROOM)
    assert part.untold == {"area": "north"}
    part.told.update({"area": "south", "people": "3"})
    assert part.untold == {"area": "north"}
    assert part.untold_booking == {"day": "friday", "stay": "2"}
    part.told["area"] = "north"
    assert part.untold == {}


def test_a_booking_is_needed_until_it_is_made_or_given_up() -> None:
    assert not DomainPart.of(HOTEL).needs_booking
    part = DomainPart.of(ROOM)
    assert part.needs_booking
    part.booked = True
    assert not part.needs_booking
    part.booked, part.booking_dropped = False, True
    assert not part.needs_booking
    assert part.wants_booking
    assert DomainPart.of(DomainGoal("hotel", book={"stay": "2"})).wants_booking
    assert DomainPart.of(DomainGoal("taxi", wants_booking=True)).wants_booking


def test_the_reference_of_a_booking_is_asked_for_at_most_twice() -> None:
    part = told(ROOM, venue="Sea View")
    assert not part.pending
    part.booked = True
    for times in range(2):
        assert list(part.pending) == ["reference"], times
        part.requested["reference"] += 1
    assert part.pending == ()
    part.requested.clear()
    part.answers["reference"] = "ABC12345"
    assert part.pending == ()
    taxi = DomainPart.of(DomainGoal("taxi", wants_booking=True))
    taxi.booked = True
    assert taxi.pending == (), "a booking without slots has no number"


def test_pending_leaves_out_what_was_answered_given_up_or_kept() -> None:
    part = DomainPart.of(DomainGoal("hotel", request=("phone", "address", "postcode", "stars")))
    part.answers["phone"] = "123"
    part.dropped.add("address")
    part.kept = "postcode"
    assert part.pending == ("stars",)
    assert part.unanswered == ("address", "postcode", "stars")
    asked = DomainPart.of(DomainGoal("hotel", book={"stay": "2"}, request=("reference",)))
    asked.booked = True
    assert asked.pending == ("reference",)


def test_what_the_user_lacks_is_said_in_words() -> None:
    both = DomainGoal("hotel", book={"stay": "2"}, request=("phone", "address"))
    part = DomainPart.of(both)
    part.answers["phone"] = "123"
    assert part.lacks == ["hotel: never told the address", "hotel: no booking"]
    part.booked = True
    part.answers["address"] = "1 Mill Road"
    assert part.lacks == []
    part.abandoned = "nothing was found"
    assert part.lacks == ["hotel: nothing was found"]
    memory = GoalMemory(goal_of(PHONE, ROOM))
    assert memory.lacks == ["hotel: never told the phone", "hotel: no booking"]
    assert DomainPart.of(HOTEL).lacks == []


def test_a_booking_withdrawn_takes_its_number_with_it() -> None:
    part = told(ROOM, venue="Sea View")
    part.booked, part.reference = True, "ABC12345"
    part.answers = {"reference": "ABC12345", "phone": "123"}
    part.withdraw_booking()
    assert (part.booked, part.reference, part.answers) == (False, "", {"phone": "123"})


def test_a_booking_seen_and_not_heard_is_unheard_only_while_it_is_wanted() -> None:
    part = DomainPart.of(TABLE)
    assert not part.is_unheard
    part.unheard = "Consider that sorted."
    assert part.is_unheard
    part.booked = True
    assert not part.is_unheard
    other = DomainPart.of(HOTEL)
    other.unheard = "Consider that sorted."
    assert not other.is_unheard


@pytest.mark.parametrize(
    "change",
    [
        {"opened": True},
        {"book_raised": True},
        {"told": {"area": "north"}},
        {"indifferent": {"stars"}},
        {"venue": "Sea View"},
        {"found": True},
        {"answers": {"phone": "1"}},
        {"dropped": {"phone"}},
        {"booked": True},
        {"booking_dropped": True},
        {"reference": "ABC"},
        {"abandoned": "why"},
        {"kept": "phone"},
        {"asked_again": "phone"},
    ],
    ids=lambda change: "".join(change),
)
def test_each_of_these_is_progress(change: dict[str, object]) -> None:
    part = DomainPart.of(ROOM)
    before = part.state()
    for name, value in change.items():
        setattr(part, name, value)
    assert part.state() != before


def test_repetition_is_no_progress() -> None:
    part = DomainPart.of(ROOM)
    before = part.state()
    part.asked["area"] += 1
    part.requested["phone"] += 1
    part.refusals += 1
    part.corrections["area", "south"] += 1
    part.baffled += 1
    assert part.state() == before


def test_the_domains_come_one_after_the_other_until_none_is_left() -> None:
    memory = GoalMemory(goal_of(PHONE, TABLE))
    assert memory.current is memory.parts[0]
    start = memory.state()
    memory.index = 1
    assert memory.current is memory.parts[1]
    assert memory.state() != start
    memory.index = 2
    assert memory.current is None


def test_questions_settled_are_counted_over_all_domains() -> None:
    memory = GoalMemory(goal_of(PHONE, TABLE))
    assert memory.settled == 0
    memory.parts[0].settled |= {"name", "email"}
    memory.parts[1].settled |= {"name"}
    assert memory.settled == 3
