"""The place that a name has in its clause: what is put forward has other places than what is not.

"A table at X", "try X" and "X serves ..." put X forward. "The chef trained at X", "the owners of X"
and "welcome to X" do not, whatever else they say. Rules as data, in the form of plain text.
"""

import re

from pytest_todeval.evidence.names.contexts import any_of

WINDOW = 160
"""Characters on either side of a name that are looked at."""


_ARTICLE = (
    r"(?: the| our| your| a| an| that| this)?(?: old| former| local| famous| lovely| nearby)?"
)
_PLACED = re.compile(rf"\b(?P<word>at|in|inside|with|on|onto|into|aboard|of|to|for){_ARTICLE} $")
"""A preposition before the name, and what may come between them."""

_CUT = re.compile(
    r": |\b(?:but|while|whereas|although|though|whose|which|who|because)\b|, (?=(?:so|and"
    r"|or)? ?(?:i|we|you|they|it|there|he|she|our|your|my|the) )"
)
"""Where the part of a clause begins that the name stands in."""

_OFFERS = re.compile(
    r"\b(?:(?:re-?)?book\w*|reserv\w*|appointments?|tables?|rooms?|singles?|seats?|slots?|spots?"
    r"|places?|covers?|tickets?|passes|nights?|weeks?|stays?|eat|breakfast|start|go|expect\w*"
    r"|see you|welcom\w+|confirm\w*|set|secured?|hold\w*|list|order\w*|deliver\w*|i would|there is"
    r"|has|have|got|(?:that|it) (?:is|would be)|choose|one|you will|you can|you are|you would|try"
    r"|interested|cost\w*|fees?|open|number|look|on at|you in|for you|to you|like|about|kitchen"
    r"|pool)\b"
)
"""Words of finding, booking and going: what is at a place is put forward with it."""


_PAST = re.compile(
    r"\b(?:your (?:last|previous|earlier|recent|past) \w+|you (?:had|ate|stayed|dined|visited|went"
    r"|were)\b[^,;]* (?:at|in|to|with)|you (?:have |had )?(?:already |once )?(?:eaten|been|dined"
    r"|visited|stayed|tried)|used to|formerly|once|back when)\b"
)
_TOLD_OF = any_of(
    r"address(?:es)?|phone|numbers?|telephone|details?|information|post ?codes?|prices?|costs?"
    r"|fees?|names?|website|menus?|hours|times?|area|location|part|side|town|centre|city|e-?mail",
    r"reservations?|bookings?|tours?|cop(?:y|ies)|screenings?|showings?|performances?|tickets?"
    r"|seats?|rooms?|tables?|choice|options?|list|one|all|any|some|both|each|none|neither|either"
    r"|out|aware|think\w*|thought|because|instead|favou?r|hold|record|know|sort|kind|type|number"
    r"|two|three|four|five|consist\w*|rid|likes|case|top|best|slice|glass|bowl|plate|trace|sign"
    r"|know|knowledge|heard|mention|hear|fond|fan|fans|couple|steer clear|clear|tired|here|short"
    r"|pairs?|view|views|mixture|mix|course|lack|lots|plenty|full|instead|speak\w*|class|classes",
)
_OF_WHAT = re.compile(rf"\b{_TOLD_OF} of{_ARTICLE} $")
_AWAY = re.compile(
    rf"\b(?:relation|related|addressed|belong\w*|compar\w+|next|close|adjacent|welcome|contrast"
    rf"|transferr?\w*"
    rf"|moved?|attached|linked|similar|opposed|contrary|walk|bus|tram|near|nearer|nearest|wing"
    rf"|loyal|thanks|according|listened|spoke|talk\w*|annexe?|lost|sold)(?: \w+)? to{_ARTICLE} $"
)
_FOR_OTHERS = re.compile(
    rf"\b(?:parking|signs?|sign-?posts?|turning|turn-?off|exit|queue|entrance|catering|supplier"
    rf"|supplies|suppl(?:y|ied)|named|mistaken?|mistook|works?|worked|ambassador"
    rf"|known|famous|notorious|played|plays|stands?|you would) for{_ARTICLE} $"
)

