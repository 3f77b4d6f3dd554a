"""Toothless goals: those that a bot passes by doing nothing, which tell no good bot from none.

The bot that does nothing says "Goodbye." whatever it hears and calls no tool. Its dialogue with a
user who states the whole goal is really evaluated, by the metrics that the goal's dialogues get: by
the reward where the goal is a task over tools and tables, else by success and booking. What is
found is kept for the process, by the goal set's fingerprint, and found for the goals asked about
only: a run that plays five goals pays for five. Where a reward hangs on sentences that a judge must
read (tau2), nobody is asked: what else it hangs on may show the bot that does nothing to fail, and
no more is told.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import DataMissing, JudgeFault, OracleFault
from pytest_todeval.goals.goal_set import GoalSet, World
from pytest_todeval.llm.goal_text import goal_text

__all__ = ["GOODBYE", "idle_dialogue", "toothless", "untold"]

GOODBYE = "Goodbye."
"""All that the bot that does nothing says."""

KEPT_GOAL_SETS = 16


class _Found(NamedTuple):
    """What comes of a goal when the bot does nothing; both None where the bot fails it."""

    toothless: str | None = None
    untold: str | None = None


def toothless(goal: Goal, goal_set: GoalSet) -> str | None:
    """Why a bot that does nothing passes the goal, as a clause; None where it does not.

    `goal_set` is the one the goal was read from. Tasks over tools and tables load these, so they
    are to be asked about when a test runs, not when it is collected. Raises what loading raises:
    DataMissing, InvalidFile, UsageError.
    """
    return _find(goal, goal_set).toothless


def untold(goal: Goal, goal_set: GoalSet) -> str | None:
    """Why no metric tells whether such a bot passes the goal, and what can; None where one does."""
    return _find(goal, goal_set).untold


def idle_dialogue(goal: Goal) -> Dialogue:
    """A user states the goal, a sentence a turn; the bot does nothing."""
    lines = goal_text(goal).splitlines() or ["Hello."]
    turns = tuple(Turn(index, line, GOODBYE) for index, line in enumerate(lines, start=1))
    return Dialogue(goal, turns, StopReason.USER_DONE)


def _find(goal: Goal, goal_set: GoalSet) -> _Found:
    known = _known(goal_set.name, goal_set.fingerprint, goal_set.database, goal_set.world)
    if goal.id not in known:
        known[goal.id] = _tell(goal, goal_set)
    return known[goal.id]


@lru_cache(maxsize=KEPT_GOAL_SETS)
def _known(
    name: str, fingerprint: str, database: Path | None, world: World | None
) -> dict[str, _Found]:
    """What was found of the goals of a set so far, by id."""
    return {}


def _tell(goal: Goal, goal_set: GoalSet) -> _Found:
    if goal_set.world is None:
        return _by_success(goal, goal_set.database)
    by = _by_tau2_reward if goal_set.world.kind == "tau2" else _by_reward
    try:
        return by(goal, goal_set.world)
    except (JudgeFault, OracleFault) as fault:
        return _Found(untold=str(fault))


def _by_success(goal: Goal, database: Path | None) -> _Found:
    from pytest_todeval.metrics.task_success import evaluate

    verdicts = evaluate(idle_dialogue(goal), _backend(goal, database))
    judged = [verdicts["success"], verdicts["booking"]]
    if not any(verdict.applicable for verdict in judged):
        reason = "it names no domains, so success and booking do not apply"
        return _Found(untold=f"{reason}; judge.goal_completion(dialogue) looks for its solution")
    return _Found(toothless=_passed(judged)) if all(judged) else _Found()


def _passed(verdicts: Iterable[Verdict]) -> str:
    told = [f"{v.name} ({v.reason})" for v in verdicts if v.applicable]
    return f"{GOODBYE!r} passes {' and '.join(told)}"


def _backend(goal: Goal, database: Path | None) -> object:
    if database is None:
        return None
    from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase

    return MultiwozBackend(MultiwozDatabase.load(database), goal)


def _by_reward(goal: Goal, world: World) -> _Found:
    from pytest_todeval.backends.tool_backend import ToolBackend
    from pytest_todeval.backends.worlds import domain_of
    from pytest_todeval.metrics.reward import rewards

    backend = ToolBackend(domain_of(world.kind, world.domain, world.home))
    verdicts = rewards(idle_dialogue(goal), backend)
    return _Found(toothless=_rewarded(verdicts)) if verdicts["reward"] else _Found()


def _rewarded(verdicts: Mapping[str, Verdict]) -> str:
    state = "its actions leave the database as it was"
    if verdicts["reward_outputs"].applicable:
        return f"{state}, and {GOODBYE!r} holds all that is to be told"
    return f"{state}, and nothing is to be told"


def _by_tau2_reward(goal: Goal, world: World) -> _Found:
    from pytest_todeval.backends.tau2.backend import Tau2Backend
    from pytest_todeval.worlds.tau2.reward import tau2_rewards

    if world.home is None:
        raise DataMissing(f"{goal.name}: tau2's tools are not shipped; its checkout is not known")
    backend = Tau2Backend(world.home, world.domain, goal.raw)
    verdicts = tau2_rewards(idle_dialogue(goal), backend, goal.raw)
    if not verdicts["reward"]:
        return _Found()
    parts = ", ".join(name for name in verdicts if name != "reward")
    return _Found(toothless=f"all that its reward hangs on holds: {parts or 'nothing'}")
