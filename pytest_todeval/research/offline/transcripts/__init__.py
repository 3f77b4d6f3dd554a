"""Transcripts: dialogues that were played elsewhere, read so that they can be scored and judged.

`reading` reads a file in any of its formats: `own` is this project's (docs/transcripts.md), the
others are those in which the papers' dialogues were released. `goals` finds the goals that a file
only names.
"""

from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.reading import (
    FORMATS,
    format_of,
    holds_states,
    read_transcripts,
)
from pytest_todeval.research.offline.transcripts.scoring import score_transcripts
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

__all__ = [
    "FORMATS",
    "KnownGoals",
    "Transcript",
    "Transcripts",
    "format_of",
    "holds_states",
    "read_transcripts",
    "score_transcripts",
]