_BEFORE_ASIDE = re.compile(
    r"\b(?:frae|(?:is|are|s) giving|(?:used to be|formerly|previously|once|originally|was"
    r"|were) (?:\w+ )?(?:called|named|known as)|off|(?:taken|took|take) over(?: the)?(?: old"
    r"| former)?|supplies|bought|your \w+ (?:has |had )?(?:left|reached|passed|departed)"
    r"|you are through to|(?:wharf|dock|quay|pier|street|square|corner|building|block|stop"
    r"|platform|gate|road|harbou?r|place|spot) where|same(?: \w+){0,2} as(?: at| in)?|^as (?:at"
    r"|in)|part of|(?:it|this|that|which) (?:is|was) (?:a bit |just |rather )?like"
    r"|^(?:just )?like(?= (?:the )?$)|saying|experiences? (?:with|at)|(?:when|until) you (?:see"
    r"|reach|pass|get to))(?: the| our)?(?: old)? $"
)
"""Before a name that is only mentioned."""


_CALLS = re.compile(r"^(?:(?:hello|hi)[ ,!.]*(?:and )?)?(?:this is)(?: the)? $")
_SPEAKS = re.compile(r" ?(?:$)")

_NAMED = re.compile(r"\b(?:called|by the name(?: of)?)(?: the)? ?[\"']?$")
"""Before a name that is what something is called."""

_WEIGHED = re.compile(r"\b(?:toss ?-?up|torn|choice|pick)(?: \w+){0,2} between\b[^,;]{0,60}$")
_UNBEATEN = re.compile(
    r"\b(?:(?:none|nothing|nowhere)\b[^,;.]{0,60}\b(?:\w+er|more \w+"
    r"|close)(?: [^,;. ]+){0,5} (?:than|to)|(?:can|could|will|would|may|might|did|do) (?:not"
    r"|hardly|never|scarcely) (?:\w+ )?(?:find|get|see|ask|do|eat|beat|want"
    r"|wish)\b[^,;.]{0,50}\b(?:\w+er|better|worse|more)\b(?: [^,;. ]+){0,6} than|could (?:do"
    r"|dae) (?:far )?worse than|(?:nothing|nobody|no one)\b[^,;.]{0,40} (?:like"
    r"|compares? to))(?: (?:the )?one)?(?: (?:at|of))?(?: the)? $"
)
"""Says of what it compares that nothing is better."""
_SUCCEEDED = re.compile(r" ?was successful")
_REQUEST = re.compile(r"\brequest for\b[^,;]{0,40}$")


def is_put_forward(before: str, after: str) -> bool:
    """Whether the words around a name put it forward, although they may look like a denial, a
    comparison or the user's words: "nothing is cheaper than X", "a toss-up between X and Y".
    """
    before = before[-WINDOW:]
    if _UNBEATEN.search(before) or _WEIGHED.search(before):
        return True
    return _REQUEST.search(before) is not None and _SUCCEEDED.match(after) is not None


def is_called(before: str) -> bool:
    """Whether a name is given as what something is called: "a place by the name of X"."""
    return _NAMED.search(before) is not None


def is_aside(before: str, after: str) -> bool:
    """Whether a name is only mentioned: what is said is said of something else."""
    before, after = before[-WINDOW:], after[:WINDOW]
    if _BEFORE_ASIDE.search(before):
        return True
    if is_called(before):
        return False
    if _CALLS.match(before) and _SPEAKS.match(after):
        return True
    placed = _PLACED.search(before)
    return placed is not None and _is_placed_aside(placed["word"], before, after)


def _is_placed_aside(word: str, before: str, after: str) -> bool:
    """Whether what stands after a preposition is no part of what is offered."""
    near = before[_last_cut(before) :]
    if word == "of":
        return _OF_WHAT.search(before) is None and len(near.split()) > 1
    if word == "to":
        return _AWAY.search(before) is not None
    if word == "for":
        return _FOR_OTHERS.search(before) is not None
    if _PAST.search(near):
        return True
    if word in ("on", "with") or "__" in near or len(near.split()) < 3:
        return False
    cut = _CUT.search(after)
    return _OFFERS.search(near + (after[: cut.start()] if cut else after)) is None


def _last_cut(before: str) -> int:
    return max((match.end() for match in _CUT.finditer(before)), default=0)
