"""Quantities with a unit, and lengths of time."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from pytest_todeval.nlu.kinds.kind import Kind, Span
from pytest_todeval.nlu.kinds.numbers import NUMBER, readings

_UNITS: Mapping[str, Mapping[str, str]] = {
    "weight": {
        "0.001": r"mg|milligram(?:me)?s?", "1": r"g|gr|grams?|grammes?",
        "1000": r"kgs?|kilos?|kilogram(?:me)?s?", "28.35": r"oz|ounces?",
        "453.59": r"lbs?|pounds?", "6350": r"st|stones?", "1000000": r"t|tons?|tonnes?",
    },
    "length": {
        "0.001": r"mm|millimet(?:er|re)s?", "0.01": r"cms?|centimet(?:er|re)s?",
        "1": r"m|mtrs?|met(?:er|re)s?", "1000": r"kms?|kilomet(?:er|re)s?",
        "0.0254": r"in|inch(?:es)?|\"|″", "0.3048": r"ft|foot|feet|'|′",
        "0.9144": r"yds?|yards?", "1609.3": r"mi|miles?",
    },
    "area": {
        "1": r"sq\.? ?m(?:et(?:er|re)s?)?|m2|m²|square met(?:er|re)s?",
        "0.0929": r"sq\.? ?ft|sqft|square (?:feet|foot)",
    },
    "volume": {
        "0.001": r"ml|millilit(?:er|re)s?", "0.01": r"cl", "1": r"l|lit(?:er|re)s?|ltrs?",
        "3.785": r"gal|gallons?", "0.568": r"pints?",
    },
    "data": {
        "1": r"mbs?|megs?|megabytes?", "1000": r"gbs?|gigs?|gigabytes?",
        "1000000": r"tbs?|terabytes?",
    },
    "speed": {"1": r"mbps|mbit/s|mb/s|megabits? per second|megabits?", "1000": r"gbps|gbit/s"},
    "power": {"1": r"w|watts?", "1000": r"kw|kilowatts?"},
    "energy": {"1": r"kwh|kilowatt[ -]hours?"},
    "temperature": {"1": r"°c|°|degrees?(?: celsius)?|celsius"},
    "fahrenheit": {"1": r"°f|degrees fahrenheit|fahrenheit"},
    "pressure": {"1": r"bars?", "0.069": r"psi", "0.01": r"kpa"},
    "share": {"1": r"%|percent|per cent|pct"},
    "money": {"1": r"[$£€₹]|dollars?|euros?|usd|gbp|eur|inr|rupees?|quid|pence|cents?"},
    "time": {
        "0.0167": r"s|secs?|seconds?", "1": r"min|mins|minutes?", "60": r"h|hrs?|hours?",
        "1440": r"(?:business |working |calendar )?days?|nights?", "10080": r"weeks?|wks?",
        "20160": r"fortnights?", "43200": r"months?", "525600": r"years?|yrs?",
    },
}  # fmt: skip
_UNIT = {
    (dimension, Decimal(size)): re.compile(forms, re.I)
    for dimension, sizes in _UNITS.items()
    for size, forms in sizes.items()
}
_FORMS = "|".join(
    sorted((f for sizes in _UNITS.values() for f in sizes.values()), key=len, reverse=True)
)
_QUANTITY = re.compile(
    rf"(?P<number>{NUMBER})[\s-]?(?:(?P<unit>{_FORMS})(?![a-z])|(?P<noun>[a-z]{{3,20}}))?", re.I
)

Reading = tuple[Decimal, str, Decimal]
"""The number, the dimension (or the noun counted, or nothing), and the unit's size."""


def _find(text: str) -> Iterator[Span]:
    for match in _QUANTITY.finditer(text):
        numbers = readings(match["number"])
        units = list(_units(match["unit"])) if match["unit"] else []
        if not units:
            noun = (match["noun"] or "").lower().rstrip("s")
            found = tuple((number, noun, Decimal(0)) for number in numbers)
            yield Span(match.start(), match.end("number"), found, sure=False)
        else:
            found = tuple((number, *unit) for number in numbers for unit in units)
            yield Span(*match.span(), found)


