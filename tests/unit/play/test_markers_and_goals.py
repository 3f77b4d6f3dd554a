"""What a play says of a goal that proves nothing, and of a marker that is misspelt."""

from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.play import Play
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.worlds.files.world import FileWorld
from pytest_todeval.worlds.goal_set import GoalSet


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
