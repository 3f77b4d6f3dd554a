"""Values of slots in one canonical form, so that two spellings of the same thing compare equal."""

import re
from functools import lru_cache

from pytest_todeval.nlu.names.normal_form import normalise_name, same_name
from pytest_todeval.nlu.numbers import to_number
from pytest_todeval.nlu.times import find_times, to_clock, to_minutes
from pytest_todeval.nlu.values.wordings import PRICE_WORDS, TYPE_WORDS

__all__ = [
    "DONTCARE",
    "canonical_slot",
    "find_times",
    "normalise",
    "normalise_name",
    "same_name",
    "same_value",
    "to_minutes",
    "type_wordings",
]

DONTCARE = "dontcare"
"""The canonical form of "any", "doesn't matter" and the like."""

LONGEST = 500
"""Characters of a value that are looked at."""

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
TIME_SLOTS = frozenset({"leaveAt", "arriveBy", "time"})
NUMBER_SLOTS = frozenset({"people", "stay", "stars"})
NAME_SLOTS = frozenset({"name", "departure", "destination", "hotel", "restaurant", "attraction"})
YES_NO_SLOTS = frozenset({"internet", "parking"})
CODE_SLOTS = frozenset({"reference", "trainID", "postcode"})
MONEY_SLOTS = frozenset({"price", "entrance fee"})

_SLOTS = {
    "leaveat": "leaveAt", "leave at": "leaveAt", "leave": "leaveAt", "arriveby": "arriveBy",
    "arrive by": "arriveBy", "arrive": "arriveBy", "trainid": "trainID", "train id": "trainID",
    "id": "trainID", "price range": "pricerange", "price_range": "pricerange",
    "entrance_fee": "entrance fee", "fee": "entrance fee", "entrancefee": "entrance fee",
    "post": "postcode", "post code": "postcode", "zip code": "postcode", "addr": "address",
    "depart": "departure", "dest": "destination", "ref": "reference", "wifi": "internet",
}  # fmt: skip

_DONTCARE = re.compile(
    r"do ?n['o]?t ?care|does ?n['o]?t (?:really )?matter|do(?:es)? not (?:care|matter)|dontcare"
    r"|any(?:thing|where|time)?|no (?:particular )?preference|not important|do ?n't mind|whatever"
)
_UNSET = frozenset({"", "none", "not mentioned", "?", "null", "not given"})


def canonical_slot(slot: str) -> str:
    """A slot in MultiWOZ's goal spelling ("leaveat" -> "leaveAt", "fee" -> "entrance fee")."""
    return _SLOTS.get(slot.lower().strip(), slot)


def _day(text: str) -> str:
    return next(
        (day for day in DAYS if re.search(rf"\b{day[:3]}(?:{day[3:]}|s|rs|r|nes)?s?\b", text)), text
    )


def _area(text: str) -> str:
    if re.search(r"\b(?:city ?)?cent(?:er|re|ral)\b|\bdowntown\b|\bmiddle\b", text):
        return "centre"
    found = re.search(r"\b(north|south|east|west)(?:ern)?\b(?! (?:of|west|east)\b)", text)
    return found[1] if found else text


def _pricerange(text: str) -> str:
    words = re.findall(r"[a-z]+", text)
    return next((PRICE_WORDS[word] for word in words if word in PRICE_WORDS), text)


_TYPE_NOUN = re.compile(
    r"(?:(?:[ -]+type)?(?: (?:attractions?|areas?|venues?|places?|sites?|sights?|options?))?)$"
)


def _type(text: str) -> str:
    text = _TYPE_NOUN.sub("", text) or text
    return TYPE_WORDS.get(text, TYPE_WORDS.get(text.removesuffix("s"), text.removesuffix("s")))


def _yes_no(text: str) -> str:
    if re.search(r"\b(?:no|not|none|without|n't|neither|nor)\b|n't\b", text):
        return "no"
    if re.search(r"\bfree\b", text):
        return "free"
    return (
        "yes"
        if re.search(r"\b(?:yes|y|true|has|have|includ\w*|offers?|available|with|1)\b", text)
        else text
    )


