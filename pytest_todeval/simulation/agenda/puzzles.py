"""What the user could not understand: after a few answers in a row, its ear is at fault."""

from rapidfuzz import fuzz

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.simulation.agenda.reaction import Reaction

MOST_PUZZLED = 3
"""Answers in a row of which nothing is understood before the user doubts its own ears."""
ALIKE = 80
"""rapidfuzz ratio (0 to 100) from which on an answer only repeats another one."""
LONGEST = 200
"""Characters of an answer that are quoted."""


class Puzzles:
    """Counts answers in a row of which nothing was understood."""

    def __init__(self) -> None:
        self._found = 0
        self._strange: list[str] = []

    def after(self, turn: Turn, reaction: Reaction) -> None:
        """Takes note of a turn."""
        self._found = self._found + 1 if reaction.puzzling else 0
        if not (reaction.puzzling or reaction.strange):
            self._strange.clear()
            return
        said = turn.system[:LONGEST]
        if not any(fuzz.ratio(said, other) >= ALIKE for other in self._strange):
            self._strange.append(said)

    @property
    def fault(self) -> str:
        """Says why the user is at fault; empty if it is not."""
        said = "; ".join(map(quoted, self._strange[-MOST_PUZZLED:]))
        if self._found >= MOST_PUZZLED:
            found = (
                f"nothing understood of {self._found} answers, though the bot had found something"
            )
            return f"{found}: {said}"
        if len(self._strange) >= MOST_PUZZLED:
            return f"nothing understood of {len(self._strange)} answers in a row: {said}"
        return ""


def quoted(text: str) -> str:
    """Returns a text as it is quoted in a reason, on one line and cut."""
    line = " ".join(text.split())
    return repr(line if len(line) <= LONGEST else line[:LONGEST] + " ...")
