"""The signs by which the second opinion tells what a turn claims.

They are runs of its words and letters, the user's words before it, and what the rules hear in it.

A turn is cut into words and marks; names of venues stand as `NAME`, the one that is asked about as
`THIS`, numbers as `0`. What stands in a question is marked by a `?` before it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.evidence.text.triggers import word_set

NAME, THIS = "NAME", "THIS"
FAR = 8
"""Words on either side of a name that are looked at."""
STEM = 5
"""Letters of a word that stand for all its forms."""
MOST = 400
"""Words of a turn that are looked at."""
NEAR = 12
"""Words on either side of a name whose letters are looked at."""
REACH = 5
"""Words after a denial that it may deny."""
MOST_OF_USER = 60
"""Words of the user that are looked at."""
OF_BOOKINGS = frozenset({Act.BOOKED, Act.BOOKING_FAILED})
BESIDE = frozenset({Act.OFFER_BOOK, Act.REFERENCE, Act.NO_OFFER, Act.REQUEST})
"""Acts whose presence in a turn tells something of its bookings."""
OF_NAMES = frozenset({Act.OFFER, Act.NO_OFFER})

_WORD = re.compile(r"NAME|THIS|[a-z]+|\d(?:[\d:.,]*\d)?|[?!|;:.,\n✅❌✗✓✔✘-]")
_ENDS = frozenset(".?!|;\n")
_WITHIN = frozenset(",-:")
_NUMBER = "0"


@dataclass(frozen=True)
class Signs:
    """What the model looks at."""

    words: Set[str]
    rules: Set[str]
    """What the rules hear."""
    texts: Sequence[str] = ()
    """What the letters are taken from."""

    @cached_property
    def letters(self) -> Set[str]:
        """Runs of four and five letters: they hear misspelt words, and others of the same stem."""
        found: set[str] = set()
        for text in self.texts:
            found.update([text[at : at + 4] for at in range(len(text) - 3)])
            found.update([text[at : at + 5] for at in range(len(text) - 4)])
        return found


NO_SIGNS = Signs(frozenset(), frozenset())


def words_of(marked: str) -> list[str]:
    """The words and marks of a plain text in which names are marked."""
    found = _WORD.findall(marked)[:MOST]
    return [_NUMBER if word[0].isdigit() else "|" if word == "\n" else word for word in found]


def of_turn(words: Sequence[str], heard: Iterable[Claim], user_said: str, *, wanted: bool) -> Signs:
    """The signs of a whole turn, in which the rules hear `heard`.

    `user_said`: the user's words before it, made plain; `wanted`: they ask for a booking.
    """
    by_words = _of_turn(words)
    by_words.update(_of_user(user_said))
    if wanted:
        by_words.add("+wanted")
    return Signs(by_words, {_of_claim(each) for each in heard if _tells(each)}, [_text(words)])


def _tells(claim: Claim) -> bool:
    return claim.act in OF_BOOKINGS or (claim.act in BESIDE and claim.holds)


def _of_claim(claim: Claim) -> str:
    how = "doubtful" if claim.holds and claim.doubt else claim.factuality
    return f"{claim.act} {how}"


def of_name(words: Sequence[str], heard: Iterable[Claim], user_said: str) -> Signs:
    """The signs of how the name `THIS` stands in a turn; none if it does not stand there.

    `heard`: what the rules hear of the name; `user_said`: the user's words before it, made plain.
    """
    places = [at for at, word in enumerate(words) if word == THIS]
    if not places:
        return NO_SIGNS
    near = [_text(words[max(0, at - NEAR) : at + NEAR + 1]) for at in places]
    rules = {_of_claim(each) for each in heard if each.act in OF_NAMES and each.holds}
    return Signs(_of_name(words, places) | _of_user(user_said), rules, near)


def _text(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


@lru_cache(maxsize=64)
def _of_user(said: str) -> Set[str]:
    """Remembered, since each name in the turn has them, too."""
    words = words_of(said)[:MOST_OF_USER]
    signs = {f"user {word}" for word in words}
    signs.update(f"user {one} {two}" for one, two in pairwise(["^", *words]))
    return signs


def _of_turn(words: Sequence[str]) -> set[str]:
    signs: set[str] = set()
    for sentence in _sentences(words):
        mood = "?" if sentence[-1] == "?" else ""
        signs.update(f"{mood}{pair}" for pair in _apart_by_words(sentence))
        signs.update(f"not:{stem}" for stem in _denied(sentence))
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


def _apart_by_words(sentence: Sequence[str]) -> Iterator[str]:
    """Stems with one to three others between them: "you .. set", "not .. book"."""
    stems = [word[:STEM] for word in sentence if word not in _WITHIN]
    for at, stem in enumerate(stems):
        yield from (f"{stem}..{other}" for other in stems[at + 2 : at + 5])


def _denied(sentence: Sequence[str]) -> Iterator[str]:
    """The stems of up to five words after a denial, in its clause."""
    left = 0
    for word in sentence:
        left = 0 if word in _WITHIN else left
        if left:
            yield word[:STEM]
            left -= 1
        if word in _DENIES:
            left = REACH


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
