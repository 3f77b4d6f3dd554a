"""The venues and trains that match a state, as the corpus metric queries the MultiWOZ databases."""

from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from rapidfuzz import fuzz

from pytest_todeval.research.offline.corpus.values import (
    is_dont_care,
    minutes,
    normalise_slot,
    normalise_value,
)

DOMAINS = ("restaurant", "hotel", "attraction", "train")

FUZZY = frozenset(
    {
        ("restaurant", "name"),
        ("restaurant", "food"),
        ("hotel", "name"),
        ("attraction", "name"),
        ("train", "departure"),
        ("train", "destination"),
    }
)
PROSE = frozenset({"introduction", "signature", "openhours", "takesbookings"})
"""Columns that no state constrains; the published metric leaves them out."""
UNKNOWN = "?"
"""Stands in a row if the value is not known; matches whatever is asked."""
THRESHOLD = 90
"""Of a hundred: how much alike names have to be."""


class VenueDatabase:
    """Rows by domain, and which of them match a state. Every question is answered once."""

    def __init__(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        self._tables = {domain: _CorpusTable(domain, rows.get(domain, ())) for domain in DOMAINS}

    def query(self, domain: str, constraints: Mapping[str, str]) -> frozenset[str]:
        """Ids of the rows that meet every constraint; slots the database lacks are passed over.

        Slots are spelt as `normalise_slot` gives them; values need not be normalised.
        """
        table = self._tables.get(domain)
        return frozenset() if table is None else table.query(constraints)


class _CorpusTable:
    def __init__(self, domain: str, rows: Sequence[Mapping[str, Any]]) -> None:
        self.domain = domain
        self.rows = [_columns(row) for row in rows]
        self.slots = {slot for row in self.rows for slot in row}
        self.ids = [
            row.get("trainid") or row.get("id") or str(number)
            for number, row in enumerate(self.rows)
        ]
        # most dialogues ask the same few things; without this a file takes minutes
        self._matching = cache(self._match)
        self._answers = cache(self._answer)

    def query(self, constraints: Mapping[str, str]) -> frozenset[str]:
        asked = {
            (slot, normalise_value(slot, value))
            for slot, value in constraints.items()
            if slot in self.slots and not is_dont_care(value)
        }
        return self._answers(frozenset(asked))

    def _answer(self, asked: frozenset[tuple[str, str]]) -> frozenset[str]:
        numbers = frozenset(range(len(self.rows)))
        for slot, value in asked:
            numbers &= self._matching(slot, value)
        return frozenset(self.ids[number] for number in numbers)

    def _match(self, slot: str, value: str) -> frozenset[int]:
        holds = self._test(slot, value)
        stored = {row.get(slot, UNKNOWN) for row in self.rows}
        good = {text for text in stored if text == UNKNOWN or holds(text)}
        return frozenset(n for n, row in enumerate(self.rows) if row.get(slot, UNKNOWN) in good)

    def _test(self, slot: str, value: str) -> Callable[[str], bool]:
        if slot == "arrive":
            return lambda stored: minutes(stored) <= minutes(value)
        if slot == "leave":
            return lambda stored: minutes(stored) >= minutes(value)
        if (self.domain, slot) in FUZZY:
            return lambda stored: similar(stored, value)
        return lambda stored: stored == value


def _columns(row: Mapping[str, Any]) -> dict[str, str]:
    """Only text can be constrained: coordinates, price tables and prose are left out."""
    columns = {normalise_slot(name): value for name, value in row.items()}
    return {
        name: value
        for name, value in columns.items()
        if isinstance(value, str) and name not in PROSE
    }


def similar(stored: str, asked: str) -> bool:
    """Says whether the shorter text is found in the longer one, at least 90 % alike.

    The published numbers rest on fuzzywuzzy, which compares the shorter text with *some* of the
    stretches of its length: those where a run of equal characters begins. It misses better ones,
    and so keeps danish from matching spanish, which rapidfuzz's exact search finds 91 % alike.
    """
    # an upper bound, and a hundred times faster
    if fuzz.partial_ratio(stored, asked) < THRESHOLD - 0.5:
        return False
    return round(100 * _aligned_ratio(stored, asked)) >= THRESHOLD


def _aligned_ratio(one: str, other: str) -> float:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    blocks = SequenceMatcher(None, short, long).get_matching_blocks()
    starts = {max(0, block.b - block.a) for block in blocks}
    return max(SequenceMatcher(None, short, long[at : at + len(short)]).ratio() for at in starts)
