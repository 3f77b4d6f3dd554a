"""The patterns of `booking.yaml`, compiled so that only those run whose words a sentence has.

They are regular expressions over the text of a `phrases.Phrase`: lower case, one blank between
words and signs, `NAME` for a venue's name. `<part>` stands for one of the file's `parts`, or for
any of the `words` of that name.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from pytest_todeval.evidence.needed_words import needed_words

__all__ = ["Patterns", "patterns", "words_of_role"]

FILE = Path(__file__).parent / "booking.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PART = re.compile(r"<(\w+)>")


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of one kind."""

    each: tuple[tuple[frozenset[str], re.Pattern[str]], ...]
    """Words of which a sentence must have one for the pattern to match (none: any), and it."""

    def found(self, text: str, known: Collection[str]) -> Iterator[re.Match[str]]:
        """Matches in a text with these words, by place; of those that overlap the first, longest.
        """
        matches: list[re.Match[str]] = []
        for needed, pattern in self.each:
            if not needed or not needed.isdisjoint(known):
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
    filled = [_filled(pattern, parts) for pattern in tables[kind]]
    return Patterns(
        tuple((needed_words(each), re.compile(rf"(?<![^ ])(?:{each})(?![^ ])")) for each in filled)
    )


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
