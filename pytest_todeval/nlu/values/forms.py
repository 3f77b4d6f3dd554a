"""Values known by their form: prices, phone numbers, days, areas, "4 stars", "for 6 people"."""

import re
from collections.abc import Mapping

from pytest_todeval.nlu.kinds.amounts import is_free_to_undo
from pytest_todeval.nlu.numbers import (
    AMOUNT_IN_WORDS,
    HUNDREDS,
    NUMBER_WORDS,
    from_words,
    hundreds,
)
from pytest_todeval.nlu.values.journeys import JOURNEYS
from pytest_todeval.nlu.values.normalise import DAYS, normalise
from pytest_todeval.nlu.values.wordings import AREAS_TOLD, PRICES_TOLD

WINDOW = 120
"""Characters on either side in which the words that tell a value's slot are looked for."""

NUMBER = (
    r"(?:\d{1,3}|"
    + "|".join(sorted((w for w in NUMBER_WORDS if w not in ("no", "once")), key=len, reverse=True))
    + ")"
)
_DAYS = "|".join(f"{day}s?" for day in DAYS) + "|mon|tues?|weds?|thurs?|thu|fri"
_AMOUNT = r"\d{1,6}(?:,\d{3})?(?:\.\d{1,2})?"
_MONEY = (
    rf"(?:[£$€] ?{_AMOUNT}|(?<![\w.:]){_AMOUNT} ?(?:gb[a-z]|g[a-z]p|pounds?|euros?"
    rf"|dollars?|usd|eur|quid|pence)\b(?: \d\d\b)?)"
)
_IN_WORDS = re.compile(
    rf"\b({AMOUNT_IN_WORDS}) (?:pounds?|quid|euros?|dollars?)"
    rf"(?:(?: and)? ({AMOUNT_IN_WORDS})(?: pence| p| cents)?(?! (?:people|per|guests|nights)))?\b"
)
_STREET = (
    "street|road|lane|way|avenue|square|place|row|parade|close|drive|terrace|hill"
    "|gardens|crescent|court|passage"
)

TRAIN_ID = re.compile(r"\btr ?\d{3,5}\b")

FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern))
    for slot, pattern in (
        ("trainID", r"\b(tr ?\d{3,5})\b"),
        ("postcode", r"\b([a-z]{1,2}\d{1,2}[a-z]? ?,? ?\d[a-z]{2}|cb\d{2,3} ?[a-z]{2})\b"
            r"|\bpost ?code(?: there)?(?: is| ?:) "
            r"(?![a-z]{1,2}\d{1,2}[a-z]? ?,? ?\d[a-z]{2}\b|cb\d{2,3} ?[a-z]{2}\b)"
            r"([a-z]{1,2}\d[a-z\d]{0,2}(?: \d[a-z]?)?)(?!\w)"),
        ("phone",
            r"(?<![\w.])(\+?\(?0\d{2,5}\)?[ -]?\d{3,8}(?:[ -]?\d{2,4})?"
            r"|0\d{1,4}(?:[ .-]\d{2,4}){2,4}|\+\d{1,3}[ \d-]{7,14}\d|\d{10,12})(?![\w])"),
        ("money",
            rf"({_MONEY})|\b(?:costs?|fee|price|total|fare|priced at"
            rf"|amount)\b[^.?!\d]{{0,25}}?(\d{{1,5}}(?:\.\d{{1,2}})?)(?= ?(?:[.,;!?](?!\d)|and"
            rf"|per|which|payable|at|for|that|each|in|$))"),
        ("worded money", _IN_WORDS.pattern),
        ("duration",
            r"\b(?<!for )(?<!at )((?:about |around )?(?:(?:\d{1,2}|an?|one|two) ?(?:hours?"
            r"|hrs?)(?: and)? ?)?\d{1,4} ?-? ?(?:minutes?|mins?)\b|(?:\d{1,2}|an?|one"
            r"|two) (?:hours?|hrs?)\b)"),
        ("worded duration",
            rf"\b(?<!for )(?<!at )({HUNDREDS}) minutes\b(?! (?:to|past|before|after)\b)"),
        ("day", rf"\b({_DAYS})\b"),
        ("stars",
            rf"\b({NUMBER}) ?-? ?stars?\b|\bstars? (?:rating )?(?:is|of) (?:a )?({NUMBER})\b"
            rf"|\brating of (?:a )?({NUMBER})\b|\bzero[- ]stars?\b"),
        ("stay", rf"\b({NUMBER}) ?-? ?(?:nights?|days?)\b"),
        ("people",
            r"\b(?!(?:one|1) (?:ticket|seat)\b[^.!?]{0,60}?\b(?:costs?|comes to|is|would be)\b)"
            rf"({NUMBER}) (?:people|persons?|guests?|adults?|tickets?|seats?|passengers?"
            rf"|diners?|of you)\b|\b(?:table|party|booking|reservation|seats?|tickets?|room"
            rf"|group) (?:for|of) ({NUMBER})\b(?! ?(?::|nights?|days?|minutes|hours?|gbp|pounds"
            rf"|am|pm|st|stars?|\.\d))|\bfor ({NUMBER})(?= (?:at|on|in|and|is|was|starting|this"
            rf"|for)\b|[ .,!?]*$)"),
        ("pricerange", PRICES_TOLD),
        ("area", AREAS_TOLD),
        ("internet", r"\b(wi ?-? ?fi|internet)\b"),
        ("parking", r"\b(parking)\b"),
        ("free",
            r"(?<!feel )\b(free)\b(?! ?,? ?(?:and )?(?:wi|internet|park|to call|to ask"
            r"|to contact))"),
        ("fee",
            r"\b(free (?:to (?:enter|get in|visit|attend)|admission|entr(?:ance|y)|of charge)"
            r"|(?:no|not (?:a|an|any)|nt an?) (?:entrance |entry |admission )?(?:fee|charge"
            r"|cost)|(?:admission|entr(?:ance|y)|entrance fee|fee|it|they|all|which|both|that"
            r"|these|those)s? (?:is|are) (?:\w+ )?free(?! (?:wi|internet|park))"
            r"|free - to - enter|does not (?:charge|cost)|no charge|free(?=[ .,!?]*$)|(?:its|and"
            r"|also|absolutely|completely) free(?! (?:wi|internet|park)))\b"),
        ("car",
            r"\b((?:black|white|red|yellow|blue|gr[ea]y|green|silver"
            r"|orange)(?: colou?red)? (?:toyota|skoda|bmw|honda|ford|audi|lexus|volvo|volkswagen"
            r"|tesla|mercedes|nissan|kia|fiat|renault|peugeot|opel|mazda|[a-z]{3,12}(?= (?:car"
            r"|taxi|cab)\b)))\b"),
    )
)  # fmt: skip
"""What is looked for -> pattern of its wordings in plain text; `named` gives slot and value."""

