"""What a play says of a goal that proves nothing, of its ear, and of a misspelt marker."""

from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.play import Play
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.worlds.files.world import FileWorld
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World


class NotScored(FileWorld):
    """A world that computes nothing on the test's backend."""

    def scores(self, backend: Any) -> bool:
        return False


def test_a_goal_that_a_silent_bot_passes_is_told_if_it_is_scored_or_somebody_asks() -> None:
    goal = Goal("1", "own", (DomainGoal("shop", {"name": "Goodbye"}),))
    for scored, asks in ((True, False), (False, False), (False, True)):
        world = (FileWorld if scored else NotScored)(path=Path("own.yaml"))
        goals = GoalSet("own", (goal,), "0", world)
        one = Play(
            goal=goal, goal_set=goals, trial=0, how=PlaySettings(), cast=Cast(),
            exclude_trivial=asks,
        )  # fmt: skip
        told = "'Goodbye.' passes success (every request was answered)"
        assert one.why_trivial(None) == (told if scored or asks else "")


def play_of(goal: Goal, world: World, cast: Cast, *, strict: bool = False) -> Play:
    return Play(
        goal=goal, goal_set=GoalSet("own", (goal,), "0", world), trial=0, how=PlaySettings(),
        cast=cast, strict_outputs=strict,
    )  # fmt: skip


def test_a_play_says_who_hears_the_bot() -> None:
    goal, world = Goal("1", "own", ()), World()
    assert play_of(goal, world, Cast()).hears == "rules"
    assert play_of(goal, world, Cast(model="ear:e", ear="model")).hears == "model e"


class Telling(World):
    """A world of tasks that asks for an output, and finds it told."""

    def outputs(self, goal: Goal) -> tuple[str, ...]:
        return ("10",)

    def evaluate(self, dialogue: Dialogue, backend: Any, judge: Any = None) -> dict[str, Verdict]:
        return {name: Verdict(name, True, "told") for name in ("reward", "reward_outputs")}


@pytest.mark.parametrize("strict", [False, True])
def test_outputs_are_asked_strictly_only_if_the_run_says_so(strict: bool) -> None:
    goal = Goal("1", "own", ())
    dialogue = Dialogue(goal, (Turn(1, "How many?", "10 or 12."),))
    found = play_of(goal, Telling(), Cast(), strict=strict).evaluate(dialogue, None)
    assert bool(found["reward_outputs"]) is not strict


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"user": "agend"}, "no user 'agend'; did you mean 'agenda'"),
        ({"judge": "rule"}, "no judge 'rule'; did you mean 'rules'"),
        ({"unserved": "allow"}, "unserved: got 'allow'; did you mean 'allowed'"),
    ],
)
def test_a_misspelt_argument_of_the_marker_is_told(wrong: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match=f"marker todeval: {told}"):
        PlaySettings(**wrong)  # type: ignore[arg-type]


class Wrong(World):
    """A world that returns, as a verdict, what is none."""

    def evaluate(self, dialogue: Dialogue, backend: Any, judge: Any = None) -> Any:
        return {"success": Verdict("success", True, "fine"), "mine": "yes"}


def test_a_world_that_returns_no_verdict_is_told_under_which_name() -> None:
    goal = Goal("1", "own", ())
    with pytest.raises(JudgeFault, match=r"evaluate returned, as 'mine', str 'yes', expected"):
        play_of(goal, Wrong(), Cast()).evaluate(Dialogue(goal), None)


@pytest.mark.parametrize(("judges", "as_published"), [("model", False), ("published", True)])
def test_a_judge_asks_as_published_only_if_it_is_named_so(judges: str, as_published: bool) -> None:
    judge = Cast(model="judge:m").llm_judge(PlaySettings(), None, judges=judges)
    assert ("as published" in repr(judge)) is as_published
