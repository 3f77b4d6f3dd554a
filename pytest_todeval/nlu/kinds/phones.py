"""Telephone numbers."""

import re
from collections.abc import Iterator

from pytest_todeval.nlu.kinds.kind import Kind, Span

_NUMBER = re.compile(
    r"(?<![\w.])(?:\+|00)?\(?\d(?:[\s().\-/\u2010-\u2013\u00a0]{0,3}\d){5,15}(?!\w)"
    r"(?: ?(?:ext|x|extension)\.? ?\d{1,5})?",
    re.I,
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4}|\d{1,3}(?:,\d{3})+")
_WORDS = {
    word: str(n)
    for n, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    )
} | {"oh": "0"}
_SPOKEN = re.compile(
    rf"\b(?:(?:double |triple )?(?:{'|'.join(_WORDS)})\b[\s,-]*){{6,}}", re.I
)  # fmt: skip
SHORTEST = 6
"""Figures of a number without its area's and country's."""


def _find(text: str) -> Iterator[Span]:
    for match in _NUMBER.finditer(text):
        if not _DATE.fullmatch(match[0].strip()):
            figures = re.sub(r"\D", "", re.split(r"(?i)x|ext", match[0])[0])
            yield Span(*match.span(), (figures.removeprefix("00"),), sure=len(figures) >= 7)
    for match in _SPOKEN.finditer(text):
        yield Span(*match.span(), (_figures(match[0]),))


def _figures(said: str) -> str:
    figures, times = "", 1
    for word in re.findall(r"[a-z]+", said.lower()):
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
        elif word in _WORDS:
            figures, times = figures + _WORDS[word] * times, 1
    return figures


def _agree(one: str, other: str) -> bool:
    """Says whether two numbers are the same, one perhaps without a country's or an area's."""
    short, long = sorted((_national(one), _national(other)), key=len)
    if short == long:
        return True
    return len(short) >= SHORTEST and long.endswith(short) and len(long) - len(short) <= 4


def _national(figures: str) -> str:
    """Returns the figures without a country's zero: `+44 (0)20` is 4420."""
    without = re.sub(r"^(44|49|33|39|31|41|43|61|91)0", r"\1", figures)
    return without.lstrip("0") or without


PHONE = Kind("phone", _find, _agree)
"""Telephone numbers: `925-806-7432`, `+44 (0)20 7123 4567`, `098765 43210`."""
