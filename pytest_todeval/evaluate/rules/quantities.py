"""Amounts, durations and numbers as texts write them, in digits or words."""

import re

from pytest_todeval.nlu.numbers import AMOUNT_IN_WORDS, hundreds

BELOW_100 = rf"(?:{AMOUNT_IN_WORDS}|zero)"
_WORDS = rf"(?:{BELOW_100} hundred(?: and {BELOW_100})?|{BELOW_100})"
NUMBER = rf"(?:(?<![\d.])\d[\d,]{{0,9}}(?:\.\d{{1,2}})?|\b{_WORDS}\b|\ban(?= hour))"
ANY_NUMBER = re.compile(NUMBER, re.I)
_CURRENCIES = {
    "pounds": r"\u00a3|\bpounds?\b|\bquid\b|\bgbp\b",
    "dollars": r"\$|\bdollars?\b|\busd\b",
    "euros": r"\u20ac|\beuros?\b|\beur\b",
}
CURRENCIES = {name: re.compile(pattern, re.I) for name, pattern in _CURRENCIES.items()}
MONEY = re.compile(
    rf"[\u00a3$\u20ac] ?(?P<sign>\d[\d,]{{0,9}}(?:\.\d{{1,2}})?)"
    rf"|(?P<sum>{NUMBER}) ?(?:pounds?|dollars?|euros?|quid|gbp|usd|eur)\b"
    rf"(?:(?: and)? (?P<part>{NUMBER}) ?(?:pence|p|cents?)\b| (?P<bare>\d\d|{BELOW_100})\b)?",
    re.I,
)
RIDE = re.compile(
    rf"(?!24[ -]hour)(?P<h>{NUMBER})[ -]hours?(?:(?: and|,)? (?P<m>{NUMBER})[ -]min(?:ute)?s?)?\b"
    rf"|(?P<only>{NUMBER})[ -]min(?:ute)?s?\b(?! (?:to|past|after|before) (?:\d|{BELOW_100}\b))",
    re.I,
)
"""A duration; "twenty minutes to eight" is none."""
CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
NEAR = 40
"""Characters around a unit of time in which its number stands."""


def number_of(words: str) -> float:
    """Returns what a number in digits or words comes to."""
    if words[0].isdigit():
        return float(words.replace(",", ""))
    if words.lower() in ("a", "an"):
        return 1.0
    return float(hundreds(words))


def amount_of(match: re.Match[str]) -> float:
    """Returns the amount of a match of `MONEY`, pence included if they are named."""
    if match["sign"]:
        return number_of(match["sign"])
    return number_of(match["sum"]) + (number_of(match["part"]) / 100 if match["part"] else 0.0)


def durations(text: str) -> frozenset[float]:
    """Returns all durations of hours and minutes in a text, in minutes."""
    found: set[float] = set()
    for place in re.finditer(r"hours?|\bmin(?:ute)?s?\b", text, re.I):
        near = text[max(0, place.start() - NEAR) : place.end() + NEAR]
        found.update(map(minutes_of, RIDE.finditer(near)))
    return frozenset(found)


def minutes_of(match: re.Match[str]) -> float:
    """Returns the minutes of a match of `RIDE`."""
    if match["only"]:
        return number_of(match["only"])
    return number_of(match["h"]) * 60 + number_of(match["m"] or "0")


def between(one: str, other: str) -> float | None:
    """Minutes from one time of day to the next such other one; None if either is none."""
    first, last = CLOCK.search(one), CLOCK.search(other)
    if first is None or last is None:
        return None
    minutes = [int(m[1]) * 60 + int(m[2]) for m in (first, last)]
    return float((minutes[1] - minutes[0]) % 1440)
