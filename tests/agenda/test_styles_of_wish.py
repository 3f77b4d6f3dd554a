"""The other wish of a user that changes its mind."""

import random

import pytest

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.values.normalise import DAYS
from pytest_todeval.nlu.vocabulary import Vocabulary
from pytest_todeval.simulation.agenda.styles import with_other_wish
from tests.agenda.world import FAILING, NAMES, Chat, goal_of, offer

NORTH = DomainGoal("hotel", inform={"area": "north"})


def other(
    *parts: DomainGoal, known: Vocabulary | None = NAMES, seed: int = 0
) -> list[dict[str, str]]:
    """The wishes that come first now, domain by domain."""
    goal = with_other_wish(goal_of(*parts), known, random.Random(seed))
    return [dict(part.fail_inform) for part in goal.domains]


def test_another_value_of_the_vocabulary_is_wanted_first() -> None:
    wishes = {other(NORTH, seed=seed)[0]["area"] for seed in range(20)}
    assert wishes == {"south", "centre"}


def test_the_goals_own_value_in_another_spelling_is_no_other_wish() -> None:
    known = Vocabulary(values={"area": ("North", "the north")})
    assert other(NORTH, known=known)[0] in ({}, {"area": "the north"})
    assert other(NORTH, known=Vocabulary(values={"area": ("North",)})) == [{}]


@pytest.mark.parametrize(
    "part",
    [
        DomainGoal("hotel", inform={"name": "Sea View", "area": "north"}),
        DomainGoal("train", inform={"leaveAt": "10:00"}),
        DomainGoal("hotel", inform={"stars": "4"}),
        DomainGoal("pizza", inform={"size": "large"}),
    ],
)
def test_there_is_no_other_wish_where_none_can_be_thought_of(part: DomainGoal) -> None:
    assert other(part) == [{}]


def test_days_are_known_without_a_vocabulary() -> None:
    train = DomainGoal("train", inform={"day": "friday", "area": "north"})
    for known in (None, NAMES):
        days = {other(train, known=known, seed=seed)[0]["day"] for seed in range(60)}
        assert days - {"friday"} == set(DAYS) - {"friday"}


def test_only_one_domain_has_another_wish_and_none_that_fails_anyway() -> None:
    south = DomainGoal("restaurant", inform={"area": "south"})
    first, second = other(NORTH, south)
    assert first
    assert second == {}
    failing, second = other(FAILING, south)
    assert failing == FAILING.fail_inform
    assert second
    stuck, second = other(DomainGoal("train", inform={"leaveAt": "10:00"}), south)
    assert stuck == {}
    assert second


def test_one_that_changes_its_mind_does_so_once_it_is_offered_what_it_said() -> None:
    chat = Chat(NORTH, style="changes_mind")
    assert chat.part.tries_first
    chat.hears(offer("Sea View"))
    assert not chat.part.tries_first
    assert chat.slots == {"area": "north"}
    assert not Chat(NORTH).part.tries_first
