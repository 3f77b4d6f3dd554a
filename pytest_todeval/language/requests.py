"""Which slots a question asks for."""

from collections.abc import Iterator
import re

from pytest_todeval.language.lexicon import Lexicon

__all__ = ["asks_for", "demands"]

_DEMAND = re.compile(
    r"\b(?:(?:please|kindly|just) (?:tell|give|provide|specify|let|send|share|confirm|choose|select|enter|state)"
    r"|let me know|tell me (?:what|which|where|when|how|the|your|more)|remind me|i (?:will|would|do|just|also|still|may|first)*(?: also| just| still| first)? ?need (?:to know|you to|your|a|the|some|more|to have|to get|an)"
    r"|(?:may|might|can|could) i (?:have|ask|get|know)|i need|we need|need to know|provide (?:me|us|your|the|more)|i would like to know|looking for\b.*\?|any (?:particular|specific|certain|preference)|preference|(?:would|will) be needed|we will need|i am going to need|i have to know|i must know|narrow)\b"
)

_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (slot, re.compile(pattern))
    for slot, pattern in (
        ("area", r"\b(?:areas?|(?:part|side|end|section|region)s? of (?:the )?(?:town|city|cambridge)|(?:certain|particular|specific|preferred|different|another|which|what|other) (?:part|side|end|section|region|location)|neighbou?rhood|location|whereabouts|where in (?:town|cambridge|the)|where would you like (?:to (?:stay|eat|dine)|it)|in mind for (?:an )?area|part of|side of town|district)\b"),
        ("pricerange", r"\b(?:price(?:s| ?-? ?ranges?|d)?|budget|cost range|how much (?:would|do|are|were) you (?:like|want|looking|willing|wanting)\b.*|expensive or|cheap or|price point)\b"),
        ("food", r"\b(?:(?:type|kind|sort|style)s? of (?:food|cuisine|restaurant|meal|dining|dish)\w*|cuisines?|food(?:s| type| preference)?|what (?:would you like|do you want) to eat)\b"),
        ("type", r"\b(?:(?:type|kind|sort)s? of (?:attractions?|places?|hotels?|accommodations?|accomodations?|lodging|entertainment|venues?|activit\w+|things?|sites?|room|locations?|destination)|attraction types?|type of|hotels? or (?:a )?guest ?-?houses?|guest ?-?houses? or (?:a )?hotels?|(?:particular|certain|specific|another|different) (?:type|kind|sort)|interests? you|interested in (?:seeing|visiting|doing)|(?:looking for|have) (?:any|some)thing (?:specific|special|particular|in particular)|what (?:are|were|would|do) you (?:looking|like|want|wanting|hoping) to (?:do|see|visit)|different attraction|are you interested in ?\??$|type would|(?:what|which) (?:type|kind|sort)s?)\b"),
        ("stars", r"\b(?:star ratings?|stars?|rating)\b"),
        ("internet", r"\b(?:internet|wi ?-?fi)\b"),
        ("parking", r"\bparking\b"),
        ("day", r"\b(?:(?:what|which|another|different|preferred|other|specific|particular|the|a|your) (?:day|date)s?|days?(?: of the week)? (?:and|or|would|will|are|do|did|is|were|you)|(?:and|or|,) (?:the |what |which )?(?:day|date)|(?<!many )(?<!of )(?<!the )(?<!great )(?<!nice )(?<!good )(?<!that )(?<!wonderful )(?<!same )day(?! ?of your)|when (?:would|will|do|should|are|did) you (?:be )?(?:like|want|wish|need|plan\w*|stay\w*|check\w*|start\w*|arriv\w*)(?! to (?:leave|depart|arrive)))\b"),
        ("people", r"\b(?:how many(?: (?:people|persons?|guests?|will|would|are|seats?|tickets?|in|others?|passengers?|of you|adults|travel\w*|diners|do|should|is))|number of (?:people|guests?|tickets?|seats?|persons|passengers)|party size|size of (?:your|the) (?:party|group)|for how many|and how many(?! (?:nights|days))|how many ?\??$|how large|how big)\b"),
        ("stay", r"\b(?:how many (?:\w+ )?(?:nights|days)|how long|length of (?:your |the |time )?(?:stay)?|number of (?:nights|days)|duration of (?:your|the) stay|(?:and|or) (?:nights|days)|nights would|many nights|(?:shorter|longer) (?:stay|duration|time|visit)|(?:duration|length) of (?:your |the )?(?:stay|visit)|shorten your stay|(?:guests|people) ?/ ?nights)\b"),
        ("name", r"\b(?:names? of (?:the|your|a|this)|(?:particular|specific|certain) (?:restaurant|hotel|attraction|place|one|venue|museum|college|name|guest ?house)|(?:restaurant|hotel|attraction|places?)s? name)\b"),
        ("phone", r"\byour (?:phone|telephone|contact|mobile) ?(?:number)?\b"),
        ("department", r"\bdepartment\b"),
    )
)  # fmt: skip

