"""Predicates over figures: numbers, times, sums and ids, held against all that the bot knows."""

import re
from collections.abc import Iterator

from pytest_todeval.language.numbers import AMOUNT_IN_WORDS, from_words
from pytest_todeval.language.times import find_times, time_spans
from pytest_todeval.language.values import normalise
from pytest_todeval.rules.asides import is_nearly
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.known import founded_text, is_known, known_text, squeezed, squeezed_known
from pytest_todeval.rules.reckoned import totals
from pytest_todeval.rules.registry import predicate

_BELOW_100 = rf"(?:{AMOUNT_IN_WORDS}|zero)"
_WORDS = rf"(?:{_BELOW_100} hundred(?: and {_BELOW_100})?|{_BELOW_100})"
_NUMBER = rf"(?:(?<![\d.])\d[\d,]{{0,9}}(?:\.\d{{1,2}})?|\b{_WORDS}\b|\ban(?= hour))"
_CURRENCIES = {
    "pounds": r"\u00a3|\bpounds?\b|\bquid\b|\bgbp\b",
    "dollars": r"\$|\bdollars?\b|\busd\b",
    "euros": r"\u20ac|\beuros?\b|\beur\b",
}
CURRENCIES = {name: re.compile(pattern, re.I) for name, pattern in _CURRENCIES.items()}
_MONEY = re.compile(
    rf"[\u00a3$\u20ac] ?(?P<sign>\d[\d,]{{0,9}}(?:\.\d{{1,2}})?)"
    rf"|(?P<sum>{_NUMBER}) ?(?:pounds?|dollars?|euros?|quid|gbp|usd|eur)\b"
    rf"(?:(?: and)? (?P<part>{_NUMBER}) ?(?:pence|p|cents?)\b| (?P<bare>\d\d|{_BELOW_100})\b)?",
    re.I,
)
_PERCENT = re.compile(rf"(?P<n>{_NUMBER}) ?(?:%|percent\b|per cent\b)", re.I)
_RIDE = re.compile(
    rf"(?!24[ -]hour)(?P<h>{_NUMBER})[ -]hours?(?:(?: and|,)? (?P<m>{_NUMBER})[ -]min(?:ute)?s?)?\b"
    rf"|(?P<only>{_NUMBER})[ -]min(?:ute)?s?\b",
    re.I,
)
_SPAN = re.compile(
    rf"(?P<n>{_NUMBER})[ -](?:(?:business|working|calendar) )?(?P<unit>day|week|month|year)s?\b",
    re.I,
)
_CODE = re.compile(
    r"#?\b(?=[A-Za-z-]{0,8}\d)(?=[\dA-Za-z-]*[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*\b"
    r"|\b\d{4,16}\b|[\w.+-]{1,60}@[\w-]{1,60}\.[\w.]{1,40}|\b(?:https?://|www\.)\S{3,200}"
)
_NO_CODE = re.compile(
    r"^\d{1,4}(?:am|pm|st|nd|rd|th|h|hrs?|mins?|min|km|m|s|x|p|pm\w|star)$"
    r"|^\d{1,4}-[a-z]+(?:-[a-z]+)?$|^[a-z]+-\d{1,2}s?$|^(?:wifi\d?|covid-19|24h|4x4|b2b|mp3|h2o)$",
    re.I,
)
_WITH_CENTS = re.compile(r"\d{4,7}(?:\.\d{1,2})?(?![\w.]?\d)")
_DIGIT = "zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple"
_SPELT = re.compile(rf"\b(?=[zotfsend])(?:{_DIGIT})(?:[ ,-]{{1,2}}(?:{_DIGIT})){{3,19}}\b", re.I)
_AMOUNT = re.compile(r"(?<![\w.:/#-])\d{1,7}(?:\.\d+)?(?![\w:/-])")
_ANY_NUMBER = re.compile(_NUMBER, re.I)
_HOURS = re.compile(r"hours?|\bmin(?:ute)?s?\b", re.I)
_CURRENCY = re.compile("|".join(_CURRENCIES.values()), re.I)
_PER_CENT = re.compile(r"%|per ?cent", re.I)
_DAYS = re.compile(r"\b(?:day|week|month|year)s?\b", re.I)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_RECKONS = re.compile(
    r"\b(?:total|sum|together|altogether|differ\w*|remain\w*|balance|rest|both|all|more|less|left"
    r"|owe|additional|extra|plus|minus|after|refund\w*)\b",
    re.I,
)
"""What tells that an amount was reckoned from others."""
_CLOCK = re.compile(r"(?<![\d:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
_SUM = re.compile(
    r"(?P<a>\d{1,7}(?:\.\d{1,2})?) ?(?:nights?|people|tickets?|guests?|pounds?)? ?"
    r"(?P<op>[x\u00d7*+/\u2013-]|times|plus|minus) ?[\u00a3$\u20ac]?(?P<b>\d{1,7}(?:\.\d{1,2})?) ?"
    r"(?:nights?|people|tickets?|guests?|pounds?)? ?(?:=|equals|makes|is|comes to) ?"
    r"[\u00a3$\u20ac]?(?P<c>\d{1,7}(?:\.\d{1,2})?)",
    re.I,
)
_SUPPOSES = re.compile(r"\b(?:allow(?:ing)?|assum\w+|suppos\w+|if|say|let's say|about to)\b", re.I)
_EARLY = re.compile(r" (?:early|earlier|ahead|in advance|before|beforehand|short of)\b")
"""Behind a duration: how early the user should be, or by how much something falls short."""
_IN_TIME = re.compile(
    r"\b(?:in (?:good |plenty of )?time for|(?:shortly|well|just|a bit) (?:before|after|ahead of)"
    r"|be (?:there|(?:at|on) the (?:station|platform)) by)(?: (?:the|your|a|an))? $",
    re.I,
)
"""Before a time that is no train's or table's own."""
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


@predicate
def ungrounded(view: View) -> Found:
    """The bot tells a figure that nothing it knows contains.

    Figures are amounts, percentages, durations, times of day, ids, codes, long numbers and
    addresses of mail and web pages, in digits or words. It knows the results and arguments of its
    calls, what the user said, its policy and tools, and its bookings. A total is known if it is a
    multiple of a known amount, a sum or difference of two, or what several amounts of the results
    come to (`reckoned.totals`); a duration if it is that between two
    times of a result; a time also if it follows from another and a duration told with it.
    """
    if not is_known(view):
        return unknown("no results tell what it knows")
    text = view.facts.text
    found = list(_told(view, text))
    if not found:
        return unknown("tells no figure")
    wrong = next((figure for figure, known in found if not known), None)
    if wrong is not None:
        return yes(f"tells {wrong!r}, which is in no result and which the user did not say")
    return no("the figures it tells are known")


def _told(view: View, text: str) -> Iterator[tuple[str, bool]]:
    """Each figure, and whether it is known."""
    for match in _found(_MONEY, text, _CURRENCY):
        known = _knows_amount(view, text, _amount(match))
        if not known and match["bare"]:  # "four pounds twenty", or four pounds and twenty of others
            whole = _value(match["sum"])
            known = _knows_amount(view, text, whole + _value(match["bare"]) / 100)
        known = known or is_nearly(_ahead(text, match), _amount(match), _amounts_known(view))
        yield match[0], known
    for match in _found(_PERCENT, text, _PER_CENT):
        yield match[0], _knows_unit(view, match["n"], "%|percent|per cent")
    for match in _found(_RIDE, text, _HOURS):
        if not (_SUPPOSES.search(_ahead(text, match)) or _EARLY.match(text, match.end())):
            yield match[0], _knows_minutes(view, match)
    for match in _found(_SPAN, text, _DAYS):
        unit = match["unit"].lower()
        known = unit == "year" and _knows_age(view, match["n"])
        yield match[0], known or _knows_unit(view, match["n"], f"{unit}s?")
    for match in _CODE.finditer(text):
        if not _NO_CODE.match(match[0]) and not _MONEY.search(match[0]):
            known = squeezed(match[0]) in squeezed_known(view)
            yield match[0], known or _is_total(view, text, match)
    for match in _SPELT.finditer(text):
        yield match[0], _digits(match[0]) in squeezed_known(view)
    blanked = _CODE.sub(_blank, text)
    for start, _, time in time_spans(blanked):
        if not _IN_TIME.search(blanked[max(0, start - NEAR) : start]):
            yield time, _knows_time(view, text, normalise("time", time))


def _ahead(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - NEAR) : match.start()]


