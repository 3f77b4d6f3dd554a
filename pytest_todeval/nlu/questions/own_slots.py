"""Which of a goal's own slots a question means: by its name, else by what sort of thing is asked.

"When will you return the car?" asks for the `dropoff_date` of a goal that has one, "How many
bedrooms?" for its `number_of_beds`, whatever slots the corpora have that the ear was written with.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_todeval.nlu.kinds.dates import DATE
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.kinds.times import TIME
from pytest_todeval.nlu.slots import kind_of, words_in

STEM = 4
"""Letters that a word has at least whose form may be longer: `riders`, ride."""
_OPEN = re.compile(
    r"\b(?:what|which|whats|when|where|whereabouts|who|whose|whom|how (?:many|much|long|big|large"
    r"|early|late|soon)|prefer\w*|any|anywhere|anyone|certain|specific\w*|particular\w*"
    r"|(?:tell|give|provide|specify|choose|select|enter|share|state|know)(?: me| us)?"
    r"|(?:i|we)(?: will| would)?(?: also| still)? need|or|missing)\b"
)
"""Stands in a question for something that is not named yet."""
_SORTS = (
    ("lasting", re.compile(r"\bhow long\b|\b(?:until|till)\b|\bhow many (?:days|nights|weeks)\b")),
    ("time", re.compile(r"\btimes?\b|\bhours?\b|\bhow (?:early|late|soon)\b|\bo'?clock\b")),
    ("date", re.compile(r"\bwhen\b|(?<!many )\b(?:days?|dates?)\b")),
    ("count", re.compile(r"\bhow many\b|\bnumber of\b|\bhow (?:big|large)\b|\bparty\b")),
    (
        "place",
        re.compile(
            r"\b(?:any)?where(?:abouts)?\b|\b(?:city|cities|town|area|locations?|neighbou?rhood"
            r"|region|destination|stations?|airports?|which place|what place)\b"
        ),
    ),
    ("person", re.compile(r"\bwho(?:se|m)?\b")),
    ("sort", re.compile(r"\b(?:types?|kinds?|sorts?|styles?|genres?|categor\w+)\b|\bwhat .* or ")),
)  # fmt: skip
_WHICH = re.compile(r"\b(?:which|what|whose) (\w+)")
_PLACES = frozenset(
    ("city", "location", "area", "destination", "origin", "place", "town", "address", "where",
     "from", "to", "region", "district", "venue", "station", "airport", "branch", "country")
)  # fmt: skip
_PEOPLE = frozenset(
    ("recipient", "name", "person", "guest", "doctor", "stylist", "artist", "director", "author")
)
_CATEGORIES = frozenset(
    ("type", "kind", "genre", "category", "subcategory", "style", "class", "sort", "cuisine")
)
_LASTS = frozenset(("days", "nights", "stay", "duration", "length", "weeks"))
_BEGINS = frozenset(
    ("from", "origin", "departure", "departing", "depart", "leaving", "leave", "pickup", "pick",
     "start", "starting", "begin", "in", "outbound", "out", "checkin", "source")
)  # fmt: skip
_ENDS = frozenset(
    ("to", "destination", "arrival", "arriving", "arrive", "return", "returning", "back", "dropoff",
     "drop", "until", "till", "end", "checkout", "inbound", "going", "heading", "visiting", "off")
)  # fmt: skip
_HEADS = frozenset(
    ("people", "persons", "guests", "passengers", "travelers", "travellers", "riders", "adults",
     "seats", "tickets", "group", "party", "places", "attendees")
)  # fmt: skip
"""What is counted by heads: each may stand for another."""
_EMPTY = frozenset(
    re.findall(r"\w+", "of the a an is are you your do what which when where how to for and or")
)


_CONFIRMS = re.compile(
    r"\b(?:(?:please|to|just|kindly) (?:\w+ )?(?:confirm|verify|ensure)|confirm\w*"
    r"|(?:how|what) about|is (?:that|this|it|everything) (?:\w+ )?(?:ok(?:ay)?|right|correct|fine)"
    r"|(?<!do )(?<!did )(?<!would )you (?:want|need|would like) (?!me|to))\b"
)


def confirms(clause: str) -> bool:
    """Says whether a plain clause reads back what was said, or proposes."""
    return _CONFIRMS.search(clause) is not None


def asks_which(clause: str, domain: str) -> bool:
    """Says whether it asks for an item of a domain: "Which event?", "A particular hotel?"."""
    return _which(domain).search(clause) is not None


@lru_cache(maxsize=256)
def _which(domain: str) -> re.Pattern[str]:
    noun = re.escape((words_in(domain) or (domain.lower(),))[-1])
    return re.compile(
        rf"\b(?:which|what|particular|specific|certain|preferred) {noun}s?\b"
        rf"(?! (?:types?|kinds?)\b)|\b{noun} in mind\b"
        rf"|\bname of the {noun}\b"
    )


def is_open(clause: str) -> bool:
    """Says whether a plain clause that asks leaves open what it asks for."""
    return _OPEN.search(clause) is not None


def meant_slots(clause: str, slots: Sequence[str]) -> list[str]:
    """The slots that an open question means, one for each sort of thing that it asks for."""
    meant: list[str] = []
    for sort, asks in _SORTS:
        found = asks.search(clause)
        fitting = _fitting(sort, found[0], slots) if found else []
        if found and fitting and (best := _best(clause, found, fitting, named=sort == "count")):
            meant.append(best)
    noun = _WHICH.search(clause)
    if noun and not meant:
        meant += [slot for slot in slots if _shared(slot, noun[1])][:1]
    return list(dict.fromkeys(meant))


def _fitting(sort: str, asked: str, slots: Sequence[str]) -> list[str]:
    found = [slot for slot in slots if sort in _sorts_of(slot)]
    if sort == "date" and asked == "when":
        return found or [slot for slot in slots if "time" in _sorts_of(slot)]
    if sort == "lasting":
        ends = [slot for slot in slots if "date" in _sorts_of(slot) and _side(slot) > 0]
        return found or ends
    return found


@lru_cache(maxsize=2048)
def _sorts_of(slot: str) -> frozenset[str]:
    words, kind = frozenset(words_in(slot)), kind_of(slot)
    sorts = {
        "date": kind is DATE, "time": kind is TIME,
        "count": kind is COUNT or "number" in words or "size" in words,
        "lasting": bool(words & _LASTS), "person": bool(words & _PEOPLE),
        "sort": bool(words & _CATEGORIES),
        "place": bool(words & _PLACES) and kind not in (DATE, TIME),
    }  # fmt: skip
    return frozenset(sort for sort, holds in sorts.items() if holds)


def _side(text: str, *, of_slot: bool = True) -> int:
    """Above 0 for the end of a stay or journey, below for its beginning."""
    words = words_in(_CHECKING.sub(r"check\1", text.replace("_", " ")))
    if not of_slot:
        words = tuple(word for word in words if word not in ("to", "in", "out", "off"))
    return sum(word in _ENDS for word in words) - sum(word in _BEGINS for word in words)


_CHECKING = re.compile(r"check(?:ing)?[ -](in|out)\b")


def _shared(slot: str, text: str) -> int:
    """Returns how many words of a slot a text has, in whatever form: `beds`, "bedrooms"."""
    said = [word for word in words_in(text) if word not in _EMPTY]
    own = [word.rstrip("s") for word in words_in(slot) if word not in _EMPTY and word != "number"]
    shared = sum(any(_alike(word, other) for other in said) for word in own if len(word) > 2)
    return shared or int(not _HEADS.isdisjoint(words_in(slot)) and not _HEADS.isdisjoint(said))


def _alike(word: str, other: str) -> bool:
    return other.startswith(word) or (len(other) > STEM and word.startswith(other.rstrip("s")))


def _best(clause: str, found: re.Match[str], slots: Sequence[str], *, named: bool) -> str:
    """The slot that shares most with the words around the question word; the first of several."""
    near = clause[max(0, found.start() - 30) : found.end() + 45]
    side = _side(near, of_slot=False)

    def score(slot: str) -> tuple[int, int, int]:
        own = _side(slot)
        return _shared(slot, near), own * side > 0, -own

    best = max(slots, key=score)
    return best if score(best)[0] or not named or len(slots) == 1 else ""
