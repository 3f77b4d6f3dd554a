"""A goal and how its dialogue goes about: what a drawn example of a test is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.simulation.agenda.styles import STYLES
from pytest_todeval.simulation.backend_faults import BackendFault

PLAIN = next(iter(STYLES))


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DrawnConversation:
    """What one user wants, how it says so, and what its backend does to the bot."""

    goal: Goal
    style: str = PLAIN
    """Of the agenda user."""
    noise: str = ""
    """In what other words the bot hears it: a variation by rule; empty for none."""
    faults: tuple[BackendFault, ...] = ()
    """What goes wrong with the calls of the backend."""
    seed: int = 0
    """What else the user leaves to chance."""
    variant: str = ""
    """What sets it apart from the one that it is held against, if its goal's id does not."""

    @property
    def name(self) -> str:
        """Returns the goal's id and what is not plain, as test ids and cassettes have it."""
        told = [
            f"{what}" for what in (self.style, self.noise, self.variant) if what not in ("", PLAIN)
        ]
        told += [each.name for each in self.faults]
        told += [f"s{self.seed}"] if self.seed else []
        return "-".join([self.goal.id, *told])

    def settings(self, marked: PlaySettings) -> PlaySettings:
        """Returns how it is played, where a test's markers say the rest."""
        style = marked.user_style if self.style == PLAIN else self.style
        return replace(marked, user_style=style, variation=self.noise or marked.variation)

    def spoken(self) -> Goal:
        """Returns the goal as its user has it: what it leaves to chance hangs on the seed alone.

        Else leaving out a wish would make a user of other words, and no smaller goal be found.
        """
        return replace(self.goal, id="example")

    def __repr__(self) -> str:
        """As a line of Python that pins it."""
        return f"conversation({', '.join(self._arguments())})"

    def _arguments(self) -> Iterator[str]:
        from pytest_todeval.goals.entry import goal_entry

        entry: dict[str, Any] = goal_entry(self.goal)
        yield repr(self.goal.source)
        yield repr({key: value for key, value in entry.items() if value or key == "id"})
        yield from (
            f"{name}={value!r}"
            for name in ("style", "noise", "faults", "seed")
            if (value := getattr(self, name)) not in ("", (), 0, PLAIN)
        )
