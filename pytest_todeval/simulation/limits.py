"""How long a dialogue may get."""

from dataclasses import dataclass

from pytest_todeval.core.protocol import PROTOCOLS
from pytest_todeval.errors import UsageError, known_names


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a dialogue may get. Raises UsageError if a limit is not a number above 0."""

    max_turns: int = 30
    """Replies of the bot."""
    turn_timeout: float = 30.0
    """Seconds, for each word of the bot and of the user."""
    dialogue_timeout: float = 300.0
    """Seconds, for all of it, the making of the bot included."""
    turn_timeout_by: str = ""
    """Where that is from, for messages: `comes from --todeval-turn-timeout=5`; empty if nobody set
    it."""
    dialogue_timeout_by: str = ""
    """Likewise."""
    protocol: str = ""
    """`strict`: a violation of the protocol ends it; `lenient`: they are counted (see
    `core.protocol`); empty: nobody looks."""

    def __post_init__(self) -> None:
        if isinstance(self.max_turns, bool) or not isinstance(self.max_turns, int):
            raise UsageError(f"max_turns is {self.max_turns!r}, expected a whole number above 0")
        for name in ("max_turns", "turn_timeout", "dialogue_timeout"):
            limit = getattr(self, name)
            if not isinstance(limit, int | float) or not limit > 0:
                raise UsageError(f"{name} is {limit!r}, expected a number above 0")
        if self.protocol and self.protocol not in PROTOCOLS:
            hint = known_names(str(self.protocol), PROTOCOLS)
            raise UsageError(f"protocol is {self.protocol!r}; {hint}")


def set_by(what: str, clause: str) -> str:
    """Where the limit of a `turn` or `dialogue` is from: the last sentence of a time-out."""
    default = f"is the default; --todeval-{what}-timeout=SECONDS sets another"
    return f"The limit {clause or default}"
