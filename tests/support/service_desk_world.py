"""Playing tasks of the service desk: any bot, scripted users, the reward."""

from collections.abc import Callable
from typing import Any

from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld

__all__ = ["GOALS", "failed_by", "fresh", "goal_named", "play"]

GOALS = registry.load("service_desk").goals


def goal_named(id: str) -> Goal:
    return next(goal for goal in GOALS if goal.id == id)


def fresh() -> ToolBackend:
    return ToolBackend(ServiceDeskWorld().tool_domain())


def play(
    goal: Goal, bot: Callable[[ToolBackend], Any]
) -> tuple[Dialogue, ToolBackend, dict[str, Verdict]]:
    backend = fresh()
    user = ScriptedUser(goal.raw["says"])
    dialogue = run_dialogue(goal, user, bot(backend), backend)
    return dialogue, backend, rewards(dialogue, backend)


def failed_by(bot: Callable[[ToolBackend], Any]) -> set[str]:
    """The ids of the tasks that a bot does not solve."""
    return {goal.id for goal in GOALS if not play(goal, bot)[2]["reward"]}
