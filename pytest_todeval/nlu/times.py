"""Times of day as people write them."""

import re
from collections.abc import Iterator
from functools import lru_cache

from pytest_todeval.nlu.numbers import AMOUNT_IN_WORDS, from_words

_HALF = r"([ap]) ?\.? ?m\b\.?"
_HOURS = {
    word: number
    for number, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        start=1,
    )
}
_PARTS = {"half": 30, "quarter": 15, "twenty five": 25, "twenty": 20, "ten": 10, "five": 5}
_HOUR = rf"(?:{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_SAID = re.compile(
    r"\b(?:(?:(?P<part>half|(?:a )?quarter|(?:twenty[ -]five|twenty|ten"
    "|five)(?: minutes)?(?= past)|(?<=at )(?:twenty[ -]five|twenty|ten|five)"
    rf"|(?<=by )(?:twenty[ -]five|twenty|ten|five))[ -](?P<way>past|to|after)(?= {_HOUR}\b)"
    rf"|(?P<bare>half)(?= {_HOUR}\b(?!-| (?:hour|star|people"
    rf"|price)))) ?)?\b(?P<hour>{_HOUR})(?: (?P<more>fifteen|thirty"
    r"|forty[ -]five))?(?P<clock>(?: ?-?o ?'? ?clock)?(?: ?(?P<half>[ap]) ?\.? ?m\b\.?"
    r"| (?P<day>in the (?:morning|afternoon|evening)|at night|tonight))?)(?![\w:]|\.\d)",
    re.IGNORECASE,
)
"""A time in words: "half past six", "quarter to 9", "seven thirty pm", "eight o'clock"."""
_FORMS = (
    rf"([01]?\d|2[0-4]) ?: ?([0-5]\d)(?!\d)(?: ?{_HALF})?",
    rf"(1[0-2]|0?[1-9])(?:\.([0-5]\d))? ?{_HALF}",
    rf"(?<![^\W_])([01]\d|2[0-3])([0-5]\d)(?: ?(?:hours|hrs|h)\b| ?{_HALF})",
    r"(?:(?<=\bat )|(?<=\bby )|(?<![^\W_])(?=[012]\d))([01]?\d|2[0-3]) ?h ?([0-5]\d)(?!\w)()",
    rf"(1[0-2]|[1-9])() ?o ?'? ?clock(?: ?{_HALF})?",
    r"(?<=\bat )([01]\d|2[0-3])([0-5]\d)(?!\d| ?(?:gbp|pounds?)\b)()",
)
"""Each with three groups: hour, minute, a or p."""

_TIME = re.compile(
    rf"(?<![\d:.£$])(?:{'|'.join(_FORMS)})|\b(noon|midday|midnight)\b", re.IGNORECASE
)
_BARE = re.compile(r"([01]?\d|2[0-4])(?:[:.]?([0-5]\d))?")
_DOTTED = re.compile(
    r"(?<![\w.:£$€-])([01]?\d|2[0-3])\.([0-5]\d)(?![\w%:-]|[.,]\d| ?(?:[ap]\.? ?m\b|pounds?|gbp"
    r"|quid|euros?|eur|dollars?|usd|pence|per\b|each\b|a (?:ticket|head|person|night)|km"
    r"|kilomet\w+|miles?|met(?:er|re)s?|stars?|points?|out of|percent|%|[x*+=\u00d7]))",
    re.IGNORECASE,
)
"""A time with a point between its figures; an amount or a measure looks the same."""
_EXPECTED = re.compile(
    r"\b(?P<clock>leav\w*|left|depart\w*|arriv\w*|gets? (?:you )?(?:in|into|there)|be there"
    r"|sets? off|pick\w* (?:you )?up|pickup|drop\w* (?:you )?off|book\w*|reserv\w*|table|time"
    r"|train)\b|(?P<other>\b(?:pric\w*|costs?|fares?|pay\w*|charg\w*|fees?|tickets?|totals?"
    r"|amounts?|sums?|rat\w*|scor\w*|version|distance)\b|[£$€])",
    re.IGNORECASE,
)
"""What a figure with a point is after these words: a time, or something else."""
_AT = re.compile(
    r"(?:\b(?:at|by|from|until|till|before|after|about|around|for|time is|leaves"
    r"|departs|arrives)|[:|])[ *_`]{0,4}$",
    re.IGNORECASE,
)
NEAR = 80
"""Characters before a figure with a point in which the words stand that make it a time."""


def _minutes(hour: int, minute: int, half: str) -> int:
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + minute


def _matched(match: re.Match[str]) -> int:
    *groups, word = match.groups()
    if word:
        return 0 if word.lower() == "midnight" else 720
    first = next(index for index in range(0, len(groups), 3) if groups[index])
    hour, minute, half = groups[first : first + 3]
    return _minutes(int(hour), int(minute or 0), (half or "").lower())


