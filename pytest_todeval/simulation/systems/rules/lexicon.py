"""The words of a database as people say them: names of venues and stations, kinds of food."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from rapidfuzz import fuzz, process

from pytest_todeval.backends.database import MultiwozDatabase
from pytest_todeval.nlu.values.normalise import normalise

LONGEST_TEXT = 2000
"""Characters of what a user says that are read."""

FEW_LETTERS = 4
CLOSE_ENOUGH = 86
"""Least rapidfuzz ratio of a misspelt name and the one that is meant."""

TOKEN = re.compile(r"[a-z0-9]+(?:['.][a-z0-9]+)*'?")
ENDINGS = {
    *("restaurant", "hotel", "guesthouse", "cambridge", "museum", "college", "bar", "train"),
    "station",
}
"""Words people leave off the end of a name, if something telling remains."""
ORDINARY = {
    "ask", "place", "junction", "cambridge", "street", "airport", "station", "street station",
        "london",
    "new", "house", "city", "centre", "cross", "new street", "guest", "varsity", "gallery", "park",
}  # fmt: skip
"""Names, or parts of names, that are ordinary words: only meant after "called" and the like."""

_SPELLING = (
    (re.compile(r"\s+(n't|'s|'m|'d|'ve|'re|'ll)\b"), r"\1"),
    (re.compile(r"\s*&\s*"), " and "),
    (re.compile(r"\bcenter\b"), "centre"),
    (re.compile(r"\btheater\b"), "theatre"),
    (re.compile(r"\bguest[ -]house"), "guesthouse"),
    (re.compile(r"\bbed[ -]and[ -]breakfast|\bb ?and ?b\b"), "b and b"),
    (re.compile(r"\bst\b\.?(?= [a-z])"), "saint"),
    (re.compile(r"\s+"), " "),
)


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """Lower case, one spelling, single spaces; punctuation stays."""
    text = text[:LONGEST_TEXT].lower().replace("’", "'").replace("`", "'").replace("@", " ")
    for pattern, replacement in _SPELLING:
        text = pattern.sub(replacement, text)
    return text.strip()


def tokens(text: str) -> list[tuple[str, int, int]]:
    """Returns the words of a plain text, without apostrophes, and where they stand."""
    return [(m[0].replace("'", ""), m.start(), m.end()) for m in TOKEN.finditer(text)]


def _key(text: str) -> str:
    return " ".join(word for word, _, _ in tokens(plain(text)))


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a text: a venue's, a station's, or one that is in no database."""

    name: str
    domain: str | None
    """None if it is no venue of ours."""
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class BotLexicon:
    """Names and values of one database, ready for look-up."""

    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Wording -> (domain, name); for stations the domain is `train`."""
    longest: int = 1
    """Words in the longest wording."""
    values: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    """(domain, slot) -> wording -> value in canonical form."""
    home: str = ""
    """The station most trains leave from: the town itself."""
    official: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Whole names only, for finding misspelt ones."""

    def mentions(self, text: str) -> list[NameMention]:
        """Returns the names in a plain text, the longest wording first if several fit."""
        words = tokens(text)
        found: list[NameMention] = []
        place = 0
        while place < len(words):
            known = words[place][0] in self._first_words
            mention = self._at(words, place, text) if known else None
            if mention is None:
                place += 1
                continue
            found.append(mention)
            place += sum(mention.start <= start < mention.end for _, start, _ in words)
        return found

    @cached_property
    def _first_words(self) -> Set[str]:
        return {wording.partition(" ")[0] for wording in self.names}

    def _at(self, words: list[tuple[str, int, int]], place: int, text: str) -> NameMention | None:
        for length in range(min(self.longest, len(words) - place), 0, -1):
            wording = " ".join(word for word, _, _ in words[place : place + length])
            if wording in self.names:
                domain, name = self.names[wording]
                start, end = words[place][1], words[place + length - 1][2]
                if wording in ORDINARY and not _introduced(text, start, domain):
                    continue
                return NameMention(name, domain, start, end)
        return None

    def closest(self, text: str, domain: str | None = None) -> NameMention | None:
        """Returns the name (in a domain, if one is given) that a misspelt one means, or None."""
        among = self.official if domain is None else self.names
        known = {
            wording.removeprefix("the "): entry
            for wording, entry in among.items()
            if domain in (None, entry[0])
        }
        wanted = _key(text).removeprefix("the ")
        best = process.extractOne(wanted, list(known), scorer=fuzz.ratio, score_cutoff=CLOSE_ENOUGH)
        return NameMention(known[best[0]][1], known[best[0]][0]) if best else None

    @staticmethod
    @lru_cache(maxsize=16)
    def of(database: MultiwozDatabase) -> "BotLexicon":
        """Returns the words of a database; made once for each."""
        official: dict[str, tuple[str, str]] = {}
        for domain, name in _all_names(database):
            official.setdefault(_key(name), (domain, name))
        names = {**_unambiguous(official), **official}
        longest = max((wording.count(" ") + 1 for wording in names), default=1)
        return BotLexicon(names, longest, _all_values(database), _home(database), official)


