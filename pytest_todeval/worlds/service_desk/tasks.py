"""The tasks of the service desk: read from the document beside this module."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.goal import Goal
from pytest_todeval.documents import read_document

__all__ = ["load_service_desk"]

NAME = "service_desk"
TASKS = Path(__file__).with_name("tasks.yaml")
HERE = Path(__file__).parent
TOLD_BY = (
    TASKS,
    *sorted(HERE.glob("*.json")),
    HERE / "policy.md",
    HERE / "tools.py",
)
"""All that a result depends on, which the fingerprint tells apart."""


def load_service_desk() -> tuple[tuple[Goal, ...], str]:
    """Goals over the service desk, one per task of `tasks.yaml`, and their fingerprint.

    `raw` holds `user_id`, `instruction`, `actions` (`name`, `kwargs`), `outputs`, `says` (the lines
    of a scripted user) and `trivial` (whether a bot that does nothing passes it). The fingerprint
    is over tasks, tables, policy and tools.
    """
    goals = tuple(_goal(task) for task in read_document(TASKS).value)
    return goals, fingerprint(file.read_bytes() for file in TOLD_BY)


def _goal(task: Mapping[str, Any]) -> Goal:
    raw = {"trivial": False, **{key: value for key, value in task.items() if key != "id"}}
    return Goal(task["id"], NAME, (), message=(task["instruction"],), raw=raw)
