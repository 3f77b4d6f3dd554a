"""The signs by which the second opinion tells what a turn claims: runs of its words and letters.

A turn is cut into words and marks; names of venues stand as `NAME`, the one that is asked about as
`THIS`, numbers as `0`. What stands in a question is marked by a `?` before it.
"""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import pairwise
from typing import NamedTuple

from pytest_todeval.evidence.text.triggers import word_set

__all__ = ["NO_SIGNS", "Signs", "of_name", "of_turn", "words_of"]

NAME, THIS = "NAME", "THIS"
FAR = 8
"""Words on either side of a name that are looked at."""
STEM = 5
"""Letters of a word that stand for all its forms."""
MOST = 400
"""Words of a turn that are looked at."""
NEAR = 12
"""Words on either side of a name whose letters are looked at."""

_WORD = re.compile(r"NAME|THIS|[a-z]+|\d[\d:.,]*|[?!|;:.,\n✅❌✗✓✔✘-]")
_ENDS = frozenset(".?!|;\n")
_NUMBER = "0"


class Signs(NamedTuple):
    """What the model looks at."""

    words: Set[str]
    letters: Set[str]
    """Runs of four and five letters: they hear misspelt words, and others of the same stem."""


NO_SIGNS = Signs(frozenset(), frozenset())


def words_of(marked: str) -> list[str]:
    """The words and marks of a plain text in which names are marked."""
    found = _WORD.findall(marked)[:MOST]
    return [_NUMBER if word[0].isdigit() else "|" if word == "\n" else word for word in found]


def of_turn(words: Sequence[str], *, wanted: bool) -> Signs:
    """The signs of a whole turn; `wanted`: the user has just asked for a booking."""
    return Signs(_of_turn(words, wanted=wanted), _letters(words))


def of_name(words: Sequence[str]) -> Signs:
    """The signs of how the name `THIS` stands in a turn; none if it does not stand there."""
    places = [at for at, word in enumerate(words) if word == THIS]
    if not places:
        return NO_SIGNS
    near = (_letters(words[max(0, at - NEAR) : at + NEAR + 1]) for at in places)
    return Signs(_of_name(words, places), set().union(*near))


def _letters(words: Sequence[str]) -> set[str]:
    text = f" {' '.join(words)} "
    fours = {text[at : at + 4] for at in range(len(text) - 3)}
    return fours | {text[at : at + 5] for at in range(len(text) - 4)}


def _of_turn(words: Sequence[str], *, wanted: bool) -> set[str]:
    signs = {"+wanted"} if wanted else set()
    for sentence in _sentences(words):
        mood = "?" if sentence[-1] == "?" else ""
        before = last = "^"
        stem = "^"
        for word in sentence:
            signs.add(f"{mood}{word}")
            signs.add(f"{mood}{last} {word}")
            signs.add(f"{mood}{before} {last} {word}")
            short = word[:STEM]
            signs.add(f"{mood}{stem}~{short}")
            before, last, stem = last, word, short
    return signs


def _of_name(words: Sequence[str], places: Sequence[int]) -> set[str]:
    signs = {sign for at in places for sign in _around(words, at)}
    signs.update(f"in {word}" for word in words)
    signs.add(f"{min(words.count(NAME), 3)} names")
    return signs


def _around(words: Sequence[str], at: int) -> Iterator[str]:
    start = at
    while start > 0 and words[start - 1] not in _ENDS:
        start -= 1
    end = at
    while end < len(words) and words[end] not in _ENDS:
        end += 1
    yield "asks" if end < len(words) and words[end] == "?" else "states"
    before, after = words[start:at][::-1], words[at + 1 : end]
    yield from _side("<", before)
    yield from _side(">", after)
    yield f"{(before or ['^'])[0]} _ {(after or ['$'])[0]}"
    yield from (f"here {word}" for word in words[start:end])
    yield f"{_polarity(before)} _ {_polarity(after)}"
    yield from _apart("next", words[end + 1 : end + 1 + FAR])
    yield from _apart("last", words[max(0, start - FAR) : start])


def _side(side: str, words: Sequence[str]) -> Iterator[str]:
    """The words on one side of a name, from it outwards."""
    for place, word in enumerate(words[:FAR]):
        yield f"{side} {word}"
        yield f"{side}~{word[:STEM]}"
        if place < 3:
            yield f"{side}{place} {word}"
    near = [*words[:6], "^"]
    for one, two in pairwise(near):
        yield f"{side} {one} {two}"
    yield f"{side}0 {' '.join(near[:2])}"
    yield f"{side}0 {' '.join(near[:3])}"


def _polarity(words: Sequence[str]) -> str:
    """Whether a part of a sentence denies, and what has been is told."""
    said = "not" if any(word in _DENIES for word in words) else "so"
    return f"{said} then" if any(word in _PAST for word in words) else said


_DENIES = word_set(
    "not no never none nothing neither nor without nobody hardly isn lacks unfortunately"
)
_PAST = word_set("was were had did used said told asked")


def _apart(side: str, words: Sequence[str]) -> Iterator[str]:
    for word in words:
        yield f"{side} {word}"
    for one, two in pairwise(words):
        yield f"{side} {one} {two}"


def _sentences(words: Sequence[str]) -> Iterator[list[str]]:
    sentence: list[str] = []
    for word in words:
        sentence.append(word)
        if word in _ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence
