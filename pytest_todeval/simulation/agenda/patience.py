"""How long the user goes on without progress."""

from collections.abc import Hashable

STRIKES = 3
"""Turns without progress on one thing before the user moves on."""
SETBACKS = 3
"""Things given up before the user leaves."""
SAME_REPLY = 5
"""Times in a row the bot may answer the same, word for word."""


class Patience:
    """Counts turns without progress (strikes) and things given up (setbacks)."""

    def __init__(self) -> None:
        self.strikes = 0
        self.setbacks = 0
        self._limit = STRIKES
        self._seen: set[Hashable] = set()
        self._reply = ""
        self._same = 0

    def after(self, state: Hashable, reply: str) -> None:
        """Takes note of a turn: whether it led anywhere new, and what the bot said."""
        reply = " ".join(reply.lower().split())
        self._same = self._same + 1 if reply == self._reply else 1
        self._reply = reply
        if state in self._seen:
            self.strikes += 1
            return
        self._seen.add(state)
        self.strikes = 0

    def set_back(self) -> None:
        """Takes note that something was given up; the next thing gets less patience."""
        self.setbacks += 1
        self.strikes = 0
        self._limit = STRIKES - 1

    @property
    def is_over(self) -> bool:
        """Says whether to move on to the next thing."""
        return self.strikes >= self._limit

    @property
    def is_lost(self) -> bool:
        """Says whether to leave altogether."""
        return self._same >= SAME_REPLY or self.setbacks >= SETBACKS

    @property
    def why(self) -> str:
        """Says why the user leaves, in a few words."""
        if self._same >= SAME_REPLY:
            return f"the bot said the same {self._same} times in a row"
        return "the bot did not help in spite of rephrasing"
