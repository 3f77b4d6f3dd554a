"""How a name stands in a clause: put forward, denied, asked about, or mentioned in passing.

Works as NegEx does (Chapman et al. 2001): triggers with a direction and a scope. Each of them has
been kept because turns of people's dialogues are heard otherwise without it; text is in the form of
`text.plain`.
"""

import re
from enum import StrEnum

from pytest_todeval.nlu.text.negation import NEGATIONS, NOBODY

WINDOW = 160
"""Characters on either side of a name in which the words that tell its standing are looked for."""

_ASIDE = re.compile(r"\([^()]*\)")
_SIGNS = re.compile(r"^[ \"')]*[^\w\s.,:;!?()\"'£$-][^\w\s]* *|^[\"')]+")
"""What is no word and may come between a name and its verb: quotes, emoji."""
_USERS = re.compile(
    r"\b(?:you|your)(?: have| had)?(?: \w+ly)? (?:enjoyed|loved|mentioned|asked(?: me)?(?: for)?"
    r"|said|told (?:me|us)(?: that)?|requested|were|saw)(?: [\"']?(?!is\b|and\b)[a-z]+){0,5} ?$"
    r"|\blet me (?:just )?(?:check|see|look)\b[^,;]*$"
    r"|\bthanks?(?: you)? for (?:providing|the|your|telling|letting|giving|sharing)\b[^,;]*$"
)
"""What gives a name back: "You asked for ..."."""
_PASSING = re.compile(
    r"\b(?:around|close to|near(?:by(?= to)|er|est)?(?: to)?|next (?:door )?to|opposite|behind"
    r"|beside|adjacent to|across (?:the \w+ )?from|the corner from|in front of|outside"
    "|overlooking|(?:minutes?|miles?|walk|drive|ride|far|away|distance|north|south|east"
    r"|west)(?: \w+){0,2}? (?:from|of|to)|between|past|than|unlike|similar to|instead of"
    r"|other than|apart from|besides|formerly|same \w+(?: \w+)? as|as (?!well)\w+ as"
    r"|enjoy (?:your|the) \w+(?: to)?|named after|owned by|run by|shares? (?:\w+ ){1,3}with"
    "|welcome to|(?:located|situated|based) (?:in|at|on|inside|within)|since|from|by)(?: the)? $"
    r"|\b(?:taxis?|cabs?|bus(?:es)?|trams?|way|directions|route|trip)\b[^,;]{0,60}\b(?:from|to"
    "|between)(?: the)? $"
)
_TAKEN_FROM = re.compile(r"\b(?:ranging|order\w*|choos\w*|swears?) (?:\w+ )?(?:from|by)(?: the)? $")
_IF = re.compile(r"(?:^|[,;:] ?|\b(?:and|but|so|or|only|even) )(?:if|unless|suppose)\b([^,;]*)$")
_WISHES = re.compile(r"\b(?:like|want|go for|sounds?|suits?|book|need)\b")
_ASKS = re.compile(
    r"\bdo you (?:mean|know)\b|\b(?:can|could) you (?:please )?(?:tell|give|provide|share|send)\b"
    r"|\b(?:is|was) (?:it|that|this)(?: the)? $|\bthinking of\b(?=[^,;]*$)"
    r"|\b(?:how (?:was|were|did)|did you|did (?:i|we) (?:just )?(?:say|mention))\b"
    r"|\bare you (?:still |also )?(?:asking|looking|referring|thinking|talking|sure|staying|at|in"
    r"|coming|going)\b|^(?:and |so |but )?(?:is|are|does|did|was|were|has)(?: the)? $"
)
_OVER = re.compile(r"\b(?:yet|still)\b|[;!?]|(?<!\d): |(?<![a-z]\.[a-z])\. |, (?=(?:i|you) )")
"""Ends the scope of a denial, whichever way it goes."""
_NO_DENIAL = re.compile(
    r"\b(?:can not go wrong|why (?:do )?(?:we )?not|not (?:only|a bad|sure)|no (?:problem|fee)"
    "|never closes?|no(?= ?,)|if not|or not|(?:do|should) not (?:miss|overlook|worry|mind)"
    r"|can not (?:wait|beat)|no (?:\w+ )?bookings? (?:is )?needed|not (?:too )?(?:expensive|far))"
)
"""Words that deny elsewhere, and not here."""
_NEGATION = "|".join(sorted(NEGATIONS | NOBODY))
_DENIES_OBJECT = re.compile(
    rf"\b(?:{_NEGATION}|unable|lack\w*|unsuccessful|impossible|failed|unaware|rul\w* out|avoid"
    r"|exclud\w+|remov\w+|instead of|cancell?\w*|(?:0|zero) (?:matches|results|hits))\b"
)
_NEITHER = re.compile(r"\b(?:neither|nor)(?: the)? $")
_BOOKING = re.compile(r"\b(?:book|make|get you)\b")
_LOOK_UP = re.compile(r"\byou (?:can|could|may|might) (?:\w+ )?(?:find|check|look up|get)\b")
_AT = re.compile(r"\b(?:at|in)(?: the)? $")
_DETAIL = re.compile(
    r"\b(?:(?:phone |telephone |reference )?numbers?|phone|telephone|address(?:es)?|post ?codes?"
    r"|zip|websites?|prices?(?! range)|pricing|costs?|fees?|hours|entrance|admission|menus?"
    r"|exact|specific|parking|wi ?-?fi|internet|breakfast)\b"
)
"""What a bot may not know of a place, or a place may lack, that it offers all the same."""
_AUX = r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|may|might|should|must|s)"
_VERB = re.compile(
    rf" ?(?:{_AUX}|serves?|offers?|takes?|costs?|opens?|closes?|closed|lies|sits|stands|looks?"
    r"|comes?|leaves?|departs?|arrives?|goes|runs?|provides?|features?|match(?:es)?|fits?|meets?"
    r"|works?|allows?|accepts?|charges?|says?|sounds?|boasts?|full|not|never|rates?|scores?)\b"
)
"""A verb that has the name as its subject."""
_REFUSED = re.compile(
    "(?: ?[,(:-])?(?: (?:unfortunately|sadly|however|currently|also|now|i am (?:afraid|sorry)"
    f"|already|{_AUX}) ?,?){{0,4}}(?: ?(?:not(?! only| (?:yet )?(?:book|reserv|confirm))"
    r"|no longer|never|nothing)\b(?! (?:expensive|far|yet|too))| (?:\w+ ){0,2}?(?:closed|shut"
    "|full|unavailable|sold out|fully booked|cancell?ed|gone|bust|burn(?:ed|t) down|moved|stopped"
    r"|no (?:rooms?|tables?|seats?|tickets?|availability)|too (?:\w+)|out of (?:stock"
    r"|the question))\b(?! (?:english|board|breakfast|service)))"
)
"""What follows a name of which it is told that it will not do."""


