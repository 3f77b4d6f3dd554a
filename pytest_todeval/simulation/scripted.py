"""A user that says what it was told to say, turn by turn."""

from collections.abc import Callable, Sequence

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import SCRIPT_ENDED, StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.checks import CheckRaised
from pytest_todeval.simulation.user import Utterance

Line = str | Callable[[Turn | None], str | Utterance | None]
"""A text, or a function of the turn just ended (None at the start) that returns a text, an
Utterance, or None to skip its place. One that asserts is a check of that turn."""


class ScriptedUser:
    """Says its lines in order, then leaves with `USER_DONE`.

    An assertion that fails in a callable ends the dialogue and fails the test (CheckRaised). Raises
    UsageError, naming the index, if a line is neither text nor callable, or if a
    callable returns anything but text, an Utterance or None.
    """

    has_script = True
    """It says its lines whatever the bot does: that there are more than turns is nobody's fault."""

    def __init__(self, turns: Sequence[Line]) -> None:
        if isinstance(turns, str) or not isinstance(turns, Sequence):
            raise UsageError(
                f"ScriptedUser takes a list of turns, got {type(turns).__name__}: "
                'write ScriptedUser(["Hello", "Goodbye"])'
            )
        for index, line in enumerate(turns):
            if not (isinstance(line, str) or callable(line)):
                raise UsageError(f"turn {index} of the script: got {_shown(line)}, {EXPECTED}")
        self._lines = tuple(turns)
        self._next = 0

    def respond(self, turn: Turn | None) -> Utterance:
        """Say the next line, given the turn just ended (None at the start)."""
        while self._next < len(self._lines):
            index, self._next = self._next, self._next + 1
            said = self._say(index, turn)
            if said is not None:
                return said
        return Utterance("", StopReason.USER_DONE, SCRIPT_ENDED)

    def _say(self, index: int, turn: Turn | None) -> Utterance | None:
        line = self._lines[index]
        try:
            said = line if isinstance(line, str) else line(turn)
        except AssertionError as failed:
            raise CheckRaised(failed) from failed
        if said is None or isinstance(said, Utterance):
            return said
        if isinstance(said, str):
            return Utterance(said)
        raise UsageError(
            f"turn {index} of the script returned {_shown(said)}, expected text, an Utterance, or "
            "None to skip it"
        )


EXPECTED = "expected text or a callable that takes the turn just ended"


def _shown(value: object) -> str:
    return f"{type(value).__name__} {value!r:.60}"
