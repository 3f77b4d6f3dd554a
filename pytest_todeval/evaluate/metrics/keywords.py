"""The keywords of a goal: the values it names and the slots it asks for, or the phrases that its
message emphasises.
"""

import html
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_todeval.core.assertable import Assertable
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.goals.message import EMPHASIS, sections
from pytest_todeval.nlu.values.normalise import canonical_slot, normalise

KINDS_OF_KEYWORDS = ("slots", "phrases")
"""What the keywords of a goal can be."""
PHRASE = "phrase"
"""The kind of a keyword that is a phrase."""


@dataclass(frozen=True, slots=True, eq=False)
class Keyword(Assertable):
    """One thing that the goal wants mentioned."""

    domain: str
    slot: str
    value: str | None
    """None for a slot that is to be asked for."""
    kind: str
    """Where the goal has it: `inform`, `fail_inform`, `book`, `fail_book` or `request`; `phrase`
    for one that the goal's message emphasises, whose words are `value`."""
    turn: int | None = None
    """1-based: where it was raised first; one more than there are turns for the user's last words.
    None if nobody raised it."""
    speaker: str | None = None
    """`user` or `bot`."""
    unplaced: bool = False
    """Whether it was raised, and nobody told where: a judge as published says no more."""

    @property
    def raised(self) -> bool:
        """Says whether anybody raised the keyword."""
        return self.turn is not None or self.unplaced

    def _line(self) -> str:
        return "keyword.raised"

    def __str__(self) -> str:
        if self.kind == PHRASE:
            return f"{self.domain or 'goal'} {self.value!r}"
        what = f"{self.domain} {self.slot}"
        return f"{what} (to be asked)" if self.value is None else f"{what}: {self.value}"

    def at(self, turn: int, speaker: str) -> "Keyword":
        """Returns the keyword, marked as raised there."""
        return replace(self, turn=turn, speaker=speaker)


def keywords_of(goal: Goal) -> tuple[Keyword, ...]:
    """Returns the keywords of a goal in order, each once; those that are to fail come first."""
    found: dict[tuple[str, str, str], Keyword] = {}
    for part in goal.parts:
        for word in _keywords(part):
            value = "" if word.value is None else normalise(word.slot, word.value)
            found.setdefault((part.domain, canonical_slot(word.slot), value), word)
    return tuple(found.values())


def phrases_of(goal: Goal) -> tuple[Keyword, ...]:
    """Returns the phrases that a goal's message emphasises (`<span class='emphasis'>`), in order.

    So the paper's released code takes them, each as often as it stands there: 12.6 of a goal of
    MultiWOZ's test set, "reference number" among them in 646 of 1000.
    """
    parts = sections(goal.message, [part.domain for part in goal.domains])
    told = [(domain, sentence) for domain, found in parts.items() for sentence in found]
    first = [("", sentence) for sentence in goal.message[: len(goal.message) - len(told)]]
    return tuple(
        Keyword(domain, "", " ".join(html.unescape(phrase).split()), PHRASE)
        for domain, sentence in (*first, *told)
        for phrase in EMPHASIS.findall(sentence)
    )


def wanted_keywords(goal: Goal, kind: str = "slots") -> tuple[Keyword, ...]:
    """Returns the keywords of one kind; if the kind is phrases, and none is emphasised, its slots.

    Raises UsageError for a kind that there is not.
    """
    if kind not in KINDS_OF_KEYWORDS:
        raise UsageError(
            f"judge.coverage: keywords={kind!r:.60}; {known_names(str(kind), KINDS_OF_KEYWORDS)}"
        )
    return (phrases_of(goal) if kind == "phrases" else ()) or keywords_of(goal)


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
