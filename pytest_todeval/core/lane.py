"""Lanes: on whose behalf the code now running acts, and in which dialogue and turn."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum


class Lane(StrEnum):
    """Who makes a call."""

    USER = "user"
    """The user simulator."""
    SYSTEM = "system"
    """The bot."""
    JUDGE = "judge"
    """An evaluator that asks a model."""
    EAR = "ear"
    """The ear that asks a model what the bot's words say."""


@dataclass(frozen=True, slots=True)
class Place:
    """The dialogue, lane and turn of the running code."""

    dialogue: str
    """The dialogue's id, e.g. `multiwoz/MUL0148#0`."""
    lane: Lane
    turn: int
    """1-based; 0 before the first turn and after the last."""


_HERE: ContextVar[Place | None] = ContextVar("todeval_place", default=None)
_WATCHERS: list[Callable[[Place, bool], None]] = []


def here() -> Place | None:
    """Returns the place of the code now running; None outside any dialogue."""
    return _HERE.get()


@contextmanager
def in_lane(dialogue: str, lane: Lane, turn: int = 0) -> Iterator[Place]:
    """Runs the body at a place; threads and tasks started with a copied context inherit it."""
    place = Place(dialogue, lane, turn)
    token = _HERE.set(place)
    for watcher in tuple(_WATCHERS):
        watcher(place, True)
    try:
        yield place
    finally:
        for watcher in tuple(_WATCHERS):
            watcher(place, False)
        _HERE.reset(token)


def watch(watcher: Callable[[Place, bool], None]) -> Callable[[], None]:
    """Has it called for each `in_lane` from now on: with True at its start, False at its end.

    What is returned ends that.
    """
    _WATCHERS.append(watcher)
    return lambda: _WATCHERS.remove(watcher)
