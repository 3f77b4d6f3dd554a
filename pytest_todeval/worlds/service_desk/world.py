"""The service desk as a world. It is offered through an entry point, as other packages' are."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.tasks import TaskWorld

if TYPE_CHECKING:
    from pytest_todeval.backends.tool_domain import ToolDomain


@dataclass(frozen=True)
class ServiceDeskWorld(TaskWorld):
    """The service desk: tasks, tools, tables, policy, and users that speak from a script."""

    name: ClassVar[str] = "service_desk"
    rules: ClassVar[tuple[str | Path, ...]] = (Path(__file__).with_name("rules.yaml"),)

    def load(self) -> GoalSet:
        """Returns all tasks; they have no splits."""
        from pytest_todeval.worlds.service_desk.domain import load_service_desk

        goals, fingerprint = load_service_desk()
        return GoalSet(self.name, goals, fingerprint, self)

    def tool_domain(self) -> "ToolDomain":
        """Returns the desk's tools over its tables."""
        return _loaded()


@cache
def _loaded() -> "ToolDomain":
    from pytest_todeval.worlds.service_desk.domain import service_desk

    return service_desk()
