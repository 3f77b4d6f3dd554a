"""What a file of transcripts comes to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score

State = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Transcript:
    """One dialogue that was played elsewhere, with what its file says besides."""

    id: str
    """Unique in its file, together with the trial."""
    dialogue: Dialogue
    labels: tuple[State, ...] | None = None
    """What the belief state ought to be after each turn's user."""
    scores: Mapping[str, Sequence[Score]] = field(default_factory=dict)
    """What somebody gave it before, by name."""
    bot: str = ""
    user: str = ""
    """Who played."""

    @property
    def goal_known(self) -> bool:
        """Says whether the goal was read; else it is a name alone."""
        goal = self.dialogue.goal
        return bool(goal.domains or goal.message or goal.solution)


@dataclass(frozen=True, slots=True)
class Transcripts:
    """The dialogues of a file, in its order."""

    format: str
    found: tuple[Transcript, ...]
    notes: tuple[str, ...] = ()
    """What a reader of numbers on them must know: what the file lacks, what was left out."""
