"""How a dialogue ended: exactly one outcome, exactly one stop reason."""

from enum import StrEnum

SCRIPT_ENDED = "the script has ended"
"""Why a user with a script leaves: it does not know whether it has what it wants."""

SCRIPT_UNFINISHED = "before the script had ended"
"""How the detail of a dialogue ends whose turns were used up before the lines of its user."""


class Outcome(StrEnum):
    """Who answers for the result. Only `failed` counts against the bot, only `passed` for it."""

    PASSED = "passed"
    FAILED = "failed"
    SIMULATOR_FAULT = "simulator_fault"
    JUDGE_FAULT = "judge_fault"
    ORACLE_FAULT = "oracle_fault"
    INFRASTRUCTURE = "infrastructure"
    STALE_CASSETTE = "stale_cassette"
    TEST_ERROR = "test_error"
    """The test raised what is neither an assertion nor a fault of this package: it is broken."""


class StopReason(StrEnum):
    """Why the dialogue went no further."""

    USER_DONE = "user_done"
    """The user has everything the goal asks for and said goodbye."""
    USER_GAVE_UP = "user_gave_up"
    """The bot did not help in spite of rephrasing; the user said goodbye."""
    SYSTEM_DONE = "system_done"
    """The bot ended the dialogue (`Reply.done`)."""
    TURN_LIMIT = "turn_limit"
    CHECK_FAILED = "check_failed"
    """A check after a turn raised: the test's own assertion."""
    UNDER_WAY = "under_way"
    """It has not stopped yet: what a check after a turn is shown."""
    SYSTEM_ERROR = "system_error"
    """The bot raised an exception."""
    EMPTY_REPLY = "empty_reply"
    """The bot answered with nothing but white space."""
    BAD_REPLY = "bad_reply"
    """The bot answered with something that is neither text nor a `Reply`."""
    SYSTEM_VIOLATION = "system_violation"
    """The bot broke a strict protocol (`core.protocol`)."""
    USER_VIOLATION = "user_violation"
    """The user simulator broke a strict protocol."""
    SIMULATOR_FAULT = "simulator_fault"
    """The user simulator is itself the problem."""
    EAR_FAULT = "ear_fault"
    """The ear that is a model gave no answer that can be read."""
    ORACLE_FAULT = "oracle_fault"
    """The goal cannot be met; no turn was played."""
    TURN_TIMEOUT = "turn_timeout"
    DIALOGUE_TIMEOUT = "dialogue_timeout"
    NETWORK = "network"
    """The bot, what it calls, or the model that plays the user or the ear could not be reached."""
    BACKEND_ERROR = "backend_error"
    """The backend broke (not: it refused)."""
    IMPORTED = "imported"
    """The dialogue was read from a file that does not say why it ended."""
