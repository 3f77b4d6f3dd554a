"""Goals that belong together, the world they are played in, and a hash of what was read."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_todeval.core.goal import Goal

if TYPE_CHECKING:
    from pytest_todeval.worlds.world import World


@dataclass(frozen=True, slots=True)
class GoalSet:
    """What a world loads."""

    name: str
    """`multiwoz`, `tau_bench/retail`, or the stem of a file; the `source` of its goals."""
    goals: tuple[Goal, ...]
    """In the order of the file."""
    fingerprint: str
    """12 hex digits of the sha256 of what was loaded; equal data has equal fingerprints."""
    world: "World"
    """Where these goals are played, and what they are worth there."""

    def __post_init__(self) -> None:
        if isinstance(self.goals, list):  # as easily written as a tuple; nobody may change it later
            object.__setattr__(self, "goals", tuple(self.goals))
