"""What a user simulator is."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.outcome import StopReason


@dataclass(frozen=True, slots=True)
class Utterance:
    """What the user says next, and whether it leaves with it.

    With `stop` set (`USER_DONE`, `USER_GAVE_UP` or `SIMULATOR_FAULT`) the text is not sent to the
    bot: these are the user's last words, and `reason` says in a sentence why it leaves.
    """

    text: str
    stop: StopReason | None = None
    reason: str = ""


@runtime_checkable
class UserSimulator(Protocol):
    """Plays the user of one dialogue; made afresh for each.

    One with a true attribute `asks_model` waits for a model's endpoint: if it takes too long,
    that is `infrastructure`; of any other it is the simulator's own fault. One with an attribute
    `lacks`, a list of texts, says what it still wants if the turns are used up.
    """

    def respond(self, turn: Turn | None) -> Utterance | Awaitable[Utterance]:
        """Says the next thing, given the turn just ended (None at the start).

        If the goal goes on from an `opening`, its last turn is the one just ended at the start.
        The turn holds what the bot said and the tool calls that could be seen. May be a coroutine.
        Raise SimulatorFault (or return `stop=SIMULATOR_FAULT`) if the user itself is at fault.
        """
        ...
