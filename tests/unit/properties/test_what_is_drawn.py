"""What the strategies draw can be played, is what was asked for, and gets smaller soundly."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.steps import Step
from pytest_todeval.errors import UsageError
from pytest_todeval.goals.made_up.shapes import is_value
from pytest_todeval.play.conversation import DrawnConversation
from pytest_todeval.properties.playing import play
from pytest_todeval.properties.smaller import smaller, smallest
from pytest_todeval.properties.source import source_of
from pytest_todeval.simulation.agenda.user import inexpressible
from pytest_todeval.strategies import BackendFault, conversation, conversations, goals
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

FEW = settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))


def require_sound(goal: Goal) -> None:
    source = source_of("demo")
    assert source.query is not None
    assert not list(inexpressible(goal))
    assert len({part.domain for part in goal.domains}) == len(goal.domains) <= 4
    for part in goal.domains:
        met = source.query(part.domain, part.inform)
        assert bool(met) is not part.refusal
        assert part.inform
        assert part.book or part.request
        assert all(is_value(row.get(slot)) for row in met for slot in part.request)
        if part.fail_inform:
            assert not source.query(part.domain, part.fail_inform)


@FEW
@given(goals("demo", satisfiable=None))
def test_drawn_goals_can_be_had_or_not_as_they_say(goal: Goal) -> None:
    require_sound(goal)
    assert goal.name.startswith("demo/")


@FEW
@given(conversations("demo", domains=["hotel", "train"], steps=2))
def test_a_conversation_is_pinned_by_what_it_is_shown_as(drawn: DrawnConversation) -> None:
    assert {part.domain for part in drawn.goal.domains} <= {"hotel", "train"}
    again = eval(repr(drawn), {"conversation": conversation, "BackendFault": BackendFault})
    assert again.goal.domains == drawn.goal.domains
    assert (again.style, again.seed, again.name) == (drawn.style, drawn.seed, drawn.name)


@FEW
@given(conversations("demo"))
def test_all_that_is_smaller_is_as_sound(drawn: DrawnConversation) -> None:
    for less in smaller(drawn):
        require_sound(less.goal)
        assert less.name != drawn.name


@settings(FEW, max_examples=8)
@given(conversations("demo", noise=True))
def test_the_reference_bot_meets_what_is_drawn(drawn: DrawnConversation) -> None:
    dialogue = play(drawn, RuleSystem)
    assert dialogue.turns


def test_nothing_is_left_that_can_be_left_out() -> None:
    begun = conversation(
        "demo",
        {
            "domains": {
                "hotel": {
                    "inform": {"area": "north", "internet": "yes"},
                    "book": {"day": "saturday", "people": "4", "stay": "3"},
                    "request": ["phone"],
                },
                "train": {
                    "inform": {"departure": "marlwick", "destination": "eastmere", "day": "monday"},
                    "book": {"people": "2"},
                },
            }
        },
        style="chatty",
        seed=4,
    )
    asked: list[DrawnConversation] = []

    def fails(found: DrawnConversation) -> bool:
        asked.append(found)
        return any(part.book.get("day") == "saturday" for part in found.goal.domains)

    found = smallest(begun, fails)
    (part,) = found.goal.domains
    assert (found.style, found.seed, part.domain, part.request) == ("plain", 0, "hotel", ())
    assert dict(part.book) == {"day": "saturday", "people": "1", "stay": "1"}
    assert len(part.inform) == 1
    assert len(asked) < 60


def test_steps_are_left_out_unless_they_hang_together() -> None:
    steps = (
        Step("cancel", "card", {"id": "C1"}),
        Step("change", "visit", {"id": "V1"}, {"day": "x"}),
    )
    ours = GoalSet("ours31", (Goal("g", "ours31", (), steps=steps, given={}),), "0" * 12, World())
    seen = set()

    @FEW
    @given(goals(ours))
    def draw(goal: Goal) -> None:
        seen.add(tuple(step.verb for step in goal.steps))

    draw()
    assert seen == {("cancel",), ("change",), ("cancel", "change")}


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"steps": 0}, "steps: got 0"),
        ({"domains": "hotel"}, "expected a list"),
        ({"satisfiable": "no"}, "satisfiable: got 'no'"),
    ],
)
def test_wrong_arguments_are_told(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        goals("demo", **asked)
