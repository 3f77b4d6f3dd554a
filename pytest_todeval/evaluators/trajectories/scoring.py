"""A file of stored trajectories, scored: each reward recomputed, beside the stored one."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import InvalidFile
from pytest_todeval.evaluators.reward import METRIC_SET, VERSION
from pytest_todeval.evaluators.stored import Scored
from pytest_todeval.evaluators.trajectories.reading import Trajectory, read_trajectories
from pytest_todeval.evaluators.trajectories.replaying import STORED, replay
from pytest_todeval.goals.goal_set import GoalSet

__all__ = ["score_trajectories"]

METRICS = ("reward", "reward_actions", "reward_outputs")
MAX_NAMED = 10
REWARDED = ("actions", "outputs")
"""Of a task: what its reward follows from."""


def score_trajectories(path: Path, domain: ToolDomain, goals: GoalSet) -> Scored:
    """Recompute the rewards of a file of trajectories by replaying their calls.

    A trajectory's task is the one stored with it; else the goal at its place in the goal set, which
    also gives it its id. Raises InvalidFile on a file that does not say what it should.
    """
    dialogues: list[Dialogue] = []
    other_results: list[str] = []
    for trajectory in read_trajectories(path):
        replayed = replay(trajectory, _goal(trajectory, goals), domain)
        dialogues.append(replayed.dialogue)
        other_results += replayed.other_results
    return Scored(
        dialogues=tuple(dialogues),
        definitions={
            **dict.fromkeys(METRICS, f"{METRIC_SET} {VERSION}"),
            STORED: "as the file says",
        },
        data={goals.name: goals.fingerprint, f"{goals.name}/db": ToolBackend(domain).state_hash()},
        notes=(*_notes(dialogues, goals), *_answers(other_results)),
    )


def _goal(trajectory: Trajectory, goals: GoalSet) -> Goal:
    place, task = trajectory.task_id, trajectory.task
    known = goals.goals[place] if place < len(goals.goals) else None
    if task is not None:
        id = str(place) if known is None else known.id
        message = (str(task.get("instruction") or ""),)
        return Goal(id, goals.name, (), message, raw=task, published=goals.published)
    if known is None:
        raise InvalidFile(
            f"{trajectory.where}: it holds no `info.task`, and {goals.name} has no task {place} "
            f"among these {len(goals.goals)}; was it played on another --split or --domain?"
        )
    return known


def _notes(dialogues: Sequence[Dialogue], known: GoalSet) -> Iterator[str]:
    yield from _beside_stored(dialogues)
    broken = sum(dialogue.fault is Outcome.INFRASTRUCTURE for dialogue in dialogues)
    if broken:
        yield f"runs that broke off with an error, and count in no rate: {broken}"
    installed = {goal.id: goal for goal in known.goals}
    goals = {dialogue.goal.id: dialogue.goal for dialogue in dialogues}
    other = [id for id, goal in goals.items() if _differs(goal, installed.get(id))]
    if other:
        yield (
            "the file's tasks ask for other actions or outputs than the installed ones, and are "
            f"scored as the file has them: {_named(other)}"
        )


def _answers(other_results: Sequence[str]) -> Iterator[str]:
    if other_results:
        tools = ", ".join(sorted(set(other_results)))
        yield (
            "tool calls answered otherwise than when the file was made, whose database or tools "
            f"were not quite these: {len(other_results)} ({tools})"
        )


def _differs(goal: Goal, known: Goal | None) -> bool:
    if known is None:
        return True
    return any(goal.raw.get(part) != known.raw.get(part) for part in REWARDED)


def _beside_stored(dialogues: Sequence[Dialogue]) -> Iterator[str]:
    both = [d for d in dialogues if {"reward", STORED} <= d.verdicts.keys()]
    if not both:
        return
    others = [d for d in both if d.reward.value != d.verdicts[STORED].value]
    told = f": {_named([f'{d.goal.id} trial {d.trial}' for d in others])}" if others else ""
    yield f"the stored reward is met in {len(both) - len(others)} of {len(both)}{told}"


def _named(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
