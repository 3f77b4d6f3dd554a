"""Whether what somebody says of a text stands in it: quotes, names, and values in any form."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property

from pytest_todeval.facts.hearing import normal_text
from pytest_todeval.facts.told_values import says_value
from pytest_todeval.models.fence import neutral
from pytest_todeval.nlu.numbers import NUMBER_WORDS
from pytest_todeval.nlu.times import find_times, to_clock
from pytest_todeval.nlu.values.normalise import (
    NUMBER_SLOTS,
    TIME_SLOTS,
    YES_NO_SLOTS,
    canonical_slot,
    normalise,
)

LONGEST_VALUE = 200
"""Characters; nothing that a bot tells of an item is longer."""
LONGEST_GRAM = 4
"""Words of a value in another form ("not too expensive")."""
_OMITTED = re.compile(r"\.{3,}|\u2026")
_FIGURE = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
_AMOUNT = re.compile(r"[£$€\s]{0,3}(\d{1,12}(?:\.\d{1,6})?)\s{0,3}[^\W\d_]{0,12}")
_LOOSE = frozenset({"a", "no", "once", "twice", "double", "single"})
"""Words that are numbers only if a number is expected."""
_YES_NO = frozenset({"yes", "no", "true", "false"})
_COUNTED = TIME_SLOTS | NUMBER_SLOTS
"""Slots whose forms are too lenient to look for: "a" is 1, and 4 is four o'clock."""
_STEM = 4
"""First letters by which a slot's word is known: "dogs" in a text tell of the slot `dog policy`."""


class CheckedText:
    """A bot's text, to look things up in. Each look-up takes time linear in the text."""

    def __init__(self, text: str) -> None:
        self._text = neutral(text)
        self._forms: dict[str, frozenset[str]] = {}

    def has_quote(self, quote: str) -> bool:
        """Says whether these words stand in it in this order; `...` may leave out some.

        Upper and lower case, spaces, punctuation and accents make no difference.
        """
        parts = [bare for part in _OMITTED.split(neutral(quote)) if (bare := _bare(part))]
        at = 0
        for part in parts:
            at = self._bare.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return bool(parts)

    def has_name(self, name: str) -> bool:
        """Says whether a name or code stands in it, as whole words: "TR 1234" for "TR1234"."""
        letters = _bare(name) if len(name) <= LONGEST_VALUE else ""
        if not letters:
            return False
        wanted = normal_text(name)
        if wanted and f" {wanted} " in self._words:
            return True
        spread = r"[\W_]{0,3}".join(map(re.escape, letters))
        return re.search(rf"(?<!\w){spread}(?!\w)", self._folded) is not None

    def has_value(self, slot: str, value: str) -> bool:
        """Says whether a value stands in it: its words, or the same number, time or known value in
        another form ("4" for "four", "17:30" for "5:30 pm", "cheap" for "inexpensive").

        Of a value that is only `yes` or `no` its slot has to stand there.
        """
        if len(value) > LONGEST_VALUE:
            return False
        slot = canonical_slot(slot)
        if slot in YES_NO_SLOTS and says_value(self._text, slot, value):
            return True
        if value.casefold() in _YES_NO:
            return self._has_slot(slot)
        return (
            self.has_name(value)
            or self._has_time(slot, value)
            or self._has_number(value)
            or (slot not in _COUNTED and normalise(slot, value) in self._forms_of(slot))
        )

    @cached_property
    def _folded(self) -> str:
        return _folded(self._text)

    @cached_property
    def _bare(self) -> str:
        return _bare(self._text)

    @cached_property
    def _words(self) -> str:
        return f" {normal_text(self._text)} "

    @cached_property
    def _times(self) -> frozenset[str]:
        return frozenset(find_times(self._text))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        spelled = (word for word in self._words.split() if word not in _LOOSE)
        words = (NUMBER_WORDS[word] for word in spelled if word in NUMBER_WORDS)
        return frozenset(map(float, (*_FIGURE.findall(_without_commas(self._text)), *words)))

    def _has_slot(self, slot: str) -> bool:
        stems = [word[:_STEM] for word in normal_text(slot).split() if len(word) >= _STEM - 1]
        return any(word.startswith(stem) for word in self._words.split() for stem in stems)

    def _has_time(self, slot: str, value: str) -> bool:
        clock = to_clock(value) if slot in TIME_SLOTS or find_times(value) else None
        return clock in self._times

    def _has_number(self, value: str) -> bool:
        word = value.strip().casefold()
        amount = _AMOUNT.fullmatch(_without_commas(value))
        number = amount[1] if amount else None if word in _LOOSE else NUMBER_WORDS.get(word)
        return number is not None and float(number) in self._numbers

    def _forms_of(self, slot: str) -> frozenset[str]:
        """Returns the canonical forms of what stands in the text, taken for values of a slot."""
        if slot not in self._forms:
            forms = {normalise(slot, gram) for gram in _grams(self._words.split())}
            self._forms[slot] = frozenset(forms - {""})
        return self._forms[slot]


def _folded(text: str) -> str:
    """Lower case, without accents."""
    text = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in text if not unicodedata.combining(char))


def _bare(text: str) -> str:
    """Returns nothing but letters and digits, in lower case."""
    return "".join(char for char in _folded(text) if char.isalnum())


def _without_commas(text: str) -> str:
    """Returns the text without the commas within its numbers: 1,200."""
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)


def _grams(words: list[str]) -> Iterator[str]:
    for length in range(1, LONGEST_GRAM + 1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])