_WHERE_FROM = re.compile(
    r"\b(?:departure (?:site|station|location|point|city|place|town|destination|area|address)|departure(?! time)|from where|where\b[^.?]{0,60}?\b(?:from|depart\w*|leav\w+|start\w*|pick(?:ed)? ?up|picking)|(?:leaving|departing|depart|coming|travel+ing|leave|going|pick\w* (?:you )?up|picked) (?:from|out of)|which station|what station|picked up|pick(?:ing)? you up|pick ?up|what (?:city|place|location)[^.?]{0,30} from|stations?\b[^.?]{0,40}\bbetween|starting (?:point|location|from)|where (?:are|will) you (?:be )?(?:now|coming)|from which)\b"
)
_WHERE_TO = re.compile(
    r"\b(?:destinations?|arrival (?:station|city|location)|where\b(?![^.?]{0,60}?\bfrom\b)[^.?]{0,60}?\b(?:to|go|going|head\w*|travel\w*|arriv\w+|tak\w+|dropp?\w*|needed)|where\b[^.?]{0,60}? and (?:where )?to\b|(?:going|heading|travel+ing|headed|arriving) (?:to|in)\b|where to|to where|stations?\b[^.?]{0,40}\bbetween|drop(?:ped)? ?(?:you )?off|arriving at\?|(?:from|departing) and (?:going |arriving |traveling )?(?:to|at|in)|where (?:are|will|would) you (?:be )?(?:like to |want to )?(?:go|going|head\w+|travel\w*))\b"
)
_WHEN = re.compile(r"\b(?:times?|when|how (?:early|late|soon)|earliest|what hour)\b")
_ARRIVE = re.compile(r"\b(?:arriv\w*|get(?:ting)? (?:there|in|to)|be there|by when|need to be)\b")
_LEAVE = re.compile(r"\b(?:leav\w*|depart\w*|travel\w*|pick\w*|go|set off|take off|start|head\w*)\b")
_WHEN_DAY = re.compile(r"\bwhen\b")


def demands(text: str) -> bool:
    """Whether a plain clause that is no question asks for something all the same."""
    return _DEMAND.search(text) is not None


def asks_for(text: str, known: Lexicon, domain: str | None) -> Iterator[str]:
    """The slots that a plain clause, known to ask, asks the user for."""
    own = [slot for slot, pattern in known.own_slots.items() if pattern.search(text)]
    yield from own
    yield from (slot for slot, pattern in _ASKED if slot not in own and _asked(slot, pattern, text, domain))
    journey = domain in ("train", "taxi", "bus", "flight", None)
    if journey and _WHERE_FROM.search(text) and (domain is not None or "depart" in text or "from" in text):
        yield "departure"
    if journey and _WHERE_TO.search(text) and (domain is not None or "destination" in text):
        yield "destination"
    yield from _times(text, domain)


_FOOD = re.compile(r"\b(?:foods?|cuisines?|restaurants?|eat|dining|dishes)\b")


def _asked(slot: str, pattern: re.Pattern[str], text: str, domain: str | None) -> bool:
    if slot == "type" and (domain == "restaurant" or _FOOD.search(text)):
        return False
    if slot == "food" and domain == "restaurant" and re.search(r"\b(?:types?|kinds?|sorts?|styles?) of\b|\b(?:what|which) (?:type|kind|sort)\b", text):
        return True
    if domain in ("train", "taxi") and slot in ("area", "pricerange", "food", "type", "stars", "stay", "name"):
        return False
    return pattern.search(text) is not None


def _times(text: str, domain: str | None) -> Iterator[str]:
    if not _WHEN.search(text) or (domain in ("hotel", "attraction")):
        return
    if domain in ("train", "taxi") or (domain is None and (_ARRIVE.search(text) or _LEAVE.search(text))):
        arrive, leave = _ARRIVE.search(text), _LEAVE.search(text)
        if arrive:
            yield "arriveBy"
        if leave or not arrive:
            yield "leaveAt"
    else:
        yield "time"