def _introduced(text: str, start: int, domain: str) -> bool:
    before = text[max(0, start - 24) : start]
    calls = re.search(r"\b(?:called|named|name(?:'s| is| of)?|about)(?: the)? $", before)
    return domain == "train" or calls is not None


def _all_names(database: MultiwozDatabase) -> Iterator[tuple[str, str]]:
    for domain in database.domains:
        for row in database.rows(domain):
            if "name" in row:
                yield domain, str(row["name"])
    stations = {str(row[s]) for row in database.rows("train") for s in ("departure", "destination")}
    yield from (("train", station) for station in sorted(stations))


def _home(database: MultiwozDatabase) -> str:
    leaving = Counter(str(row["departure"]) for row in database.rows("train"))
    return max(sorted(leaving), key=lambda station: leaving[station], default="")


def _unambiguous(official: Mapping[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """Shorter wordings that can only mean one name."""
    meant: dict[str, set[tuple[str, str]]] = {}
    for wording, entry in official.items():
        for shorter in _shorter(wording, parts=entry[0] == "train"):
            meant.setdefault(shorter, set()).add(entry)
    return {wording: next(iter(names)) for wording, names in meant.items() if len(names) == 1}


def _shorter(wording: str, *, parts: bool) -> Iterator[str]:
    words = wording.split()
    if words[0] == "the":
        words = words[1:]
    if parts:
        yield from (w for w in _runs(words) if len(w) > FEW_LETTERS and w not in ORDINARY)
    yield " ".join(words)
    for cut in (
        _without_endings(words),
        words[1:] if words[0] in ("cambridge", "restaurant") else words,
    ):
        if len(" ".join(cut)) > FEW_LETTERS and " ".join(cut) not in ORDINARY:
            yield " ".join(cut)
    if "and" in words and len(words) > 2 and "b and b" in wording:
        yield wording.replace(" b and b", " guesthouse")


def _without_endings(words: list[str]) -> list[str]:
    while len(words) > 1 and words[-1] in ENDINGS:
        words = words[:-1]
    return words[:-3] if len(words) > 3 and words[-3:] == ["b", "and", "b"] else words


def _runs(words: list[str]) -> Iterable[str]:
    ends = range(1, len(words) + 1)
    return (" ".join(words[start:end]) for end in ends for start in range(end))


def _all_values(database: MultiwozDatabase) -> dict[tuple[str, str], dict[str, str]]:
    """Returns what the rows hold in the slots that people give by value, worded as in the rows."""
    slots = {"restaurant": ("food",), "hotel": ("type",), "attraction": ("type",)}
    slots["hospital"] = ("department",)
    found: dict[tuple[str, str], dict[str, str]] = {}
    for domain, its in slots.items():
        for slot in its:
            column = {str(row[slot]) for row in database.rows(domain) if row.get(slot)}
            found[domain, slot] = {plain(v): normalise(slot, v) for v in column if v != "?"}
    return found
