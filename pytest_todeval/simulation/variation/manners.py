"""What people say around what they want; the wish is word for word the user's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

MANNERS: Mapping[str, Callable[[str, int], str]] = MappingProxyType(
    {
        "greeting": lambda text, turn: (
            f"Good morning! I hope you are having a nice day. {text}" if turn == 1 else text
        ),
        "aside": lambda text, turn: (
            f"{text} My cat has just knocked over a plant, but never mind that."
            if turn == 1
            else text
        ),
        "shouted": lambda text, turn: text.upper(),
    }
)


@dataclass(frozen=True)
class Manner:
    """One of them, as a variation."""

    name: str
    asks_model = False

    @property
    def definition(self) -> str:
        """The name says it all."""
        return f"{self.name} by rule"

    def varied(self, text: str, turn: int, heard: str) -> str:
        """Returns what the bot hears."""
        return MANNERS[self.name](text, turn)
