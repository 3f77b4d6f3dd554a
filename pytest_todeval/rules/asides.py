"""Values that a reply mentions without telling them of its item.

They are denied ("not expensive"), compared ("more than 3 stars"), of something else ("the other one
is in the north"), wished for ("if you prefer the north"), or places to tell the way by ("a walk
from the centre"). No rule holds such a value against the item: the words do not say that it is
the item's own.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pytest_todeval.core.claim import Claim
from pytest_todeval.evidence.names.lexicon import lexicon
from pytest_todeval.evidence.values.mentions import Mention, mentions
from pytest_todeval.language.kinds import PRICE_WORDS
from pytest_todeval.language.negation import NEGATIVE
from pytest_todeval.language.numbers import AMOUNT_IN_WORDS
from pytest_todeval.language.text import plain
from pytest_todeval.language.values import YES_NO_SLOTS, same_value
from pytest_todeval.rules.finding import View

AHEAD = 200
"""Characters before a clause in which its sentence begins."""
BEHIND = 90
"""Characters behind a feature in which it may still be denied."""
_PART = re.compile(r"[,;!?()\n]|[:.](?!\d)|\bbut\b|\bwhile\b|\bwhereas\b")
"""What ends the part of a sentence that a negation or comparison reaches."""
_ENDS = re.compile(r"[.!?] |\n")
_NOT = "|".join(NEGATIVE)
_DENIED = (
    rf"\b(?:{_NOT}|nothing|hardly|cannot|far from|anything but|rather|instead|unlike|than|except"
    r"|compared|versus|vs|unless)\b"
)
_OTHERS = (
    r"\b(?:others?|another|alternatives?|alternatively|elsewhere|different|many|typical|usual(?:ly)?"
    r"|(?:next|previous|following|later|earlier) (?:one|train)|beats?)\b"
)
_WISHED = (
    r"\b(?:if|whether|prefer\w*|want\w*|look\w* for|search\w*|would you|shall i|do you|should you"
    r"|(?:please|should|must|can|to) be (?:there|at)|in (?:good )?time for)\b"
)
_BOUND = (
    r"\b(?:under|below|less|more|over|above|within|up to|at most|at least|short of|out of|between"
    r"|before|after|until)\b"
)
_BEFORE = re.compile("|".join((_DENIED, _OTHERS, _WISHED, _BOUND)))
_AFTER = re.compile(
    r"^ (?:[\w-]+ ){0,2}(?:ones|others?|alternatives?|instead|places|venues|hotels|guesthouses"
    r"|restaurants|attractions|museums|options|eats|choices|one (?:too|as well|instead)"
    r"|(?:above|below|short|more|less|higher|early|earlier|ahead|in advance|before|beforehand))\b"
    r"|^[\w ,-]{0,30}\b(?:there (?:is|are)|has others|only on request)\b"
)
_WAY = re.compile(
    r"\b(?:from|of|to|near\w*|by|past|along|outside|beyond|towards?|around|round|off|away"
    r"|close|via|reach\w*|get|go|be)\b[^,;]*$"
)
"""Before an area: it tells the way, or where something else lies."""
_OF_WHAT = re.compile(
    r"^ of (?!(?:the )?(?:town|city|cambridge)\b(?! cent))|^[\w ,]{0,40}\b(?:away|walk|ride|drive"
    r"|minutes|by bus|on foot)\b"
)
_IS_IN = re.compile(
    r"\b(?:in|located|situated|lies|sits)(?: (?:the|at|right|up|very|heart|middle|of|city|town))*$"
)
_ONE_OF_OURS = re.compile(
    r"\b(?:it|this|that|they)(?:.s| is| are|.re| was)(?: also)? (?:one of|among) (?:our|the|their)"
    r"(?: \w+)? $"
)
"""Before a value: what is said of a kind is said of the item."""
_OF_MORE = re.compile(
    r"\b(?:there (?:is|are)|some|also|prices|areas|(?:range|go) from|the \w+ one"
    r"|one (?:in|at|that|which|on|\w+ (?:has|is)))\b"
)
"""Before a value, in words that name nothing: it is of several, or of another."""
_ONE_MORE = re.compile(r"^ ones?\b|\b(?:as well|also|too)\b")
"""The same, behind a value."""
_ITSELF = re.compile(r"\b(?:it|its|this|that|they|their)\b")
_RELATIVE = re.compile(
    r"\b(?:cheaper|cheapest)$|\b(?:more|most|less|least) (?:expensive|moderate)$"
)
_SEVERAL = re.compile(
    rf"\b(?!one\b)(?:{AMOUNT_IN_WORDS}|several|some|many|both|\d{{1,3}}) (?:\w+ ){{0,3}}"
    r"(?:restaurants|hotels|guesthouses|places|options|trains|attractions|museums|venues|matches"
    r"|choices|of them)\b"
)
MENDED = re.compile(
    r"^[^.!?\n]{0,20}[,\u2013\u2014-] ?(?:sorry|pardon|apologies|i mean|make that|no wait|wait"
    r"|scratch|correction|rather|oops)\b|^\W{0,3}(?:no, |sorry, |i mean |correction: )"
)
"""Behind a value that is taken back at once."""
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|approximately|approx|nearly|almost|just (?:under|over)|some"
    r"|close to|a little (?:under|over)|or so|give or take)\b",
    re.I,
)
_UNDER = re.compile(
    r"\b(?:under|below|less than|within|at most|up to|no more than)(?: an?)? ?$", re.I
)
_OVER = re.compile(r"\b(?:over|above|more than|at least|no less than)(?: an?)? ?$", re.I)
_NO_FEATURE = re.compile(
    rf"\b(?:{_NOT}|cannot|lack\w*|un\w+able|except|apart|aside|but"
    r"|missing|elsewhere|nearby|street|afraid|sorry|sadly|unfortunately|otherwise|if|need|nope"
    r"|another matter|place to park|spot)\b|[\u2717\u2718\u2715\u274c\u00d7]"
)
_HAS_NO = re.compile(
    rf"\b(?:{_NOT}|lacks?)(?: (?:have|has|offer|provide|come|with|any|free|on"
    r"|site|include|a|an|the|or|and|parking|internet|wi ?-? ?fi|on-site))* $"
)
_BEYOND = re.compile(r"[^.!?\n]{0,90}(?:\? ?[^.!?\n]{0,60})?")
"""The rest of a sentence, and of a question the answer."""
_VAGUE = {"affordable", "reasonably", "budget", "pricey", "upscale", "inexpensive", "high"}
"""Words for prices that fit a range beside the one they are heard as."""
_RANGES = ("cheap", "moderate", "expensive")
FIGURES = ("duration", "price", "entrance fee")
NEARLY = 0.25
"""By how much a figure told as "about" may be off, as a part of the right one."""


def is_aside(view: View, claim: Claim, real: Sequence[str] = ()) -> bool:
    """Whether a value is mentioned without being clearly told of its item.

    `real`: the item's own values of the slot, to judge "about 10 pounds" by.
    """
    slot, value = str(claim.slot), str(claim.value)
    whole = plain(view.facts.text)
    text, behind = _sentence(whole, claim.sentence)
    known = mentions(text, lexicon(view.evidence.vocabulary), claim.domain)
    own = len(text) - len(claim.sentence)
    places = [m for m in known if m.slot == slot and m.start >= own]
    places = [m for m in places if same_value(slot, m.value, value)]
    if slot in YES_NO_SLOTS:
        return _denied_around(text, behind, places, value)
    names = [m for m in known if m.slot in ("name", "trainID")]
    told = [_is_aside(text, place, names, real) for place in places]
    return bool(told) and all(told)


def _sentence(whole: str, clause: str) -> tuple[str, str]:
    """A sentence of a plain text as far as the end of one of its clauses, and what follows."""
    at = whole.find(clause)
    if at < 0:
        return clause, ""
    before = whole[max(0, at - AHEAD) : at]
    end = at + len(clause)
    return _ENDS.split(before)[-1] + clause, whole[end : end + BEHIND]


def _is_aside(text: str, place: Mention, names: Sequence[Mention], real: Sequence[str]) -> bool:
    start = max((name.end for name in names if name.end <= place.start), default=0)
    before, after = text[start : place.start], text[place.end :]
    near = _PART.split(before)[-1]
    said = text[place.start : place.end]
    rough = f"{near[-24:]}{said}" if _ABOUT.search(said) else near[-24:]
    if place.slot in FIGURES and _is_rough(rough):
        told = _figure(said)
        figures = [figure for own in real if (figure := _figure(own)) is not None]
        return told is not None and is_nearly(rough, told, figures)
    if MENDED.search(after):
        return True
    if _ONE_OF_OURS.search(near):
        return False
    if _BEFORE.search(near) or _AFTER.search(_PART.split(after)[0]):
        return True
    several = _OF_MORE.search(near) or _ONE_MORE.search(after) or _SEVERAL.search(text)
    if several and not names and place.slot not in FIGURES and not _ITSELF.search(near):
        return True
    if place.slot == "area":
        way = _WAY.search(near) and not _IS_IN.search(near.rstrip())
        return bool(way or _OF_WHAT.search(after))
    if place.slot != "pricerange":
        return False
    return bool(_RELATIVE.search(before + said)) or _is_vague(said, place.value, real)


def _is_rough(before: str) -> bool:
    return any(pattern.search(before) for pattern in (_ABOUT, _UNDER, _OVER))


def _is_vague(said: str, value: str, real: Sequence[str]) -> bool:
    if not _VAGUE & set(re.split(r"\W+", said)) or value not in _RANGES:
        return False
    beside = {frozenset(pair) for pair in pairwise(_RANGES)}
    return any(frozenset((value, PRICE_WORDS.get(own.lower(), own))) in beside for own in real)


def is_nearly(before: str, told: float, real: Iterable[float]) -> bool:
    """Whether the words before a figure make it a rough one ("about", "under"), and it fits."""
    if _ABOUT.search(before):
        return any(abs(told - own) <= NEARLY * own for own in real)
    if _UNDER.search(before):
        return any(told * (1 - 2 * NEARLY) <= own <= told for own in real)
    if _OVER.search(before):
        return any(told <= own <= told * (1 + 2 * NEARLY) for own in real)
    return False


def _figure(text: str) -> float | None:
    number = re.search(r"\d{1,6}(?:\.\d{1,2})?", text)
    if re.search(r"\bhours?\b", text):
        more = re.search(r"(\d{1,2}) ?min", text)
        hours = float(number[0]) if number and number.start() < text.index("hour") else 1.0
        return hours * 60 + (float(more[1]) if more else 0.0)
    return float(number[0]) if number else None


def _denied_around(text: str, behind: str, places: Sequence[Mention], value: str) -> bool:
    """Whether words around a feature speak against how it was heard."""
    if value == "no":
        before = [text[: place.start] for place in places]
        return bool(before) and not any(_HAS_NO.search(each) for each in before)
    if not places:
        return _NO_FEATURE.search(text) is not None
    last = places[-1]
    beyond = _BEYOND.match(f"{text[last.end :]}{behind}")
    return _NO_FEATURE.search(f"{text[: last.start]} {beyond[0] if beyond else ''}") is not None
