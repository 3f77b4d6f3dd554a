"""The demo as a world."""

from dataclasses import dataclass, replace
from typing import ClassVar

from pytest_todeval.goals.multiwoz import database, goals_digest, load_goals
from pytest_todeval.goals.store import DEMO
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.venues import VenueWorld

__all__ = ["DemoWorld"]


@dataclass(frozen=True)
class DemoWorld(VenueWorld):
    """Goals over an invented town; needs no download."""

    name: ClassVar[str] = "demo"

    def load(self, split: str = "test") -> GoalSet:
        """The goals of `test` (the default), `val` or `train`."""
        goals = load_goals(DEMO, split, source=self.name)
        world = replace(self, database=database(DEMO))
        return GoalSet(self.name, goals, goals_digest(goals), world)