IN_FIGURES = frozenset({"trainID", "postcode", "phone", "money"})
"""What is looked for only in a text with a figure."""
HINTS: Mapping[str, re.Pattern[str]] = {
    slot: re.compile(hint)
    for slot, hint in {
        "worded money": "pound|quid|euro|dollar", "duration": "min|hour|hr",
        "worded duration": "minutes", "stars": "star|rating",
        "day": "day|mon|tue|wed|thu|fri", "stay": "night|day", "pricerange":
        "price|cheap|expensive|moderat|pricey|upscale|range|high end|affordable",
        "area": "cent|town|north|south|east|west", "internet": "wi|internet", "parking": "parking",
        "free": "free", "fee": "free|fee|charge|cost", "people":
        "people|person|guest|adult|ticket|seat|passenger|diner|of you|for |table of|party of"
        "|booking of|reservation of|room of|group of",
        "car": "car|taxi|cab|toyota|skoda|bmw|honda|ford|audi|lexus|volvo|volkswagen|tesla"
        "|mercedes|nissan|kia|fiat|renault|peugeot|opel|mazda",
    }.items()
}  # fmt: skip
"""What is looked for -> what stands in every text that holds it, quicker to look for."""

ADDRESS = re.compile(
    rf"\b(\d{{1,4}}[a-z]?(?: ?- ?\d{{1,4}}[a-z]?)? (?:[a-z]+ ){{1,3}}(?:{_STREET}))\b"
    r"|\b(?:address (?:is|:)|located (?:at|on)|situated (?:at|on)"
    "|address for [a-z ]{1,40} is) :? ?([^.;!?]{5,80}?)(?= and (?:the|its|their|phone|post)"
    r"|, (?:and|the|its|phone|post)| with |[.;!?]|$)|\b(?:on|at) (?!(?:its|the|their|your|his|her"
    rf"|my|our|a) (?:{_STREET})\b)((?:[a-z]+ ){{1,3}}(?:{_STREET}))\b"
)

