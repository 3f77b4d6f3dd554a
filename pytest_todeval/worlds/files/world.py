"""A goal file as a world."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.venues import VenueWorld


@dataclass(frozen=True)
class FileWorld(VenueWorld):
    """The goals of a file, over the database that the file names, if any."""

    name: ClassVar[str] = "files"

    path: Path
    data: str | Path | None = None
    """Where MultiWOZ is, if the file asks for its database; None for the usual places."""

    def load(self) -> GoalSet:
        """Returns all goals of the file; it has no splits."""
        from pytest_todeval.worlds.files.reading import load_goal_file

        found = load_goal_file(self.path, data=self.data)
        world = replace(self, database=found.database)
        return GoalSet(found.name, found.goals, found.fingerprint, world)
