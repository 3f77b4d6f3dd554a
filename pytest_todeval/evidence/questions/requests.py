"""Which slots a question asks for."""

import re
from collections.abc import Iterator

from pytest_todeval.evidence.names.lexicon import Lexicon
from pytest_todeval.language.asked import BOTS_ASK

_DEMAND = re.compile(
    r"\b(?:(?:please|kindly|just) (?:tell|give|provide|specify|let|send|share|confirm"
    r"|choose|select|enter|state)"
    r"|let me know|tell me (?:what|which|where|when|how|the|your|more)|remind me"
    r"|i (?:will|would|do|just|also|still|may|first)*(?: also| just| still"
    r"| first)? ?need (?:to know|you to|your|a|the|some|more|to have|to get|an)"
    r"|(?:may|might|can|could) i (?:have|ask|get|know)|i need|we need|need to know"
    r"|provide (?:me|us|your|the|more)|i would like to know|looking for\b.*\?"
    r"|any (?:particular|specific|certain|preference)|preference|(?:would"
    r"|will) be needed|we will need|i am going to need|i have to know|i must know"
    r"|narrow)\b"
)


_WHERE_FROM = re.compile(
    r"\b(?:departure (?:site|station|location|point|city|place|town|destination|area"
    r"|address)|(?:departure|departing) and arrival (?:sites?|stations?|places?|locations?"
    r"|points?|city|cities)|departure(?! (?:time|day|date|and (?:an )?arrival|or (?:an )?arrival"
    r"|and time|or time))|from where|where\b[^.?]{0,60}?\b(?:from|depart\w*|leav\w+"
    r"|start\w*|pick\w* (?:you )?up|picking)|(?:leaving|departing|depart|coming"
    r"|travel+ing|leave|going|pick\w* (?:you )?up|picked(?: up)?) (?:from|out of)"
    r"|which station|what station|what (?:city|place|location)[^.?]{0,30} from"
    r"|stations?\b[^.?]{0,40}\bbetween|starting (?:point|location|from)|where (?:are"
    r"|will) you (?:be )?(?:now|coming)|from which)\b"
)
_WHERE_TO = re.compile(
    r"\b(?:destinations?|arrival (?:stations?|sites?|places?|points?|city|cities|locations?)"
    r"|where\b(?![^.?]{0,60}?\bfrom\b)[^.?]{0,60}?\b(?:to|go|going|head\w*|travel\w*"
    r"|arriv\w+|tak\w+|dropp?\w*|needed)|where\b[^.?]{0,60}? and (?:where )?to\b"
    r"|(?:going|heading|travel+ing|headed|arriving) (?:to|in)\b|where to|to where"
    r"|stations?\b[^.?]{0,40}\bbetween|drop(?:ped)? ?(?:you )?off|arriving at\?|(?:from"
    r"|departing) and (?:going |arriving |traveling )?(?:to|at|in)|where (?:are|will"
    r"|would) you (?:be )?(?:like to |want to )?(?:go|going|head\w+|travel\w*)"
    r"(?![^.?]{0,30}\bfrom\b))\b"
)
_WHEN = re.compile(r"\b(?:times?|when|how (?:early|late|soon)|earliest|what hour)\b")
_ARRIVE = re.compile(r"\b(?:arriv\w*|get(?:ting)? (?:there|in|to)|be there|by when|need to be)\b")
_LEAVE = re.compile(
    r"\b(?:leav\w*|depart\w*|travel\w*|pick\w*|go|set off|take off|start|head\w*)\b"
)


def demands(text: str) -> bool:
    """Whether a plain clause that is no question asks for something all the same."""
    return _DEMAND.search(text) is not None


def asks_for(text: str, known: Lexicon, domain: str | None) -> Iterator[str]:
    """The slots that a plain clause, known to ask, asks the user for."""
    own = [slot for slot, pattern in known.own_slots.items() if pattern.search(text)]
    yield from own
    for slot in own:
        text = known.own_slots[slot].sub(" ", text)
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
_KIND = re.compile(r"\b(?:types?|kinds?|sorts?|styles?) of\b|\b(?:what|which) (?:type|kind|sort)\b")
_DAY = re.compile(r"\b(?:days?|dates?)\b")
_OF_VENUES = frozenset({"area", "pricerange", "food", "type", "stars", "stay", "name"})


def _asked(slot: str, pattern: re.Pattern[str], text: str, domain: str | None) -> bool:
    if slot == "type" and (domain == "restaurant" or _FOOD.search(text)):
        return False
    if slot in _OF_VENUES and domain in ("train", "taxi"):
        return False
    if slot == "day" and domain == "taxi" and not _DAY.search(text):
        return False
    if slot == "food" and domain == "restaurant" and _KIND.search(text):
        return True
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
