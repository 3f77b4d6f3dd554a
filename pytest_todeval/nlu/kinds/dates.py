"""Dates and days of the week."""

import datetime
import re
from collections.abc import Iterator
from typing import NamedTuple

from pytest_todeval.nlu.en import listed
from pytest_todeval.nlu.kinds.kind import Kind, Span

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b\.?"
)
_DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_DAY = (
    r"\b(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nes(?:day)?)?|thu(?:r(?:s(?:day)?)?)?"
    r"|fri(?:day)?|sat(?:urday)?|sun(?:day)?)s?\b\.?"
)
_ORDINALS = {
    word: number
    for number, word in enumerate(
        listed(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
            "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
        ),
        start=1,
    )
} | {"thirtieth": 30, "thirty-first": 31, "thirty first": 31}
for _number, _word in list(enumerate(list(_ORDINALS)[:9], start=21)):
    _ORDINALS |= {f"twenty-{_word}": _number, f"twenty {_word}": _number}
_ORDINAL = "|".join(sorted(_ORDINALS, key=len, reverse=True))
_NUMBER = rf"(?P<{{0}}>[0-3]?\d(?:st|nd|rd|th)?|{_ORDINAL})"
_YEAR = r"(?:,? ?(?:of )?(?P<{0}>(?:19|20)\d\d|['\u2019]\d\d))?(?!\d)"
_DATE = re.compile(
    r"(?<![\w-])(?P<y1>\d{4})[-/.](?P<m1>[01]?\d)[-/.](?P<d1>[0-3]?\d)(?!\d)"
    r"|(?<![\w./-])(?P<a>[0-3]?\d)(?P<mark>[./-])(?P<b>[0-3]?\d)(?:(?P=mark)(?P<y2>\d{4}"
    rf"|\d\d))?(?![\w/]|[.-]\d)|(?<!\w)(?:the )?{_NUMBER.format('d3')}(?:\.| of)?[ -]?(?!May (?:I"
    rf"|we)\b){_MONTH.format('m3')}-?{_YEAR.format('y3')}"
    rf"|\b{_MONTH.format('m4')} ?(?:the )?{_NUMBER.format('d4')}(?!\d|:\d|[ap]m"
    rf"| ?[ap]\.?m){_YEAR.format('y4')}|{_DAY}|\b(?P<relative>today|tonight|tomorrow"
    rf"|day after tomorrow)\b|\bthe (?P<d5>[0-3]?\d(?:st|nd|rd|th)|{_ORDINAL})\b"
    rf"|\b{_MONTH.format('m6')} (?P<y6>20\d\d)",
    re.I,
)


class Date(NamedTuple):
    """A date, as far as it is said; zero for what is not."""

    year: int = 0
    month: int = 0
    day: int = 0
    weekday: int = 0
    """1 is Monday."""
    relative: str = ""


_BETWEEN = re.compile(r"[\s,.(]{1,3}(?:the |on )?")


def _find(text: str) -> Iterator[Span]:
    day: Span | None = None
    """A day of the week, which a date may follow: `Saturday, 14 March`."""
    for match in _DATE.finditer(text):
        found = tuple(date for date in _dates(match) if date.month <= 12 and date.day <= 31)
        if not found:
            continue
        sure = not match["a"] or bool(match["y2"]) or match["mark"] == "/"
        span = Span(*match.span(), found, sure=sure and not match["relative"])
        if day and not match["weekday"] and _BETWEEN.fullmatch(text, day.end, span.start):
            weekday = day.readings[0].weekday
            dates = tuple(date._replace(weekday=weekday) for date in found)
            span = Span(day.start, span.end, dates)
            day = None
        elif day:
            yield day
            day = None
        if match["weekday"]:
            day = span
        else:
            yield span
    if day:
        yield day


def _dates(match: re.Match[str]) -> Iterator[Date]:
    if match["y1"]:
        yield Date(int(match["y1"]), int(match["m1"]), int(match["d1"]))
    elif match["a"]:
        a, b, year = int(match["a"]), int(match["b"]), _year(match["y2"])
        yield from (Date(year, month, day) for month, day in ((b, a), (a, b)) if month and day)
    elif match["weekday"]:
        yield Date(weekday=_DAYS.index(match["weekday"].lower()[:3]) + 1)
    elif match["relative"]:
        yield Date(relative=match["relative"].lower())
    elif match["d5"]:
        yield Date(day=_day(match["d5"]))
    elif match["m6"]:
        yield Date(int(match["y6"]), _month(match["m6"]))
    else:
        month, day = (match["m3"], match["d3"]) if match["m3"] else (match["m4"], match["d4"])
        yield Date(_year(match["y3"] or match["y4"]), _month(month), _day(day))


def _month(said: str) -> int:
    return _MONTHS.index(said.lower()[:3].replace("k", "c").replace("z", "c")) + 1


def _year(said: str | None) -> int:
    digits = re.sub(r"\D", "", said or "")
    return int(digits) + 2000 if len(digits) == 2 else int(digits or 0)


def _day(said: str) -> int:
    return _ORDINALS.get(said.lower()) or int(re.sub(r"\D", "", said) or 0)


def _agree(one: Date, other: Date) -> bool:
    """Says whether two dates may be the same: what both say is the same."""
    if one.relative or other.relative:
        return one.relative == other.relative
    days = [date.weekday or _weekday(date) for date in (one, other)]
    if all(days) and days[0] != days[1]:
        return False
    if not (one.day and other.day):
        return all(days)
    shared = [(a, b) for a, b in zip(one[:3], other[:3], strict=True) if a and b]
    return bool(shared) and all(a == b for a, b in shared) and one.day == other.day


def _weekday(date: Date) -> int:
    try:
        return datetime.date(*date[:3]).isoweekday()
    except ValueError:
        return 0


DATE = Kind("date", _find, _agree)
"""Dates, whole or in part: `14 March`, `03/14/2026`, `2026-03-14`, `Tuesday`, `the 5th`."""
