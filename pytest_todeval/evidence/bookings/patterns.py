"""The patterns of `booking.yaml`, compiled so that only those run whose words a sentence has.

They are regular expressions over the text of a `phrases.Phrase`: lower case, one blank between
words and signs, `NAME` for a venue's name. `<part>` stands for one of the file's `parts`, or for
any of the `words` of that name.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from pytest_todeval.evidence.bookings.needed_words import needed_words

__all__ = ["Patterns", "patterns", "words_of_role"]

FILE = Path(__file__).parent / "booking.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PART = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of one kind."""

    always: tuple[re.Pattern[str], ...]
    """Those that any sentence may match."""
    by_word: Mapping[str, tuple[re.Pattern[str], ...]]
    """A word -> those that only match with it, or with another word that they stand under."""

    words: frozenset[str]
    """All those words."""

    def found(self, text: str, known: AbstractSet[str]) -> Iterator[re.Match[str]]:
        """Matches in a text with these words, by place; of overlapping ones the first, longest."""
        matches: list[re.Match[str]] = []
        tried = {one for word in self.words & known for one in self.by_word[word]}
        for pattern in (*self.always, *tried):
            matches.extend(pattern.finditer(text))
        end = -1
        for match in sorted(matches, key=lambda m: (m.start(), -m.end())):
            if match.start() >= end:
                yield match
                end = match.end()


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), Loader=LOADER)
    return loaded


@lru_cache(maxsize=32)
def words_of_role(role: str) -> frozenset[str]:
    """The words that can play a role in a sentence on bookings: bookable, staff, system, ..."""
    return frozenset(_tables()["words"][role].split())


@lru_cache(maxsize=8)
def patterns(kind: str) -> Patterns:
    """Those of a kind in `booking.yaml`: booked, failed, failed_if_asked, nothing_found."""
    tables = _tables()
    parts = {role: _any_of(words.split()) for role, words in tables["words"].items()}
    for name, pattern in tables["parts"].items():
        parts[name] = _filled(pattern, parts)
    always: list[re.Pattern[str]] = []
    by_word: dict[str, list[re.Pattern[str]]] = {}
    for each in tables[kind]:
        filled = _filled(each, parts)
        compiled = re.compile(rf"(?<![^ ])(?:{filled})(?![^ ])")
        needed = needed_words(filled)
        for word in needed:
            by_word.setdefault(word, []).append(compiled)
        if not needed:
            always.append(compiled)
    table = {word: tuple(each) for word, each in by_word.items()}
    return Patterns(tuple(always), table, frozenset(table))


def _filled(pattern: str, parts: dict[str, str]) -> str:
    return _PART.sub(lambda match: parts[match[1]], pattern)


def _any_of(words: Collection[str]) -> str:
    """A pattern for any of some words that looks at each letter once."""
    return f"(?:{_branches(sorted(set(words)))})"


def _branches(words: list[str]) -> str:
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[:1], []).append(word[1:])
    ends = by_letter.pop("", None) is not None
    found = []
    for letter, rests in sorted(by_letter.items()):
        inner = _branches(rests) if len(rests) > 1 else re.escape(rests[0])
        found.append(re.escape(letter) + (f"(?:{inner})" if len(rests) > 1 else inner))
    return "|".join([*found, *([""] if ends else [])])
