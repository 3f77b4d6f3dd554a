"""The patterns of `booking.yaml`, compiled so that only those run whose words a sentence has.

They are regular expressions over the text of a `phrases.Phrase`: lower case, one blank between
words and signs, `NAME` for a venue's name. `<part>` stands for one of the file's `parts`, or for
any of the `words` of that name.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from pytest_todeval.nlu.bookings.needed_words import needed_words, wordings

FILE = Path(__file__).parent / "booking.yaml"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

FIRST_SIGN = 0xE000
"""Of the characters that Unicode leaves to everybody's own use."""

_PART = re.compile(r"<(\w+)>")


class BookingPatterns:
    """The patterns of one kind."""

    def __init__(
        self, spelled: Sequence[str], needed: Sequence[tuple[frozenset[str], ...]]
    ) -> None:
        """`needed`: for each pattern, `needed_words`."""
        self._spelled = spelled
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._needed = [choices[1:] for choices in needed]
        self._always = [number for number, choices in enumerate(needed) if not choices]
        self._by_word: dict[str, list[int]] = {}
        for number, choices in enumerate(needed):
            for word in choices[0] if choices else ():
                self._by_word.setdefault(word, []).append(number)
        self._words = frozenset(self._by_word)

    def tried(self, known: AbstractSet[str]) -> set[int]:
        """Returns which of them may match a text with these words, by number."""
        found = set(self._always)
        for number in {one for word in self._words & known for one in self._by_word[word]}:
            for choice in self._needed[number]:
                if choice.isdisjoint(known):
                    break
            else:
                found.add(number)
        return found

    def found(self, text: str, known: AbstractSet[str]) -> Iterator[re.Match[str]]:
        """Matches in a text with these words, by place; of overlapping ones the first, longest."""
        matches: list[re.Match[str]] = []
        for number in self.tried(known):
            pattern = self._compiled.get(number) or self._compile(number)
            matches.extend(pattern.finditer(text))
        end = -1
        for match in sorted(matches, key=lambda m: (m.start(), -m.end())):
            if match.start() >= end:
                yield match
                end = match.end()

    def every(self) -> list[re.Pattern[str]]:
        """Returns all of them, compiled: takes long."""
        return [self._compile(number) for number in range(len(self._spelled))]

    def _compile(self, number: int) -> re.Pattern[str]:
        """Compile a pattern when it is first needed: most never are, and all take half a second."""
        compiled = re.compile(rf"(?<![^ ])(?:{_filled(self._spelled[number], _parts())})(?![^ ])")
        return self._compiled.setdefault(number, compiled)


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), Loader=LOADER)
    return loaded


@lru_cache(maxsize=32)
def words_of_role(role: str) -> frozenset[str]:
    """The words that can play a role in a sentence on bookings: bookable, staff, system, ..."""
    return frozenset(_tables()["words"][role].split())


@lru_cache(maxsize=1)
def _parts() -> dict[str, str]:
    """Name -> what stands for `<name>`."""
    tables = _tables()
    parts = {role: _any_of(words.split()) for role, words in tables["words"].items()}
    for name, pattern in tables["parts"].items():
        parts[name] = _filled(pattern, parts)
    return parts


@lru_cache(maxsize=1)
def _signs() -> tuple[dict[str, str], dict[str, frozenset[str] | None]]:
    """Name -> a sign for that part, or the part itself if it is no group; sign -> its wordings."""
    tables = _tables()
    short: dict[str, str] = {}
    signs: dict[str, frozenset[str] | None] = {}
    for name in (*tables["words"], *tables["parts"]):
        sign = chr(FIRST_SIGN + len(signs))
        if name in tables["words"]:
            short[name], signs[sign] = sign, words_of_role(name)
            continue
        pattern = _filled(tables["parts"][name], short)
        is_group, spelled = wordings(pattern, signs)
        if is_group:
            short[name], signs[sign] = sign, spelled
        else:
            short[name] = pattern
    return short, signs


@lru_cache(maxsize=8)
def patterns(kind: str) -> BookingPatterns:
    """Returns those of a kind in `booking.yaml`: booked, failed, failed_if_asked, nothing_found."""
    spelled = _tables()[kind]
    short, signs = _signs()
    return BookingPatterns(spelled, [needed_words(_filled(each, short), signs) for each in spelled])


def _filled(pattern: str, parts: dict[str, str]) -> str:
    return _PART.sub(lambda match: parts[match[1]], pattern)


def _any_of(words: Collection[str]) -> str:
    """Returns a pattern for any of some words that looks at each letter once."""
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
