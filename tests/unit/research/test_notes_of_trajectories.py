"""What is told of a file of trajectories beside its rewards."""

from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.research.offline.trajectories.replaying import STORED
from pytest_todeval.research.offline.trajectories.scoring import _notes
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.world import World

ASKED: dict[str, Any] = {"actions": [{"name": "buy"}], "outputs": ["5"]}


def goal(id: str = "t-0", **raw: Any) -> Goal:
    return Goal(id, "shop", (), raw={**ASKED, **raw})


INSTALLED = GoalSet("shop", (goal(), goal("t-1")), "0", World())


def run(of: Goal | None = None, *, stored: float | None = None, **more: Any) -> Dialogue:
    """A run that has reward 1; some have a stored one beside it."""
    found = {"reward": 1.0} if stored is None else {"reward": 1.0, STORED: stored}
    verdicts = {
        name: Verdict(name, value == 1, f"why {name}", value=value) for name, value in found.items()
    }
    given = {"stop_reason": StopReason.USER_DONE, "verdicts": verdicts, **more}
    return Dialogue(of or goal(), **given)


BROKEN: dict[str, Any] = {"fault": Outcome.INFRASTRUCTURE, "verdicts": {}}
OTHERS = "than the installed ones, and are scored as the file has them: "


@pytest.mark.parametrize(
    ("runs", "told"),
    [
        ([run(), run(goal("t-1"), trial=1), run(goal(instruction="Buy it."))], []),
        ([run(**BROKEN), run(), run(**BROKEN)], ["an error, and count in no rate: 2"]),
        (
            [run(stop_reason=StopReason.IMPORTED), run(stop_reason=StopReason.TURN_LIMIT)],
            ["steps ended them, and have reward 0: t-0 trial 0"],
        ),
        ([run(goal("t-9"))], [f"{OTHERS}t-9"]),
        ([run(goal(outputs=["6"])), run(goal(outputs=["6"]), trial=1)], [f"{OTHERS}t-0"]),
        ([run(goal(actions=[])), run(goal("t-1"))], [f"{OTHERS}t-0"]),
        ([run(goal(actions=[]), **BROKEN), run()], ["an error, and count in no rate: 1"]),
        (
            [run(), run(goal(outputs=["6"]), trial=1)],
            ["takes them for trials of the same: t-0", f"{OTHERS}t-0"],
        ),
        ([run(stored=1.0), run(stored=1.0), run()], ["the stored reward is met in 2 of 2"]),
        (
            [run(stored=1.0), run(stored=0.5, trial=1)],
            [
                "the stored reward is met in 1 of 2",
                "t-0 trial 1: stored 0.5, now 1: why reward",
            ],
        ),
    ],
)
def test_what_is_told(runs: list[Dialogue], told: list[str]) -> None:
    notes = list(_notes(runs, INSTALLED))
    assert len(notes) == len(told)
    for note, end in zip(notes, told, strict=True):
        assert note.endswith(end)


@pytest.mark.parametrize(("count", "more"), [(10, []), (13, ["and 3 more"])])
def test_ten_rewards_that_differ_are_told(count: int, more: list[str]) -> None:
    notes = list(_notes([run(stored=0.0, trial=at) for at in range(count)], INSTALLED))
    assert notes[0] == f"the stored reward is met in 0 of {count}"
    assert [note[:10] for note in notes[11:]] == more
    assert len(notes) == 11 + len(more)
