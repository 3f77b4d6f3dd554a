"""Where a taxi goes that the goal sends "between the two places"."""

import pytest

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.simulation.agenda.memory import GoalMemory
from pytest_todeval.simulation.agenda.taxi import missing_places, needs_places
from tests.agenda.world import Chat, goal_of, offer

MUSEUM = DomainGoal("attraction", inform={"type": "museum"})
INN = DomainGoal("restaurant", inform={"area": "north"}, book={"time": "18:00"})
BEDS = DomainGoal("hotel", inform={"area": "south"})
RIDE = DomainGoal("taxi", inform={"leaveAt": "10:00"}, wants_booking=True)
RAISED = "You also want a <b>taxi</b> to commute between the two places."


def memory_of(
    *parts: DomainGoal, message: tuple[str, ...] = (RAISED,), known: bool = True
) -> GoalMemory:
    memory = GoalMemory(goal_of(*parts, message=message))
    if known:
        for part in memory.parts[:-1]:
            part.venue = f"{part.domain} venue"
    return memory


def route(*parts: DomainGoal, message: tuple[str, ...] = (RAISED,)) -> tuple[str, ...]:
    """The domains that the taxi goes from and to."""
    memory = memory_of(*parts, message=message)
    places = missing_places(memory.parts[-1], memory)
    assert places is not None
    return tuple(venue.removesuffix(" venue") for venue in places.values())


def test_from_the_first_venue_to_the_last_if_nothing_tells() -> None:
    assert route(INN, BEDS, RIDE) == ("restaurant", "hotel")
    assert route(BEDS, INN, RIDE) == ("hotel", "restaurant")
    assert route(INN, BEDS, MUSEUM, RIDE) == ("restaurant", "attraction")


@pytest.mark.parametrize(
    ("sentence", "way"),
    [
        ("You want to leave the <span class='emphasis'>hotel</span> by 10:00.",
         ("hotel", "restaurant")),
        ("You want to leave the RESTAURANT by 10:00.", ("restaurant", "hotel")),
        ("It departs from the hotel.", ("hotel", "restaurant")),
        ("It arrives at the restaurant.", ("hotel", "restaurant")),
        ("Make sure it arrives the hotel in time.", ("restaurant", "hotel")),
        ("It goes to the restaurant.", ("hotel", "restaurant")),
        ("It goes from the hotel to the restaurant.", ("hotel", "restaurant")),
    ],
)  # fmt: skip
def test_the_message_tells_where_it_leaves_or_arrives(sentence: str, way: tuple[str, str]) -> None:
    assert route(INN, BEDS, RIDE, message=(RAISED, sentence)) == way


def test_what_the_message_says_before_it_raises_the_taxi_is_about_something_else() -> None:
    before = "You want to leave the hotel early."
    assert route(INN, BEDS, RIDE, message=(before, RAISED)) == ("restaurant", "hotel")


def test_it_arrives_where_a_table_is_booked_for_its_time() -> None:
    ride = DomainGoal("taxi", inform={"arriveBy": "18:00"}, wants_booking=True)
    later = DomainGoal("taxi", inform={"arriveBy": "19:00"}, wants_booking=True)
    assert route(INN, BEDS, ride) == ("hotel", "restaurant")
    assert route(INN, BEDS, later) == ("restaurant", "hotel")
    leave = ("You want a taxi and leave the restaurant.",)
    assert route(INN, BEDS, ride, message=leave) == ("restaurant", "hotel")


def test_a_place_that_the_goal_gives_stays() -> None:
    ride = DomainGoal("taxi", inform={"departure": "1 Mill Road"}, wants_booking=True)
    memory = memory_of(BEDS, ride)
    assert missing_places(memory.parts[-1], memory) == {"destination": "hotel venue"}


def test_a_venue_wanted_by_name_is_known_from_the_start() -> None:
    named = DomainGoal("restaurant", inform={"name": "The Oak"})
    memory = memory_of(named, DomainGoal("hotel", inform={"name": "Sea View"}), RIDE, known=False)
    places = missing_places(memory.parts[-1], memory)
    assert places == {"departure": "The Oak", "destination": "Sea View"}


def test_no_way_where_venues_are_missing() -> None:
    memory = memory_of(INN, BEDS, RIDE)
    memory.parts[0].venue = ""
    assert missing_places(memory.parts[-1], memory) is None
    alone = memory_of(BEDS, RIDE)
    assert missing_places(alone.parts[-1], alone) is None, "a taxi needs two places"


@pytest.mark.parametrize(
    ("parts", "needs"),
    [
        ((INN, BEDS, RIDE), True),
        ((RIDE,), False),
        ((DomainGoal("train", inform={"day": "friday"}), RIDE), False),
        ((BEDS, DomainGoal("taxi", inform={"departure": "a", "destination": "b"})), False),
        ((BEDS, DomainGoal("taxi", inform={"departure": "a"})), True),
        ((BEDS, INN), False),
    ],
)
def test_only_a_taxi_without_its_places_needs_them_from_other_domains(
    parts: tuple[DomainGoal, ...], needs: bool
) -> None:
    memory = GoalMemory(goal_of(*parts))
    assert needs_places(memory.parts[-1], memory) is needs


def test_a_taxi_between_venues_that_nobody_found_is_given_up_not_ordered() -> None:
    chat = Chat(INN, BEDS, RIDE, message=(RAISED,))
    memory = chat.user._memory
    memory.index = 2
    chat.hears(offer("Sea View"))
    assert memory.parts[2].abandoned == "no venues known to go between"
    assert not memory.parts[2].opened
    assert chat.stop is not None
