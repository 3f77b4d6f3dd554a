"""Where in a long text, or among bytes that are no text, a secret may stand at all."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

Span = tuple[int, int]

APART = "\n"
LEAST = 8
PRINTED = re.compile(rb"[\x20-\x7e\t\r\n]{%d,}" % LEAST)
LONG_RUN = re.compile(r"(?![-+0-9.eE]{14,}(?![\w~|:@%+/=-]))[\w+/=.~|:@%-]{14,}", re.ASCII)
"""Longer than words are, and no number: the keys of services are such."""
AROUND = 120
"""Characters before a key that may say what it is."""


class Excerpt:
    """Parts of something longer, put together; spans of the whole lead back to where they stood."""

    def __init__(self, parts: Iterable[tuple[int, str]]) -> None:
        """`parts`: where each stands, and its text, in order."""
        found = list(parts)
        self.text = APART.join(text for _, text in found)
        self._stood = [start for start, _ in found]
        self._starts: list[int] = []
        at = 0
        for _, text in found:
            self._starts.append(at)
            at += len(text) + len(APART)
        self._ends = [start + len(text) for start, (_, text) in zip(self._starts, found)]  # noqa: B905

    def places(self, span: Span) -> Iterator[Span]:
        """What a span of the excerpt is in the original; a piece for each part it lies in."""
        start, end = span
        part = max(0, bisect_right(self._starts, start) - 1)
        while part < len(self._starts) and self._starts[part] < end:
            first, last = max(start, self._starts[part]), min(end, self._ends[part])
            if first < last:
                offset = self._stood[part] - self._starts[part]
                yield first + offset, last + offset
            part += 1


# What is kept is redacted, then looked at once more before it is written.
@lru_cache(maxsize=1)
def printed(body: bytes) -> Excerpt:
    """Returns what of bytes that are no text could be read as one."""
    return Excerpt((run.start(), run[0].decode("ascii")) for run in PRINTED.finditer(body))


def near_long_runs(text: str) -> Excerpt:
    """What of a text is near a word that is as long as a key, with what stands around it."""
    return Excerpt((start, text[start:end]) for start, end in _windows(text))


def _windows(text: str) -> Iterator[Span]:
    start = end = -1
    for run in LONG_RUN.finditer(text):
        first, last = max(0, run.start() - AROUND), run.end() + AROUND
        if first > end:
            if end > 0:
                yield start, end
            start = first
        end = last
    if end > 0:
        yield start, end