class NamePolarity(StrEnum):
    """What a clause does with a name."""

    OFFERED = "offered"
    DENIED = "denied"
    ASKED = "asked"
    PASSING = "passing"


def plain_triggers(text: str) -> str:
    """A clause in which phrases that only look like denials are blanked out, in their length."""
    return _NO_DENIAL.sub(lambda found: "_" * len(found[0]), text)


def standing(before: str, after: str, *, asks: bool) -> NamePolarity:
    """Returns how a name stands between what comes before it and what comes after it in its clause.

    Both without phrases that only look like denials (see `plain_triggers`). `asks`: the clause has
    the word order of a question.
    """
    before = _ASIDE.sub(" ", before[-WINDOW:]).rstrip('"( ') + " "
    after = _SIGNS.sub(" ", after[:WINDOW])
    if _USERS.search(before) and not asks:
        return NamePolarity.PASSING
    if _PASSING.search(before) and not _TAKEN_FROM.search(before):
        return NamePolarity.PASSING
    condition = _IF.search(before)
    if condition and not _WISHES.search(condition[1] + after.split(",")[0]):
        return NamePolarity.PASSING
    if _ASKS.search(before):
        return NamePolarity.ASKED
    if condition or asks:
        return NamePolarity.OFFERED
    if _NEITHER.search(before):
        return NamePolarity.DENIED
    if _REFUSED.match(after) and not _DETAIL.search(_OVER.split(after)[0]):
        return NamePolarity.DENIED
    return NamePolarity.OFFERED if takes_verb(after) else _as_object(_OVER.split(before)[-1])


def takes_verb(after: str) -> bool:
    """Says whether a verb follows that has the name before it as its subject."""
    return _VERB.match(after) is not None


def _as_object(near: str) -> NamePolarity:
    """Returns how a name stands behind what may deny it, or a detail of it."""
    between = _DENIES_OBJECT.split(near)
    if len(between) == 1 and not _LOOK_UP.search(near):
        return NamePolarity.OFFERED
    if _DETAIL.search(between[-1]):
        return NamePolarity.PASSING
    denies = not _BOOKING.search(between[-1]) and not _AT.search(between[-1])
    return NamePolarity.DENIED if len(between) > 1 and denies else NamePolarity.OFFERED
