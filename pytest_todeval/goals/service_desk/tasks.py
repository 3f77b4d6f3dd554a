"""The tasks of the service desk: read from the document beside this module."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.documents import read_document
from pytest_todeval.goals.goal_set import GoalSet, World, fingerprint

__all__ = ["load_service_desk"]

NAME = "service_desk"
TASKS = Path(__file__).with_name("tasks.yaml")


def load_service_desk() -> GoalSet:
    """Goals over the service desk, one per task of `tasks.yaml`.

    `raw` holds `user_id`, `instruction`, `actions` (`name`, `kwargs`), `outputs`, `says` (the lines
    of a scripted user) and `toothless` (whether a bot that does nothing passes it).
    """
    document = read_document(TASKS)
    goals = tuple(_goal(task) for task in document.value)
    print_of = fingerprint([document.text.encode()])
    return GoalSet(NAME, goals, print_of, world=World(NAME, NAME))


def _goal(task: Mapping[str, Any]) -> Goal:
    raw = {"toothless": False, **{key: value for key, value in task.items() if key != "id"}}
    return Goal(task["id"], NAME, (), message=(task["instruction"],), raw=raw)
