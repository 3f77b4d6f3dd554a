"""The entries of a lexicon: the forms in which a vocabulary's names and values are said."""

from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

from pytest_todeval.nlu.names.wordings import (
    COMMON,
    EVERYDAY,
    GENERIC,
    KINDS,
    name_wordings,
    tokens_of,
)
from pytest_todeval.nlu.values.normalise import normalise_name, type_wordings

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
ENDS = ("departure", "destination")
"""Slots of the ends of a journey."""
REMEMBERED = 64
"""Lists of names or values whose entries are remembered: most vocabularies of a run differ in one
slot, if at all."""
Items = tuple[tuple[str, tuple[str, ...]], ...]
"""Names by domain, or values by slot."""


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


_DROPPED = frozenset({"the", "restaurant", "hotel", "guesthouse", "guest", "house"})


def without_generic(name: str) -> tuple[str, ...]:
    """Returns the words of a name without those like "restaurant"."""
    return tuple(token for token in tokens_of(name) if token not in _DROPPED)


@lru_cache(maxsize=REMEMBERED)
def cores_of(names: Items) -> Mapping[tuple[str, ...], tuple[tuple[str | None, str], ...]]:
    """Names without words like "restaurant" -> domain and name."""
    found: dict[tuple[str, ...], dict[tuple[str | None, str], None]] = {}
    for domain, domain_names in names:
        for name in domain_names:
            core = without_generic(name)
            if core:
                found.setdefault(core, {})[domain, name] = None
    return {core: tuple(owners) for core, owners in found.items()}


@lru_cache(maxsize=REMEMBERED)
def name_entries(names: Items) -> tuple[Entry, ...]:
    """Of names by domain, in all forms in which they are said."""
    return tuple(_name_entries(names))


def _name_entries(names: Items) -> Iterator[Entry]:
    whole = {tokens_of(name) for _, domain_names in names for name in domain_names}
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


def core_entries(names: Items, known: Set[tuple[str, ...]]) -> Iterator[Entry]:
    """Names without "restaurant" and the like, if written as a name: "Efes" of Efes Restaurant."""
    for core, owners in cores_of(names).items():
        tells = len(core) > 1 or (len(core[0]) > 3 and core[0] not in COMMON)
        if tells and core not in known and len(owners) == 1:
            yield Entry(core, NAME, owners[0][1], owners[0][0], whole=False, everyday=True)


def ends_of(names: Items, values: Items) -> Mapping[str, Entry]:
    """The last word of a name that tells more than its kind, if no other name or value has it."""
    said = _last_words(names)
    taken = {token for _, each in values for token in _tokens_in(each) if token in said}
    return {word: entry for word, entry in said.items() if word not in taken}


@lru_cache(maxsize=REMEMBERED)
def _tokens_in(values: tuple[str, ...]) -> Set[str]:
    return {token for one in values for token in tokens_of(one)}


@lru_cache(maxsize=REMEMBERED)
def _last_words(names: Items) -> Mapping[str, Entry]:
    return dict(_ends(names))


def _ends(names: Items) -> Iterator[tuple[str, Entry]]:
    said = Counter(token for _, each in names for name in each for token in set(tokens_of(name)))
    for domain, each in names:
        for name in each:
            tokens = tokens_of(name)
            telling = [word for word in tokens if word not in GENERIC | KINDS | {"s"}]
            end = telling[-1] if telling else ""
            if len(end) > 3 and end not in {tokens[0], *EVERYDAY} and said[end] == 1:
                at = tokens.index(end)
                ending = ("s",) if tokens[at + 1 : at + 2] == ("s",) else ()
                yield end, Entry((end, *ending), NAME, name, domain, whole=False, everyday=True)


def _one_of_each(owners: list[tuple[str, str]]) -> bool:
    """Says whether the domain tells the venues apart that a wording fits."""
    return len({domain for domain, _ in owners}) == len(owners)


def spellings(name: str) -> set[tuple[str, ...]]:
    """Returns the ways to say a name in full."""
    whole, tokens = normalise_name(name), tokens_of(name)
    bare = tokens[1:] if tokens[:1] == ("the",) and len(tokens) > 1 else tokens
    forms = {form for form in name_wordings(tokens) if normalise_name(" ".join(form)) == whole}
    return {form for form in (bare, *forms) if form}


def _owners(names: Items) -> dict[tuple[str, ...], list[tuple[str, str]]]:
    """Wording -> the `(domain, name)`s it may stand for."""
    owners: dict[tuple[str, ...], dict[tuple[str, str], None]] = {}
    for domain, domain_names in names:
        for name in domain_names:
            tokens = tokens_of(name)
            for wording in name_wordings(tokens):
                everyday = len(wording) == 1 and wording[0] in COMMON
                owners.setdefault(tokens if everyday else wording, {})[domain, name] = None
    return {wording: list(owned) for wording, owned in owners.items()}


@lru_cache(maxsize=REMEMBERED)
def value_entries(slot: str, values: tuple[str, ...]) -> tuple[Entry, ...]:
    """Of the values of one slot that are looked up."""
    if slot in PATTERNED or slot in (NAME, *ENDS):
        return ()
    return tuple(entry for value in values for entry in _entries(slot, value))


def _entries(slot: str, value: str) -> Iterator[Entry]:
    for form in _address_parts(value) if slot == "address" else (value,):
        tokens = tokens_of(form)
        if any(len(token) > 1 for token in tokens) and value.lower() not in ("yes", "no"):
            yield Entry(tokens, slot, value)


def _address_parts(address: str) -> Iterator[str]:
    yield address
    yield from (part for part in address.split(",") if len(tokens_of(part)) > 1)


@lru_cache(maxsize=REMEMBERED)
def place_entries(places: Set[str]) -> tuple[Entry, ...]:
    """Of stations and other ends of a journey."""
    return tuple(_place_entries(places))


def _place_entries(places: Set[str]) -> Iterator[Entry]:
    """Stations, whole and by their first word or all but it ("stansted", "kings cross")."""
    known = {place: tokens for place in places if (tokens := tokens_of(place))}
    heads = [tokens[0] for tokens in known.values()]
    for place, tokens in sorted(known.items()):
        yield Entry(tokens, PLACE, place)
        if len(tokens) > 1 and tokens[0] not in COMMON and heads.count(tokens[0]) == 1:
            yield Entry(tokens[:1], PLACE, place, whole=False)
        if len(tokens) > 2:
            yield Entry(tokens[1:], PLACE, place, whole=False)


@lru_cache(maxsize=REMEMBERED)
def type_entries(types: tuple[str, ...]) -> tuple[Entry, ...]:
    """Of types of venues, in the words for them, one or several of each."""
    return tuple(_type_entries(types))


def _type_entries(types: tuple[str, ...]) -> Iterator[Entry]:
    for kind in types:
        for wording in type_wordings(kind):
            tokens = tokens_of(wording)
            for ending in ("", "s", "es") if tokens else ():
                yield Entry((*tokens[:-1], tokens[-1] + ending), "type", kind)
