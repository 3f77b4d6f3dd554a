"""What a goal's steps mean: their verbs' effects, and conditions in words."""

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.steps import VERBS, Condition, Effect, Step, Verb
from pytest_todeval.integration.recording import goal_digest


@pytest.mark.parametrize(
    ("said", "value", "holds"),
    [
        ("at most 20", "20 pounds", True),
        ("at most 20", "£20.50", False),
        ("over 1,000", "1,200", True),
        ("under 20", "free", None),
        ("overland", "Overland", True),
        ("not sunday", "monday", True),
        ("not sunday", "Sunday", False),
        ("20", "20.00 euros", True),
        ("yes", "no", False),
        ("at least", "at least", True),
    ],
)
def test_a_condition_is_read_and_holds(said: str, value: str, holds: bool | None) -> None:
    assert Condition.read("fee", said).holds(value) is holds


def test_a_condition_reads_back_as_it_is_said() -> None:
    for said in ("at most 20", "more than 20", "not sunday", "yes"):
        assert str(Condition.read("fee", said)) == f"fee {said}"


def test_a_verb_has_an_effect_and_one_of_ones_own_is_its_own() -> None:
    assert {step.means.effect for step in (Step("ask", "card"), Step("juggle", "card"))} == {
        Effect.NONE
    }
    freeze = Verb("freeze", Effect.SETS, sets={"status": "iced"})
    assert Step("freeze", "card", own=freeze).means is freeze
    assert all(verb.name == name for name, verb in VERBS.items())


def test_goals_of_before_have_the_digest_that_their_cassettes_hold() -> None:
    goal = Goal("g1", "spa", (DomainGoal("spa", book={"day": "monday"}),), ("Ask.",))
    assert goal_digest(goal) == "6eac61583074"
    assert "steps" not in repr(goal)


def test_a_goal_of_steps_has_a_digest_of_its_own() -> None:
    steps = (Step("cancel", "visit", {"id": "A1"}), Step("cancel", "visit", {"id": "A2"}))
    digests = {goal_digest(Goal("g1", "spa", (), steps=(step,))) for step in steps}
    assert len(digests | {goal_digest(Goal("g1", "spa", ()))}) == 3
