"""A user whose part a person takes, hands to the simulated one, and takes back."""

from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.integration.chat.screen import Screen
from pytest_todeval.simulation.user import Utterance

ENDED = "the person ended the dialogue"
FOREVER = -1


class ChatUser:
    """Says what a person writes, or what the simulated user says while it plays."""

    asks_model = True
    """A person takes their time, as a model does."""

    def __init__(
        self,
        simulated: Any,
        screen: Screen,
        command: Callable[[str, Turn | None], None],
        *,
        plays: bool,
        pace: float,
    ) -> None:
        self._simulated, self._screen, self._command = simulated, screen, command
        self._left = FOREVER if plays else 0
        """Turns that the simulated user still plays."""
        self._alone, self._pace = plays, pace
        self._begun = False
        self.has_script = False
        """Whether a person has said anything: then nobody is blamed for what was never asked."""

    @property
    def goal(self) -> Any:
        """Returns what the simulated user wants."""
        return getattr(self._simulated, "goal", None)

    @property
    def lacks(self) -> Any:
        """Returns what the simulated user still wants."""
        return getattr(self._simulated, "lacks", [])

    def respond(self, turn: Turn | None) -> Any:
        """The next words: a person's, or, to be awaited where they are, the simulated user's."""
        while True:
            if self._plays(turn):
                self._begun = True
                self._left -= self._left > 0
                return self._shown(self._simulated.respond(turn), turn)
            line = self._screen.read(self._toolbar)
            if line is None or line.strip() in ("/end", "/quit"):
                return Utterance("", StopReason.USER_DONE, ENDED)
            line = line.strip()
            if line.startswith("/play"):
                self._left = _turns(line)
            elif line.startswith("/"):
                self._command(line, turn)
            elif line:
                self.has_script = True
                if not self._screen.is_terminal:
                    self._screen.write("you", [line])
                return Utterance(line)

    def _plays(self, turn: Turn | None) -> bool:
        """Says whether the simulated user speaks next: a person may press Enter to take over."""
        if self._left and turn is not None and self._screen.is_interrupted(self._pace):
            self._left = 0
        return bool(self._left)

    @property
    def _toolbar(self) -> str:
        return " your words, /play for the simulated user, /end, /help "

    def _shown(self, said: Any, turn: Turn | None) -> Any:
        if isawaitable(said):
            return self._awaited(said, turn)
        return self._told(said, turn)

    async def _awaited(self, said: Any, turn: Turn | None) -> Any:
        return self._told(await said, turn)

    def _told(self, said: Utterance, turn: Turn | None) -> Any:
        if said.text:
            self._screen.write("user", [said.text])
        if said.stop is None or (self._alone and not self.has_script):
            return said
        self._left = 0
        self._screen.write("", [f"the simulated user leaves: {said.reason or said.stop}"])
        return self.respond(turn)


def _turns(line: str) -> int:
    given = line.removeprefix("/play").strip()
    return int(given) if given.isdecimal() and int(given) else FOREVER
