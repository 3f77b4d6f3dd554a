"""Answers to a request that stand in a text in words that no ontology lists."""

import re
from collections.abc import Sequence

from pytest_todeval.language.asked import FEATURES
from pytest_todeval.language.negation import NEGATED
from pytest_todeval.language.values import YES_NO_SLOTS

__all__ = ["answer_in", "asks_to_repeat", "denies", "row_value_in", "turns_down"]

SHORTEST = 3
"""Characters of a row's value that are looked for in a text; shorter ones stand there by chance."""
LONGEST = 200
"""Characters of an answer that are kept."""
MOST_WORDS = 4
"""Of an answer that does not name what it answers: "It is a boat"."""
NUMERIC = frozenset(
    {"phone", "postcode", "reference", "price", "trainID", "duration", "entrance fee", "stars"}
)
"""Slots whose values hold digits."""

_UNKNOWN = re.compile(
    r"(?:n't|\bnot|\bno|\bunable|\bcannot|\bwithout)\b[^.?!]*\b(?:have|listed|available|known|know"
    r"|find|information|given|provided?|records?|say)\b|\bunknown\b|\bunavailable\b",
    re.I,
)
_REFUSED = re.compile(
    r"\b(?:out of|sold out|unavailable|unfortunately|unable|cannot|sorry|fully booked)\b", re.I
)
_REPEAT = re.compile(
    r"(?:n't|\bnot|\bunable to)\b[^.?!]{0,20}\b(?:understand|understood|catch|get that|get you"
    r"|follow|sure what you)|\b(?:rephrase|say (?:that|it) (?:again|differently)|pardon|come again"
    r"|repeat (?:that|it)|what was that|misunderstood)\b|^\W*sorry\W*$",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_SAYS = re.compile(r"\s(?:is|are|will be|would be|costs?)\s|[:=]\s", re.I)
_DIRECT = re.compile(
    r"(?:it|they|that|this)(?:'s| is| are| will be| has| have| serves?| offers?)\s+"
    r"(?:an? |the )?(.+)",
    re.I,
)


def row_value_in(value: str, text: str, venue: str) -> str:
    """A row's value where the text holds it (outside the venue's name); else empty."""
    if len(value) < SHORTEST:
        return ""
    outside = text.lower().replace(venue.lower(), " ") if venue else text.lower()
    plain = " ".join(outside.split())
    return value if re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", plain) else ""


def answer_in(text: str, slot: str, *, asked: Sequence[str]) -> str:
    """What a text answers to the request for a slot, in its own words; empty where it does not.

    `asked` slots are those the user asked for: an answer to the only one need not name it, and
    whether something is there or not is answered only when asked.
    """
    if slot in YES_NO_SLOTS:
        return _yes_or_no(slot, text) if slot in asked else ""
    sentences = [s for s in _SENTENCE.split(text) if not s.rstrip().endswith("?")]
    told = [s for s in sentences if not _UNKNOWN.search(s)]
    found = next((said for s in told if (said := _said_of(slot, s))), "")
    if not found and list(asked) == [slot] and told and slot not in NUMERIC:
        found = _direct(told[0])
    return found if slot not in NUMERIC or re.search(r"\d|free", found) else ""


def denies(text: str) -> bool:
    """Whether a text says that the bot does not know."""
    return _UNKNOWN.search(text) is not None


def asks_to_repeat(text: str) -> bool:
    """Whether a text says that the bot did not understand: "Sorry, could you rephrase that?"."""
    return _REPEAT.search(text) is not None


def turns_down(text: str, value: str) -> bool:
    """Whether a sentence denies a value: "Sorry, we are out of pineapple"."""
    return any(
        NEGATED.search(sentence) or _REFUSED.search(sentence)
        for sentence in _SENTENCE.split(text)
        if not sentence.rstrip().endswith("?") and row_value_in(value, sentence, "")
    )


def _yes_or_no(slot: str, text: str) -> str:
    for sentence in _SENTENCE.split(text):
        asks = sentence.rstrip().endswith("?")
        if not asks and FEATURES[slot].search(sentence):
            return "no" if NEGATED.search(sentence) else "yes"
    first = text.strip().lower()
    return next((word for word in ("yes", "no") if re.match(rf"{word}\b", first)), "")


def _said_of(slot: str, sentence: str) -> str:
    """What follows the slot ("the crust is thin") or comes before it ("serves French food")."""
    words = re.escape(slot.lower().replace("_", " "))
    after = re.search(rf"\b{words}\b(.*)", sentence, re.I | re.S)
    said = _SAYS.split(f" {after[1]} ", maxsplit=1) if after else []
    if len(said) == 2:
        return _tidy(said[1])
    before = re.search(
        rf"\b(?:serves?|offers?|has|have)\s+(.{{1,60}}?)\s+{words}\b", sentence, re.I
    )
    return _tidy(before[1]) if before else ""


def _direct(sentence: str) -> str:
    match = _DIRECT.match(sentence)
    said = _tidy(match[1]) if match else ""
    return said if len(said.split()) <= MOST_WORDS else ""


def _tidy(said: str) -> str:
    return said.strip(" .!,\"'")[:LONGEST]
