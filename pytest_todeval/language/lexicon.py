"""A vocabulary compiled for finding its names and values in text."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pytest_todeval.language.text import plain, words
from pytest_todeval.language.vocabulary import Vocabulary

__all__ = ["Entry", "Lexicon", "lexicon"]

NAME, PLACE = "name", "place"
"""Slots of entries that are names of venues, and of stations or other ends of a journey."""

PATTERNED = frozenset(
    {
        "leaveAt", "arriveBy", "time", "day", "people", "stay", "stars", "price", "duration",
        "entrance fee", "pricerange", "internet", "parking", "reference", "trainID", "area",
    }
)  # fmt: skip
"""Slots whose values are found by their form, not looked up."""

GENERIC = frozenset(
    [
        "the",
        "a",
        "restaurant",
        "hotel",
        "guesthouse",
        "guest",
        "house",
        "cambridge",
        "bar",
        "cafe",
        "lodge",
        "college",
        "nightclub",
        "cinema",
        "theatre",
        "church",
        "museum",
        "gallery",
        "pub",
        "club",
        "bed",
        "and",
        "breakfast",
        "b",
        "of",
        "in",
        "at",
        "by",
        "city",
        "town",
        "centre",
        "bistro",
        "tandoori",
        "entertainment",
        "pool",
        "park",
        "hall",
        "grill",
        "limited",
        "ltd",
        "co",
    ]
)
"""Words that do not name anything by themselves."""

COMMON = frozenset(
    [
        "ask",
        "bridge",
        "home",
        "place",
        "city",
        "town",
        "river",
        "express",
        "best",
        "old",
        "new",
        "great",
        "good",
        "golden",
        "royal",
        "university",
        "riverside",
        "north",
        "south",
        "east",
        "west",
        "one",
        "two",
        "three",
        "four",
        "five",
        "restaurant",
        "castle",
        "regent",
        "people",
        "person",
        "guest",
        "guests",
        "table",
        "room",
        "rooms",
        "night",
        "nights",
        "ticket",
        "tickets",
        "train",
        "trains",
        "taxi",
        "station",
        "booking",
        "missing",
        "lucky",
        "junction",
        "abbey",
        "kings",
        "queens",
        "king",
        "queen",
        "prince",
        "sheep",
        "whale",
        "india",
        "indian",
        "copper",
        "autumn",
        "summer",
        "winter",
        "spring",
        "gourmet",
        "saffron",
        "funky",
        "green",
        "blue",
        "red",
        "black",
        "white",
        "yellow",
        "grey",
        "silver",
        "orange",
        "little",
        "big",
        "small",
        "large",
        "high",
        "low",
        "free",
        "open",
        "hidden",
        "secret",
        "happy",
        "sunny",
        "grand",
        "central",
        "modern",
        "classic",
        "market",
        "street",
        "road",
        "lane",
        "garden",
        "gardens",
        "house",
        "corner",
        "square",
        "hill",
        "lake",
        "ocean",
        "beach",
        "island",
        "mountain",
        "forest",
        "family",
        "friends",
        "lovely",
        "nice",
        "fine",
        "fresh",
        "first",
        "second",
        "last",
        "next",
        "early",
        "late",
        "time",
        "today",
        "tomorrow",
        "morning",
        "evening",
        "sunday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "phone",
        "number",
        "address",
        "price",
        "food",
        "drink",
        "coffee",
        "pizza",
        "burger",
        "sushi",
        "noodle",
        "curry",
        "spice",
        "spicy",
        "kitchen",
        "table",
        "wine",
        "beer",
        "music",
        "dance",
        "movie",
        "movies",
        "history",
        "science",
        "technology",
        "nature",
        "culture",
        "holiday",
        "travel",
        "travellers",
        "journey",
        "rest",
        "stop",
        "service",
        "help",
        "information",
        "thanks",
        "thank",
        "please",
        "welcome",
    ]
)
"""Words that begin names but mostly mean themselves: no name is shortened to one of them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something known that a text may hold."""

    tokens: tuple[str, ...]
    slot: str
    value: str
    """As the vocabulary spells it; as said, where the words fit several names."""
    domain: str | None = None
    whole: bool = True
    """Not a shortened form."""


@dataclass(frozen=True)
class Lexicon:
    """Entries by their first word, longest first; and the slots that are not patterned."""

    by_word: Mapping[str, tuple[Entry, ...]]
    own_slots: Mapping[str, re.Pattern[str]]
    """Slots outside the built-in ones -> their obvious wordings."""
    ids: Mapping[str, str]
    """Lower-case train ids -> as the vocabulary spells them."""

    def matches(self, text: str) -> Iterator[tuple[int, int, Entry]]:
        """The longest entries in a plain text that do not overlap: `(start, end, entry)`."""
        found = words(text)
        tokens = [word for word, _, _ in found]
        index = 0
        while index < len(tokens):
            entry = self._longest(tokens, index)
            if entry is None:
                index += 1
                continue
            last = index + len(entry.tokens) - 1
            yield found[index][1], found[last][2], entry
            index = last + 1

    def _longest(self, tokens: list[str], index: int) -> Entry | None:
        for entry in self.by_word.get(tokens[index], ()):
            if tuple(tokens[index : index + len(entry.tokens)]) == entry.tokens:
                return entry
        return None


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(word for word, _, _ in words(plain(text)))


def _wordings(tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The forms in which a name is said, shortest last; each names more than generic words."""
    while tokens and tokens[0] == "the":
        tokens = tokens[1:]
    yield tokens
    if tokens and tokens[0] == "cambridge" and len(tokens) > 2:
        yield tokens[1:]
    for end in range(len(tokens) - 1, 0, -1):
        head = tokens[:end]
        telling = [word for word in head if word not in GENERIC and len(word) > 1]
        if (
            len(head) > 1
            and telling
            and head[-1] not in {"and", "of", "the", "at", "by", "saint", "s"}
        ) or (len(head) == 1 and len(head[0]) > 4 and telling and head[0] not in COMMON):
            yield head


