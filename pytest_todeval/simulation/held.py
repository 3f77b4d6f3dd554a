"""A bot held to the protocol of its dialogue: by its own word, and by the calls that were seen."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.protocol import ProtocolKept, Side, wrong_call
from pytest_todeval.simulation.faults import FAULTS, Stop


def note_undeclared(
    kept: ProtocolKept, backend: Any, traced: Sequence[ToolCall], turn: int
) -> None:
    """Count the calls that the backend saw and that its tools do not declare.

    What the bot has told of itself counts once. A call that keeps to the declaration and is refused
    ("nothing is free") breaks nothing. A backend that declares no tools takes any call.
    """
    tools = getattr(backend, "tools", ()) if kept.name and traced else ()
    told = {(each.turn, each.kind, each.message) for each in kept.violations}
    for call in traced if tools else ():
        found = wrong_call(tools, call.name, call.arguments)
        if found is not None and (turn, *found) not in told:
            kept.note(Side.SYSTEM, *found, turn)


def broken(kept: ProtocolKept, turn: int, stop: Stop | None) -> Stop | None:
    """Returns how a turn ends that has ended by `stop` so far, given what broke the protocol in it.

    A bot may have caught what a violation raised: it ends the dialogue all the same. What is not
    the bot's fault stays so.
    """
    if not kept.is_strict or (stop and FAULTS.get(stop.reason) not in (None, Outcome.FAILED)):
        return stop
    theirs = (each for each in kept.violations if each.side is Side.SYSTEM and each.turn == turn)
    first = next(theirs, None)
    if first is None:
        return stop
    told = f"the bot broke the protocol in turn {turn}: {first.kind}: {first.message}"
    return Stop(StopReason.SYSTEM_VIOLATION, told)
