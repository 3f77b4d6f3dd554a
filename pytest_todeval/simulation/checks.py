"""Checks between turns: what they are, and what becomes of a dialogue in which one raises."""

from collections.abc import Callable
from typing import Any

from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.errors import UsageError

AfterTurn = Callable[[Dialogue, Turn], Any]
AsReplayed = Callable[[Turn], Turn]
"""Called with the dialogue so far and its last turn, may be async; what it raises is the test's."""


class CheckRaised(Exception):
    """Carries what a check raised if the loop would take it for somebody else's fault."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class CheckFailed(AssertionError):
    """A check after a turn has ended the dialogue; what it raised is the `__cause__`."""

    def __init__(self, dialogue: Dialogue) -> None:
        super().__init__(f"{dialogue.goal.name}: {dialogue.detail}")
        self.dialogue = dialogue
        """The dialogue up to that turn."""


def require_check(check: object) -> None:
    """Raises UsageError if this cannot be called after a turn."""
    if check is not None and not callable(check):
        raise UsageError(
            f"after_turn is {check!r:.60}, expected a function of the dialogue so far and its last "
            "turn (the fixture `after_turn` returns one), or None"
        )