def _variants(tokens: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for form in _wordings(tokens):
        yield form
        text = f" {' '.join(form)} "
        for one, other in _SPELLINGS:
            if f" {one} " in text:
                yield tuple(text.replace(f" {one} ", f" {other} ").split())
        if " s " in text:
            yield tuple(text.replace(" s ", "s ").split())
        for place, token in enumerate(form):
            if len(token) > 4 and token.endswith("s") and not token.endswith("ss"):
                yield (*form[:place], token[:-1], "s", *form[place + 1 :])
        if form[-1] in _PLURALS:
            yield (*form[:-1], form[-1] + "s")


_PLURALS = frozenset(["guesthouse", "house", "hotel", "lodge"])
_SPELLINGS = (
    ("guest house", "guesthouse"), ("guesthouse", "guest house"), ("and", ""),
    ("bed and breakfast", "b and b"), ("saint", "st"), ("st", "saint"), ("centre", "center"),
    ("theatre", "theater"), ("b and b", "bed and breakfast"), ("nightclub", "night club"), ("archaelogy", "archaeology"),
)  # fmt: skip


def _name_entries(names: Mapping[str, tuple[str, ...]]) -> Iterator[Entry]:
    owners: dict[tuple[str, ...], dict[tuple[str, str], None]] = {}
    whole = set()
    for domain, domain_names in names.items():
        for name in domain_names:
            tokens = _tokens(name)
            whole.add(tokens)
            for wording in _variants(tokens):
                if len(wording) == 1 and wording[0] in COMMON:
                    wording = tokens
                owners.setdefault(wording, {})[domain, name] = None
    for wording, owned in owners.items():
        domain, name = next(iter(owned))
        if wording in whole or len(owned) == 1:
            exact = [key for key in owned if _tokens(key[1]) == wording]
            domain, name = exact[0] if exact else (domain, name)
            yield Entry(wording, NAME, name, domain, whole=wording in whole)
        elif len(wording) > 1:
            same_domain = len({key[0] for key in owned}) == 1
            yield Entry(
                wording, NAME, " ".join(wording), domain if same_domain else None, whole=False
            )


def _address_parts(address: str) -> Iterator[str]:
    yield address
    yield from (part for part in address.split(",") if len(_tokens(part)) > 1)


def _value_entries(values: Mapping[str, tuple[str, ...]]) -> Iterator[Entry]:
    places = {*values.get("departure", ()), *values.get("destination", ())}
    heads = [_tokens(place)[0] for place in places if _tokens(place)]
    shared = COMMON | {head for head in heads if heads.count(head) > 1}
    for slot, slot_values in values.items():
        if slot in PATTERNED or slot == NAME:
            continue
        for value in slot_values:
            for form in _address_parts(value) if slot == "address" else (value,):
                tokens = _tokens(form)
                if (
                    tokens
                    and any(len(token) > 1 for token in tokens)
                    and value not in ("yes", "no")
                ):
                    place = slot in ("departure", "destination")
                    yield Entry(tokens, PLACE if place else slot, value)
                    if place and len(tokens) > 1 and tokens[0] not in shared:
                        yield Entry(tokens[:1], PLACE, value, whole=False)
                    if place and len(tokens) > 2:
                        yield Entry(tokens[1:], PLACE, value, whole=False)
    yield from _type_entries(values.get("type", ()))


def _type_entries(types: Iterable[str]) -> Iterator[Entry]:
    from pytest_todeval.language.values import type_wordings

    for kind in types:
        for wording in type_wordings(kind):
            tokens = _tokens(wording)
            yield Entry(tokens, "type", kind)
            for ending in ("s", "es"):
                yield Entry((*tokens[:-1], tokens[-1] + ending), "type", kind)


_PRIORITY = {NAME: 0, "address": 1, PLACE: 2}


def _sorted(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    by_word: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.tokens:
            by_word.setdefault(entry.tokens[0], []).append(entry)
    return {
        word: tuple(
            sorted(group, key=lambda e: (-len(e.tokens), _PRIORITY.get(e.slot, 3), not e.whole))
        )
        for word, group in by_word.items()
    }


BUILT_IN = PATTERNED | {
    "name", "departure", "destination", "food", "type", "phone", "address", "postcode", "department", "car type",
    "hotel", "restaurant", "attraction",
}  # fmt: skip
"""Slots with patterns of their own for being asked or told."""


def _slot_pattern(slot: str) -> re.Pattern[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-]+", " ", slot).lower().split()
    return re.compile(r"\b" + r"[ -]?".join(re.escape(word) for word in spaced) + r"s?\b")


@lru_cache(maxsize=64)
def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """Compile a vocabulary; cached, since a run listens with few vocabularies."""
    entries = [*_name_entries(vocabulary.names), *_value_entries(vocabulary.values)]
    own = {
        slot: _slot_pattern(slot)
        for slot in vocabulary.values
        if slot not in BUILT_IN and re.search(r"\w{3}", slot)
    }
    return Lexicon(
        _sorted(entries), own, {i.lower(): i for i in vocabulary.values.get("trainID", ())}
    )
