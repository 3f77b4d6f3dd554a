"""Examples of `hearing:` compiled for finding them in text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pytest_todeval.core.example import GAP, Example
from pytest_todeval.nlu.names.lexicon import lexicon
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.values.mentions import Mention, mentions
from pytest_todeval.nlu.values.normalise import TIME_SLOTS
from pytest_todeval.nlu.vocabulary import Vocabulary


def word_set(text: str) -> frozenset[str]:
    """Returns the words of a table."""
    return frozenset(text.split())


_WORD = re.compile(r"[^\W_]+")
_BREAK = re.compile(r"[.!?;\n](?!\d)")
FILLERS = word_set(
    """
    now just so well okay ok oh ah great perfect right then please really very quite
    absolutely alright certainly simply actually also already hereby indeed too super
    excellent wonderful brilliant lovely fantastic definitely officially happily kindly
    """
)
_SAME = {"is": "s", "has": "s"}
"""Contractions of which it cannot be told what they stand for ("it's been done")."""
BE_OR_HAVE = word_set("s is are am was were be been has have had")
_NUMBERS = word_set("two three four five six seven eight nine ten eleven twelve")
TIMES = TIME_SLOTS | {"leaveAt", "arriveBy"}


class ExampleStep(NamedTuple):
    """One step of an example: a word, a gap, or a known name or value."""

    word: str = ""
    gap: str = ""
    slot: str = ""
    """Of a known name or value."""
    words: tuple[str, ...] = ()
    """In which the example says it."""


class Word(NamedTuple):
    text: str
    start: int
    end: int
    breaks: bool
    """Whether a sentence ends before it."""
    comma: bool
    """Whether any sign stands before it."""


class Placed(NamedTuple):
    """A known name or value, and the words that spell it."""

    start: int
    mention: Mention
    end: int


def pattern_of(says: str) -> tuple[ExampleStep, ...]:
    """Returns the words of an example, made plain, and its gaps; empty if it has neither."""
    pieces = GAP.split(says)
    parts: list[ExampleStep] = []
    for at, piece in enumerate(pieces):
        if at % 2:
            parts.append(ExampleStep(gap=piece))
        else:
            parts.extend(ExampleStep(word=word.text) for word in words_of(plain(piece)))
    return _bare(parts)


def _bare(parts: Sequence[ExampleStep]) -> tuple[ExampleStep, ...]:
    """Without filler words, unless little else is left; with one verb for "has been"."""
    kept = [part for part in parts if part.word not in FILLERS]
    kept = kept if sum(bool(part.word) for part in kept) > 1 else list(parts)
    return tuple(
        part
        for one, part in pairwise([ExampleStep(), *kept])
        if not (part.word in BE_OR_HAVE and one.word in BE_OR_HAVE)
    )


def words_of(text: str) -> list[Word]:
    found, before = [], 0
    for match in _WORD.finditer(text):
        between = text[before : match.start()]
        ends = bool(_BREAK.search(between + " "))
        decimal = between == "." and match[0][0].isdigit()
        sign = bool(between.strip()) and not decimal and between not in ("-", "'")
        word = _SAME.get(match[0], match[0])
        found.append(Word(word, match.start(), match.end(), ends and not decimal, sign))
        before = match.end()
    return found


@dataclass(frozen=True, slots=True)
class Pattern:
    """An example compiled for a vocabulary."""

    parts: tuple[ExampleStep, ...]
    example: Example
    literal: int
    """Words that must stand there, gaps and values aside."""
    anchor: int
    """Index of the part that is looked up: the first that is a word."""
    words: frozenset[str]
    """That a text with the example in it has."""


@dataclass(frozen=True)
class ExamplePatterns:
    """The examples of a vocabulary by the word that they are looked up by."""

    by_word: Mapping[str, tuple[Pattern, ...]]
    has_values: bool
    """Whether any example holds a known name or value, or a gap for one."""


@lru_cache(maxsize=64)
def compiled(vocabulary: Vocabulary) -> ExamplePatterns:
    by_word: dict[str, list[Pattern]] = {}
    for example in vocabulary.taught:
        pattern = _pattern(example, vocabulary)
        word = pattern.parts[pattern.anchor].word if pattern else ""
        if pattern and word:
            words = BE_OR_HAVE if word in BE_OR_HAVE else {word}
            for each in words:
                by_word.setdefault(each, []).append(pattern)
    every = [part for found in by_word.values() for each in found for part in each.parts]
    return ExamplePatterns(
        {word: tuple(found) for word, found in by_word.items()},
        any(part.gap or part.slot for part in every),
    )


def _pattern(example: Example, vocabulary: Vocabulary) -> Pattern | None:
    parts = _with_values(example, vocabulary) or pattern_of(example.says)
    words = [at for at, part in enumerate(parts) if part.word]
    if not words:  # nothing but known names and values: they are heard by themselves
        parts = pattern_of(example.says)
        words = [at for at, part in enumerate(parts) if part.word]
    if not words:
        return None
    needed = frozenset(part.word for part in parts if part.word) - BE_OR_HAVE
    return Pattern(parts, example, len(words), words[0], needed)


def _with_values(example: Example, vocabulary: Vocabulary) -> tuple[ExampleStep, ...]:
    """Returns the pattern with known names and values in place of the words that spell them."""
    known = lexicon(vocabulary)
    parts: list[ExampleStep] = []
    for at, piece in enumerate(GAP.split(example.says)):
        if at % 2:
            parts.append(ExampleStep(gap=piece))
            continue
        text = plain(piece)
        words = words_of(text)
        found = {each.start: each for each in placed(words, mentions(text, known, None))}
        index = 0
        while index < len(words):
            part, index = _part(words, index, found.get(index))
            parts.append(part)
    return _bare(parts)


def _part(words: Sequence[Word], at: int, known: Placed | None) -> tuple[ExampleStep, int]:
    """Returns what stands at a word of an example, and where the next part starts."""
    if known is not None:
        slot, end = kind_of(known.mention.slot), known.end
    elif is_number(words[at].text):
        slot, end = "number", number_end(words, at)
    else:
        return ExampleStep(word=words[at].text), at + 1
    return ExampleStep(slot=slot, words=tuple(word.text for word in words[at:end])), end


def placed(words: Sequence[Word], known: Sequence[Mention]) -> Iterator[Placed]:
    """Returns where known names and values stand, as indices of words: start, mention, end."""
    at = 0
    for mention in sorted(known, key=lambda each: each.start):
        while at < len(words) and words[at].start < mention.start:
            at += 1
        end = at
        while end < len(words) and words[end].start < mention.end:
            end += 1
        if end > at:
            yield Placed(at, mention, end)


def is_number(word: str) -> bool:
    return word.isdigit() or word in _NUMBERS


def number_end(words: Sequence[Word], at: int) -> int:
    """Returns one past a number: "8", "8:30", "3.50"."""
    after = words[at + 1] if at + 1 < len(words) else None
    joined = after is not None and after.start == words[at].end + 1 and after.text.isdigit()
    return at + 2 if joined and words[at].text.isdigit() else at + 1


def kind_of(slot: str) -> str:
    if slot in TIMES:
        return "time"
    if slot in ("departure", "destination"):
        return "place"
    return "price" if slot == "entrance fee" else slot
