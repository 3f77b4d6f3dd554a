"""Values that are mentioned in passing are not held against the item; those told of it are."""

from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evaluate.rules.asides import _denied_around, is_nearly
from pytest_todeval.evaluate.rules.finding import Found, View
from pytest_todeval.evaluate.rules.registry import predicates
from pytest_todeval.facts.dialogue import gather
from tests.support.dialogue_world import (
    EARLY,
    KETTLE,
    LATE,
    MUSEUM,
    SAFFRON,
    WILLOW,
    backend,
    dialogue,
    found,
    goal,
    said,
)

ROWS = {
    "restaurant": (KETTLE, SAFFRON),
    "hotel": (WILLOW,),
    "attraction": (MUSEUM,),
    "train": (EARLY, LATE),
}


def told(domain: str, *texts: str) -> Dialogue:
    looked = found(domain, *ROWS[domain])
    turns = [said("What is there?", text, looked) for text in texts]
    return dialogue(goal(DomainGoal(domain, {})), *turns)


def ask(name: str, played: Dialogue) -> Found:
    evidence = gather(played, backend())
    result: Found = predicates()[name].function(View(evidence, evidence.turns[-1]))
    return result


@pytest.mark.parametrize(
    ("text", "behind", "value", "denied"),
    [
        ("It has WIFI.", "", "yes", False),
        ("It has WIFI, except in the rooms.", "", "yes", True),
        ("There is no place with WIFI.", "", "yes", True),
        ("Do you need WIFI?", "", "yes", True),
        ("It has WIFI?", " sadly not.", "yes", True),
        ("It has WIFI.", " There is no pool.", "yes", False),
        ("It is online.", "", "yes", False),
        ("It is online, but only nearby.", "", "yes", True),
        ("It has no WIFI.", "", "no", False),
        ("Without any WIFI.", "", "no", False),
        ("It has WIFI.", "", "no", True),
        ("It is offline.", "", "no", False),
    ],
)
def test_words_around_a_feature_may_deny_it(
    text: str, behind: str, value: str, denied: bool
) -> None:
    at = text.find("WIFI")
    place: Any = SimpleNamespace(start=at, end=at + 4)
    found = _denied_around(text.lower(), behind, [place] if at >= 0 else [], value)
    assert found is denied


@pytest.mark.parametrize(
    ("words", "nearest", "beyond"),
    [
        ("about ", (8.0, 13.3), (7.9, 13.4)),
        ("under ", (5.0, 10.0), (4.9, 10.1)),
        ("over ", (10.0, 15.0), (9.9, 15.1)),
        ("", (), (10.0,)),
    ],
)
def test_how_near_a_rough_figure_must_be(
    words: str, nearest: tuple[float, ...], beyond: tuple[float, ...]
) -> None:
    """All of them told as "about 10", "under 10", "over 10"."""
    assert all(is_nearly(f"it costs {words}", 10.0, [1.0, own]) for own in nearest)
    assert not any(is_nearly(f"it costs {words}", 10.0, [1.0, own]) for own in beyond)


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        # denied
        ("restaurant", "The Copper Kettle is an Italian place. It's not expensive at all."),
        ("restaurant", "I found The Copper Kettle, far from expensive and right in the centre."),
        ("restaurant", "Saffron Garden is expensive, certainly not a cheap place."),
        ("restaurant", "Saffron Garden has Indian food, not Italian."),
        ("restaurant", "The Copper Kettle is cheap rather than moderate."),
        ("hotel", "Willow Lodge is reasonably priced, neither cheap nor expensive."),
        ("train", "TR1010 runs every Monday, not on Sunday."),
        # compared
        ("restaurant", "The Copper Kettle is cheaper than most expensive places."),
        ("hotel", "Willow Lodge is rated four stars, which is not quite five stars."),
        ("hotel", "Willow Lodge has 4 stars out of 5 stars, more than a 3-star hotel."),
        ("train", "TR1010 costs 10.10 pounds. That is less than 15 pounds."),
        # of something else
        ("restaurant", "The Copper Kettle is cheap, the other one in the north is expensive."),
        ("restaurant", "The Copper Kettle is my pick. There is also an Indian one in the north."),
        ("restaurant", "There are 2, one in the north, one central. I'd take The Copper Kettle."),
        ("attraction", "Harbour Museum costs 5 pounds. There are free attractions too."),
        ("train", "TR1010 is the earliest, at 09:00. The later one leaves at 11:00."),
        # wished for
        ("restaurant", "The Copper Kettle is cheap; if you'd rather have a moderate one, say so."),
        ("restaurant", "The Copper Kettle is Italian. I can also look for Indian food."),
        # the way
        ("restaurant", "The Copper Kettle is in the centre, just south of the river."),
        ("restaurant", "The Copper Kettle is cheap, a short walk from the north side of town."),
        ("restaurant", "Saffron Garden is in the north, a bit outside the centre."),
        ("restaurant", "Saffron Garden is in the north; the centre is a short ride away."),
        ("hotel", "Willow Lodge is east of the centre."),
        # rough
        ("hotel", "Willow Lodge is affordable, with 4 stars."),
        ("train", "TR1010 takes about an hour and costs roughly 10 pounds."),
        ("attraction", "Harbour Museum costs 5 pounds, so 10 pounds for two people."),
        # features
        ("hotel", "Willow Lodge has wifi. Sadly, parking isn't available."),
        ("hotel", "Willow Lodge: no parking, wifi included."),
        ("hotel", "Willow Lodge has everything you asked for except parking."),
        ("hotel", "Willow Lodge has wifi. As for parking, I'm afraid not."),
    ],
)
def test_what_is_said_in_passing_is_not_held_against_the_item(domain: str, text: str) -> None:
    assert ask("wrong_value", told(domain, text)).holds is not True
    assert ask("ungrounded", told(domain, text)).holds is not True


@pytest.mark.parametrize(
    ("domain", "text"),
    [
        ("restaurant", "The Copper Kettle is an expensive Italian restaurant in the centre."),
        ("restaurant", "The Copper Kettle is a cheap place in the south. Shall I book?"),
        ("restaurant", "If you like, Saffron Garden is in the centre of town."),
        ("restaurant", "There is no other, but Saffron Garden is a cheap Indian restaurant."),
        ("hotel", "Willow Lodge has free parking and wifi."),
        ("hotel", "Willow Lodge has no wifi."),
        ("hotel", "Willow Lodge is a 5 star guesthouse in the east."),
        ("hotel", "Willow Lodge is expensive, with 4 stars."),
        ("attraction", "Harbour Museum is free to enter."),
        ("attraction", "Harbour Museum costs 10 pounds."),
        ("train", "TR1010 leaves at 09:15."),
        ("train", "TR1010 takes about 20 minutes."),
        ("train", "TR1010 costs roughly 18 pounds."),
        ("train", "TR1010 takes less than 40 minutes."),
    ],
)
def test_what_is_told_of_the_item_is(domain: str, text: str) -> None:
    assert ask("wrong_value", told(domain, text)).holds is True


@pytest.mark.parametrize(
    ("later", "holds"),
    [("Saffron Garden is not in the centre.", False), ("Saffron Garden is in the south.", True)],
)
def test_a_value_in_passing_contradicts_nothing(later: str, holds: bool) -> None:
    played = told("restaurant", "Saffron Garden is in the north.", later)
    assert ask("contradicts_itself", played).holds is holds
