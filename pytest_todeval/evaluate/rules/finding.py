"""What a condition finds in a turn: yes, no, or cannot tell; with the reason in words."""

from dataclasses import dataclass
from functools import cached_property

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.facts.dialogue import Evidence, TurnFacts


@dataclass(frozen=True)
class Found:
    """Whether a condition holds in a turn; `holds=None` if nothing tells."""

    holds: bool | None
    reason: str


@dataclass(frozen=True)
class View:
    """One turn, and all that was known by then."""

    evidence: Evidence
    facts: TurnFacts

    @cached_property
    def index(self) -> int:
        """1-based."""
        return self.facts.index

    @property
    def turn(self) -> Turn:
        """Returns what was said and done in it."""
        return self.facts.turn

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Returns the turns up to it, itself included, without the goal's opening."""
        return self.evidence.dialogue.turns[: self.index]


def yes(reason: str) -> Found:
    """It holds."""
    return Found(True, reason)


def no(reason: str) -> Found:
    """It does not hold."""
    return Found(False, reason)


def unknown(reason: str) -> Found:
    """Returns nothing tells: no trace, no backend, or nothing of the kind in this turn."""
    return Found(None, reason)
