"""A file of tau-bench trajectories, as its runs write them.

A JSON list of `{"task_id", "trial", "reward", "info": {"task": {...}}, "traj": [messages]}`. If
a run broke, `info` holds `error` and `traj` is empty.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.record import Record, kind, read_json

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One trial of a task, as it was stored."""

    task_id: int
    """The task's place in its split, from 0."""
    trial: int
    reward: float | None
    """As stored; None if the file does not say."""
    task: Mapping[str, Any] | None
    """The task it was played for (`instruction`, `actions`, `outputs`, ...); None if the file
    does not hold it."""
    messages: tuple[Message, ...]
    error: str
    """What broke the run; empty if it came through."""
    where: str
    """File and place, for messages."""


def read_trajectories(path: Path) -> tuple[Trajectory, ...]:
    """The trajectories of a file, in its order. Raises InvalidFile naming what is wrong, and where.

    A trajectory that does not say its `trial` is the task's next one.
    """
    entries = read_json(path)
    if not isinstance(entries, list) or not entries:
        raise InvalidFile(f"{path}: expected a JSON list of trajectories, got {kind(entries)}")
    seen: dict[tuple[int, int], str] = {}
    trials: Counter[int] = Counter()
    found = []
    for place, entry in enumerate(entries):
        one = _trajectory(Record.of(entry, f"{path}: [{place}]"), trials)
        key = one.task_id, one.trial
        if key in seen:
            raise InvalidFile(
                f"{one.where}: task {key[0]}, trial {key[1]} is already at {seen[key]}; if files "
                "were joined, give each run of a task its own `trial`"
            )
        seen[key] = f"[{place}]"
        trials[one.task_id] += 1
        found.append(one)
    return tuple(found)


def _trajectory(entry: Record, trials: Mapping[int, int]) -> Trajectory:
    task_id = entry.whole("task_id")
    info = entry.part("info")
    messages = _messages(entry)
    return Trajectory(
        task_id=task_id,
        trial=trials[task_id] if entry.value.get("trial") is None else entry.whole("trial"),
        reward=entry.share("reward"),
        task=_task(info),
        messages=messages,
        error=_error(info.value, messages),
        where=entry.where,
    )


def _error(info: Mapping[str, Any], messages: Sequence[Message]) -> str:
    if info.get("error"):
        return f"the run broke: {info['error']!s:.500}"
    heard = any(message["role"] == "assistant" for message in messages)
    return "" if heard else "the run left no message of the bot"


def _task(info: Record) -> Mapping[str, Any] | None:
    if info.value.get("task") is None:
        return None
    task = info.record("task")
    for action in task.records("actions", required=True):
        action.text("name")
        action.record("kwargs")
    if not all(isinstance(output, str) for output in task.items("outputs", required=True)):
        task.fail("outputs", "a list of texts")
    return task.value


def _messages(entry: Record) -> tuple[Message, ...]:
    found = tuple(entry.records("traj", required=True))
    for message in found:
        message.text("role")
    return tuple(message.value for message in found)
