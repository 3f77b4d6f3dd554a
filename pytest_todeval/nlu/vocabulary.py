"""The names and values that may come up in a dialogue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pytest_todeval.core.example import Example
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.nlu.multiwoz_slots import MULTIWOZ_SLOTS
from pytest_todeval.nlu.values.normalise import canonical_slot

LONGEST_VALUE = 100
"""Longer columns are descriptions; nobody repeats them word for word."""

_NOT_SAID = frozenset({"id", "location", "introduction", "openhours", "signature", "takesbookings"})


@dataclass(frozen=True)
class Vocabulary:
    """Names by domain and values by slot, as they stand in databases and goals.

    A domain or slot with no names or values still counts as known: a bot may ask for it.
    """

    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Domain -> names of its venues."""
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Slot (MultiWOZ's goal spelling, or one's own) -> values."""
    taught: tuple[Example, ...] = ()
    """Sentences of the bot, with what they mean."""
    slots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Domain -> the slots that a goal names of it, if it has slots of its own."""

    @cached_property
    def _hash(self) -> int:
        known = frozenset(self.names.items()), frozenset(self.values.items())
        return hash((*known, self.taught, frozenset(self.slots.items())))

    @cached_property
    def _with_examples(self) -> dict[tuple[Example, ...], "Vocabulary"]:
        return {}

    @cached_property
    def _with_more(self) -> dict[frozenset[tuple[str, tuple[str, ...]]], "Vocabulary"]:
        return {}

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def from_rows(cls, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> "Vocabulary":
        """From database rows by domain: the names, and every column of short text or numbers."""
        names: dict[str, dict[str, None]] = {domain: {} for domain in rows}
        values: dict[str, dict[str, None]] = {}
        for domain, column, value in _cells(rows):
            if column == "name":
                names[domain][value] = None
            else:
                values.setdefault(canonical_slot(column), {})[value] = None
        return cls(_frozen(names), _frozen(values))

    @classmethod
    def from_goal(cls, goal: Goal) -> "Vocabulary":
        """From a goal alone: its domains, its slots, and the values it names."""
        names: dict[str, dict[str, None]] = {part.domain: {} for part in goal.domains}
        values: dict[str, dict[str, None]] = {}
        for part in goal.domains:
            for slot, value in _goal_slots(part):
                if slot == "name":
                    names[part.domain].update(dict.fromkeys(value))
                else:
                    values.setdefault(canonical_slot(slot), {}).update(dict.fromkeys(value))
        slots = {part.domain: tuple(_own_slots(part)) for part in goal.domains}
        own = {domain: found for domain, found in slots.items() if found}
        return cls(_frozen(names), _frozen(values), goal.hearing, own)

    def merged(self, other: "Vocabulary") -> "Vocabulary":
        """Both; `self` if the other adds nothing, so that what is cached for it stays."""
        known = self.teaching(other.taught)
        names, values = _union(self.names, other.names), _union(self.values, other.values)
        slots = _union(self.slots, other.slots)
        if names == self.names and values == self.values:
            return known._with_slots(slots)
        return Vocabulary(names, values, known.taught, slots)

    def _with_slots(self, slots: Mapping[str, tuple[str, ...]]) -> "Vocabulary":
        if slots == self.slots:
            return self
        key = frozenset(slots.items())
        if key not in self._with_more:
            self._with_more[key] = Vocabulary(self.names, self.values, self.taught, slots)
        return self._with_more[key]

    def teaching(self, examples: tuple[Example, ...]) -> "Vocabulary":
        """With these examples before its own; the same object for the same examples."""
        if not examples or examples == self.taught:
            return self
        if examples not in self._with_examples:
            every = tuple(dict.fromkeys((*examples, *self.taught)))
            self._with_examples[examples] = Vocabulary(self.names, self.values, every, self.slots)
        return self._with_examples[examples]


def _cells(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterable[tuple[str, str, str]]:
    for domain, domain_rows in rows.items():
        silent = _silent_columns(domain, domain_rows)
        for row in domain_rows:
            for column, value in row.items():
                if column in _NOT_SAID or column in silent or isinstance(value, bool):
                    continue
                if not isinstance(value, str | int | float):
                    continue
                if value not in ("?", "") and len(text := str(value)) <= LONGEST_VALUE:
                    yield domain, column, text


def _silent_columns(domain: str, rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Columns that only repeat the domain (the type of every restaurant: restaurant)."""
    columns = rows[0] if rows else {}
    return {key for key in columns if all(row.get(key) == domain for row in rows)}


def _goal_slots(part: DomainGoal) -> Iterable[tuple[str, tuple[str, ...]]]:
    for slots in (part.inform, part.fail_inform, part.book, part.fail_book):
        yield from ((slot, (str(value),)) for slot, value in slots.items())
    yield from ((slot, ()) for slot in part.request)


def _own_slots(part: DomainGoal) -> Iterable[str]:
    """Returns the slots of a domain, if it has others than MultiWOZ's."""
    slots = dict.fromkeys(canonical_slot(slot) for slot, _ in _goal_slots(part))
    return () if slots.keys() <= {*MULTIWOZ_SLOTS.get(part.domain, ())} else slots


def _frozen(sets: Mapping[str, Mapping[str, None]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(values) for key, values in sets.items()}


def _union(
    one: Mapping[str, tuple[str, ...]], other: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    return {
        key: tuple(dict.fromkeys((*one.get(key, ()), *other.get(key, ()))))
        for key in dict.fromkeys((*one, *other))
    }
