"""A vocabulary compiled for finding its names and values in text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pytest_todeval.language.text import words
from pytest_todeval.language.values import normalise_name, type_wordings
from pytest_todeval.language.vocabulary import Vocabulary
from pytest_todeval.language.wordings import (
    COMMON,
    EVERYDAY,
    GENERIC,
    KINDS,
    name_wordings,
    tokens_of,
)

__all__ = ["NAME", "PLACE", "Entry", "Lexicon", "lexicon"]

REMEMBERED = 200
"""Texts whose matches are remembered."""
NAME, PLACE = "name", "place"
"""Slots of entries that are names of venues, and of stations or other ends of a journey."""

PATTERNED = frozenset(
    {
        "leaveAt", "arriveBy", "time", "day", "people", "stay", "stars", "price", "duration",
        "entrance fee", "pricerange", "internet", "parking", "reference", "trainID", "area",
    }
)  # fmt: skip
"""Slots whose values are found by their form, not looked up."""

BUILT_IN = PATTERNED | {
    "name", "departure", "destination", "food", "type", "phone", "address", "postcode",
    "department", "car type", "hotel", "restaurant", "attraction",
}  # fmt: skip
"""Slots with patterns of their own for being asked or told."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something known that a text may hold."""

    tokens: tuple[str, ...]
    slot: str
    value: str
    """As the vocabulary spells it; as said, if the words fit several names."""
    domain: str | None = None
    whole: bool = True
    """Not a shortened form."""
    everyday: bool = False
    """A name made of everyday words: "The Place", "Ask"."""
    shared: tuple[tuple[str, str], ...] = ()
    """Domain and name of the venues that the words fit, if only the domain tells them apart."""


