"""Numbers in digits of several countries, and in words."""

import re
from collections.abc import Iterator
from decimal import Decimal

from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.kinds.kind import Kind, Span

_SMALL = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ONES = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * tens for tens, word in enumerate(_TENS, 2)
}
"""Word -> number, below a hundred."""
SCALES = {
    "hundred": 100, "thousand": 1000, "lakh": 100_000, "lakhs": 100_000, "million": 1_000_000,
    "crore": 10_000_000, "crores": 10_000_000, "billion": 1_000_000_000,
}  # fmt: skip
"""Word behind a number -> what it is multiplied by."""
_SHORT_SCALES = {
    "k": 1000,
    "m": 1_000_000,
    "mn": 1_000_000,
    "bn": 1_000_000_000,
    "l": 100_000,
    "lac": 100_000,
    "lacs": 100_000,
    "cr": 10_000_000,
}

DIGITS = (
    r"\d{1,3}(?:,\d{2})+,\d{3}(?:\.\d+)?"
    r"|\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?"
)
"""A number in figures; `\\d` before or behind it must be excluded by whoever uses it."""
_ONE = rf"(?:{'|'.join(sorted(ONES, key=len, reverse=True))})"
_WORD = rf"(?:{_ONE}|{'|'.join(sorted(SCALES, key=len, reverse=True))})"
WORDS = (
    rf"(?:(?:an? )?(?:{'|'.join(SCALES)})|{_ONE})"
    rf"(?:(?:[ -]|,? and )(?:a (?=hundred|half))?{_WORD}\b)*(?: point(?: {_ONE}\b)+)?"
)
"""A number in words: `one hundred and twenty`, `a hundred`, `two lakh`."""
NUMBER = (
    rf"(?:(?<![\w.,])(?:{DIGITS})(?: ?(?:{'|'.join(SCALES)})\b|(?:k|mn?|bn)\b)?"
    rf"|\b(?:{WORDS})\b(?: and a half\b)?)"
)
"""A number in any form."""
_NUMBER = re.compile(rf"(?P<number>{NUMBER})(?!\d)", re.I)
_SPLIT = re.compile(rf"^({DIGITS}) ?([a-z]*)$", re.I)


def readings(written: str) -> tuple[Decimal, ...]:
    """Returns what a number as it is written may come to: `1.234` is 1.234, or 1234 elsewhere."""
    match = _SPLIT.match(written.strip())
    if match is None:
        spoken = _in_words(written)
        return () if spoken is None else (spoken,)
    scale = {**SCALES, **_SHORT_SCALES}.get(match[2].lower(), 1)
    return tuple(number * scale for number in _in_digits(match[1]))


def _in_digits(text: str) -> Iterator[Decimal]:
    marks = re.findall(r"[^\d]", text)
    if not marks:
        yield Decimal(text)
        return
    *groups, last = re.split(r"[^\d]", text)
    if len(set(marks)) > 1 and marks[-1] in ".,":
        yield Decimal(f"{''.join(groups)}.{last}")
    elif len(marks) > 1:
        yield Decimal("".join((*groups, last)))
    else:
        if marks[0] in ".,":
            yield Decimal(f"{groups[0]}.{last}")
        if len(last) == 3 and groups[0] != "0":
            yield Decimal(f"{groups[0]}{last}")


def _in_words(text: str) -> Decimal | None:
    whole, point, places = text.lower().partition(" point ")
    if point:
        digits = [str(ONES[word]) for word in re.findall(r"[a-z]+", places) if word in ONES]
        number = _in_words(whole)
        return None if number is None else Decimal(f"{number}.{''.join(digits)}")
    text = text.lower()
    half = text.endswith("and a half")
    words = re.findall(r"[a-z]+", text.removesuffix("and a half"))
    total, current, found = Decimal(0), Decimal(0), False
    for word in words:
        if word in ONES:
            current, found = current + ONES[word], True
        elif word == "hundred":
            current, found = (current or Decimal(1)) * 100, True
        elif word in SCALES:
            total, current, found = total + (current or 1) * SCALES[word], Decimal(0), True
    return total + current + (Decimal("0.5") if half else Decimal(0)) if found else None


def _find(text: str) -> Iterator[Span]:
    for match in _NUMBER.finditer(text):
        if found := readings(match["number"]):
            yield Span(*match.span("number"), found)


COUNT = Kind("count", _find)
"""Numbers of things: `4`, `four`, `1,200`."""
