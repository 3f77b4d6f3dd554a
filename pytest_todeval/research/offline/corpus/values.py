"""How the corpus metric spells slots and values; it decides which rows of a database match.

Not `language.values`: that one is as good as can be made, this one as published. Every name, type
and food below stands in a published system's predictions or in the corpus, and changes what a query
finds there.
"""

import re

MAX_VALUE = 300
"""Characters; no value of the corpus comes near, and longer ones cost time and match nothing."""

NAMES = {
    "cafe jello museum": "cafe jello gallery",
    "cafe uno": "caffe uno",
    "caffee uno": "caffe uno",
    "christ college": "christ's college",
    "parkside pools": "parkside swimming pool",
    "restaurant 1 7": "restaurant one seven",
    "restaurant 17": "restaurant one seven",
    "restaurant 2 two": "restaurant two two",
    "rosa's": "rosas bed and breakfast",
    "the junction": "junction theatre",
    "whale of time": "whale of a time",
}
TYPES = {
    "guest house": "guesthouse",
    "mutliple sports": "multiple sports",
    "night club": "nightclub",
    "swimming pool": "swimmingpool",
}
FOODS = {
    "brazilian": "portuguese",
    "europeon": "european",
    "modern american": "north american",
    "portugese": "portuguese",
}
TIMES = {"afternoon": "13:00", "lunch": "12:00", "morning": "08:00", "noon": "12:00", "": "00:00"}
DONT_CARE = frozenset(
    {"dontcare", "don't care", "dont care", "do n't care", "do not care", "not mentioned"}
)

CONCEPTS = {
    "name": "NAME",
    "phone": "PHONE",
    "address": "ADDRESS",
    "postcode": "POST",
    "reference": "REFERENCE",
    "ref": "REFERENCE",
}
TRAIN_IDS = frozenset({"trainid", "id", "train", "train_id", "train_trainid", "value_id"})
PREFIX = re.compile(r"^(attraction|hospital|hotel|police|restaurant|taxi|train|value)_")
PLACEHOLDER = re.compile(r"\[([\w\s]+)\]")


def normalise_slot(slot: str) -> str:
    """`arriveBy` and `arrive` are one slot, as are `leaveAt` and `leave`; case and spaces vary."""
    slot = slot.lower().replace(" ", "")
    return {"arriveby": "arrive", "leaveat": "leave"}.get(slot, slot)


def normalise_value(slot: str, value: str) -> str:
    """Returns the value as the databases spell it; `slot` as `normalise_slot` gives it."""
    value = value[:MAX_VALUE]
    match slot:
        case "name" | "departure" | "destination":
            return _name(value)
        case "type":
            return TYPES.get(value, value)
        case "food":
            food = value.strip().lower()
            return FOODS.get(food, food)
        case "arrive" | "leave" | "time":
            return _time(value)
        case "parking" | "internet" if value == "free":
            return "yes"
    return value


def is_dont_care(value: str) -> bool:
    """Says whether a value of the state constrains nothing."""
    return value in DONT_CARE


def _name(value: str) -> str:
    name = value.strip().lower().replace(" & ", " and ").replace("&", " and ").replace(" '", "'")
    return NAMES.get(name, name)


def _time(value: str) -> str:
    time = re.sub(r"^(by|after)\s*", "", value.strip().lower())
    time = TIMES.get(time, time)
    if half := re.fullmatch(r"(.*?)\s*(am|a\.m\.|pm|p\.m\.)", time):
        time = _afternoon(half[1]) if half[2].startswith("p") else half[1]
    if re.fullmatch(r"\d{4}", time):
        return f"{time[:2]}:{time[2:]}"
    if re.fullmatch(r"\d{1,2}", time):
        return f"{time:0>2}:00"
    if ":" in time:
        time = time.replace(" ", "")
    return f"0{time}" if re.fullmatch(r"\d:\d\d", time) else time


def _afternoon(time: str) -> str:
    # 12 pm becomes 24:00: so published, and no corpus value says it
    hour, colon, rest = time.partition(":")
    if not re.fullmatch(r"\d{1,2}", hour):
        return time
    return f"{int(hour) + 12}:{rest if colon else '00'}"


def minutes(value: str) -> int:
    """Minutes after midnight; 0 if unreadable, so that such a `leave` constrains nothing."""
    # only the beginning has to be a time: "21:00 airport" stands in published predictions
    clock = re.match(r"([0-9]{2}):([0-9]{2})", value)
    return int(clock[1]) * 60 + int(clock[2]) if clock else 0


def concepts(response: str) -> frozenset[str]:
    """What the placeholders of a delexicalised response stand for, as far as the metric asks.

    `[value_name]`, `[hotel_name]` and `[name]` are NAME; also PHONE, ADDRESS, POST, REFERENCE and
    TRAINID.
    """
    found = map(_concept, PLACEHOLDER.findall(response.lower()))
    return frozenset(concept for concept in found if concept)


def _concept(placeholder: str) -> str | None:
    if placeholder in TRAIN_IDS:
        return "TRAINID"
    return CONCEPTS.get(PREFIX.sub("", placeholder, count=1))
