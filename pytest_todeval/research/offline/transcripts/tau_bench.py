"""tau-bench's trajectories as dialogues, with the results that were stored: nothing is replayed."""

from pathlib import Path

from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.research.offline.record import data_or_text
from pytest_todeval.research.offline.trajectories.reading import Trajectory, read_trajectories
from pytest_todeval.research.offline.trajectories.steps import SaidStep, Spoken, StoredCall, steps
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

STOP = "###STOP###"
REFUSAL = "Error"
"""How the answer of a tool begins that refused a call."""


def read_tau_bench(path: Path, goals: KnownGoals) -> Transcripts:
    """Reads a file of trajectories. Raises InvalidFile naming what is wrong, and where."""
    found = tuple(_transcript(each, goals) for each in read_trajectories(path))
    return Transcripts(
        "tau-bench",
        found,
        ("results of tools are as stored; `todeval score --format tau-bench` replays the calls",),
    )


def _transcript(trajectory: Trajectory, goals: KnownGoals) -> Transcript:
    id = str(trajectory.task_id)
    goal = goals.named(id, trajectory.where)
    task = trajectory.task or {}
    message = (str(task["instruction"]),) if task.get("instruction") else ()
    told = Goal(id, "tau_bench", (), message, raw=task, published=True)
    return Transcript(
        id=id,
        dialogue=_dialogue(trajectory, told if goal is None else goal),
    )


def _dialogue(trajectory: Trajectory, goal: Goal) -> Dialogue:
    turns: list[Turn] = []
    said: list[str] = []
    calls: list[ToolCall] = []
    for step in steps(trajectory.messages):
        if isinstance(step, SaidStep):
            said += [words] if (words := step.text.replace(STOP, "").strip()) else []
        elif isinstance(step, Spoken):
            turns.append(Turn(len(turns) + 1, "\n".join(said), step.text, tuple(calls)))
            said, calls = [], []
        else:
            calls.append(_made(step))
    if calls:
        turns.append(Turn(len(turns) + 1, "\n".join(said), "", tuple(calls)))
        said = []
    return Dialogue(
        goal,
        tuple(turns),
        detail=trajectory.error,
        last_words="\n".join(said),
        trial=trajectory.trial,
    )


def _made(step: StoredCall) -> ToolCall:
    if step.problem or (step.stored or "").startswith(REFUSAL):
        return ToolCall(step.name, step.arguments, error=step.problem or step.stored)
    return ToolCall(step.name, step.arguments, data_or_text(step.stored))
