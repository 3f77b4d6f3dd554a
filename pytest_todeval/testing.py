"""Test doubles: a scripted user, a scripted bot, and a model server that stands in for a real one.

Nothing here is imported before it is used.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_todeval.errors import UsageError

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Reply, Turn
    from pytest_todeval.models.fake_server.answer import Answer, Broken, Status
    from pytest_todeval.models.fake_server.request import ChatRequest
    from pytest_todeval.models.fake_server.server import StandInServer
    from pytest_todeval.simulation.scripted import ScriptedUser

_HOMES = {
    "simulation.scripted": ("ScriptedUser",),
    "models.fake_server.answer": ("Answer", "Broken", "Status"),
    "models.fake_server.request": ("ChatRequest",),
    "models.fake_server.server": ("StandInServer",),
}

__all__ = [
    "Answer",
    "Broken",
    "ChatRequest",
    "ScriptedSystem",
    "ScriptedUser",
    "StandInServer",
    "Status",
]

History = Sequence[Mapping[str, str]]


class ScriptedSystem:
    """A bot that says its replies in order, whatever it hears.

    A reply is text, a `Reply`, or a function of the user's text and the history that returns one.
    Which one is due follows from the history alone, so that one object serves any number of
    dialogues at once. A turn after the last reply raises UsageError.
    """

    def __init__(
        self, replies: "Sequence[str | Reply | Callable[[str, History], str | Reply]]"
    ) -> None:
        if isinstance(replies, str) or not isinstance(replies, Sequence):
            raise UsageError(
                f"ScriptedSystem takes a list of replies, got {type(replies).__name__}: "
                'write ScriptedSystem(["Which area?", "Booked."])'
            )
        self._replies = tuple(replies)

    def respond(self, text: str, history: History, opening: "Sequence[Turn]" = ()) -> "str | Reply":
        """The reply of the turn after `history`, of which the goal's `opening` was before."""
        from pytest_todeval.simulation.history import turn_after

        turn = turn_after(history, len(opening))
        if turn > len(self._replies):
            raise UsageError(
                f"the script of the bot ended after turn {len(self._replies)}, and this is turn "
                f"{turn} ({text!r:.80}): add a reply, or give the last one `done=True`"
            )
        reply = self._replies[turn - 1]
        return reply(text, history) if callable(reply) else reply


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"pytest_todeval.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
