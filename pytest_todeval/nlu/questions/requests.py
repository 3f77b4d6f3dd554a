"""Which slots a question asks for."""

import re
from collections.abc import Iterator, Sequence

from pytest_todeval.nlu.names.lexicon import Lexicon
from pytest_todeval.nlu.questions.asked import BOTS_ASK
from pytest_todeval.nlu.questions.own_slots import asks_which, confirms, is_open, meant_slots

_DEMAND = re.compile(
    r"\b(?:(?:please|kindly|just) (?:tell|give(?! (?:them|him|her|it)\b)|provide|specify|let"
    "|share|confirm|choose|select|enter|state)|let me know|tell me (?:what|which|where|when|the"
    "|your)|remind me|i (?:will|would|just|also|still)*(?: also)? ?need (?:to know|your|a|the"
    "|some|more)|i need|we need|need to know|any (?:particular|specific|certain|preference)"
    r"|preference|narrow)\b"
)


_WHERE_FROM = re.compile(
    r"\b(?:(?:departure|departing) and arrival (?:stations?|locations?|city|cities)"
    r"|departure(?! (?:time|and (?:an )?arrival|or (?:an )?arrival))|from where"
    r"|where\b[^.?]{0,60}?\b(?:from|depart\w*|start\w*|pick\w* (?:you )?up)|(?:leaving|departing"
    r"|coming|travel+ing|leave|picked(?: up)?) from|which station|what station"
    r"|stations?\b[^.?]{0,40}\bbetween|where (?:are|will) you (?:be )?(?:now|coming))\b"
)
_WHERE_TO = re.compile(
    r"\b(?:destinations?|arrival (?:stations?|cities|locations?)"
    r"|where\b(?![^.?]{0,60}?\bfrom\b)[^.?]{0,60}?\b(?:to|go|going|head\w*|travel\w*|tak\w+)"
    r"|where\b[^.?]{0,60}? and (?:where )?to\b|(?:going|heading|travel+ing|arriving) (?:to|in)\b"
    r"|where to|stations?\b[^.?]{0,40}\bbetween)\b"
)
_WHEN = re.compile(r"\b(?:times?|when|how (?:early|late|soon)|earliest|what hour)\b")
_ARRIVE = re.compile(r"\b(?:arriv\w*|get(?:ting)? (?:there|in|to)|be there|by when|need to be)\b")
_LEAVE = re.compile(
    r"\b(?:leav\w*|depart\w*|travel\w*|pick\w*|go|set off|take off|start|head\w*)\b"
)


_LABELLED = re.compile(
    r"\b(?:internet|wi ?-?fi|parking|stars?|people|nights?) ?[:=] ?(?:yes|no|\d{1,2})\b(?!:)"
)
"""A slot with its value: whatever the clause asks, not for this."""


def demands(text: str) -> bool:
    """Says whether a plain clause that is no question asks for something all the same."""
    return _DEMAND.search(text) is not None


def asks_for(text: str, known: Lexicon, domain: str | None) -> Iterator[str]:
    """Returns the slots that a plain clause, known to ask, asks the user for."""
    text = _LABELLED.sub(" ", text)
    if not known.own_slots:
        yield from _built_in(text, (), domain)
        return
    named = [slot for slot, pattern in known.own_slots.items() if pattern.search(text)]
    is_open_ = is_open(text)
    own = [slot for slot in named if is_open_ or (slot in known.flags and not confirms(text))]
    for slot in named:
        text = known.own_slots[slot].sub(" ", text)
    of_domain = known.slots.get(domain or "", frozenset[str]())
    if is_open_ and known.slots:
        own += meant_slots(text, sorted(of_domain.difference(named)))
        own += ["name"] if domain and asks_which(text, domain) else []
        if not own:
            own += meant_slots(text, sorted(known.own_slots.keys() - of_domain))
    every = frozenset().union(*known.slots.values())
    built_in = (slot for slot in _built_in(text, own, domain) if not every or slot in every)
    yield from dict.fromkeys((*own, *built_in))


def _built_in(text: str, own: Sequence[str], domain: str | None) -> Iterator[str]:
    """Returns the slots of MultiWOZ that it asks for."""
    yield from (
        slot
        for slot, pattern in BOTS_ASK
        if slot not in own and _asked(slot, pattern, text, domain)
    )
    journey = domain in _JOURNEYS or _STATIONS.search(text) is not None
    if journey and _WHERE_FROM.search(text):
        yield "departure"
    if journey and _WHERE_TO.search(text):
        yield "destination"
    yield from _times(text, domain)


_FOOD = re.compile(r"\b(?:foods?|cuisines?|restaurants?|eat|dining|dishes)\b")
_DAY = re.compile(r"\b(?:days?|dates?)\b")
_OF_VENUES = frozenset({"area", "pricerange", "food", "type", "stars", "stay", "name"})


def _asked(slot: str, pattern: re.Pattern[str], text: str, domain: str | None) -> bool:
    if slot == "type" and (domain == "restaurant" or _FOOD.search(text)):
        return False
    if slot in _OF_VENUES and domain in ("train", "taxi"):
        return False
    if slot == "day" and domain == "taxi" and not _DAY.search(text):
        return False
    return pattern.search(text) is not None


def _times(text: str, domain: str | None) -> Iterator[str]:
    if not _WHEN.search(text):
        return
    arrive, leave = _ARRIVE.search(text), _LEAVE.search(text)
    if domain in _VENUES:
        yield from _times_at_venue(text, domain)
    elif domain in ("train", "taxi") or arrive or leave:
        yield from ("arriveBy",) if arrive else ()
        yield from ("leaveAt",) if leave or not arrive else ()
    else:
        yield "time"


def _times_at_venue(text: str, domain: str | None) -> Iterator[str]:
    """Times asked for while a venue is talked about: of its booking, or of a ride to or from it."""
    if _DEPART.search(text):
        yield "leaveAt"
    elif domain == "restaurant":
        yield "time"
    elif domain == "hotel" and "what time" in text and _ARRIVE.search(text):
        yield "arriveBy"


_JOURNEYS = frozenset({"train", "taxi", "bus", "flight"})
_STATIONS = re.compile(
    r"\b(?:depart\w*|stations?|destination|travel+ing (?:from|to)|picked up|leave from)\b"
)
_VENUES = frozenset({"hotel", "restaurant", "attraction"})
_DEPART = re.compile(r"\b(?:leav\w+|depart\w*|pick\w* (?:you )?up)\b")
