"""The session of one dialogue with its bot: the id it goes by, how it is opened and closed."""

import asyncio
import contextvars
import inspect
import os
import re
import threading
import warnings
from collections.abc import Callable
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import SystemContractError, UsageError
from pytest_todeval.shown import in_line
from pytest_todeval.simulation.reply import described

TOKEN_BYTES = 6
LONGEST_ID = 36
"""Characters of a session's id: as many as a UUID has."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_]+")


class BotSession:
    """What a bot's server knows this dialogue by, for a backend that reads what was booked in it.

    Fixture `todeval_session`. No two dialogues share one, nor do two runs of the same test.
    """

    def __init__(self, goal: Goal, trial: int = 0) -> None:
        self.dialogue = f"{goal.name}#{trial}"
        """What it is called in lanes, messages and results: `multiwoz/MUL0148#0`."""
        self.trial = trial
        self.token = os.urandom(TOKEN_BYTES).hex()
        """Another in every dialogue of every run."""
        self.unopened = False
        """Whether it is being opened, or could not be: then nobody can be asked about it."""
        self.known_as: Any = None
        """Whose name the bot goes by; None until it is made."""
        self._id: str | None = None
        self._closing: Callable[[], Any] | None = None
        self._lock = threading.Lock()
        self._over = False

    @property
    def dialogue_id(self) -> str:
        """Returns the `dialogue_id` that the bot gets: `multiwoz/MUL0148#0~5f0c81e2a9b4`."""
        return f"{self.dialogue}~{self.token}"

    @property
    def own_id(self) -> str:
        """The session's id unless the bot hands out another: letters, digits, `_`, `-`; at most 36.

        The `dialogue_id` in a form that stands in a path as it is: servers decode `%2F` too early.
        """
        name = _UNSAFE.sub("-", self.dialogue)[: LONGEST_ID - len(self.token) - 1]
        return f"{name}-{self.token}"

    @property
    def id(self) -> str:
        """Returns the session's id: what opening it came to, else `own_id`.

        Raises UsageError if the dialogue has not begun.
        """
        if self._id is None:
            raise UsageError(
                "`todeval_session.id` is known once the dialogue has begun: keep `todeval_session` "
                "in your backend and ask for `.id` in `bookings()`; `.dialogue_id` is known at once"
            )
        return self._id

    def opened(self, id: str, close: Callable[[], Any] | None) -> None:
        """The session is open. If nobody waits for it any more, it is closed in this thread."""
        with self._lock:
            self._id = id
            if not self._over:
                self._closing, close = close, None
        if close is not None:
            _told(close, id)

    def take_closing(self) -> Callable[[], Any] | None:
        """Returns what closes the session, given once; None if there is nothing to close."""
        with self._lock:
            self._over = True
            closing, self._closing = self._closing, None
            return closing

    def close_now(self, patience: float) -> None:
        """Closes what is still open, in a thread that is waited for so many seconds.

        For a dialogue that was broken off (Ctrl-C): warns of what goes wrong.
        """
        closing = self.take_closing()
        if closing is None:
            return
        context = contextvars.copy_context()
        thread = threading.Thread(
            target=context.run, args=(_told, closing, self._id), daemon=True, name="todeval close"
        )
        thread.start()
        thread.join(patience)
        if thread.is_alive():
            warnings.warn(
                f"the session {self._id} was not closed within {patience:g} s", stacklevel=2
            )


class SessionNote(str):
    """What closing a session may return, to stand in the dialogue's notes; all else is ignored."""


def session_id(value: object, place: str) -> str:
    """Returns the id of a session, as a bot or its server gave it.

    Raises SystemContractError unless it is text or a whole number.
    """
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise SystemContractError(f"{place} is {described(value)}, expected the session's id, a text")


def _told(close: Callable[[], Any], id: str | None) -> None:
    """Calls `close`, of which nobody takes the result; warn if it raises."""
    try:
        result = close()
        if inspect.isawaitable(result):
            asyncio.run(_awaited(result))
    except Exception as error:
        told = f"the session {id} could not be closed: {error}"
        warnings.warn(in_line(told), stacklevel=2)


async def _awaited(result: Any) -> None:
    await result
