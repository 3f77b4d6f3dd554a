"""The agenda user with a task's gold actions as its steps: tasks without a model."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    from pytest_todeval.simulation.user import UserSimulator

INSTEAD = "Name a model with --todeval-model=user:MODEL, or override the fixture `user_simulator`"


def gold_user(
    goal: Goal, task: Mapping[str, Any], tables: Mapping[str, Any], style: str, seed: int
) -> "UserSimulator":
    """Who plays a `task` as tau-bench has it. Raises UsageError if it cannot be said by steps."""
    from pytest_todeval.goals.gold_steps import Unsayable, gold_steps
    from pytest_todeval.simulation.agenda import AgendaUser

    try:
        said = gold_steps(task, tables)
    except Unsayable as why:
        raise unsayable(goal, str(why)) from None
    return AgendaUser(replace(goal, steps=said.steps, user=said.user), seed=seed, style=style)


def unsayable(goal: Goal, why: str) -> UsageError:
    """That a task needs a model to be played."""
    return UsageError(f"{goal.name} cannot be played without a model: {why}. {INSTEAD}")