def _money(text: str) -> str:
    if "free" in text or "no entrance" in text or "no fee" in text:
        return "free"
    amounts = re.findall(r"\d{1,9}(?:\.\d{1,4})?", text)
    return f"{float(amounts[0]):.13g}" if amounts else text


def _phone(text: str) -> str:
    national = re.sub(r"^\s*(?:\+|00)44\W{0,3}(?:0\W{0,2})?", "0", text)
    return re.sub(r"\D", "", national) or text


def _code(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text) or text


def _duration(text: str) -> str:
    hours = re.search(r"(\d+) ?(?:hours?|hrs?|h)\b", text)
    minutes = re.search(r"(\d+) ?(?:minutes?|mins?|m)\b", text)
    if hours or minutes:
        total = 60 * int(hours[1][:4] if hours else 0) + int(minutes[1][:4] if minutes else 0)
        return f"{total} minutes"
    return f"{int(text)} minutes" if text.isdigit() and len(text) < 5 else text


def _canonical(slot: str, text: str) -> str:
    if slot in TIME_SLOTS:
        return to_clock(text) or text
    if slot in NUMBER_SLOTS:
        return to_number(text) or text
    if slot in NAME_SLOTS:
        return normalise_name(text) or text
    if slot in YES_NO_SLOTS:
        return _yes_no(text)
    if slot in CODE_SLOTS:
        return _code(text)
    if slot in MONEY_SLOTS:
        return _money(text)
    by_slot = {
        "day": _day, "area": _area, "pricerange": _pricerange, "type": _type,
        "phone": _phone, "duration": _duration,
    }  # fmt: skip
    return by_slot[slot](text) if slot in by_slot else normalise_name(text) or text


@lru_cache(maxsize=65536)
def _normalise(slot: str, text: str) -> str:
    text = " ".join(text.lower().split())
    if text in _UNSET:
        return ""
    if slot not in NAME_SLOTS and _DONTCARE.fullmatch(text):
        return DONTCARE
    return _canonical(canonical_slot(slot), text)


def normalise(slot: str, value: object) -> str:
    """Returns the canonical form of a slot's value: lower case, times `HH:MM`, numbers as digits.

    "Not mentioned", "none" and "?" become "". A value that its slot's form does not fit stays as
    it is, in lower case and with single spaces. Only the first `LONGEST` characters count.
    """
    return _normalise(slot, str(value)[:LONGEST])


@lru_cache(maxsize=65536)
def _same(slot: str, a: str, b: str) -> bool:
    slot = canonical_slot(slot)
    one, other = _normalise(slot, a), _normalise(slot, b)
    if one == other:
        return True
    if slot in YES_NO_SLOTS:
        return {one, other} == {"yes", "free"}
    if slot in NAME_SLOTS:
        return same_name(one, other)
    if slot == "address":
        return _same_address(one, other)
    return find_times(one) == [other] or find_times(other) == [one]  # of a slot of one's own


def _same_address(one: str, other: str) -> bool:
    short, long = sorted((one.replace(" ", ""), other.replace(" ", "")), key=len)
    return len(short) >= 6 and short in long


def same_value(slot: str, a: object, b: object) -> bool:
    """Whether two values of a slot mean the same: equal when normalised, or nearly so for names.

    An address told in part (street without district) is the same address; "free" Wi-Fi is Wi-Fi.
    """
    return _same(slot, str(a)[:LONGEST], str(b)[:LONGEST])


def type_wordings(kind: str) -> tuple[str, ...]:
    """Returns the ways to say a venue's type, in the singular, itself first."""
    others = (
        wording for wording, canonical in TYPE_WORDS.items() if canonical == normalise("type", kind)
    )
    return tuple(dict.fromkeys((kind.lower(), *others)))
