"""What user and bot have said so far, as the user remembers it."""

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from pytest_todeval.models.fence import fenced, neutral
from pytest_todeval.simulation.llm_user.endings import without_endings

NO_WORD = re.compile(r"[\W_]+")
_ONE_I = {0x131: "i", 0x307: None}
"""Turkish has two letters i, which Python's rules for case mix up: both count as one."""
LONGEST_HEARD = 20_000
"""Characters of an answer; no person reads further, and the model's context is not for the bot."""
QUESTION_MARKS = frozenset("?\u061f\uff1f\u037e\u055e\u1367")
"""Of Latin, Arabic, Chinese and Japanese, Greek, Armenian and Ethiopic script."""


@dataclass
class Conversation:
    """The words of both, in order; the user speaks first."""

    user: list[str] = field(default_factory=list)
    bot: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    """What the user's own tools told it; the bot never hears of them."""
    before: int = 0
    """Turns that were before the first: nobody leaves or loses patience over them."""

    @property
    def begun(self) -> bool:
        """Says whether the bot has said anything in this dialogue."""
        return len(self.bot) > self.before

    def repeats(self, text: str) -> bool:
        """Says whether these are the user's previous words."""
        return bool(self.user) and _same(text, self.user[-1])

    @property
    def bot_repeats(self) -> bool:
        """Says whether the bot's last two answers are the same."""
        return len(self.bot) > 1 and _same(self.bot[-1], self.bot[-2])

    def times_in_a_row(self) -> int:
        """Returns how often the user's last words have been said in a row, in this dialogue."""
        count = 0
        for said in reversed(self.user[self.before :]):
            if not _same(said, self.user[-1]):
                break
            count += 1
        return count

    def fenced(self) -> str:
        """Returns the transcript for a prompt; it grows at its end only."""
        turns = chain.from_iterable(zip_longest(self.user, self.bot))
        kinds = ("user", "chatbot")
        return "\n".join(fenced(kinds[n % 2], said) for n, said in enumerate(turns) if said)


def shown(text: str) -> str:
    """Returns what a bot or a user said, as a prompt shows it."""
    cut = text if len(text) <= LONGEST_HEARD else f"{text[:LONGEST_HEARD]} \u2026"
    return without_endings(neutral(cut))


def plain(text: str) -> str:
    """The words of a text, for comparing: without case, punctuation or the width of letters."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_ONE_I)
    return NO_WORD.sub(" ", folded).strip()


def asks(text: str) -> bool:
    """Says whether the text holds a question, in any script with a question mark of its own."""
    return not QUESTION_MARKS.isdisjoint(text)


def _same(one: str, other: str) -> bool:
    return plain(one) == plain(other) if plain(one) else one.strip() == other.strip()
