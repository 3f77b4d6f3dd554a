"""Predicates over figures: numbers, times, sums and ids, held against all that the bot knows."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.known import is_known, is_known_code, known_text
from pytest_todeval.evaluate.rules.known_figures import (
    MONTHS,
    knows_amount,
    knows_date,
    knows_label,
    knows_minutes,
    knows_time,
    knows_unit,
)
from pytest_todeval.evaluate.rules.quantities import (
    CURRENCIES,
    MONEY,
    NUMBER,
    RIDE,
    amount_of,
    number_of,
)
from pytest_todeval.evaluate.rules.reckoned import totals
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.nlu.kinds.dates import DATE
from pytest_todeval.nlu.kinds.phones import PHONE
from pytest_todeval.nlu.times import time_spans
from pytest_todeval.nlu.values.normalise import normalise

_PER_CENT = ("%", "percent", "per cent")
_UNITS = re.compile(
    rf"(?P<n>{NUMBER})[ -]?(?:(?:business|working|calendar) )?(?:(?P<unit>percent|per cent|days?"
    r"|weeks?|months?|years?|miles?|km|kilomet(?:er|re)s?|met(?:er|re)s?|yards?|feet|degrees?"
    r"|floors?|store?ys?|stories|blocks?|calories|points|litres?|bedrooms|gb|mbps|kg)\b|(?P<sign>%))",
    re.I,
)
_SIGNS = (
    "%", "per", "day", "week", "month", "year", "mile", "k", "met", "yard", "feet", "degree",
    "floor", "stor", "block", "calor", "point", "lit", "bedroom", "gb", "mbp",
)  # fmt: skip
"""One of these stands in a text that tells a quantity."""
_LABELLED = re.compile(
    r"\b(?P<label>seat|platform|gate|coach|carriage|room|table|floor|terminal|bay|desk|counter"
    r"|aisle|row|lane|suite|level|track|zone|locker) (?:number |no\.? ?|nr\.? ?"
    r"|#)?(?P<n>\d{1,4}(?:\.\d{1,3})?(?:(?-i:[ -][A-H]\b)|[a-z]?)|(?-i:[A-H]))\b(?![:/])",
    re.I,
)
"""What goes by a number: "platform 4"."""
_CODE = re.compile(
    r"#?\b(?=[A-Za-z-]{0,8}\d)(?=[\dA-Za-z-]*[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*\b"
    r"|\b\d{4,16}\b|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{1,40}|\b(?:https?://|www\.)\S{3,200}"
)
_NO_CODE = re.compile(
    r"^(?-i:[a-z]\d)$|^\d{1,4}(?:am|pm|st|nd|rd|th|h|hrs?|mins?|min|km|m|s|x|p|n|pm\w|star)$"
    r"|^\d{1,4}-[a-z]+(?:-[a-z]+)?$|^(?-i:[A-Z]?[a-z]+-\d{1,2}s?)$|^(?:x\d{1,2}|wifi\d?|covid-19|24h|4x4|b2b|mp3|h2o)$",
    re.I,
)
_WITH_CENTS = re.compile(r"\d{4,7}(?:\.\d{1,2})?(?![\w.]?\d)")
_EARLY = re.compile(r" (?:early|earlier|ahead|in advance|before|beforehand|short of)\b")
"""Behind a duration: how early the user should be, or by how much something falls short."""
_OF_DAY = re.compile(r"(?:mid)?(?:night|day)|noon", re.I)
"""Parts of a day that are told of no one hour: "until past midnight"."""
_ITS_OWN = re.compile(
    r"\b(?:I['\u2019]m|I am|we['\u2019]re|we are)(?! \w+ing| open| shut| closed"
    r"| free)\b[^.!?]{0,30}\b(?:until|till|by|before) $|\b(?:tell|let|ask|call|message|answer"
    r"|write(?: to)?) (?:me|us)\b[^.!?]{0,30}\b(?:until|till|by|before) $",
    re.I,
)
"""Before a time that is the speaker's own: "I'm here until six"."""
AROUND = 24
"""Characters around a piece of a code in which its other pieces stand."""
LEAST_GROUPED = 5
"""Characters of a code that is told in groups."""
_SPELT = re.compile(r"(?<!\w)\w(?:[-. ]\w)+(?!\w)")
"""Letter by letter: "a-n-7-1-6"."""
_PIECE = re.compile(r"[A-Za-z\d]+")
NEAR = 40
"""Characters before a time that tell what it is of."""


@predicate
def ungrounded(view: View) -> Found:
    """The bot tells a figure that nothing it knows contains.

    Figures are amounts, percentages, durations, distances and the like, dates, times of day, ids,
    codes, long numbers, what goes by a number ("platform 4"), and addresses of mail and web pages,
    in digits or words. It knows the results and arguments of its calls, what the user said, its
    policy and tools, and its bookings. A total is known if it is a multiple of a known amount, a
    sum or difference of two, or what several amounts of the results come to (`reckoned.totals`); a
    duration if it is that between two times of a result; a time also if it follows from another
    and a duration told with it; a date if the day before or after it is.
    """
    if not is_known(view):
        return unknown("no results tell what it knows")
    found = list(_told(view, view.facts.text))
    if not found:
        return unknown("tells no figure")
    wrong = next((figure for figure, known in found if not known), None)
    if wrong is not None:
        return yes(f"tells {wrong!r}, which is in no result and which the user did not say")
    return no("the figures it tells are known")


