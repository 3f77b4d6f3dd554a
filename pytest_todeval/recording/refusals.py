"""What a tape or the router refuses, or cannot record: no dialogue with one of these passes."""

from collections.abc import Sequence

from pytest_todeval.core.lane import Place
from pytest_todeval.errors import TodevalError
from pytest_todeval.recording.address import Address


class NoDialogue(TodevalError):
    """A call that cannot be told to be of any dialogue, while some are recorded or replayed."""


class NetworkBlocked(TodevalError):
    """A connection that replay does not allow."""


class NotRecorded(TodevalError):
    """A connection made while a dialogue is recorded, of which no cassette can hold anything."""


def blocked(doing: str, host: str, port: int | None, where: str) -> NetworkBlocked:
    """Returns the error for a connection: `doing` what, to whom, `where` in which dialogue."""
    address = Address(host, port)
    return NetworkBlocked(
        f"{doing} {address}{where}: the network is blocked, because calls are replayed from a "
        f'cassette. Allow it with `--todeval-allow="{address}"`, or record with '
        "`--todeval-record=missing`, if this is a call of an HTTP client"
    )


def unnamed(what: str, why: str, dialogues: Sequence[str]) -> str:
    """That a call to the gateway cannot be told to be of any of the dialogues that are open."""
    return (
        f"{what} came to the gateway, and belongs to no dialogue: {why}. Name the dialogue by "
        "the header `x-todeval-dialogue: ID`, or by an address that begins with `/dialogue/ID` "
        f"(`todeval_gateway.environment(ID)`). Open: {', '.join(dialogues)}"
    )


def stray(what: str, place: Place | None, dialogues: Sequence[str], *, bots_served: bool) -> str:
    """Returns that a call made at a place, or at none, is of none of the dialogues that are open.

    `bots_served`: whether some of their bots are called over HTTP.
    """
    if place is None:
        why = (
            "it was made in a thread, task or process that no dialogue started. Make it in the "
            "code that a dialogue calls; for an older thread, take "
            "`context = contextvars.copy_context()` there, and call by `context.run(...)`"
        )
    else:
        why = f"the dialogue {place.dialogue}, in which it was started, is over"
    names = ", ".join(dialogues[:3]) + (" ..." if len(dialogues) > 3 else "")
    message = f"{what} belongs to no dialogue: {why}. Dialogues under way: {names}"
    if place is None and bots_served and len(dialogues) > 1:
        message += (
            ". Calls of a bot's server in this process can only be assigned while one "
            "dialogue at a time waits for it"
        )
    return message
