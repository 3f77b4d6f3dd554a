"""The keywords of a goal: the values it names and the slots it asks for."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_todeval.core.assertable import Assertable
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.language.values import canonical_slot, normalise

__all__ = ["Keyword", "keywords_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Keyword(Assertable):
    """One thing the goal wants raised."""

    domain: str
    slot: str
    value: str | None
    """None for a slot that is to be asked for."""
    kind: str
    """Where the goal has it: `inform`, `fail_inform`, `book`, `fail_book` or `request`."""
    turn: int | None = None
    """1-based: where it was raised first; one more than there are turns for the user's last words.
    None if nobody raised it."""
    speaker: str | None = None
    """`user` or `bot`."""

    @property
    def raised(self) -> bool:
        """Whether anybody raised it."""
        return self.turn is not None

    def _line(self) -> str:
        return "keyword.raised"

    def __str__(self) -> str:
        what = f"{self.domain} {self.slot}"
        return f"{what} (to be asked)" if self.value is None else f"{what}: {self.value}"

    def at(self, turn: int, speaker: str) -> "Keyword":
        """It, raised there."""
        return replace(self, turn=turn, speaker=speaker)


def keywords_of(goal: Goal) -> tuple[Keyword, ...]:
    """The keywords of a goal in its order, each once; what is to fail stands first."""
    found: dict[tuple[str, str, str], Keyword] = {}
    for part in goal.domains:
        for word in _keywords(part):
            value = "" if word.value is None else normalise(word.slot, word.value)
            found.setdefault((part.domain, canonical_slot(word.slot), value), word)
    return tuple(found.values())


def _keywords(part: DomainGoal) -> Iterator[Keyword]:
    held = {
        "fail_inform": part.fail_inform,
        "inform": part.inform,
        "fail_book": part.fail_book,
        "book": part.book,
    }
    for kind, slots in held.items():
        yield from (Keyword(part.domain, s, str(v), kind) for s, v in slots.items())
    yield from (Keyword(part.domain, slot, None, "request") for slot in part.request)
