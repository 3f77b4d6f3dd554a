"""A shape: what a kind of secret looks like in a text."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from pytest_todeval.recording.redaction.excerpt import Span, near_long_runs
from pytest_todeval.recording.redaction.names import plain_name
from pytest_todeval.recording.redaction.placeholder import PLACEHOLDER

# A key starts where a word starts; `\n`, `\t` and `\u00e9` before it are escapes, not words.
START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"


LONG_TEXT = 50_000
"""Characters from which on keys are looked for near long words alone."""
LONGEST_NAME = 40
BEFORE = re.compile(r"(?:(?:api|access|client|private|account|shared|secret) )?[\w.-]*\Z", re.I)
"""The beginning of a name, as far as it stands before its last word."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a kind of secret looks like."""

    name: str
    hints: tuple[str, ...]
    """In lower case; one of them stands in each, and is found fast. Without any, it is sought."""
    pattern: re.Pattern[str]
    """Its group `secret`, if it has one, is the secret; else all of it is."""
    check: Callable[[re.Match[str]], bool] | None = None
    """Whether what matches is one."""
    is_long: bool = False
    """Whether it has a word of 14 characters or more, so that it is sought near such ones alone."""

    def spans(self, text: str, kept: Collection[str] = ()) -> Iterator[tuple[int, int]]:
        """Returns where in a text they stand; not what stands under a name that is `kept`."""
        groups = self.pattern.groupindex
        group = "secret" if "secret" in groups else 0
        for match in self.pattern.finditer(text):
            if match[group] == PLACEHOLDER or (self.check and not self.check(match)):
                continue
            if not kept or plain_name(name_of(match)) not in kept:
                yield match.span(group)


class _Hinted:
    """Shapes by their hints."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self.shapes = tuple(shapes)
        self._sought = [n for n, each in enumerate(self.shapes) if not each.hints]
        hinted: dict[str, list[int]] = {}
        for number, each in enumerate(self.shapes):
            for hint in each.hints:
                hinted.setdefault(hint, []).append(number)
        self._hinted = tuple(hinted.items())

    def found_in(self, text: str, kept: Collection[str]) -> Iterator[tuple[Shape, Span]]:
        low = text.lower()
        hinted = [numbers for hint, numbers in self._hinted if hint in low]
        for number in sorted({*self._sought, *chain.from_iterable(hinted)}):
            for span in self.shapes[number].spans(text, kept):
                yield self.shapes[number], span


class Shapes:
    """Kinds of secrets that are looked for together, in the order given."""

    def __init__(self, shapes: Iterable[Shape]) -> None:
        self._all = _Hinted(shapes)
        self._long = _Hinted(each for each in self._all.shapes if each.is_long)
        self._others = _Hinted(each for each in self._all.shapes if not each.is_long)

    def __iter__(self) -> Iterator[Shape]:
        return iter(self._all.shapes)

    def found_in(self, text: str, kept: Collection[str] = ()) -> Iterator[tuple[Shape, Span]]:
        """Returns the secrets of a text and where they stand, shape by shape."""
        if len(text) < LONG_TEXT:
            yield from self._all.found_in(text, kept)
            return
        yield from self._others.found_in(text, kept)
        excerpt = near_long_runs(text)
        for found, span in self._long.found_in(excerpt.text, kept):
            yield from ((found, place) for place in excerpt.places(span))


def shape(
    name: str, hints: str, pattern: str, check: Callable[[re.Match[str]], bool] | None = None
) -> Shape:
    """`hints`: with `|` between them."""
    return Shape(name, tuple(hints.split("|")) if hints else (), re.compile(pattern), check)


def name_of(match: re.Match[str]) -> str:
    """Returns the name before a value; empty for what has none."""
    groups = match.re.groupindex
    if "name" in groups:
        return match["name"]
    if "end" not in groups:
        return ""
    start = match.start("end")
    before = BEFORE.search(match.string[max(0, start - LONGEST_NAME) : start])
    return (before[0] if before else "") + match["end"]