@dataclass(frozen=True)
class Lexicon:
    """Entries by their first word, longest first; and the slots that are not patterned."""

    by_word: Mapping[str, tuple[Entry, ...]]
    own_slots: Mapping[str, re.Pattern[str]]
    """Slots outside the built-in ones -> their obvious wordings."""
    ids: Mapping[str, str]
    """Lower-case train ids -> as the vocabulary spells them."""
    cores: Mapping[tuple[str, ...], tuple[tuple[str | None, str], ...]]
    """Names without words like "restaurant" -> domain and name: enough in a list of names."""

    remembered: dict[str, tuple[tuple[int, int, Entry], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Text -> what matches in it."""
    yes_no: frozenset[str] = frozenset()
    """Slots of one's own whose values are yes and no."""
    named: frozenset[str] = frozenset()
    """Domains that have names."""
    ends: Mapping[str, Entry] = field(default_factory=dict)
    """The last word of a name that tells more than its kind, if no other name has it: "Tinker"."""

    def with_names(self, names: Iterable[tuple[str | None, str]]) -> "Lexicon":
        """With more names, which are known in full only."""
        by_word = dict(self.by_word)
        for domain, name in names:
            for tokens in _spellings(name):
                entry = Entry(tokens, NAME, name, domain, everyday=EVERYDAY.issuperset(tokens))
                group = [*by_word.get(tokens[0], ()), entry]
                by_word[tokens[0]] = tuple(sorted(group, key=_order))
        return replace(self, by_word=by_word, remembered={})

    def named_whole(self, text: str) -> Entry | None:
        """The entry that a whole text is, if any: a value, a name or a place."""
        tokens = tuple(tokens_of(text))
        tokens = tokens[1:] if tokens[:1] == ("the",) else tokens
        entry = self._longest(tokens, 0) if tokens else None
        return entry if entry and len(entry.tokens) == len(tokens) else None

    def named_by(self, text: str, domain: str | None) -> Entry | None:
        """The venue that a whole plain text names, however short: "Ask" in a list of names."""
        tokens = tuple(token for token in tokens_of(text) if token not in _DROPPED)
        owners = self.cores.get(tokens, ())
        fitting = [owner for owner in owners if owner[0] == domain] or list(owners)
        if len(fitting) != 1:
            return None
        return Entry(tokens, NAME, fitting[0][1], fitting[0][0])

    def matches(self, text: str) -> Sequence[tuple[int, int, Entry]]:
        """The longest entries in a plain text that do not overlap: `(start, end, entry)`.

        Remembered for a while: a sentence is often a clause, too, and said again.
        """
        found = self.remembered.get(text)
        if found is None:
            if len(self.remembered) >= REMEMBERED:
                self.remembered.clear()
            found = self.remembered[text] = tuple(self._matches(text))
        return found

    def _matches(self, text: str) -> Iterator[tuple[int, int, Entry]]:
        found = words(text)
        tokens = tuple([word for word, _, _ in found])
        index = 0
        while index < len(tokens):
            entry = self._longest(tokens, index) if tokens[index] in self.by_word else None
            if entry is None:
                index += 1
                continue
            last = index + len(entry.tokens) - 1
            yield found[index][1], found[last][2], entry
            index = last + 1

    def _longest(self, tokens: tuple[str, ...], index: int) -> Entry | None:
        for entry in self.by_word.get(tokens[index], ()):
            if tokens[index : index + len(entry.tokens)] == entry.tokens:
                return entry
        return None


_DROPPED = frozenset({"the", "restaurant", "hotel", "guesthouse", "guest", "house"})


def _cores(
    names: Mapping[str, tuple[str, ...]],
) -> dict[tuple[str, ...], tuple[tuple[str | None, str], ...]]:
    found: dict[tuple[str, ...], dict[tuple[str | None, str], None]] = {}
    for domain, domain_names in names.items():
        for name in domain_names:
            core = tuple(token for token in tokens_of(name) if token not in _DROPPED)
            if core:
                found.setdefault(core, {})[domain, name] = None
    return {core: tuple(owners) for core, owners in found.items()}


def _name_entries(names: Mapping[str, tuple[str, ...]]) -> Iterator[Entry]:
    whole = {tokens_of(name) for domain_names in names.values() for name in domain_names}
    for wording, owners in _owners(names).items():
        exact = [owner for owner in owners if tokens_of(owner[1]) == wording]
        if exact or len(owners) == 1:
            domain, name = (exact or owners)[0]
            everyday = EVERYDAY.issuperset(wording)
            yield Entry(wording, NAME, name, domain, wording in whole, everyday)
        elif len(wording) > 1 or _one_of_each(owners):
            domains = {domain for domain, _ in owners}
            domain_or_none = domains.pop() if len(domains) == 1 else None
            shared = tuple(owners) if _one_of_each(owners) else ()
            yield Entry(
                wording, NAME, " ".join(wording), domain_or_none, whole=False, shared=shared
            )


def _core_entries(
    names: Mapping[str, tuple[str, ...]], known: set[tuple[str, ...]]
) -> Iterator[Entry]:
    """Names without "restaurant" and the like, if written as a name: "Efes" of Efes Restaurant."""
    for core, owners in _cores(names).items():
        tells = len(core) > 1 or (len(core[0]) > 3 and core[0] not in COMMON)
        if tells and core not in known and len(owners) == 1:
            yield Entry(core, NAME, owners[0][1], owners[0][0], whole=False, everyday=True)


def _ends(
    names: Mapping[str, tuple[str, ...]], values: Mapping[str, tuple[str, ...]]
) -> Iterator[tuple[str, Entry]]:
    said = Counter(
        token for each in names.values() for name in each for token in set(tokens_of(name))
    )
    taken = EVERYDAY | {"s"}
    taken |= {token for each in values.values() for one in each for token in tokens_of(one)}
    for domain, each in names.items():
        for name in each:
            tokens = tokens_of(name)
            telling = [word for word in tokens if word not in GENERIC | KINDS | {"s"}]
            end = telling[-1] if telling else ""
            if len(end) > 3 and end not in {tokens[0], *taken} and said[end] == 1:
                at = tokens.index(end)
                ending = ("s",) if tokens[at + 1 : at + 2] == ("s",) else ()
                yield end, Entry((end, *ending), NAME, name, domain, whole=False, everyday=True)


def _one_of_each(owners: list[tuple[str, str]]) -> bool:
    """Whether the domain tells the venues apart that a wording fits."""
    return len({domain for domain, _ in owners}) == len(owners)


def _spellings(name: str) -> set[tuple[str, ...]]:
    """The ways to say a name in full."""
    whole, tokens = normalise_name(name), tokens_of(name)
    bare = tokens[1:] if tokens[:1] == ("the",) and len(tokens) > 1 else tokens
    forms = {form for form in name_wordings(tokens) if normalise_name(" ".join(form)) == whole}
    return {form for form in (bare, *forms) if form}


def _owners(names: Mapping[str, tuple[str, ...]]) -> dict[tuple[str, ...], list[tuple[str, str]]]:
    """Wording -> the `(domain, name)`s it may stand for."""
    owners: dict[tuple[str, ...], dict[tuple[str, str], None]] = {}
    for domain, domain_names in names.items():
        for name in domain_names:
            tokens = tokens_of(name)
            for wording in name_wordings(tokens):
                everyday = len(wording) == 1 and wording[0] in COMMON
                owners.setdefault(tokens if everyday else wording, {})[domain, name] = None
    return {wording: list(owned) for wording, owned in owners.items()}


def _value_entries(values: Mapping[str, tuple[str, ...]]) -> Iterator[Entry]:
    for slot, slot_values in values.items():
        if slot not in PATTERNED and slot not in (NAME, "departure", "destination"):
            for value in slot_values:
                yield from _entries(slot, value)
    yield from _place_entries({*values.get("departure", ()), *values.get("destination", ())})
    yield from _type_entries(values.get("type", ()))


def _entries(slot: str, value: str) -> Iterator[Entry]:
    for form in _address_parts(value) if slot == "address" else (value,):
        tokens = tokens_of(form)
        if any(len(token) > 1 for token in tokens) and value.lower() not in ("yes", "no"):
            yield Entry(tokens, slot, value)


def _address_parts(address: str) -> Iterator[str]:
    yield address
    yield from (part for part in address.split(",") if len(tokens_of(part)) > 1)


def _place_entries(places: set[str]) -> Iterator[Entry]:
    """Stations, whole and by their first word or all but it ("stansted", "kings cross")."""
    known = {place: tokens for place in places if (tokens := tokens_of(place))}
    heads = [tokens[0] for tokens in known.values()]
    for place, tokens in sorted(known.items()):
        yield Entry(tokens, PLACE, place)
        if len(tokens) > 1 and tokens[0] not in COMMON and heads.count(tokens[0]) == 1:
            yield Entry(tokens[:1], PLACE, place, whole=False)
        if len(tokens) > 2:
            yield Entry(tokens[1:], PLACE, place, whole=False)


def _type_entries(types: Iterable[str]) -> Iterator[Entry]:
    for kind in types:
        for wording in type_wordings(kind):
            tokens = tokens_of(wording)
            for ending in ("", "s", "es") if tokens else ():
                yield Entry((*tokens[:-1], tokens[-1] + ending), "type", kind)


_PRIORITY = {NAME: 0, "address": 1, PLACE: 2}


def _order(entry: Entry) -> tuple[int, bool, int]:
    """Longest first; what is said in full before what is shortened."""
    return -len(entry.tokens), not entry.whole, _PRIORITY.get(entry.slot, 3)


def _sorted(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    by_word: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.tokens:
            by_word.setdefault(entry.tokens[0], []).append(entry)
    return {word: tuple(sorted(group, key=_order)) for word, group in by_word.items()}


def _slot_pattern(slot: str) -> re.Pattern[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\-]+", " ", slot).lower().split()
    return re.compile(r"\b" + r"[ -]?".join(re.escape(word) for word in spaced) + r"s?\b")


_YES_NO = frozenset({"yes", "no", "Yes", "No", "true", "false", "True", "False"})


@lru_cache(maxsize=64)
def lexicon(vocabulary: Vocabulary) -> Lexicon:
    """Compile a vocabulary; cached, since a run listens with few vocabularies."""
    entries = [*_name_entries(vocabulary.names), *_value_entries(vocabulary.values)]
    entries.extend(_core_entries(vocabulary.names, {entry.tokens for entry in entries}))
    own = {
        slot: _slot_pattern(slot)
        for slot in vocabulary.values
        if slot not in BUILT_IN and re.search(r"\w{3}", slot)
    }
    return Lexicon(
        _sorted(entries),
        own,
        {i.lower(): i for i in vocabulary.values.get("trainID", ())},
        _cores(vocabulary.names),
        yes_no=frozenset(slot for slot in own if _YES_NO.issuperset(vocabulary.values[slot])),
        named=frozenset(domain for domain, names in vocabulary.names.items() if names),
        ends=dict(_ends(vocabulary.names, vocabulary.values)),
    )
