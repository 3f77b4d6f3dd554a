"""Times of day."""

import re
from collections.abc import Iterator

from pytest_todeval.nlu.kinds.kind import Kind, Span
from pytest_todeval.nlu.kinds.numbers import readings
from pytest_todeval.nlu.times import time_spans

_HALF = re.compile(r"[ap] ?\.? ?m\b|morning|afternoon|evening|night|noon|midday|\bh\b|uhr", re.I)
_MORE = re.compile(
    r"(?<![\w.:,])(?P<hour>[01]?\d|2[0-4])(?:(?P<mark>[.:]| ?h ?)(?P<minute>[0-5]\d)(?![\d,]))?"
    r"(?P<word> ?(?:uhr|hrs?|hours|h)\b)?(?![\w%:/.,-]\w|\w)",
    re.I,
)
_BEHIND = re.compile(r"\W{0,2}(?:in the (?:morning|afternoon|evening)|at night|tonight)", re.I)

_COMPACT = re.compile(
    r"(?<![\w.,:/])(?P<hour>[01]?\d|2[0-3])(?P<minute>[0-5]\d)(?: ?(?P<half>[ap])\.?m\b|(?![\w:]))",
    re.I,
)
"""A time without a mark between its figures: `0645`, `645am`."""
_WORD = re.compile(
    r"\b(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r" (?P<half>[ap])\.? ?m\b",
    re.I,
)

_LATER = re.compile(r"\b(?:afternoon|evening|tonight)\b", re.I)
Reading = tuple[int, bool]
"""Minutes since midnight, and whether the half of the day is known."""


def _find(text: str) -> Iterator[Span]:
    for start, end, clock in time_spans(text):
        minutes = int(clock[:2]) * 60 + int(clock[3:])
        behind = _BEHIND.match(text, end)
        said = text[start : behind.end() if behind else end]
        if minutes < 720 and _LATER.search(said):
            minutes += 720
        known = minutes >= 780 or (clock[:1] == "0" and said[:1] == "0") or bool(_HALF.search(said))
        yield Span(start, end, ((minutes, known),))
    for match in _COMPACT.finditer(text):
        hour, minute = int(match["hour"]), int(match["minute"])
        half = (match["half"] or "").lower()
        hour = hour % 12 + (12 if half == "p" else 0) if half else hour
        yield Span(*match.span(), ((hour * 60 + minute, True),), sure=bool(half))
    for match in _WORD.finditer(text):
        hour = int(readings(match["hour"])[0]) % 12 + (12 if match["half"].lower() == "p" else 0)
        yield Span(*match.span(), ((hour * 60, True),))
    for match in _MORE.finditer(text):
        written = match["mark"] is not None and (match["word"] or match["mark"].strip() in "h:")
        minutes = int(match["hour"]) * 60 + int(match["minute"] or 0)
        known = minutes >= 780 or bool(match["word"])
        yield Span(*match.span(), ((minutes, known),), sure=bool(written or match["word"]))


def _agree(one: Reading, other: Reading) -> bool:
    if one[0] % 1440 == other[0] % 1440:
        return True
    return not (one[1] and other[1]) and one[0] % 720 == other[0] % 720


TIME = Kind("time", _find, _agree)
"""Times of day: `14:30`, `2.30 pm`, `14h30`, `half past two`, `noon`."""