def _units(said: str) -> Iterator[tuple[str, Decimal]]:
    return (unit for unit, form in _UNIT.items() if form.fullmatch(said))


def _agree(one: Reading, other: Reading) -> bool:
    """Says whether two quantities are the same, one perhaps without its unit."""
    if not (one[2] and other[2]):
        nouns = {one[1], other[1]} if not (one[2] or other[2]) else {""}
        return one[0] == other[0] and ("" in nouns or len(nouns) == 1)
    if one[1] != other[1]:
        return False
    a, b = one[0] * one[2], other[0] * other[2]
    return abs(a - b) <= (0 if one[2] == other[2] else Decimal("0.005") * max(a, b))


QUANTITY = Kind("quantity", _find, _agree)
"""Numbers with a unit, or with what they count: `50 pounds`, `1.5 kg`, `250 pages`."""

_HALVES = (
    r"(?:an? )?(?:hour|hr|day|week|month|year) and a half|half an? (?:hour|day)"
    r"|(?:a )?quarter of an hour"
)
_HALF_OF = {
    "hour and a half": 90, "hr and a half": 90, "day and a half": 2160, "week and a half": 15120,
    "month and a half": 64800, "year and a half": 788400, "half an hour": 30, "half a hour": 30,
    "half a day": 720, "quarter of an hour": 15,
}  # fmt: skip
_TIME_UNIT = {size: form for (dimension, size), form in _UNIT.items() if dimension == "time"}
_TIME_FORMS = "|".join(sorted(_UNITS["time"].values(), key=len, reverse=True))
_PART = (
    rf"(?:{NUMBER}|\ban?\b|(?<=\d[hHmM] )\d+|(?<=[hH])\d{{1,2}})[\s-]?(?:{_TIME_FORMS})"
    r"(?![a-z]|(?<=h)\w)"
)
_DURATION = re.compile(
    rf"(?P<half>{_HALVES})"
    rf"|(?!\d{{1,2}} ?h ?[0-5]\d ?m?\b)(?P<parts>{_PART}(?:,? ?(?:and )?{_PART})*)"
    r"|(?<!\d)(?P<hours>\d{1,2})(?: ?h ?|:)(?P<minutes>[0-5]\d)(?: ?(?:m|mins?|h|hrs?|hours?))?"
    r"(?![\w:])",
    re.I,
)
_BARE = re.compile(rf"(?P<number>{NUMBER})(?![\d:]|[.,]\d)", re.I)
_EACH = re.compile(rf"(?P<number>{NUMBER}|an?|\d+)[\s-]?(?P<unit>{_TIME_FORMS})(?![a-z])", re.I)


def _durations(text: str) -> Iterator[Span]:
    for match in _DURATION.finditer(text):
        if match["half"]:
            said = re.sub(r"^an? ", "", match["half"].lower())
            yield Span(*match.span(), (Decimal(_HALF_OF.get(said, 30)),))
        elif match["hours"]:
            minutes = 60 * int(match["hours"]) + int(match["minutes"])
            yield Span(*match.span(), (Decimal(minutes),), sure=":" not in match[0])
        elif found := tuple(_sum(match["parts"])):
            yield Span(*match.span(), found)
    for match in _BARE.finditer(text):
        if found := readings(match["number"]):
            yield Span(*match.span("number"), found, sure=False)


def _sum(said: str) -> Iterator[Decimal]:
    total, sizes = Decimal(0), list[Decimal]()
    for match in _EACH.finditer(said):
        said, unit = match["number"].lower(), match["unit"]
        number = (Decimal(1),) if said in ("a", "an") else readings(said)
        size = next((size for size, form in _TIME_UNIT.items() if form.fullmatch(unit)), None)
        if not number or size is None or (sizes and size >= sizes[-1]):
            continue
        sizes.append(size)
        total += number[0] * size
    if sizes:
        yield total


DURATION = Kind("duration", _durations)
"""Lengths of time: `90 minutes`, `1h30`, `an hour and a half`, `2 weeks`."""
