"""Values mentioned in a clause: what they are, and where they stand."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pytest_todeval.language.lexicon import PLACE, Lexicon
from pytest_todeval.language.numbers import NUMBER_WORDS
from pytest_todeval.language.times import time_spans
from pytest_todeval.language.values import DAYS, normalise

__all__ = ["Mention", "mentions"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A value in a clause."""

    slot: str
    value: str
    start: int
    end: int
    domain: str | None = None


_NUMBER = (
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
_STREET = (
    "street|road|lane|way|avenue|square|place|row|parade|close|drive|terrace|hill"
    "|gardens|crescent|court|passage"
)

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern))
    for slot, pattern in (
        ("trainID", r"\b(tr ?\d{3,5})\b"),
        ("postcode", r"\b([a-z]{1,2}\d{1,2}[a-z]? ?,? ?\d[a-z]{2}|cb\d{2,3} ?[a-z]{2})\b"),
        ("phone",
            r"(?<![\w.])(\+?\(?0\d{2,5}\)?[ -]?\d{3,8}(?:[ -]?\d{2,4})?|\+\d{1,3}[ \d-]{7,14}\d"
            r"|\d{10,12})(?![\w])"),
        ("money",
            rf"({_MONEY})|\b(?:costs?|fee|price|total|fare|priced at"
            rf"|amount)\b[^.?!\d]{{0,25}}?(\d{{1,5}}(?:\.\d{{1,2}})?)(?= ?(?:[.,;!?](?!\d)|and"
            rf"|per|which|payable|at|for|that|each|in|$))"),
        ("duration",
            r"\b(?<!for )(?<!at )((?:about |around )?(?:(?:\d{1,2}|an?|one|two) ?(?:hours?"
            r"|hrs?)(?: and)? ?)?\d{1,4} ?-? ?(?:minutes?|mins?)\b|(?:\d{1,2}|an?|one"
            r"|two) (?:hours?|hrs?)\b)"),
        ("day", rf"\b({_DAYS})\b"),
        ("stars",
            rf"\b({_NUMBER}) ?-? ?stars?\b|\bstars? (?:rating )?(?:is|of) (?:a )?({_NUMBER})\b"
            rf"|\brating of (?:a )?({_NUMBER})\b|\bzero[- ]stars?\b"),
        ("stay", rf"\b({_NUMBER}) ?-? ?(?:nights?|days?)\b"),
        ("people",
            rf"\b({_NUMBER}) (?:people|persons?|guests?|adults?|tickets?|seats?|passengers?"
            rf"|diners?|of you)\b|\b(?:table|party|booking|reservation|seats?|tickets?|room"
            rf"|group) (?:for|of) ({_NUMBER})\b(?! ?(?::|nights?|days?|minutes|hours?|gbp|pounds"
            rf"|am|pm|st|stars?|\.\d))|\bfor ({_NUMBER})(?= (?:at|on|in|and|is|was|starting|this"
            rf"|for)\b|[ .,!?]*$)"),
        ("pricerange",
            r"\b(cheap(?:er|est|ly)?|inexpensive|moderate(?:ly)?|moderatly|expensive|pricey"
            r"|upscale|mid(?:dle)?[ -](?:price )?range|high end|reasonably priced"
            r"|affordable)(?: ?-? ?priced?)?(?: range)?\b"),
        ("area",
            r"(?<!info )\b((?:city|town) ?cent(?:re|er)|cent(?:re|er)(?: of (?:town|the city"
            r"|cambridge))?|central(?:ly)?|downtown|(?:north|south|east"
            r"|west)(?:ern)?(?: ?(?:side|end|part|area))?(?= |[.,!?)]|$))(?! (?:avenue"
            r"|of england|road|street))"),
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

_ADDRESS = re.compile(
    rf"\b(\d{{1,4}}[a-z]?(?: ?- ?\d{{1,4}}[a-z]?)? (?:[a-z]+ ){{1,3}}(?:{_STREET}))\b"
    rf"|\b(?:address (?:is|:)|located (?:at|on)|situated (?:at|on)"
    rf"|address for [a-z ]{{1,40}} is) :? ?([^.;!?]{{5,80}}?)(?= and (?:the|its|their"
    rf"|phone|post)|, (?:and|the|its|phone|post)| with |[.;!?]|$)"
    rf"|\b(?:on|at) ((?:[a-z]+ ){{1,3}}(?:{_STREET}))\b"
)

_VAGUE = frozenset({"a", "an", "single", "couple", "pair", "double"})
_TRAIN_DOMAINS = frozenset({"train", "taxi", "bus", "flight"})
_TO_ARRIVE = re.compile(
    r"\b(?:arriv\w*|get(?:s|ting)? (?:you )?(?:there|in|to|into)|reach\w*|be there"
    r"|in time for|drop(?:s|ped)?(?: you)? off|into [a-z ]{3,30})\b"
)
_TO_LEAVE = re.compile(
    r"\b(?:leav\w+|depart\w*|pick(?:s|ed|ing)?(?: you)? up|pickup|pick you|sets? off"
    r"|starts? at|departure|out of)\b"
)
_FROM = re.compile(
    r"\b(?:from|leav(?:es?|ing)|depart(?:s|ing|ure)?|departure (?:is|from|site)"
    r"|picks? you up (?:at|from|in)|picked up (?:at|from)|pick ?up (?:at|from)"
    r"|out of)(?: the| from| is| will be)*$"
)
_TO = re.compile(
    r"\b(?:to|for|arriv(?:es?|ing|al) (?:in|at|to|into)|arriv(?:es?|ing)|into"
    r"|destination(?: is| of)?|heading|reach(?:es|ing)?|arriv\w+(?: there)?(?: at| by"
    r"| on)? \d?\d ?: ?\d\d(?: ?[ap]m)? (?:in|at)|dropp?(?:ed|ing)? (?:you )?off (?:at"
    r"|in)|going to|and)(?: the| in| at)*$"
)


class _Taken:
    """Parts of the text that already mean something."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []

    def free(self, start: int, end: int) -> bool:
        return all(end <= one or start >= other for one, other in self.spans)

    def take(self, start: int, end: int) -> None:
        self.spans.append((start, end))


def mentions(text: str, known: Lexicon, domain: str | None) -> list[Mention]:
    """Everything of value in a plain clause, in order of place.

    `domain` is what the clause is about, where that is known; it tells a train's times and stations
    from a table's time and a venue's name.
    """
    taken = _Taken()
    found = [
        *_ids(text, known, taken),
        *_known(text, known, domain, taken),
        *_formed(text, domain, taken),
    ]
    found.extend(_ends_of_ride(text, domain, taken))
    found.extend(_times(text, domain, taken))
    found.extend(_addresses(text, taken))
    return sorted(found, key=lambda mention: mention.start)


_ID = re.compile(r"(?<![a-z0-9-])[a-z0-9-]+")


def _ids(text: str, known: Lexicon, taken: _Taken) -> Iterator[Mention]:
    if not known.ids:
        return
    for match in _ID.finditer(text):
        if match[0] in known.ids:
            taken.take(*match.span())
            yield Mention("trainID", known.ids[match[0]], *match.span(), "train")


def _known(text: str, known: Lexicon, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    addresses: list[Mention] = []
    name_end = -9
    for start, end, entry in known.matches(text):
        if entry.slot == "type" and start - name_end <= 1:
            continue
        if entry.slot == "name":
            name_end = end
        if not taken.free(start, end):
            continue
        slot: str | None = entry.slot
        if slot == PLACE or (slot == "name" and domain in _TRAIN_DOMAINS):
            slot = _end_of_journey(text, start, end, domain, entry.slot)
        if slot is None or not _plausible(slot, text, start, end, domain):
            continue
        taken.take(start, end)
        mention = Mention(slot, entry.value, start, end, entry.domain)
        if slot == "address":
            addresses.append(mention)
        else:
            yield mention
    yield from _joined(text, addresses)


def _plausible(slot: str, text: str, start: int, end: int, domain: str | None) -> bool:
    if slot == "type":
        return domain not in _TRAIN_DOMAINS and domain != "restaurant"
    return True


def _joined(text: str, addresses: list[Mention]) -> Iterator[Mention]:
    """Parts of one address become one mention, as said."""
    group: list[Mention] = []
    for mention in [*addresses, None]:
        if group and (mention is None or mention.start - group[-1].end > 12):
            start, end = group[0].start, group[-1].end
            yield Mention("address", text[start:end], start, end)
            group = []
        if mention is not None:
            group.append(mention)


def _end_of_journey(text: str, start: int, end: int, domain: str | None, slot: str) -> str | None:
    before = text[max(0, start - 40) : start].rstrip()
    if domain == "taxi":
        return _end_of_ride(text[:start])
    if _FROM.search(before):
        return "departure"
    if _TO.search(before) and (domain in _TRAIN_DOMAINS or slot == PLACE):
        after_from = re.search(r"\b(?:from|leav\w+|depart\w+)\b", text)
        bare_and = before.endswith((" and", " for"))
        return "destination" if not bare_and or after_from or domain == "train" else None
    return "name" if slot == "name" else None


_RIDE_FROM = re.compile(r"\b(?:from|leav\w+|depart\w*|pick\w*|collect\w*|waiting)\b")
_RIDE_TO = re.compile(r"\b(?:to(?! pick)|arriv\w+|drop\w*|head\w*|destination|for|reach\w*)\b")


def _end_of_ride(before: str) -> str | None:
    """A venue in talk of a taxi is one of its ends: which, the last verb or preposition tells."""
    start, end = _last(_RIDE_FROM, before), _last(_RIDE_TO, before)
    if start < 0 and end < 0:
        return None
    return "departure" if start > end else "destination"


_RIDE_PLACE = re.compile(
    r"\b(?:the|your|my) (hotel|guesthouse|restaurant|attraction|museum|college|park"
    r"|cinema|theatre|pool|church|nightclub|airport|gallery)\b"
)


def _ends_of_ride(text: str, domain: str | None, taken: "_Taken") -> Iterator[Mention]:
    for match in _RIDE_PLACE.finditer(text) if domain == "taxi" else ():
        slot = _end_of_ride(text[: match.start()])
        if slot and taken.free(*match.span()):
            taken.take(*match.span())
            yield Mention(slot, match[1], *match.span())


def _formed(text: str, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    for slot, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            if not taken.free(*match.span()):
                continue
            said = next((group for group in match.groups() if group), match[0])
            if (named := _named(slot, said, text, match, domain)) is not None:
                taken.take(*match.span())
                yield Mention(*named, *match.span())


def _named(
    slot: str, said: str, text: str, match: re.Match[str], domain: str | None
) -> tuple[str, str] | None:
    """The slot and value of something found by its form."""
    by_slot: dict[str, Callable[[], tuple[str, str] | None]] = {
        "money": lambda: (_money_slot(text, domain), said),
        "free": lambda: ("entrance fee", "free") if domain == "attraction" else None,
        "fee": lambda: (
            ("entrance fee", "free")
            if domain not in _TRAIN_DOMAINS | {"hotel", "restaurant"}
            or "enter" in said
            or "admission" in said
            else None
        ),
        "car": lambda: ("car type", said),
        "internet": lambda: ("internet", _has(text, match.start())),
        "parking": lambda: ("parking", _has(text, match.start())),
        "trainID": lambda: ("trainID", said.replace(" ", "").upper()),
        "people": lambda: ("people", normalise("people", said)) if said not in _VAGUE else None,
        "stay": lambda: ("stay", normalise("stay", said)) if domain not in _TRAIN_DOMAINS else None,
    }
    if slot in by_slot:
        return by_slot[slot]()
    if slot in ("phone", "postcode", "duration"):
        return slot, said
    return slot, normalise(slot, said)


def _money_slot(text: str, domain: str | None) -> str:
    if domain == "attraction" or re.search(r"\b(?:entrance|entry|admission)\b", text):
        return "entrance fee"
    return "price"


def _has(text: str, place: int) -> str:
    before = text[max(0, place - 45) : place]
    no = re.search(r"\b(?:no|not|without|nor|neither|lacks?)\b(?!.*\bbut\b)", before)
    return "no" if no else "yes"


def _times(text: str, domain: str | None, taken: _Taken) -> Iterator[Mention]:
    for start, end, clock in time_spans(text):
        if taken.free(start, end) and not _BOUND.search(text[max(0, start - 20) : start]):
            taken.take(start, end)
            yield Mention(_time_slot(text, start, end, domain), clock, start, end)


_BOUND = re.compile(
    r"\b(?:after|before|later than|earlier than|closest to|until|between)(?: the)? $"
)
"""What stands before a time that bounds a search and is no train's time."""


def _time_slot(text: str, start: int, end: int, domain: str | None) -> str:
    before = text[max(0, start - 70) : start]
    if before.endswith("by ") and not re.search(r"leav\w* by $|up by $", before):
        return "arriveBy"
    arrive = _last(_TO_ARRIVE, before)
    leave = _last(_TO_LEAVE, before)
    if arrive < 0 and leave < 0:
        after = text[end : end + 30]
        if domain in _TRAIN_DOMAINS:
            return (
                "arriveBy"
                if _TO_ARRIVE.match(after.strip()) or before.endswith("by ")
                else "leaveAt"
            )
        return "time"
    return "arriveBy" if arrive > leave else "leaveAt"


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((match.start() for match in pattern.finditer(text)), default=-1)


def _addresses(text: str, taken: _Taken) -> Iterator[Mention]:
    for match in _ADDRESS.finditer(text):
        group = next(number for number in (1, 2, 3) if match[number])
        if taken.free(*match.span(group)):
            taken.take(*match.span(group))
            yield Mention("address", match[group].strip(" ,"), *match.span(group))
