"""Whether the bot knows a figure: it stands in what is known, or follows from what stands there."""

import re
from calendar import month_name
from datetime import date, timedelta

from pytest_todeval.evaluate.rules.asides import is_nearly
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.evaluate.rules.known import founded_text, known_text, squeezed
from pytest_todeval.evaluate.rules.quantities import (
    ANY_NUMBER,
    CLOCK,
    RIDE,
    between,
    durations,
    minutes_of,
    number_of,
)
from pytest_todeval.evaluate.rules.reckoned import totals
from pytest_todeval.nlu.times import find_times
from pytest_todeval.nlu.values.normalise import normalise

_AMOUNT = re.compile(r"(?<![\w.:/#-])\d{1,7}(?:\.\d+)?(?![\w:/-])")
_RECKONS = re.compile(
    r"\b(?:total|sum|together|altogether|differ\w*|remain\w*|balance|rest|both|all|more|less|left"
    r"|owe|additional|extra|plus|minus|after|refund\w*)\b",
    re.I,
)
"""What tells that an amount was reckoned from others."""
MONTHS = tuple(name.lower() for name in month_name)
"""By number; the first is none."""
MOST_AMOUNTS = 400
LEAST = 5.0
"""Smaller amounts are counts of anything: no total follows from them."""
NEAR = 40
AFTER = 7
"""Characters before and after a unit in which its number stands."""
MOST_CLOCKS = 12
"""Times of a reply between which durations are looked for."""
MOST_TIMES = 9
"""For how many people or nights a price is multiplied."""


def ahead(text: str, match: re.Match[str]) -> str:
    """Returns the characters before a figure."""
    return text[max(0, match.start() - NEAR) : match.start()]


def knows_amount(view: View, match: re.Match[str], wanted: float) -> bool:
    """Whether an amount is known, or a multiple, sum or difference of known ones, or near one."""
    text = view.facts.text
    known = view.evidence.once(("amounts", view.index), lambda: _amounts(view))
    if any(abs(wanted - each) < 0.005 for each in known):
        return True
    large = {each for each in known if each >= LEAST}
    counts = _counts(view, text)
    if any(abs(wanted - each * n) < 0.05 for each in large for n in counts):
        return True
    if round(wanted * 100) in totals(view) or is_nearly(ahead(text, match), wanted, known):
        return True
    if not _RECKONS.search(text):
        return False
    cents = {round(each * 100) for each in large}
    goal = round(wanted * 100)
    return any(goal - each in cents or goal + each in cents for each in cents)


def _counts(view: View, text: str) -> list[int]:
    """By what a price may be multiplied: numbers that were said or booked."""
    said = f"{text} {view.evidence.user_said(view.index)} "
    said += " ".join(str(n) for b in view.evidence.bookings or () for n in b.slots.values())
    spoken = {number_of(match[0]) for match in ANY_NUMBER.finditer(said)}
    return [n for n in range(2, MOST_TIMES + 1) if n in spoken]


def _amounts(view: View) -> frozenset[float]:
    found = _AMOUNT.findall(known_text(view).replace(",", " "))
    return frozenset(map(float, found[-MOST_AMOUNTS:]))


def knows_unit(view: View, number: str, unit: str) -> bool:
    """Says whether a number stands shortly before that unit in what is known, or right after it."""
    value = number_of(number)
    numbers = view.evidence.once(
        ("numbers by", unit, view.index), lambda: _numbers_by(known_text(view), unit)
    )
    return any(abs(each - value) < 0.005 for each in numbers)


def _numbers_by(text: str, unit: str) -> frozenset[float]:
    found: set[float] = set()
    for match in re.finditer(unit, text):
        before = re.split(r"[.\n](?!\d)", text[max(0, match.start() - NEAR) : match.start()])[-1]
        around = f"{before} {text[match.end() : match.end() + AFTER]}"
        found.update(number_of(each[0]) for each in ANY_NUMBER.finditer(around))
    return frozenset(found)


def knows_minutes(view: View, match: re.Match[str]) -> bool:
    """Says whether a duration is known, or lies between two times of a row or of the reply."""
    wanted = minutes_of(match)
    rows = view.evidence.rows_until(view.index)
    rides = {between(str(row.get("leaveAt", "")), str(row.get("arriveBy", ""))) for row in rows}
    clocks = [clock[0] for clock in CLOCK.finditer(view.facts.text)][:MOST_CLOCKS]
    rides |= {between(one, other) for one in clocks for other in clocks}
    if wanted in rides:
        return True
    known = view.evidence.once(("rides", view.index), lambda: durations(known_text(view)))
    if is_nearly(ahead(view.facts.text, match), wanted, [*known, *filter(None, rides)]):
        return True
    return any(abs(wanted - each) < 1 for each in known)


def knows_time(view: View, time: str) -> bool:
    """Whether a time of day is known, or follows from a known one and a duration of the reply."""
    if re.search(rf"(?<![\d:]){re.escape(time.lstrip('0'))}(?!\d)", known_text(view)):
        return True
    clock = view.evidence.once(("clock", view.index), lambda: _clock(view))
    if time in clock:
        return True
    steps = [minutes_of(match) for match in RIDE.finditer(view.facts.text)]
    return any(between(each, time) in steps or between(time, each) in steps for each in clock)


def _clock(view: View) -> frozenset[str]:
    """The times that are known: in whatever form the user said them, in figures elsewhere."""
    said = {normalise("time", each) for each in find_times(view.evidence.user_said(view.index))}
    hours = ((int(m[1]), m[2]) for m in CLOCK.finditer(founded_text(view)))
    return frozenset(said | {f"{hour:02}:{minute}" for hour, minute in hours})


def knows_label(view: View, label: str, number: str) -> bool:
    """Says whether something goes by a number ("platform 4") in what is known."""
    named = (
        rf"{label}s?[\W_]{{0,2}}(?:(?:number|no|nr|id|is)\b)?\W{{0,6}}{re.escape(squeezed(number))}"
    )
    return re.search(rf"{named}(?![a-z0-9])", known_text(view)) is not None


def knows_date(view: View, month: int, day: int) -> bool:
    """Says whether a day of a month is known, or the day before or after it."""
    try:
        meant = date(2024, month, day)  # a year with a 29th of February
    except ValueError:
        return False
    around = [meant + timedelta(days=step) for step in (0, -1, 1)]
    return any(_stands(each, known_text(view)) for each in around)


def _stands(day: date, known: str) -> bool:
    name = MONTHS[day.month]
    words = "|".join(
        (
            rf"(?<!\d)0?{day.day}(?:st|nd|rd|th)?\W{{0,3}}(?:of )?{name[:3]}",
            rf"{name[:3]}(?:{name[3:]})?\W{{0,3}}(?:the )?0?{day.day}(?!\d)",
            rf"(?:19|20)\d\d\W?{day.month:02}\W?{day.day:02}",
            rf"(?<!\d){day.month:02}\W?{day.day:02}\W?(?:19|20)\d\d",
            rf"(?<!\d){day.day:02}\W?{day.month:02}\W?(?:19|20)\d\d",
        )
    )
    return re.search(words, known) is not None
