"""Something about a booking that a sentence says, and what it says it of."""

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_todeval.core.dialogue_act import Act, Factuality
from pytest_todeval.nlu.bookings.words import AVAILABLE, THINGS
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.factuality import doubt_of
from pytest_todeval.nlu.text.phrases import NAME, Group, Phrase
from pytest_todeval.nlu.text.triggers import AUXILIARIES

Parts = Sequence[tuple[int, bool]]
"""Where the parts of a sentence start, and whether each asks."""


@dataclass(frozen=True, slots=True)
class BookingAct:
    """Something about a booking that a sentence says."""

    act: Act
    factuality: Factuality
    place: int
    """Where its main word stands in the plain sentence."""
    doubt: str = ""
    about: str = ""
    """What is booked, in a word, if the sentence says it: "taxi"."""
    start: int = 0
    """Where the words that say it start."""
    state: bool = False
    """Whether it tells how things are ("fully booked") rather than what was done."""
    bare: bool = False
    """Whether it is said by no more than a "no" or "not"."""


def asked(phrase: Phrase, index: int, parts: Parts) -> bool:
    """Says whether a word stands in a part of the sentence that asks."""
    place = phrase.places[min(index, len(phrase.places) - 1)]
    if phrase.words[-1] == "?" and "or" in phrase.words[index:]:
        after = phrase.words.index("or", index)
        if phrase.words[after - 1] == ",":
            return True
    if phrase.words[-1] == "?" and phrase.words[0] == "so":
        return True
    return next((asks for at, asks in reversed(parts) if at <= place), False)


_ANY_THING = THINGS | AVAILABLE


def thing(words: Sequence[str]) -> str:
    """Returns the last thing to be booked among some words; empty if there is none.

    "The seat reservation" is of a seat.
    """
    last = ""
    for at in range(len(words) - 1, -1, -1):
        word = singular(words[at])
        if words[at] == NAME or word in _ANY_THING:
            if last or word not in _OF_A_THING:
                return words[at] if words[at] == NAME else word
            last = word
        elif last:
            return last
    return last


_OF_A_THING = word_set("reservation booking order request")


def singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def booking_act_of(
    phrase: Phrase, act: Act, said: Factuality, group: Group, head: int, about: str
) -> BookingAct:
    doubt = doubt_of(phrase, group) if said is Factuality.ASSERTED else ""
    start = phrase.places[min(group.start, head)]
    return BookingAct(act, said, phrase.places[head], doubt, about, start)


def subject_of(phrase: Phrase, group: Group) -> list[str]:
    if group.start == 0 or phrase.ends(group.start - 1):
        return ["which"] if group.start and phrase.words[group.start - 1] == "which" else []
    subject = phrase.words[phrase.opening(group.start - 1) : group.start]
    for at in range(len(subject) - 1, 1, -1):
        if subject[at - 1] in ("and", "but") and not AUXILIARIES.isdisjoint(subject[: at - 1]):
            subject = subject[at:]
            break
    for at in range(len(subject) - 1, 0, -1):
        if subject[at - 1] in _SAYING and at > 1:
            return subject[at:]
    return subject


_SAYING = word_set(
    """that confirm say see know inform told confirming think believe whether if like as"""
)
"""Words after which the subject of another clause begins."""
