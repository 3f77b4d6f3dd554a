"""Worlds whose goals are about venues, trains and journeys in databases of MultiWOZ's shape."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.worlds.world import World

if TYPE_CHECKING:
    from pytest_todeval.backends.multiwoz import MultiwozDatabase
    from pytest_todeval.nlu.vocabulary import Vocabulary


@dataclass(frozen=True, kw_only=True)
class VenueWorld(World):
    """A world with databases to look things up in and to book from, or without."""

    database: Path | None = None
    """A folder or zip that holds `db/*_db.json`; None if the goals come without databases."""

    def backend(self, goal: Goal) -> Any:
        """Tools over the databases; None if there are none."""
        if self.database is None:
            return None
        from pytest_todeval.backends.multiwoz import MultiwozBackend

        return MultiwozBackend(self._rows(self.database), goal)

    def vocabulary(self) -> "Vocabulary | None":
        """Returns the names and values in the databases."""
        return None if self.database is None else self._rows(self.database).vocabulary()

    def impossible(self, goal: Goal) -> str | None:
        """Says why no row, train or booking can satisfy the goal."""
        if self.database is None:
            return None
        from pytest_todeval.backends.satisfiable import unsatisfiable

        return unsatisfiable(goal, self._rows(self.database))

    def tables(self, backend: Any) -> str | None:
        """Returns the databases' fingerprint."""
        return None if self.database is None else self._rows(self.database).fingerprint

    @staticmethod
    def _rows(place: Path) -> "MultiwozDatabase":
        from pytest_todeval.backends.multiwoz import MultiwozDatabase

        return MultiwozDatabase.load(place)