def _is_total(view: View, text: str, code: re.Match[str]) -> bool:
    """Whether a long number is what several known amounts come to."""
    whole = _WITH_CENTS.match(text, code.start())
    return whole is not None and round(float(whole[0]) * 100) in totals(view)


def _blank(match: re.Match[str]) -> str:
    """A blank for a code: its digits are no time."""
    return match[0] if _NO_CODE.match(match[0]) or match[0].isdigit() else " "


def _found(pattern: re.Pattern[str], text: str, sign: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The matches in a text; none, and soon, if it has no sign of the unit."""
    return pattern.finditer(text) if sign.search(text) else iter(())


def _value(words: str) -> float:
    if words[0].isdigit():
        return float(words.replace(",", ""))
    if words.lower() in ("a", "an"):
        return 1.0
    hundreds, _, rest = words.lower().rpartition(" hundred")
    if not hundreds:
        return float(from_words(words))
    return from_words(hundreds) * 100.0 + from_words(rest.replace(" and ", " "))


def _amount(match: re.Match[str]) -> float:
    if match["sign"]:
        return _value(match["sign"])
    return _value(match["sum"]) + (_value(match["part"]) / 100 if match["part"] else 0.0)


def _digits(spelt: str) -> str:
    found, times = "", 1
    for word in re.split(r"[ ,-]+", spelt.lower()):
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
        else:
            found += str(0 if word == "oh" else from_words(word)) * times
            times = 1
    return found


def _knows_amount(view: View, text: str, wanted: float) -> bool:
    known = _amounts_known(view)
    if any(abs(wanted - each) < 0.005 for each in known):
        return True
    large = {each for each in known if each >= LEAST}
    counts = _counts(view, text)
    if any(abs(wanted - each * n) < 0.05 for each in large for n in counts):
        return True
    if round(wanted * 100) in totals(view):
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
    spoken = {_value(match[0]) for match in _ANY_NUMBER.finditer(said)}
    return [n for n in range(2, MOST_TIMES + 1) if n in spoken]


def _amounts_known(view: View) -> frozenset[float]:
    return view.evidence.once(("amounts", view.index), lambda: _amounts(view))


def _amounts(view: View) -> frozenset[float]:
    found = _AMOUNT.findall(known_text(view).replace(",", " "))
    return frozenset(map(float, found[-MOST_AMOUNTS:]))


def _knows_unit(view: View, number: str, unit: str) -> bool:
    """Whether a number stands shortly before that unit in what is known, or right after it."""
    value = _value(number)
    numbers = view.evidence.once(
        ("numbers by", unit, view.index), lambda: _numbers_by(known_text(view), unit)
    )
    return any(abs(each - value) < 0.005 for each in numbers)


def _numbers_by(text: str, unit: str) -> frozenset[float]:
    found: set[float] = set()
    for match in re.finditer(unit, text):
        before = re.split(r"[.\n](?!\d)", text[max(0, match.start() - NEAR) : match.start()])[-1]
        around = f"{before} {text[match.end() : match.end() + AFTER]}"
        found.update(_value(each[0]) for each in _ANY_NUMBER.finditer(around))
    return frozenset(found)


def _knows_age(view: View, number: str) -> bool:
    """Whether so many years lie between two years that are known."""
    years = {int(year) for year in _YEAR.findall(known_text(view))}
    return any(0 <= abs(one - other) - _value(number) <= 1 for one in years for other in years)


def _knows_minutes(view: View, match: re.Match[str]) -> bool:
    wanted = _minutes(match)
    rows = view.evidence.rows_until(view.index)
    rides = {_between(str(row.get("leaveAt", "")), str(row.get("arriveBy", ""))) for row in rows}
    clocks = [clock[0] for clock in _CLOCK.finditer(view.facts.text)][:MOST_CLOCKS]
    rides |= {_between(one, other) for one in clocks for other in clocks}
    if wanted in rides:
        return True
    known = view.evidence.once(("rides", view.index), lambda: durations(known_text(view)))
    if is_nearly(_ahead(view.facts.text, match), wanted, [*known, *filter(None, rides)]):
        return True
    return any(abs(wanted - each) < 1 for each in known)


def durations(text: str) -> frozenset[float]:
    """All durations of hours and minutes in a text, in minutes."""
    found: set[float] = set()
    for place in _HOURS.finditer(text):
        near = text[max(0, place.start() - NEAR) : place.end() + NEAR]
        found.update(map(_minutes, _RIDE.finditer(near)))
    return frozenset(found)


def _minutes(match: re.Match[str]) -> float:
    if match["only"]:
        return _value(match["only"])
    return _value(match["h"]) * 60 + _value(match["m"] or "0")


def _between(one: str, other: str) -> float | None:
    first, last = _CLOCK.search(one), _CLOCK.search(other)
    if first is None or last is None:
        return None
    minutes = [int(m[1]) * 60 + int(m[2]) for m in (first, last)]
    return float((minutes[1] - minutes[0]) % 1440)


def _knows_time(view: View, text: str, time: str) -> bool:
    known = known_text(view)
    if time in known or time.lstrip("0") in known:
        return True
    clock = view.evidence.once(("clock", view.index), lambda: _clock(view))
    if time in clock:
        return True
    steps = [_minutes(match) for match in _RIDE.finditer(text)]
    return any(_between(each, time) in steps or _between(time, each) in steps for each in clock)


def _clock(view: View) -> frozenset[str]:
    """The times that are known: in whatever form the user said them, in figures elsewhere."""
    said = {normalise("time", each) for each in find_times(view.evidence.user_said(view.index))}
    hours = ((int(m[1]), m[2]) for m in _CLOCK.finditer(founded_text(view)))
    return frozenset(said | {f"{hour:02}:{minute}" for hour, minute in hours})


@predicate
def miscalculates(view: View) -> Found:
    """The bot writes a sum that does not come out: "3 x 40 = 110"."""
    found = list(_SUM.finditer(view.facts.text))
    for match in found:
        one, other, told = (float(match[name]) for name in "abc")
        operation = match["op"].lower()
        if operation in "x\u00d7*" or operation == "times":
            real = one * other
        elif operation in ("+", "plus"):
            real = one + other
        elif operation == "/":
            real = one / other if other else told
        else:
            real = one - other
        if abs(real - told) > 0.01:
            return yes(f"says {match[0]!r}; it is {real:g}")
    return no("its sums come out") if found else unknown("shows no sum")


@predicate
def changes_currency(view: View) -> Found:
    """The bot tells an amount in another currency than all that it knows are in."""
    text = view.facts.text
    if not _MONEY.search(text):
        return unknown("tells no amount")
    known = known_text(view)
    used = [name for name, pattern in CURRENCIES.items() if pattern.search(known)]
    if not used:
        return unknown("nothing tells the currency")
    for name, pattern in CURRENCIES.items():
        if name not in used and any(pattern.search(m[0]) for m in _MONEY.finditer(text)):
            return yes(f"tells an amount in {name}; what it knows is in {' and '.join(used)}")
    return no("tells amounts in the currency that it knows")
