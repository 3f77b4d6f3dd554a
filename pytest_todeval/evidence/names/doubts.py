"""Shapes of clauses in which a name may not be put forward, although no rule says how it stands.

An offer heard in one of them is doubtful. Rules as data, in the form of plain text in which phrases
that only look like denials are blanked out (`standing.plain_triggers`).
"""

import re

NEAR = 120
"""Characters on either side of a name that are looked at."""

_NO = (
    r"(?:not(?! (?:\w+ )?(?:book|reserv|confirm))|(?<!, )no|never(?! clos| shut)"
    r"|nothing(?! but)|none|neither|nor|nobody|nowhere|hardly|lacks?"
    r"|fails?|stopped|stays? dark|strictly|(?:is|are|has|have|been|now) (?:closed|shut"
    r"|gone)"
    r"|shut)"
)
_BOOKING = re.compile(
    r"\b(?:book\w*|reserv\w*|tables?|rooms?|seats?|tickets?|confirm\w*|found|place[sd]?)\b"
)
"""Words of booking: what is done at a place is done for the user."""
_CUT = re.compile(r"[.;:!?,]")
_RESCUED = re.compile(r"\b(?:yet|recommend\w*|good|best|lovely|available|free|book\w*)\b")
_PERSONS = (
    r"(?:(?:his|her|their|my|the|your|another|some|most|other|our|a) (?:\w+ )?(?:owners?|chef"
    r"|sister"
    r"|brother|wife|husband|friends?|colleagues?|mother|father|author|caller|customer|guests?"
    r"|people|couple|manager|party|staff|desk|group|neighbours?|regulars?)|people|customers|guests"
    r"|everybody|everyone|somebody|someone|he|she)"
)
_BEFORE = (
    (
        "told of the past",
        re.compile(
            r"\b(?:(?<!should have )(?<!have )said|thought|mentioned|reviewed|spent|worked|wrote"
            r"|suggested|recommended|used to|(?:was|were) (?:once|the)|years? ago|published"
            r"|formerly"
            r"|last (?:year|month|week|time|summer)|previous(?:ly)?)\b(?! ?:)[^.;:,]*$"
        ),
    ),
    (
        "told of others",
        re.compile(
            rf"\b{_PERSONS}\b(?! (?:rave|loved?|praise|recommend|like|say|adore|with))"
            r"(?!.* (?:i|we|you) )[^.;:,]*$"
        ),
    ),
    (
        "hedged",
        re.compile(
            r"\b(?:(?:might|may) (?!i )(?:\w+ )?(?:be|have)|rumou?r|apparently|supposedly"
            r"|presumably"
            r"|not sure|wonder\w*)\b[^.;]*$"
        ),
    ),
    (
        "conditional",
        re.compile(
            r"(?:^|[,;] ?| )(?:unless|when|until|once|after|before)\b(?![^.;]*\byou\b)[^.;,]*$"
            r"|^(?:if|should)\b[^;.]* i will (?:try|ask|ring|call|see|check)(?: the)? $"
        ),
    ),
)
_AFTER = (
    (
        "something is said against it",
        re.compile(rf"(?:(?! (?:whose|where|which|who|and i|so i)\b)[^.;:!?])*?\b{_NO}\b"),
    ),
    ("only in part", re.compile(r" (?:only|just) (?!a |an |the |\d|one |two )[a-z]+s\b")),
)
_FITS_ALL_THE_SAME = re.compile(
    r" (?:is|has) not(?= ?(?:[.,!;]))| has no (?:\w+ ){0,3}\w+(?= ?(?:[.,!;]|$))"
)
"""The contrary of what was said before, or a mere lack."""
_GOES_ON_AGAINST = re.compile(
    r"^(?:(?:and|but|so|only|though|although|however|unfortunately|sadly|alas|yet) ,? ?)*(?:it|they"
    rf"|that|this|he|she|the place)\b[^,.;]{{0,40}}\b{_NO}\b"
)


def doubt_of_offer(before: str, after: str, following: str) -> str:
    """Why a name that seems to be offered may not be; empty if nothing speaks against it.

    `following`: the next clause, if it names nothing.
    """
    before, after = before[-NEAR:], after[:NEAR]
    if _BOOKING.search(before) or _BOOKING.search(_CUT.split(after)[0]):
        return ""
    for why, shape in _BEFORE:
        if shape.search(before):
            return why
    for why, shape in () if _FITS_ALL_THE_SAME.match(after) else _AFTER:
        if shape.match(after) and not _RESCUED.search(after):
            return why
    if _GOES_ON_AGAINST.match(following) and not _RESCUED.search(following[4:]):
        return "something is said against it"
    return ""
