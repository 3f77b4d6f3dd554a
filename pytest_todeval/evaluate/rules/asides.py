"""Values that a reply mentions without telling them of its item.

They are denied ("not expensive"), compared ("more than 3 stars"), wished for ("if you prefer the
north"), or taken back at once. No rule holds such a value against the item: the words do not say
that it is the item's own.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.nlu.kinds.measures import DURATION
from pytest_todeval.nlu.kinds.numbers import COUNT
from pytest_todeval.nlu.names.lexicon import lexicon
from pytest_todeval.nlu.text.negation import ANY_DENIAL
from pytest_todeval.nlu.text.plain import plain
from pytest_todeval.nlu.values.mentions import Mention, mentions
from pytest_todeval.nlu.values.normalise import YES_NO_SLOTS, same_value

AHEAD = 200
"""Characters before a clause in which its sentence begins."""
BEHIND = 90
"""Characters behind a feature in which it may still be denied."""
NEAR = 24
"""Characters before a figure that may make it a rough one."""
_PART = re.compile(r"[,;!?()\n]|[:.](?!\d)|\bbut\b|\bwhile\b|\bwhereas\b")
"""What ends the part of a sentence that a negation or comparison reaches."""
_BEFORE = re.compile(
    rf"\b(?:{ANY_DENIAL}|far from|anything but|rather|instead|unlike|than|except"
    r"|others?|another|alternatives?|elsewhere|different|many|typical|usual(?:ly)?"
    r"|if|whether|prefer\w*|want\w*|look\w* for|search\w*|would you|shall i|do you|should you"
    r"|under|below|less|more|over|above|within|up to|at most|at least|between|before|after|until"
    r"|there (?:is|are)|some|also|prices|areas|out of|one (?:in|at|is|that)|(?:next|later|earlier"
    r"|previous|following) (?:one|train)|be (?:there|at))\b"
)
"""What denies, compares or wishes for what follows it, or tells it of others."""
_WAY = re.compile(
    r"\b(?:from|to|near\w*|by|past|outside|beyond|around|off|away|close"
    r"|(?<!heart )(?<!middle )(?<!part )(?<!side )of)\b[^,;]*$"
)
_OF_WHAT = re.compile(
    r" of (?!(?:the )?(?:town|city)\b(?! cent))|[\w ,]{0,40}\b(?:away|walk|ride|drive|minutes)\b"
)
"""Before and behind an area: it tells the way, or where something else lies."""
_VAGUE = ("affordable", "reasonably", "budget", "pricey", "upscale", "inexpensive")
"""Words for prices that fit a range beside the one they are heard as."""
MENDED = re.compile(
    r"^[^.!?\n]{0,20}[,\u2013\u2014-] ?(?:sorry|pardon|apologies|i mean|make that|no wait|wait"
    r"|scratch|correction|rather|oops)\b|^\W{0,3}(?:no, |sorry, |i mean |correction: )"
)
"""Behind a value that is taken back at once."""
_ROUGHLY = re.compile(
    r"\b(?:(?P<about>about|around|roughly|approximately|nearly|almost|just (?:under|over)|or so)"
    r"|(?P<under>under|below|less than|within|at most|up to)|(?P<over>over|above|more than"
    r"|at least))\b",
    re.I,
)
_NO_FEATURE = re.compile(
    rf"\b(?:{ANY_DENIAL}|lack\w*|un\w+able|except|apart|missing|elsewhere|nearby|street|afraid"
    r"|sorry|sadly|unfortunately|otherwise|if|need)\b|[\u2717\u2718\u2715\u274c\u00d7]"
)
_HAS_NO = re.compile(
    rf"\b(?:{ANY_DENIAL}|lacks?)(?: (?:have|has|offer|provide|come|with|any|free|on"
    r"|site|include|a|an|the|or|and|parking|internet|wi ?-? ?fi|on-site))* $"
)
_BEYOND = re.compile(r"[^.!?\n]{0,90}(?:\? ?[^.!?\n]{0,60})?")
"""The rest of a sentence, and of a question the answer."""
FIGURES = ("duration", "price", "entrance fee")
NEARLY = 0.25
"""By how much a figure told as "about" may be off, as a part of the right one."""


def is_aside(view: View, claim: DialogueAct, real: Sequence[str] = ()) -> bool:
    """Says whether a value is mentioned without being clearly told of its item.

    `real`: the item's own values of the slot, to judge "about 10 pounds" by.
    """
    slot, value = str(claim.slot), str(claim.value)
    text, behind = _sentence(plain(view.facts.text), claim.sentence)
    known = mentions(text, lexicon(view.evidence.vocabulary), claim.domain)
    own = len(text) - len(claim.sentence)
    places = [m for m in known if m.slot == slot and m.start >= own]
    places = [m for m in places if same_value(slot, m.value, value)]
    if slot in YES_NO_SLOTS:
        return _denied_around(text, behind, places, value)
    names = [m.end for m in known if m.slot in ("name", "trainID")]
    told = [_mentioned(text, place, names, real) for place in places]
    return bool(told) and all(told)


def _sentence(whole: str, clause: str) -> tuple[str, str]:
    """A sentence of a plain text as far as the end of one of its clauses, and what follows."""
    at = whole.find(clause)
    if at < 0:
        return clause, ""
    before = re.split(r"[.!?] |\n", whole[max(0, at - AHEAD) : at])[-1]
    end = at + len(clause)
    return before + clause, whole[end : end + BEHIND]


def _mentioned(text: str, place: Mention, names: Sequence[int], real: Sequence[str]) -> bool:
    start = max((end for end in names if end <= place.start), default=0)
    near = _PART.split(text[start : place.start])[-1]
    said = text[place.start : place.end]
    if place.slot in FIGURES and _ROUGHLY.search(near[-NEAR:] + said):
        told = next(_figures(said), None)
        figures = [figure for own in real for figure in _figures(own)]
        return told is not None and is_nearly(near[-NEAR:] + said, told, figures)
    if MENDED.search(text[place.end :]) or _BEFORE.search(near):
        return True
    if place.slot == "area":
        return bool(_WAY.search(near) or _OF_WHAT.match(text, place.end))
    return place.slot == "pricerange" and said.startswith(_VAGUE)


def is_nearly(before: str, told: float, real: Iterable[float]) -> bool:
    """Whether the words before a figure make it a rough one ("about", "under"), and it fits."""
    match = _ROUGHLY.search(before)
    if match is None:
        return False
    if match["about"]:
        return any(abs(told - own) <= NEARLY * own for own in real)
    if match["under"]:
        return any(told * (1 - 2 * NEARLY) <= own <= told for own in real)
    return any(told <= own <= told * (1 + 2 * NEARLY) for own in real)


def _figures(text: str) -> Iterator[float]:
    """Returns the minutes of a duration, else its numbers."""
    for span in [s for s in DURATION.spans(text) if s.sure] or COUNT.spans(text):
        yield float(span.readings[0])


def _denied_around(text: str, behind: str, places: Sequence[Mention], value: str) -> bool:
    """Says whether words around a feature speak against how it was heard."""
    if value == "no":
        before = [text[: place.start] for place in places]
        return bool(before) and not any(_HAS_NO.search(each) for each in before)
    if not places:
        return _NO_FEATURE.search(text) is not None
    last = places[-1]
    beyond = _BEYOND.match(f"{text[last.end :]}{behind}")
    return _NO_FEATURE.search(f"{text[: last.start]} {beyond[0] if beyond else ''}") is not None
