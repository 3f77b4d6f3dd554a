"""MultiWOZ as a world."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.goals.corpus import open_corpus
from pytest_todeval.goals.multiwoz import database, goals_digest, goals_of_all_splits, load_goals
from pytest_todeval.goals.store import find_multiwoz
from pytest_todeval.worlds.asked import AskedGoals
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.venues import VenueWorld


@dataclass(frozen=True)
class MultiwozWorld(VenueWorld):
    """Goals of MultiWOZ 2.0, 2.1 or 2.4, with the databases beside them."""

    name: ClassVar[str] = "multiwoz"
    published: ClassVar[bool] = True
    settings: ClassVar[Mapping[str, str]] = {"data": "data"}

    data: str | Path | None = None
    """The folder or zip; None for the place that `goals.store` finds."""
    dialogues: Path | None = None
    """The folder or zip that the goals were read from."""

    def load(self, split: str = "test") -> GoalSet:
        """Returns the goals of `test` (the default), `val` or `train`."""
        return self.from_folder(find_multiwoz(self.data), split)

    def from_folder(self, folder: Path, split: str) -> GoalSet:
        """Returns the goals of a split of a MultiWOZ folder or zip."""
        goals = load_goals(folder, split)
        world = replace(self, database=database(folder), dialogues=folder)
        return GoalSet(self.name, goals, goals_digest(goals), world)

    def every_goal(self) -> Iterable[Goal]:
        """Returns those of each split that is there."""
        return () if self.dialogues is None else goals_of_all_splits(self.dialogues)

    def reference(self, goal: Goal) -> Sequence[Turn]:
        """The dialogue between user and wizard. Raises InvalidFile if its file is broken."""
        corpus = None if self.dialogues is None else open_corpus(self.dialogues)
        texts = () if corpus is None else corpus.texts(goal.id)
        pairs = zip(texts[::2], texts[1::2], strict=False)
        return [Turn(at, user, system) for at, (user, system) in enumerate(pairs, 1)]


def asked(
    split: str = "test",
    domains: Sequence[str] | None = None,
    booking: bool | None = None,
    limit: int | None = None,
    seed: int | None = None,
    ids: Sequence[str] | None = None,
    exactly: Sequence[str] | None = None,
    every_domain_books: bool | None = None,
    tasks: str | None = None,
) -> AskedGoals:
    """Returns what the marker `multiwoz` asks for."""
    filters = {"domains": domains, "booking": booking, "limit": limit, "seed": seed, "ids": ids}
    filters |= {"exactly": exactly, "every_domain_books": every_domain_books, "tasks": tasks}
    return AskedGoals("multiwoz", split, filters)
