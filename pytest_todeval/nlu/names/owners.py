"""Whose a value is: the item of its line, the name in its part of the sentence, "the latter"."""

import re
from bisect import bisect, bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pytest_todeval.nlu.values.mentions import Mention

Owned = tuple[str | None, str]
"""The item that a value belongs to, None if the words do not tell; and the doubt."""

_CUT = re.compile(r" ?[,;] (?:and )?| (?:and|while|or|with) |: ")
_ALL = re.compile(r"\b(?:both|all|they)\b")
_PLURAL = re.compile(r" ?,? ?(?:,)* ?(?:are|have|serve|both|all|do)\b")
_FORMER = re.compile(r"\b(?:the )?(?:former|first(?: one)?|1st)\b(?! come)")
_LATTER = re.compile(r"\b(?:the )?(?:latter|second(?: one)?|2nd)\b(?! class)")
_IT = re.compile(r"\b(?:which|that|there)\b")
MOST = 20
"""Names that share a value."""
SEVERAL = "several were named, and the words do not tell which this is of"


@dataclass(slots=True)
class Owners:
    """Remembers what a turn has named, and tells whose the values of its clauses are."""

    item: str | None = None
    """What the block is about that is being read."""
    last: list[str] = field(default_factory=list)
    """What the last clause with names in it named."""

    def of_values(
        self, text: str, names: Sequence[Mention], values: Sequence[Mention]
    ) -> dict[int, list[Owned]]:
        """Place of a value -> the items it belongs to; `names` are what the clause tells of."""
        if not names:
            return {value.start: list(self._without_names(text, value)) for value in values}
        parts = _parts(text)
        owned = {value.start: list(self._among(text, parts, names, value)) for value in values}
        self.last = list(dict.fromkeys(name.value for name in names))
        return owned

    def _without_names(self, text: str, value: Mention) -> Iterator[Owned]:
        near = text[max(0, value.start - 100) : value.start]
        if len(self.last) > 1:
            former, latter = _end(_FORMER, near), _end(_LATTER, near)
            if former >= 0 or latter >= 0:
                yield self.last[0 if former > latter else -1], ""
                return
            if _ALL.search(near):
                yield from ((name, "") for name in self.last)
                return
        if self.item is not None:
            yield self.item, ""
        elif len(self.last) == 1:
            yield self.last[0], ""
        else:
            yield None, SEVERAL if self.last else ""

    def _among(
        self, text: str, parts: Sequence[int], names: Sequence[Mention], value: Mention
    ) -> Iterator[Owned]:
        place = bisect(names, value.start, key=lambda name: name.start)
        before, after = names[:place], names[place:]
        if not before:
            yield from self._ahead(text, parts, after, value)
            return
        if len(before) > 1 and (shared := _shared(text, before, value)):
            yield from ((name.value, "") for name in shared)
            return
        own = _part(parts, value.start)
        follows = (
            after and _part(parts, after[0].start) == own and _part(parts, before[-1].start) < own
        )
        between = text[value.end : after[0].start] if after else ""
        if follows and not re.search(r"\b(?:near|than|from|to|like|as)\b", between):
            yield after[0].value, ""
        else:
            yield before[-1].value, ""

    def _ahead(
        self, text: str, parts: Sequence[int], after: Sequence[Mention], value: Mention
    ) -> Iterator[Owned]:
        """A value before any name: of the subject so far if it says "it", else of what follows."""
        between = text[value.end : after[0].start]
        own = text[max(0, value.start - 40) : value.start]
        cut = _part(parts, value.start) < _part(parts, after[0].start)
        if cut and self.last and _IT.search(own) and ":" not in between:
            yield from self._without_names(text, value)
        elif ":" in between or re.search(
            r"\b(?:are|were|all|both|like|such as|including)\b", between
        ):
            yield from ((name.value, "") for name in after)
        else:
            yield after[0].value, ""


def _parts(text: str) -> list[int]:
    return [match.start() for match in _CUT.finditer(text)]


def _part(parts: Sequence[int], place: int) -> int:
    return bisect_left(parts, place)


def _end(pattern: re.Pattern[str], text: str) -> int:
    return max((match.end() for match in pattern.finditer(text)), default=-1)


def _shared(text: str, before: Sequence[Mention], value: Mention) -> list[Mention]:
    """The names that a plural verb after them has as its subject: "A and B are both cheap"."""
    group = [before[-1]]
    for name in reversed(before[-MOST:-1]):
        if not re.fullmatch(
            r" ?(?:,|and|or|nor|&|both|as well as)+(?: and)?(?: the)? ?",
            text[name.end : group[0].start],
        ):
            break
        group.insert(0, name)
    plural = _PLURAL.match(text, before[-1].end)
    return group if plural and len(group) > 1 else []
