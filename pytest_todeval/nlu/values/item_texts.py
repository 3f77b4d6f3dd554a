"""What texts that tools give say of one item: its part of them, and the value of a slot there."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pytest_todeval.nlu.kinds.codes import CODE
from pytest_todeval.nlu.kinds.kind import Span
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.kinds.words import YES_NO, share_told, truth
from pytest_todeval.nlu.slots import Slot

LONGEST = 20_000
"""Characters of a text that are looked at."""
LEAST = 0.3
"""How much of one of an item's values a part of a text has that is about the item."""
LONGEST_VALUE = 8
"""Words of a value that stands behind its slot's name."""
FAR = 12
"""Characters between a slot's name and a value of its kind in one piece of a text."""

_LABEL = re.compile(r"[ \t]*[-*\u2022]?[ \t]*([A-Za-z][\w ()/-]{1,30}?)[ \t]*[:=](?!\d)")
_PART = re.compile(
    r"\n+|;\s+|(?:(?<=[A-Za-z]{4}[.!])(?<!appt\.)(?<!dept\.)|(?<=[\d)*][.!]))\s+(?=[A-Z0-9])"
)
_GOES_ON = re.compile(
    r"\W*(?:it|its|it's|they|their|there|this|that|he|she|the price|also|and)\b", re.I
)
_PIECE = re.compile(r"[;|()\n]|,(?!\d)|\s[-\u2013\u2014]\s")
_BETWEEN = re.compile(r"\W*(?:(?:is|are|was|costs?|of|at|on|in|by|the|:|=)\b\W*){0,2}", re.I)


def parts_of(text: str) -> list[str]:
    """Returns the parts of a text that may each be about an item of its own."""
    text = text[:LONGEST]
    blocks = [block for block in re.split(r"\n[ \t]*\n", text) if block.strip()]
    lines = [line for line in text.split("\n") if line.strip()]
    if 1 < len(blocks) < len(lines):
        return blocks
    if len(lines) > 1 and all(map(_LABEL.match, lines)):
        return _records(lines)
    found: list[str] = []
    for part in _PART.split(text):
        if found and _GOES_ON.match(part):
            found[-1] += f". {part}"
        elif part.strip():
            found.append(part)
    return found


def _records(lines: Sequence[str]) -> list[str]:
    """Lines of labels and values: a new record begins where the first label comes again."""
    labels = [match[1].lower() for line in lines if (match := _LABEL.match(line))]
    if labels.count(labels[0]) == 1:
        one = len({*labels}) == len(labels) and not all(", " in line for line in lines)
        return ["\n".join(lines)] if one else list(lines)
    found: list[str] = []
    for label, line in zip(labels, lines, strict=True):
        if label == labels[0]:
            found.append(line)
        else:
            found[-1] += f"\n{line}"
    return found


class ItemTexts:
    """Texts of tools, read for one item.

    `about` are values that say which item is meant: the parts that have most of them are about it;
    all parts are, if none has any.
    """

    def __init__(self, texts: Sequence[str], about: Sequence[str]) -> None:
        self.every = [part for text in texts for part in parts_of(text)]
        self.about = tuple(about)

    @cached_property
    def mine(self) -> list[str]:
        """Returns the parts about the item."""
        shares = [sum(self._share(value, part) for value in self.about) for part in self.every]
        most = max(shares, default=0)
        if not most:
            return self.every
        return [part for part, share in zip(self.every, shares, strict=True) if share == most]

    def _share(self, value: str, part: str) -> float:
        share = share_told(value, part)
        return share if share >= LEAST else 0

    def values(self, slot: Slot) -> list[str]:
        """Returns the values that the item's parts give a slot beside its name."""
        return _values(slot, self.mine, self.about)

    def others(self, slot: Slot) -> list[str]:
        """Returns the values that parts about other items give it."""
        return _values(slot, [part for part in self.every if part not in self.mine], self.about)


def _is_so(slot: Slot, part: str) -> Iterator[str]:
    """Returns what pieces of a part say of a slot of yes or no: "no pets", "pets: yes", "pets"."""
    for piece in _PIECE.split(part):
        match = slot.feature.search(piece)
        if match is None:
            continue
        before, rest = piece[: match.start()].strip(" -*\u2022."), piece[match.end() :].strip(" .")
        said = truth(rest)
        if before.lower() in ("no", "not", "without") and not rest:
            yield "no"
        elif not before and (said is not None or not rest):
            yield "no" if said is False else "yes"


def _values(slot: Slot, parts: Sequence[str], about: Sequence[str]) -> list[str]:
    if slot.kind is YES_NO:
        return list(dict.fromkeys(said for part in parts for said in _is_so(slot, part)))
    for label in _labels(slot):
        found = [v for part in parts for v in _behind(slot, label, part) if v not in about]
        if found:
            return list(dict.fromkeys(found))
    found = [value for part in parts for value in _of_that_kind(slot, part)]
    return found if len(found) == 1 else []


def _of_that_kind(slot: Slot, part: str) -> Iterator[str]:
    """Returns the values of a slot's kind that have its form alone, for where nothing else has."""
    if slot.kind.shaped:
        for span in slot.kind.spans(part):
            if span.sure:
                yield part[span.start : span.end]


def _labels(slot: Slot) -> Iterator[re.Pattern[str]]:
    """Forms of a slot's name, the fullest first: `boarding time`, `boarding`, `time`."""
    for words in slot.labels:
        yield re.compile(rf"(?<![^\W_])(?:{words})(?![^\W_])", re.I)


def _behind(slot: Slot, label: re.Pattern[str], part: str) -> Iterator[str]:
    """Returns the values beside a label in each piece of a part."""
    for piece in _PIECE.split(part):
        match = label.search(piece)
        if match is None:
            continue
        rest = piece[match.end() :]
        value = _of_kind(slot, rest) if slot.kind.shaped else _in_words(piece, match, rest)
        if value:
            yield value


def _of_kind(slot: Slot, rest: str) -> str:
    """Returns the first value of the slot's kind, right behind the label."""
    spans = [span for span in slot.kind.spans(rest) if _is_sure(slot, span)]
    spans = spans if spans and spans[0].start <= FAR else []
    if not spans:
        return ""
    first, end = spans[0], spans[0].end
    for span in spans[1:] if slot.kind is CODE else ():
        end = span.end if span.start - end <= 1 else end
    return rest[first.start : end]


def _is_sure(slot: Slot, span: Span) -> bool:
    return span.sure or slot.kind in (COUNT, TIME, CODE)


def _in_words(piece: str, match: re.Match[str], rest: str) -> str:
    """Words right behind a label that a piece begins with: after a colon, or names and figures."""
    if piece[: match.start()].strip(" \t-*\u2022:.") and ":" not in piece[: match.start()]:
        return ""
    link = _BETWEEN.match(rest)
    value = rest[link.end() if link else 0 :].strip(" .!\t\"'")
    plain = len(value.split()) <= LONGEST_VALUE and bool(value)
    colon = re.match(r"\W*[:=]", rest) is not None
    named = value[:1].isupper() or value[:1].isdigit() or truth(value) is not None
    return value if plain and (colon or named) else ""
