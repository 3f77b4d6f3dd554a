"""A sentence as words and signs, with the group of words that a verb stands in."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.negation import NEGATIONS
from pytest_todeval.nlu.text.triggers import (
    ADVERBS,
    AUXILIARIES,
    GOVERNORS,
    MODALS,
    TERMINATORS,
)

NAME = "NAME"
"""Stands for a venue's name: "All Set Café" sets nothing."""
LONGEST = 240
"""Words of one sentence that are looked at."""

_TOKEN = re.compile(r"NA*E|[a-z0-9]+(?:[:.][0-9]+|(?:-[a-z0-9]+)+)?|[^\sa-z0-9]")
_CAUSATIVES = word_set("get got gets getting have had has having see")
_OBJECT = word_set(
    """it that this you your the a an everything them those these us both my our all one two"""
)
_STARTERS = word_set(
    """i we you it they he she that this there your our the a an no nothing my everything here"""
)
_NOT_IN_OBJECT = AUXILIARIES | MODALS.keys() | {"and", "to", "or", "i", "we", "they", "not", "who"}
_REACH = 6


_INNER = word_set("' £ $ € # % @ + \\")


def _without_asides(found: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """Returns the words without ", though," and ", which ...," in the middle of a clause."""
    at = 0
    while at < len(found):
        if found[at][0] == "," and (after := _relative_end(found, at)):
            at = after
        else:
            yield found[at]
            at += 1


def _relative_end(found: list[tuple[str, int]], at: int) -> int:
    """Returns one past ", which ...," before the verb of what it tells of; 0 if there is none."""
    if at + 1 >= len(found) or found[at + 1][0] not in ("which", "who"):
        return 0
    for place in range(at + 2, min(at + ASIDE, len(found) - 1)):
        if found[place][0] == ",":
            return place + 1 if found[place + 1][0] in _FINITE else 0
    return 0


ASIDE = 14
"""Words of a ", which ...," that is left out."""
_FINITE = word_set("is are was were has have had will")


@dataclass(frozen=True, slots=True)
class Group:
    """A verb with the auxiliaries and adverbs before it: "has not yet been (booked)"."""

    start: int
    """Index of its first word."""
    words: frozenset[str]
    negated: bool
    modal: str
    """will, can, should, ...; empty if there is none."""
    governor: str
    """The word that "to" hangs on ("able", "going", "managed"); "to" if it has none."""
    causative: bool
    """As in "got it booked": the verb is said of somebody's getting it done."""
    bare: bool
    """Without any auxiliary."""


class Phrase:
    """One plain sentence."""

    def __init__(self, plain: str) -> None:
        found = list(_without_asides([(m[0], m.start()) for m in _TOKEN.finditer(plain)][:LONGEST]))
        self.words = [NAME if word.startswith("N") else word for word, _ in found]
        self.places = [place for _, place in found]
        """Where each word starts in the plain text."""

    @cached_property
    def known(self) -> frozenset[str]:
        """Returns all words and signs."""
        return frozenset(self.words)

    @cached_property
    def text(self) -> str:
        """Returns the words and signs with one blank between."""
        return " ".join(self.words)

    @cached_property
    def _offsets(self) -> list[int]:
        offsets, at = [], 0
        for word in self.words:
            offsets.append(at)
            at += len(word) + 1
        return offsets

    def index(self, offset: int) -> int:
        """Returns the word at an offset of `text`."""
        return bisect_right(self._offsets, offset) - 1

    def offset(self, index: int) -> int:
        """Returns where a word starts in `text`."""
        return self._offsets[index] if index < len(self._offsets) else len(self.text)

    def quoted(self, index: int) -> bool:
        """Says whether a word stands between quotation marks."""
        return self.words[:index].count('"') % 2 == 1 and '"' in self.words[index:]

    def ends(self, index: int) -> bool:
        """Says whether a scope ends at a word."""
        word = self.words[index]
        if word in TERMINATORS or not (word[0].isalnum() or word in _INNER):
            return True
        following = self.words[index + 1] if index + 1 < len(self.words) else ""
        return word in ("and", "so", "or", "then") and following in _STARTERS

    def opening(self, index: int) -> int:
        """Returns the first word of the part of the sentence that a word stands in."""
        while index > 0 and not self.ends(index - 1):
            index -= 1
        return index

    def closing(self, index: int) -> int:
        """Returns one past the last word of that part."""
        while index < len(self.words) and not self.ends(index):
            index += 1
        return index

    def group(self, head: int) -> Group:
        """Returns the verb group before a head."""
        words, at = self.words, head
        seen: list[str] = []
        modal = governor = ""
        causative = False
        while at > 0:
            word = words[at - 1]
            if word in MODALS:
                modal = word
            elif word == "to" and at == 1:
                governor, at = "to", 0
                break
            elif word == "to" and not governor:
                before = self._governor(at)
                if before is None:
                    governor = "to"
                    seen.append("to")
                    at -= 1
                    break
                governor = words[before]
                seen.extend(words[before:at])
                at = before
                continue
            elif not _belongs(word, words[at - 2] if at > 1 else "", seen):
                found = None if causative else self._causative(at, head, seen)
                if found is None:
                    break
                causative, at = True, found + 1
                word = words[found]
            seen.append(word)
            at -= 1
        known = frozenset(seen)
        bare = not (known & AUXILIARIES) and not modal and not governor and not causative
        negated = not known.isdisjoint(NEGATIONS)
        return Group(at, known, negated, modal, governor, causative, bare)

    def _governor(self, at: int) -> int | None:
        """The place of what governs the "to" before a word: "able (to book)"; None if nothing."""
        before = at - 2
        while before > 0 and (self.words[before] in ADVERBS or self.words[before].endswith("ly")):
            before -= 1
        if self.words[before] in ("me", "us") and before > 0:
            before -= 1
        return before if self.words[before] in GOVERNORS else None

    def _causative(self, at: int, head: int, seen: list[str]) -> int | None:
        """Returns the place of "got" in "got the table (booked)"."""
        if any(word in AUXILIARIES for word in seen) or "to" in seen:
            return None
        if at <= 0 or self.words[at - 1] in TERMINATORS:
            return None
        for place in range(at - 1, max(-1, at - 1 - _REACH), -1):
            word = self.words[place]
            if word in _CAUSATIVES and place + 1 < at and self.words[place + 1] in _OBJECT:
                inverted = place == 0 or self.ends(place - 1)
                subject = self.words[place + 1] in ("you", "they", "we", "i")
                return None if inverted and subject and at - place == 2 else place
            if word in _NOT_IN_OBJECT or word in TERMINATORS:
                return None
        return None

    def is_question(self, group: Group) -> bool:
        """Says whether the verb is put in front of its subject: "Has it been booked"."""
        start = self.opening(max(0, min(group.start, len(self.words) - 1)))
        words = self.words
        while start < len(words) and words[start] in _OPENERS:
            start += 1
        if start + 1 >= len(words) or start >= group.start:
            return False
        return words[start] in _INVERTED and words[start + 1] in _INVERTED_SUBJECTS


def _belongs(word: str, before: str, seen: list[str]) -> bool:
    """Whether a word belongs to the verb group that it stands in: "gone ahead and", "safely"."""
    if word in AUXILIARIES or word in ADVERBS or (word.endswith("ly") and len(word) > 4):
        return True
    goes = word in ("go", "went", "gone", "going") and "ahead" in seen
    return goes or (word in ("and", "to") and before == "ahead")


_OPENERS = word_set("and so but or well also ok okay great then now")
_INVERTED = (AUXILIARIES | MODALS.keys()) - {"s", "ve", "re", "ll", "been", "be", "being"}
_INVERTED_SUBJECTS = word_set(
    """i you we it that this they there the your my a any all everything these those NAME"""
)
