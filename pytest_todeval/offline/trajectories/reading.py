"""A file of tau-bench trajectories, as its runs write them.

A JSON list of `{"task_id", "trial", "reward", "info": {"task": {...}}, "traj": [messages]}`. If
a run broke, `info` holds `error` and `traj` is empty.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.errors import InvalidFile

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
    entries = _parsed(path)
    if not isinstance(entries, list) or not entries:
        raise InvalidFile(f"{path}: expected a JSON list of trajectories, got {_kind(entries)}")
    seen: dict[tuple[int, int], str] = {}
    trials: Counter[int] = Counter()
    found = []
    for place, entry in enumerate(entries):
        one = _trajectory(f"{path}: [{place}]", entry, trials)
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


def _parsed(path: Path) -> object:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidFile(f"{path}: cannot be read as JSON: {error}") from error


def _trajectory(where: str, entry: object, trials: Mapping[int, int]) -> Trajectory:
    if not isinstance(entry, dict):
        raise InvalidFile(f"{where}: expected an object, got {_kind(entry)}")
    task_id = _whole(where, "task_id", entry.get("task_id"))
    trial = entry.get("trial")
    info = entry.get("info")
    if info is not None and not isinstance(info, dict):
        raise InvalidFile(f"{where}.info: expected an object, got {_kind(info)}")
    info = info or {}
    messages = tuple(_messages(where, entry.get("traj")))
    return Trajectory(
        task_id=task_id,
        trial=trials[task_id] if trial is None else _whole(where, "trial", trial),
        reward=_number(where, entry.get("reward")),
        task=_task(where, info.get("task")),
        messages=messages,
        error=_error(info, messages),
        where=where,
    )


def _error(info: Mapping[str, Any], messages: Sequence[Message]) -> str:
    if info.get("error"):
        return f"the run broke: {info['error']!s:.500}"
    heard = any(message["role"] == "assistant" for message in messages)
    return "" if heard else "the run left no message of the bot"


def _task(where: str, task: object) -> Mapping[str, Any] | None:
    if task is None:
        return None
    if not isinstance(task, dict):
        raise InvalidFile(f"{where}.info.task: expected an object, got {_kind(task)}")
    for name, right in (("actions", _is_action), ("outputs", _is_text)):
        values = task.get(name)
        if not isinstance(values, list) or not all(map(right, values)):
            expected = "objects with `name` and `kwargs`" if name == "actions" else "texts"
            raise InvalidFile(
                f"{where}.info.task.{name}: expected a list of {expected}, got {_kind(values)}"
            )
    return task


def _is_action(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("name"), str) and isinstance(value.get("kwargs"), dict)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _messages(where: str, messages: object) -> Iterator[Message]:
    if not isinstance(messages, list):
        raise InvalidFile(f"{where}.traj: expected a list of messages, got {_kind(messages)}")
    for place, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise InvalidFile(
                f"{where}.traj[{place}]: expected an object with `role`, got {_kind(message)}"
            )
        yield message


def _whole(where: str, name: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidFile(f"{where}.{name}: expected a whole number from 0, got {_kind(value)}")
    return value


def _number(where: str, value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidFile(f"{where}.reward: expected a number from 0 to 1, got {_kind(value)}")
    return float(value)


def _kind(value: object) -> str:
    return f"{type(value).__name__} {value!r:.60}"
