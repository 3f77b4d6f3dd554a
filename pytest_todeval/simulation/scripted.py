"""A user that says what it was told to say, turn by turn."""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import SCRIPT_ENDED, StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.simulation.checks import CheckRaised
from pytest_todeval.simulation.user import Utterance


@dataclass(frozen=True, slots=True)
class Proceed:
    """Turns that the simulated user plays in a script."""

    turns: int | None = None
    """How many, at most; None for as many as it likes."""


def proceed(turns: int | None = None) -> Proceed:
    """In a script: let the simulated user play so many turns, or until it leaves.

    Raises UsageError for anything but a whole number from 1 on.
    """
    if turns is not None and (type(turns) is not int or turns < 1):
        raise UsageError(f"proceed({turns!r:.60}): expected how many turns to play, from 1 on")
    return Proceed(turns)


Line = str | Proceed | Callable[[Turn | None], str | Utterance | None]
"""A text; turns of the simulated user; or a function of the turn just ended (None at the start)
that returns a text, an Utterance, or None to skip its place. One that asserts is a check of that
turn."""


class ScriptedUser:
    """Says its lines in order, then leaves with `USER_DONE`.

    `proceed(n)` among them hands over to `user`, the simulated one. If that leaves before, the next
    line follows; after the last line it has left as that user did.

    An assertion that fails in a callable ends the dialogue and fails the test (CheckRaised). Raises
    UsageError, naming the index, if a line is of another sort, if there is no user to proceed, or
    if a callable returns anything but text, an Utterance or None.
    """

    has_script = True
    """It says its lines whatever the bot does: that there are more than turns is nobody's fault."""

    def __init__(self, turns: Sequence[Line], user: Any = None) -> None:
        if isinstance(turns, str) or not isinstance(turns, Sequence):
            raise UsageError(
                f"ScriptedUser takes a list of turns, got {type(turns).__name__}: "
                'write ScriptedUser(["Hello", "Goodbye"])'
            )
        for index, line in enumerate(turns):
            if not (isinstance(line, str | Proceed) or callable(line)):
                raise UsageError(f"turn {index} of the script: got {_shown(line)}, {EXPECTED}")
            if isinstance(line, Proceed) and not callable(getattr(user, "respond", None)):
                raise UsageError(
                    f"turn {index} of the script hands over to a simulated user, and there is none:"
                    " give it one, ScriptedUser([...], user_simulator)"
                )
        self._lines = tuple(turns)
        self._next = self._played = 0
        self._user = user
        self._left: Utterance | None = None
        """How the simulated user left, if it did."""
        self.asks_model = bool(getattr(user, "asks_model", False))

    @property
    def notes(self) -> Sequence[str]:
        """Returns what the simulated user noticed about itself."""
        found: Sequence[str] = getattr(self._user, "notes", ())
        return found

    def respond(self, turn: Turn | None) -> Utterance:
        """Says the next line, given the turn just ended (None at the start).

        To be awaited where the simulated user's words are.
        """
        while self._next < len(self._lines):
            line = self._lines[self._next]
            if isinstance(line, Proceed):
                if self._left is None and self._played != line.turns:
                    self._played += 1
                    said: Utterance = self._proceeded(self._user.respond(turn), turn)
                    return said
                self._played, self._next = 0, self._next + 1
                continue
            index, self._next = self._next, self._next + 1
            line_said = self._say(line, index, turn)
            if line_said is not None:
                return line_said
        return self._left or Utterance("", StopReason.USER_DONE, SCRIPT_ENDED)

    def _proceeded(self, said: Any, turn: Turn | None) -> Any:
        """Returns what the simulated user said, or the next line if it has left."""
        if inspect.isawaitable(said):
            return self._awaited(said, turn)
        leaves = isinstance(said, Utterance) and said.stop is not None
        if not leaves or said.stop is StopReason.SIMULATOR_FAULT:
            return said
        self._left = said
        return self.respond(turn)

    async def _awaited(self, said: Awaitable[Any], turn: Turn | None) -> Any:
        return self._proceeded(await said, turn)

    def _say(self, line: Any, index: int, turn: Turn | None) -> Utterance | None:
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


EXPECTED = "expected text, `proceed(n)`, or a callable that takes the turn just ended"


def _shown(value: object) -> str:
    return f"{type(value).__name__} {value!r:.60}"
