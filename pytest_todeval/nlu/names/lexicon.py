"""A vocabulary compiled for finding its names and values in text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pytest_todeval.nlu.names.entries import (
    BUILT_IN,
    ENDS,
    NAME,
    PATTERNED,
    PLACE,
    Entry,
    core_entries,
    cores_of,
    ends_of,
    name_entries,
    place_entries,
    spellings,
    type_entries,
    value_entries,
    without_generic,
)
from pytest_todeval.nlu.names.wordings import EVERYDAY, tokens_of
from pytest_todeval.nlu.text.plain import words
from pytest_todeval.nlu.vocabulary import Vocabulary

__all__ = ["BUILT_IN", "NAME", "PATTERNED", "PLACE", "Entry", "Lexicon", "lexicon"]

REMEMBERED = 200
"""Texts whose matches are remembered."""


@dataclass(frozen=True)
class Lexicon:
    """Entries by their first word, longest first; and the slots that are not patterned."""

    by_word: Mapping[str, tuple[Entry, ...]]
    own_slots: Mapping[str, re.Pattern[str]]
    """Slots outside the built-in ones -> their obvious wordings."""
    slots: Mapping[str, frozenset[str]]
    """Domain -> its slots, of those that have slots of their own and a goal names."""
    flags: frozenset[str]
    """Slots of one's own whose values, as far as they are known, are yes or no."""
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
            for tokens in spellings(name):
                entry = Entry(tokens, NAME, name, domain, everyday=EVERYDAY.issuperset(tokens))
                group = [*by_word.get(tokens[0], ()), entry]
                by_word[tokens[0]] = tuple(sorted(group, key=_order))
        return replace(self, by_word=by_word, remembered={})

    def named_whole(self, text: str) -> Entry | None:
        """Returns the entry that a whole text is, if any: a value, a name or a place."""
        tokens = tuple(tokens_of(text))
        tokens = tokens[1:] if tokens[:1] == ("the",) else tokens
        entry = self._longest(tokens, 0) if tokens else None
        return entry if entry and len(entry.tokens) == len(tokens) else None

    def named_by(self, text: str, domain: str | None) -> Entry | None:
        """The venue that a whole plain text names, however short: "Ask" in a list of names."""
        tokens = without_generic(text)
        owners = self.cores.get(tokens, ())
        fitting = [owner for owner in owners if owner[0] == domain] or list(owners)
        if len(fitting) != 1:
            return None
        return Entry(tokens, NAME, fitting[0][1], fitting[0][0])

    def matches(self, text: str) -> Sequence[tuple[int, int, Entry]]:
        """Returns the longest entries in a plain text that do not overlap: `(start, end, entry)`.

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
    names, values = tuple(vocabulary.names.items()), tuple(vocabulary.values.items())
    entries = [*name_entries(names)]
    for slot, each in values:
        entries += value_entries(slot, each)
    entries += place_entries(
        frozenset(place for end in ENDS for place in vocabulary.values.get(end, ()))
    )
    entries += type_entries(vocabulary.values.get("type", ()))
    entries += core_entries(names, {entry.tokens for entry in entries})
    own = {
        slot: _slot_pattern(slot)
        for slot in vocabulary.values
        if slot not in BUILT_IN and re.search(r"\w{3}", slot)
    }
    return Lexicon(
        _sorted(entries),
        own,
        {domain: frozenset(slots) for domain, slots in vocabulary.slots.items()},
        frozenset(slot for slot in own if _YES_NO.issuperset(vocabulary.values[slot])),
        {i.lower(): i for i in vocabulary.values.get("trainID", ())},
        cores_of(names),
        yes_no=frozenset(
            slot for slot in own if _YES_NO.issuperset(v := vocabulary.values[slot]) and v
        ),
        named=frozenset(domain for domain, found in names if found),
        ends=ends_of(names, values),
    )
