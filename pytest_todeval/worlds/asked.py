"""What a goal marker asks for, before anything is loaded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.errors import UsageError
from pytest_todeval.goals.made_up.asked import MadeUp


@dataclass(frozen=True, slots=True)
class AskedGoals:
    """A goal set and which of its goals."""

    source: str | MadeUp
    """As in the marker `goals`."""
    split: str | None
    filters: dict[str, Any]
    """Keywords of `goals.select.select`."""
    options: dict[str, Any] = field(default_factory=dict)
    """More keywords of the world's `load`."""


def task_ids(
    marker: str, tasks: Sequence[int | str] | None, before_number: str = ""
) -> list[str] | None:
    """The ids of tasks; a number stands for the id it is in, as benchmarks' own options say.

    Raises UsageError unless `tasks` is a list of numbers or ids.
    """
    if tasks is None:
        return None
    known = isinstance(tasks, (list, tuple, range)) and all(
        isinstance(task, (int, str)) and not isinstance(task, bool) for task in tasks
    )
    if not known or not tasks:
        raise UsageError(
            f"marker {marker}: tasks: got {tasks!r}, expected a list of numbers or ids, e.g. [0, 3]"
        )
    names = map(str, tasks)
    return [f"{before_number}{name}" if name.isdecimal() else name for name in names]
