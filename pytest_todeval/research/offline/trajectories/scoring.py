"""A file of stored trajectories, scored: each reward recomputed, beside the stored one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import InvalidFile
from pytest_todeval.evaluate.metrics.reward import METRIC_SET, RESPOND, VERSION
from pytest_todeval.research.offline.stored import Scored
from pytest_todeval.research.offline.trajectories.reading import Trajectory, read_trajectories
from pytest_todeval.research.offline.trajectories.replaying import STORED, replay
from pytest_todeval.worlds.goal_set import GoalSet

METRICS = ("reward", "reward_actions", "reward_outputs")
MAX_NAMED = 10
MAX_REASON = 200
"""Characters of a reason beside a stored reward; the results file has all of it."""
REWARDED = ("actions", "outputs")
"""Of a task: what its reward follows from."""


def score_trajectories(path: Path, domain: ToolDomain, goals: GoalSet) -> Scored:
    """Recompute the rewards of a file of trajectories by replaying their calls.

    A trajectory's task is the one stored with it; else the goal at its place in the goal set, which
    also gives it its id. Raises InvalidFile on a file that does not say what it should, and on
    tasks whose actions call tools that the domain does not have.
    """
    dialogues: list[Dialogue] = []
    other_results: list[str] = []
    for trajectory in read_trajectories(path):
        goal = _goal(trajectory, goals)
        _refuse_foreign(trajectory, goal, domain)
        replayed = replay(trajectory, goal, domain)
        dialogues.append(replayed.dialogue)
        other_results += replayed.other_results
    data = {goals.name: goals.fingerprint, f"{goals.name}/db": ToolBackend(domain).state_hash()}
    return Scored(
        dialogues=tuple(dialogues),
        definitions={
            **dict.fromkeys(METRICS, f"{METRIC_SET} {VERSION}"),
            STORED: "as the file says",
        },
        data=data,
        notes=(_against(data, goals), *_notes(dialogues, goals), *other_answers(other_results)),
    )


def _goal(trajectory: Trajectory, goals: GoalSet) -> Goal:
    place, task = trajectory.task_id, trajectory.task
    known = goals.goals[place] if place < len(goals.goals) else None
    if task is not None:
        id = str(place) if known is None else known.id
        message = (str(task.get("instruction") or ""),)
        return Goal(id, goals.name, (), message, raw=task, published=goals.world.published)
    if known is None:
        raise InvalidFile(
            f"{trajectory.where}: it holds no `info.task`, and {goals.name} has no task {place} "
            f"among these {len(goals.goals)}; was it played on another --split or --domain?"
        )
    return known


def _refuse_foreign(trajectory: Trajectory, goal: Goal, domain: ToolDomain) -> None:
    """Actions that the domain lacks change nothing, so that a bot that does nothing would pass."""
    for action in goal.raw["actions"]:
        if action["name"] not in domain.tools and action["name"] != RESPOND:
            raise InvalidFile(
                f"{trajectory.where}: its task's actions call {action['name']!r:.80}, which "
                f"{domain.name} does not have; was it played on another --domain?"
            )


def _against(data: Mapping[str, str], goals: GoalSet) -> str:
    tables = data[f"{goals.name}/db"][:12]
    return (
        f"scored against {goals.name} {goals.fingerprint} ({len(goals.goals)} tasks), "
        f"tables {tables}"
    )


def _notes(dialogues: Sequence[Dialogue], known: GoalSet) -> Iterator[str]:
    yield from _beside_stored(dialogues)
    broken = sum(dialogue.fault is Outcome.INFRASTRUCTURE for dialogue in dialogues)
    if broken:
        yield f"runs that broke off with an error, and count in no rate: {broken}"
    endless = [
        trial_name(d) for d in dialogues if not d.fault and d.stop_reason is StopReason.IMPORTED
    ]
    if endless:
        yield (
            "dialogues that end before the user, a terminating tool or "
            f"{TAU_BENCH_STEPS} steps ended them, and have reward 0: {named(endless)}"
        )
    yield from _beside_installed(dialogues, known)


def _beside_installed(dialogues: Sequence[Dialogue], known: GoalSet) -> Iterator[str]:
    installed = {goal.id: goal for goal in known.goals}
    first: dict[str, Goal] = {}
    for dialogue in dialogues:
        if not dialogue.fault:  # a run that broke does not store its task
            first.setdefault(dialogue.goal.id, dialogue.goal)
    goals = [dialogue.goal for dialogue in dialogues if not dialogue.fault]
    mixed = _ids(goal for goal in goals if _differs(goal, first[goal.id]))
    if mixed:
        yield (
            "trials of one task ask for different actions or outputs, and pass^k takes them for "
            f"trials of the same: {named(mixed)}"
        )
    other = _ids(goal for goal in goals if _differs(goal, installed.get(goal.id)))
    if other:
        yield (
            "the file's tasks ask for other actions or outputs than the installed ones, and are "
            f"scored as the file has them: {named(other)}"
        )


def other_answers(other_results: Sequence[str]) -> Iterator[str]:
    """Returns that tools answered otherwise than the file says, by name once per such call."""
    if other_results:
        tools = named([f"{name:.60}" for name in sorted(set(other_results))])
        yield (
            "tool calls answered otherwise than when the file was made, whose tables or tools were "
            f"not quite these: {len(other_results)} ({tools})"
        )


def _differs(goal: Goal, known: Goal | None) -> bool:
    if known is None:
        return True
    return any(goal.raw.get(part) != known.raw.get(part) for part in REWARDED)


def _ids(goals: Iterable[Goal]) -> list[str]:
    return list(dict.fromkeys(goal.id for goal in goals))


def trial_name(dialogue: Dialogue) -> str:
    """Returns which trial of which task it is."""
    return f"{dialogue.goal.id} trial {dialogue.trial}"


def _beside_stored(dialogues: Sequence[Dialogue]) -> Iterator[str]:
    both = [d for d in dialogues if {"reward", STORED} <= d.verdicts.keys()]
    if not both:
        return
    others = [d for d in both if d.reward.value != d.verdicts[STORED].value]
    yield f"the stored reward is met in {len(both) - len(others)} of {len(both)}"
    for each in others[:MAX_NAMED]:
        stored, now = each.verdicts[STORED].value, each.reward.value
        why = cut(each.reward.reason)
        yield f"{trial_name(each)}: stored {stored:g}, now {now:g}: {why}"
    if len(others) > MAX_NAMED:
        yield f"and {len(others) - MAX_NAMED} more whose stored reward is not met"


def named(names: Sequence[str]) -> str:
    """Returns the first names, and how many more there are."""
    more = len(names) - MAX_NAMED
    return ", ".join(names[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def cut(text: str) -> str:
    """Returns a reason short enough for a line beside others."""
    return text if len(text) <= MAX_REASON else f"{text[:MAX_REASON]} ..."
