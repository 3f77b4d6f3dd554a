"""What a user tells of itself when a dialogue ends, if it is one that tells."""

from pytest_todeval.core.outcome import SCRIPT_UNFINISHED, StopReason
from pytest_todeval.core.satisfaction import LACKING
from pytest_todeval.simulation.faults import FAULTS, Stop

TURNS_TO_BEGIN = 3
"""Turns in which a user says something of its goal, unless the bot cuts it short."""


def notes_of(user: object) -> tuple[str, ...]:
    """Returns what a user noticed about itself, if it is one that tells."""
    notes = getattr(user, "notes", ())
    return tuple(map(str, notes)) if isinstance(notes, list | tuple) else ()


def conveyed_nothing(user: object, stop: Stop, turns: int) -> Stop | None:
    """Whose the result is if a user that is a model said nothing of its goal: its own.

    If the bot broke down, or ended the dialogue before the user could come to it, it is the bot's.
    """
    cut = stop.reason is StopReason.SYSTEM_DONE and turns < TURNS_TO_BEGIN
    if stop.reason in FAULTS or cut:
        return None
    why = getattr(user, "said_nothing", "")
    if not why or not isinstance(why, str):
        return None
    return Stop(StopReason.SIMULATOR_FAULT, f"{why} ({stop.detail})", stop.last_words)


def unfinished(user: object) -> str:
    """Returns what a user has not come to when its turns are used up, if it is one that tells."""
    if getattr(user, "has_script", False):
        return f" {SCRIPT_UNFINISHED}"
    lacks = getattr(user, "lacks", ())
    told = "; ".join(map(str, lacks)) if isinstance(lacks, list | tuple) else ""
    return f"; {LACKING}{told}" if told else ""
