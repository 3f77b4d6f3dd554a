"""Errors, one class per *who must act*. Each message: what, where, got, expected, next step."""

from collections.abc import Iterable

MOST_NAMES = 60
"""Known names that a message lists."""
LONGEST = 10_000
"""Characters of an error that are shown."""
__all__ = [
    "BackendError",
    "DataMissing",
    "InvalidFile",
    "JudgeFault",
    "ModelRejected",
    "ModelUnavailable",
    "OracleFault",
    "SecretFound",
    "SimulatorFault",
    "SystemContractError",
    "TodevalError",
    "UsageError",
    "known_names",
]


class TodevalError(Exception):
    """Base of all errors raised by pytest-todeval; its text may be shown in any terminal."""

    def __str__(self) -> str:
        from pytest_todeval.shown import in_terminal

        return in_terminal(super().__str__(), LONGEST)


class UsageError(TodevalError):
    """The person who wrote the test or the command must act: a wrong option, marker or fixture."""


class DataMissing(TodevalError):
    """Data that is not on this machine; the message holds the command that brings it."""


class InvalidFile(TodevalError):
    """A file (goals, rules, dialogues, databases) that does not say what it should.

    The message names file and place (line or path within), what was found and what was expected.
    """


class SystemContractError(TodevalError):
    """The bot broke the contract of `tod_system`: wrong shape, or a reply of the wrong type."""


class BackendError(TodevalError):
    """The backend itself broke (not: it refused a call). Nobody's failure but the backend's."""


class SimulatorFault(TodevalError):
    """The user simulator could not play its goal; says nothing about the bot."""


class OracleFault(TodevalError):
    """The goal, or the metric asked for, cannot be right, e.g. no row satisfies the goal."""


class JudgeFault(TodevalError):
    """A judge or evaluator could not tell; says nothing about the bot."""


class NeverDone(TodevalError):
    """What was to be counted up to never came: what the user needed, or a tool call."""


class ModelUnavailable(TodevalError):
    """A model could not be asked: not reached, too many requests, no key, no such model.

    Nobody's failure but the endpoint's: the outcome is `infrastructure`.
    """


class ModelRejected(TodevalError):
    """A model's endpoint did not take a request as it stands (too long, an option it lacks).

    Whose failure that is depends on who asked: of the bot, its own.
    """


class SecretFound(TodevalError):
    """A secret was about to be written to a file; nothing was. The message names the place only."""


def known_names(got: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: `did you mean 'hotel'? Known: hotel, train`."""
    from difflib import get_close_matches

    names = list(names)
    folded = {name.lower(): name for name in names}
    close = get_close_matches(got.lower(), folded, n=1)
    hint = f"did you mean {folded[close[0]]!r}? " if close else ""
    shown = ", ".join(names[:MOST_NAMES]) or "none"
    rest = len(names) - MOST_NAMES
    return f"{hint}Known: {shown}" + (f" and {rest} more" if rest > 0 else "")
