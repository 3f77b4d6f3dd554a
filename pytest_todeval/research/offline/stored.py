"""Stored dialogues, scored: what the evaluators of dialogue files give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score


@dataclass(frozen=True, slots=True)
class Scored:
    """The dialogues of a file with their verdicts, and what the numbers rest on."""

    dialogues: tuple[Dialogue, ...]
    """Their `verdicts` hold one per metric (`inform`) and one per metric and domain
    (`inform/hotel`)."""
    definitions: Mapping[str, str]
    """Definition and version by metric."""
    data: Mapping[str, str]
    """Fingerprint by goal set or database."""
    notes: tuple[str, ...] = ()
    """What a reader of the numbers must know: what was missing, what was derived."""
    figures: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    """Numbers of the whole file that no dialogue has: `{"bleu": (value, turns)}`, 0 to 100."""
    scores: tuple[Mapping[str, Sequence[Score]], ...] = ()
    """By dialogue, in their order: scores by name, of those formats that have any."""
