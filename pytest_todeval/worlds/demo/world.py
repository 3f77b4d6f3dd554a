"""The demo as a world."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from pytest_todeval.core.goal import Goal
from pytest_todeval.goals.multiwoz import database, goals_digest, goals_of_all_splits, load_goals
from pytest_todeval.goals.store import DEMO
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.venues import VenueWorld


@dataclass(frozen=True)
class DemoWorld(VenueWorld):
    """Goals over an invented town; needs no download."""

    name: ClassVar[str] = "demo"

    def load(self, split: str = "test") -> GoalSet:
        """Returns the goals of `test` (the default), `val` or `train`."""
        goals = load_goals(DEMO, split, source=self.name)
        world = replace(self, database=database(DEMO))
        return GoalSet(self.name, goals, goals_digest(goals), world)

    def every_goal(self) -> Iterable[Goal]:
        """Returns those of each split."""
        return goals_of_all_splits(DEMO, source=self.name)
