"""What went wrong in a task: one fault of a failed dialogue, by kind."""

from dataclasses import dataclass
from enum import StrEnum


class FailureKind(StrEnum):
    """What kind of fault it is; whose it is follows from it."""

    WRONG_TOOL = "wrong_tool"
    """Another tool was called on the record, or the dialogue handed to a person, in place of a call
    that the reference solution makes."""
    WRONG_ARGUMENT = "wrong_argument"
    """The right tool was called with another argument."""
    UNWANTED_WRITE = "unwanted_write"
    """A call changed what the reference solution leaves alone."""
    MISSING_WRITE = "missing_write"
    """A call that changes something was never made, or was refused."""
    MISSING_CALL = "missing_call"
    """A call that changes nothing, and that the reward asks for (tau2's ACTION), was not made."""
    MISSING_USER_CALL = "missing_user_call"
    """The user was not led to call a tool of its own (tau2's dual control)."""
    MISSING_OUTPUT = "missing_output"
    """Something was never said that the user was to be told."""
    UNFINISHED = "unfinished"
    """The dialogue did not come to its end, or the bot broke."""
    USER = "user"
    """The user said something else than it was told to, or the simulator was itself the problem."""
    ENVIRONMENT = "environment"
    """Network, backend, or a goal that cannot be met."""
    JUDGE = "judge"
    """A judge was needed, and left it undecided."""
    OTHER = "other"
    """None of these."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One fault."""

    kind: FailureKind
    detail: str
    """In a few words: which call, which argument, expected and got."""
    turn: int | None = None
    """1-based; None if no turn shows it."""
