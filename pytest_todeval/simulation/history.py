"""What a bot is told of the turns before."""

from collections.abc import Mapping, Sequence

History = Sequence[Mapping[str, str]]
"""What was said before this turn: `{"role": "user" | "assistant", "content": text}`."""


def turn_after(history: History, before: int) -> int:
    """The number of the turn that comes next, if the first `before` of the history do not count.

    Each turn has one message of the bot.
    """
    return sum(message.get("role") == "assistant" for message in history) + 1 - before