_LABELS = {
    "stars": "stars|star rating|rating|star",
    "price": "price|cost|fare|rate|total|ticket|ticket price|per night|price per night|from",
    "entrance fee": "entrance fee|fee|admission|entry|entrance|entry fee|admission fee",
    "internet": "internet|wifi|wi-fi|wi fi|free wifi|free internet|wireless",
    "parking": "parking|free parking|car park|car parking",
    "leaveAt": "departure time|departs|leaves|leaves at|departure|dep|leave|depart|from",
    "arriveBy": "arrival time|arrives|arrives at|arrival|arr|arrive",
    "time": "time|booking time|reservation time",
    "people": "people|guests|party size|party|persons|number of people|number of guests|seats",
    "stay": "stay|nights|number of nights|length of stay",
}  # fmt: skip
LABELS: Mapping[str, tuple[str, ...]] = {
    label: tuple(slot for slot, labels in _LABELS.items() if label in labels.split("|"))
    for every in _LABELS.values()
    for label in every.split("|")
}
"""Labels of "label: value" lines and tables, each with the slots that it may mean."""

_VAGUE = frozenset({"a", "an", "single", "couple", "pair", "double"})


def named(
    slot: str, said: str, text: str, match: re.Match[str], domain: str | None
) -> tuple[str, str] | None:
    """Returns the slot and value of something found by its form; None if it means nothing here.

    `slot` is that of `FORMS`, `said` what stood in the clause, `domain` what the clause is about.
    """
    place = match.start()
    if slot in ("money", "worded money"):
        return _money_slot(text, place, domain), said if slot == "money" else _amount(match)
    if slot in ("free", "fee"):
        return ("entrance fee", "free") if _is_entry(slot, said, text, place, domain) else None
    if slot in ("internet", "parking"):
        return slot, _has(text, place)
    if slot == "stay":
        rate = said in ("a", "an") and not text[:place].endswith("for ")
        return None if rate or domain in JOURNEYS else (slot, normalise(slot, said))
    if slot == "people" and said in _VAGUE:
        return None
    if slot == "worded duration":
        return "duration", f"{hundreds(said)} minutes"
    written = {
        "car": ("car type", said),
        "trainID": ("trainID", said.replace(" ", "").upper()),
        **{each: (each, said) for each in ("phone", "postcode", "duration")},
    }
    return written.get(slot) or (slot, normalise(slot, said))


def _is_entry(slot: str, said: str, text: str, place: int, domain: str | None) -> bool:
    """Whether "free" is said of the entrance, rather than of what costs nothing to take back."""
    if "enter" in said or "admission" in said:
        return True
    if is_free_to_undo(text, place):
        return False
    if slot == "free":
        return domain == "attraction"
    return domain not in JOURNEYS | {"hotel", "restaurant"}


def _money_slot(text: str, place: int, domain: str | None) -> str:
    if domain == "attraction" or re.search(
        r"\b(?:entrance|entry|admission)\b", text[max(0, place - WINDOW) : place + WINDOW]
    ):
        return "entrance fee"
    return "price"


def _amount(match: re.Match[str]) -> str:
    """Returns an amount in figures: twelve pounds fifty is "12.50"."""
    pence = f".{from_words(match[2]):02d}" if match[2] else ""
    return f"{from_words(match[1])}{pence}"


_AFTER = re.compile(
    r"(?:wi ?-? ?fi|internet|parking) ?(?:[:=|] ?)?(?P<has>yes|no|none|unavailable|not available)\b"
    r"(?! (?:wi|internet|parking))"
)
"""A feature with what a label, a cell or a terse speaker puts behind it: "Wi-Fi: no"."""


def _has(text: str, place: int) -> str:
    if told := _AFTER.match(text, place):
        return "yes" if told["has"] == "yes" else "no"
    before = text[max(0, place - 45) : place]
    no = re.search(r"\b(?:no|not|without|nor|neither|lacks?)\b(?!.*\bbut\b)", before)
    return "no" if no else "yes"


def labelled(label: str, said: str) -> tuple[str, str] | None:
    """Slot and value of a "label: value" line, both in plain text; None if it tells none."""
    said = said.strip(" .*")
    for slot in LABELS.get(label.strip(), ()):
        value = _valued(slot, said)
        if value:
            return slot, value
    return None


def _valued(slot: str, said: str) -> str | None:
    norm = normalise(slot, said)
    if slot in ("stars", "people", "stay"):
        return norm if norm.isdigit() and len(said) < SHORT else None
    if slot in ("price", "entrance fee"):
        amount = re.fullmatch(rf"(?:[£$€] ?)?({_AMOUNT})\D{{0,20}}|free", said)
        return said if amount else None
    if slot in ("leaveAt", "arriveBy", "time"):
        return norm if re.fullmatch(r"\d\d:\d\d", norm) and len(said) < SHORT else None
    return None


SHORT = 24
"""Characters of a cell that holds a number or a time and nothing else."""
