"""Trajectories of models that were stored with their rewards, as dialogues: nothing is replayed."""

from collections.abc import Iterator
from pathlib import Path

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.research.offline.trajectories.reading import Trajectory, read_trajectories
from pytest_todeval.research.offline.trajectories.steps import SaidStep, StoredCall, steps
from tests.faulty_bots.suites import RULE_SETS, Findings, findings

__all__ = ["GROUND", "alarms_in"]

GROUND = "tau_bench"
"""The row of the suites' tables."""


def alarms_in(path: Path) -> Iterator[tuple[Dialogue, Findings]]:
    """The dialogues of a file that earned 1.0, each with what the full suite finds against it.

    A bot that did its task may still have broken the policy: each finding is to be read.
    """
    for trajectory in read_trajectories(path):
        if trajectory.reward == 1.0:
            dialogue = _dialogue(trajectory)
            judge = RuleJudge(RULE_SETS[GROUND])
            yield dialogue, findings(GROUND, dialogue, judge, "full")


def _dialogue(trajectory: Trajectory) -> Dialogue:
    turns: list[Turn] = []
    user, calls = "", []
    for step in steps(trajectory.messages):
        if isinstance(step, SaidStep):
            user = f"{user}\n{step.text}" if user else step.text
        elif isinstance(step, StoredCall):
            calls.append(_call(step))
        else:
            turns.append(Turn(len(turns) + 1, user, step.text, tuple(calls)))
            user, calls = "", []
    if calls:
        turns.append(Turn(len(turns) + 1, user, "", tuple(calls)))
        user = ""
    goal = Goal(f"{trajectory.task_id}", GROUND, (), raw=dict(trajectory.task or {}))
    return Dialogue(goal, tuple(turns), StopReason.IMPORTED, last_words=user)


def _call(step: StoredCall) -> ToolCall:
    answer = step.stored or ""
    if step.problem or answer.startswith("Error"):
        return ToolCall(step.name, step.arguments, error=step.problem or answer)
    return ToolCall(step.name, step.arguments, answer)