def _told(view: View, text: str) -> Iterator[tuple[str, bool]]:
    """Each figure, and whether it is known."""
    small = text.lower()
    for match in MONEY.finditer(text):
        known = knows_amount(view, match, amount_of(match))
        if not known and match["bare"]:  # "four pounds twenty", or four pounds and twenty of others
            whole = number_of(match["sum"]) + number_of(match["bare"]) / 100
            known = knows_amount(view, match, whole)
        yield match[0], known
    for match in RIDE.finditer(text) if "hour" in small or "min" in small else ():
        if not _EARLY.match(text, match.end()):
            yield match[0], knows_minutes(view, match)
    yield from _measured(view, text, small)
    for match in _CODE.finditer(text):
        if not _NO_CODE.match(match[0]) and not MONEY.search(match[0]):
            known = is_known_code(view, match[0])
            hour = re.fullmatch(r"(\d{1,2})h(\d\d)", match[0])
            known = known or (hour is not None and knows_time(view, f"{hour[1]:0>2}:{hour[2]}"))
            yield match[0], known or _is_part(view, text, match) or _is_total(view, text, match)
    blanked = _CODE.sub(_blank, text)
    for start, end, time in time_spans(blanked):
        if _OF_DAY.fullmatch(blanked[start:end]):
            continue
        before = blanked[max(0, start - NEAR) : start]
        if not _ITS_OWN.search(before):
            yield time, knows_time(view, normalise("time", time))


def _measured(view: View, text: str, small: str) -> Iterator[tuple[str, bool]]:
    """Quantities with their units, dates, and what goes by a number."""
    for match in _UNITS.finditer(text) if any(sign in small for sign in _SIGNS) else ():
        unit = (match["unit"] or match["sign"]).lower()
        form = "|".join(_PER_CENT) if unit in _PER_CENT else f"{unit.removesuffix('s')}s?"
        yield match[0], knows_unit(view, match["n"], form)
    for span in DATE.spans(text):
        date, said = span.readings[0], text[span.start : span.end]
        if date.day and any(month[:3] in said.lower() for month in MONTHS[1:]):
            yield said, knows_date(view, date.month, date.day)
    for match in _LABELLED.finditer(text):
        code = not match["n"].isdigit() and len(match["n"]) > 1 and is_known_code(view, match["n"])
        yield match[0], code or knows_label(view, match["label"].lower(), match["n"])


def _is_part(view: View, text: str, code: re.Match[str]) -> bool:
    """Whether a code is a piece of a known one that is told in groups: "01632 960 153"."""
    known = known_text(view)
    for span in PHONE.spans(text):
        if span.start <= code.start() < span.end and PHONE.told(text[span.start : span.end], known):
            return True
    for spelt in _SPELT.finditer(text):
        if spelt.start() <= code.start() < spelt.end() and is_known_code(view, spelt[0]):
            return True
    start = max(0, code.start() - AROUND)
    pieces = list(_PIECE.finditer(text, start, code.end() + AROUND))
    groups = (pieces[at : at + size] for size in (2, 3, 4, 5) for at in range(len(pieces)))
    return any(
        group[0].start() <= code.start()
        and code.end() <= group[-1].end()
        and is_known_code(view, "".join(piece[0] for piece in group))
        for group in groups
        if _is_one(group)
    )


def _is_one(group: Sequence[re.Match[str]]) -> bool:
    """Whether pieces stand so close that they may be one code."""
    gaps = (b.start() - a.end() for a, b in pairwise(group))
    return sum(len(piece[0]) for piece in group) >= LEAST_GROUPED and all(g <= 3 for g in gaps)


def _is_total(view: View, text: str, code: re.Match[str]) -> bool:
    """Whether a long number is what several known amounts come to."""
    whole = _WITH_CENTS.match(text, code.start())
    return whole is not None and round(float(whole[0]) * 100) in totals(view)


def _blank(match: re.Match[str]) -> str:
    """A blank for a code: its digits are no time."""
    return match[0] if _NO_CODE.match(match[0]) or match[0].isdigit() else " "


@predicate
def changes_currency(view: View) -> Found:
    """The bot tells an amount in another currency than all that it knows are in."""
    text = view.facts.text
    if not MONEY.search(text):
        return unknown("tells no amount")
    known = known_text(view)
    used = [name for name, pattern in CURRENCIES.items() if pattern.search(known)]
    if not used:
        return unknown("nothing tells the currency")
    for name, pattern in CURRENCIES.items():
        if name not in used and any(pattern.search(m[0]) for m in MONEY.finditer(text)):
            return yes(f"tells an amount in {name}; what it knows is in {' and '.join(used)}")
    return no("tells amounts in the currency that it knows")