def clock(minutes: int) -> str:
    """Minutes since midnight as HH:MM."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def time_spans(text: str) -> list[tuple[int, int, str]]:
    """Returns where times stand in a text: `(start, end, "HH:MM")`, in order."""
    found: list[tuple[int, int, str]] = []
    if _FIGURE.search(text):
        found = [(m.start(), m.end(), clock(_matched(m))) for m in _TIME.finditer(text)]
        found = sorted([*found, *_dotted(text)])
    if _WORDED.search(text):
        worded = list(_said(text))
        taken = {place for start, end, _ in worded for place in range(start, end)}
        found = sorted([*(one for one in found if one[0] not in taken), *worded])
    return found


def _dotted(text: str) -> Iterator[tuple[int, int, str]]:
    """Times like 18.45 that follow words of leaving, arriving or booking, not those of money."""
    for match in _DOTTED.finditer(text):
        before = text[max(0, match.start() - NEAR) : match.start()]
        words = list(_EXPECTED.finditer(before))
        if words and words[-1]["clock"] and _AT.search(before):
            yield match.start(), match.end(), f"{int(match[1]):02d}:{match[2]}"


_FIGURE = re.compile(r"\d|noon|midday|midnight", re.IGNORECASE)
"""Stands in every text with a time in figures, or with a word like "noon"."""
_WORDED = re.compile(
    r"\b(?:past|(?:at|by|quarter|minutes) (?:\w+ )?to|quarter to|half|clock|oclock|thirty|fifteen"
    r"|forty|evening|morning|afternoon|(?:to)?night|[ap] ?m|\w+teen|twenty|fifty|hundred)\b",
    re.IGNORECASE,
)
"""One of these stands in every text with a time in words."""
_LATE_HOURS = {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
    "nineteen": 19, "twenty": 20, "twenty one": 21, "twenty two": 22, "twenty three": 23,
    "twenty four": 24,
}  # fmt: skip
_MINUTES = {"hundred": 0, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
            "forty five": 45, "fifty": 50, "fifty five": 55}  # fmt: skip
_LATE = re.compile(
    r"(?:(?<=\bat )|(?<=\bby )|(?<=\bafter )|(?<=\bbefore )|(?<=\bfrom )|(?<=\buntil )|(?<=\bbe )"
    r"|(?<=\bis )|^)"
    rf"(?P<hour>{'|'.join(_LATE_HOURS).replace(' ', '[ -]')})[ -]"
    rf"(?P<minute>{'|'.join(sorted(_MINUTES, key=len, reverse=True)).replace(' ', '[ -]')})\b"
    r"(?! (?:pounds?|people|persons?|nights?|stars?|thousand|hundred|percent|minutes)\b)",
    re.IGNORECASE,
)
"""A time from 13:00 on in words, as speech recognisers write it: "at eighteen forty five"."""


_OFF = re.compile(
    rf"\b(?P<count>{AMOUNT_IN_WORDS}) (?:minutes? (?P<way>to|past|before|after)|past) $",
    re.IGNORECASE,
)


SMALL_HOURS = 300
"""Minutes of a clock's face before which a time "at night" is after midnight: "two at night"."""


def _said(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _LATE.finditer(text):
        hour, minute = (match[name].lower().replace("-", " ") for name in ("hour", "minute"))
        yield match.start(), match.end(), clock(_LATE_HOURS[hour] * 60 + _MINUTES[minute])
    for match in _SAID.finditer(_LATE.sub(lambda late: "." * len(late[0]), text)):
        part = match["part"] or match["bare"] or match["more"]
        off = None if part else _OFF.search(text, max(0, match.start() - NEAR), match.start())
        if off is not None:  # "eighteen minutes to four in the afternoon" is not four
            count = from_words(off["count"]) % 60
            if match["clock"].strip() and count == from_words(off["count"]):
                before = (off["way"] or "").lower() in ("to", "before")
                yield off.start(), match.end(), clock(_worded(match, -count if before else count))
            continue
        if part or match["day"] or (match["clock"].strip() and match["hour"].isalpha()):
            yield match.start(), match.end(), clock(_worded(match))


def _worded(match: re.Match[str], off: int = 0) -> int:
    """Minutes since midnight of a time in words, and of one that is `off` minutes from it."""
    hour = match["hour"].lower()
    minutes = (_HOURS.get(hour) or int(hour)) * 60
    more = (match["more"] or "").replace("-", " ").lower()
    minutes += {"": 0, "fifteen": 15, "thirty": 30, "forty five": 45}[more] + off
    part = (match["part"] or match["bare"] or "").lower().replace("-", " ")
    part = part.removeprefix("a ").removesuffix(" minutes")
    offset = _PARTS.get(part, 0)
    minutes += -offset if match["way"] == "to" else offset
    half, day = (match["half"] or "").lower(), (match["day"] or "").lower()
    night = day.endswith("night") and not SMALL_HOURS <= minutes < 720
    if half == "a" or day.endswith("morning") or night:
        return minutes % 720
    later = half == "p" or day.endswith(("afternoon", "evening", "night"))
    return minutes + 720 if later and minutes < 720 else minutes


def find_times(text: str) -> list[str]:
    """The times of day in a text as `HH:MM` (24 hours), in order: "5:30 pm" gives "17:30"."""
    return [clock for _, _, clock in time_spans(text)]


@lru_cache(maxsize=8192)
def to_minutes(time: str) -> int | None:
    """Minutes since midnight of a time ("17:30" and "5:30 pm" -> 1050), or None if it is none.

    Hours run to 24:59, which MultiWOZ uses for arrivals after midnight.
    """
    time = time[:80].strip()
    if match := _SAID.fullmatch(time):
        return _worded(match)
    if _WORDED.search(time):
        whole = (clock for *span, clock in _said(time) if span == [0, len(time)])
        if (worded := next(whole, None)) is not None:
            return int(worded[:2]) * 60 + int(worded[3:])
    if match := _TIME.search(time):
        return _matched(match)
    if match := _BARE.fullmatch(time.lower().removeprefix("at ").removeprefix("by ")):
        return int(match[1]) * 60 + int(match[2] or 0)
    return None


def to_clock(time: str) -> str | None:
    """Returns a time as `HH:MM`, or None if it is none."""
    minutes = to_minutes(time)
    return None if minutes is None else clock(minutes)
