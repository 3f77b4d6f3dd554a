"""How a name stands in a clause: put forward, denied, asked about, or mentioned in passing.

Works as NegEx does (Chapman et al. 2001): triggers with a direction and a scope, words that end a
scope, and phrases that look like triggers and are none ("you can't go wrong with ...").
"""

import re
from enum import StrEnum

__all__ = ["Standing", "denied_before", "gives_up", "plain_triggers", "standing", "takes_verb"]

WINDOW = 160
"""Characters on either side of a name in which the words that tell its standing are looked for."""


class Standing(StrEnum):
    """What a clause does with a name."""

    OFFERED = "offered"
    DENIED = "denied"
    ASKED = "asked"
    PASSING = "passing"
    REPEATED = "repeated"
    """Given back from the user's words: "You asked for ..."."""


def _any(*phrases: str) -> str:
    return "(?:" + "|".join(phrases) + ")"


_NO_DENIAL = re.compile(
    r"\b"
    + _any(
        r"(?:can|could) not (?:go|get it) wrong|why (?:do )?(?:you |we )?not",
        r"not (?:only|just|merely|least|yet|so far|a bad|sure|to mention)",
        r"no (?:further|better|finer|nicer|other)(?: \w+)? (?:than|but)|no further",
        r"no(?= ?,)|no (?:problem|worries|trouble|doubt|need|matter|hurry|rush|charge|fee|deposit)",
        r"no (?:extra|additional|booking|cancellation|hidden|entrance|entry|admission|service)"
        r" (?:\w+ )?(?:charges?|fees?|costs?)",
        r"(?:nothing|none|nobody|no one|nowhere|no \w+) (?:is |are |comes? |gets? )?(?:quite )?"
        r"(?:beats?|tops?|rivals?|better|close|as \w+|(?!other|offer|cater|order|under|river)"
        r"\w{3,}er)\b(?: \w+)? ?(?:than|as|to)?",
        r"nothing but|none other than|not to be missed|maybe not|perhaps not|if not|or not",
        r"(?:do|should|must|would) not (?:want to )?(?:miss|overlook|forget|hesitate|worry|mind)",
        r"(?:will|would|does|do|did|never) (?:not )?(?:be )?(?:disappoint(?:ed)?|regret)",
        r"(?:can|could) not (?:be (?:better|easier|nicer)|wait|beat|fault)",
        r"(?:can|could) not \w+(?=[^.;]{0,80}\b(?:enough|more highly)\b)",
        r"(?:never|not|hardly|no)\b[^,.;]{0,30}\b(?:better|nicer|finer)\b[^,.;]{0,30}\bthan",
        r"(?:does|do|will|would|did) not (?:charge|cost|require|need|ask)",
        r"(?:is|are|does|do|will|would|can|could|should) not (?:it|that|there|you|they)(?= ?[?,.])",
        r"not (?:too |very |that |so |overly )?(?:busy|crowded|difficult|hard|noisy|expensive|pricey"
        r"|far|bad|loud|dear)|without (?:any )?"
        r"(?:problem|trouble|extra|charge|delay)|(?<![^,] )(?:is|are|would|will|could|should) not(?= \w)",
    )
)
"""Words that deny elsewhere, and not here."""

_OVER = re.compile(
    r"\b(?:but|however|though|although|while|whereas|instead|yet|except that|otherwise|still)\b"
    r"|[;!?]| - |(?<!\d): |(?<![a-z]\.[a-z])\. |, (?:and |so )?(?=(?:i|we|you|they|there) )"
)
"""Ends the scope of a denial, whichever way it goes."""

_LOCATED = _any(
    r"close to|near(?:by|er|est)?(?: to)?|next (?:door )?to|opposite|behind|beside|adjacent to",
    r"alongside|in front of|across (?:the \w+ )?from|over the (?:road|street) from",
    r"(?:just |right )?(?:a)?round the corner from|(?:doors?|yards?|met(?:er|re)s?|miles?|km|blocks?"
    r"|minutes?|mins?|walk|drive|ride|stroll|steps?|throw|streets?|stops?|far|way|away|distance)"
    r"(?: \w+){0,2}? (?:from|of|to)|(?:north|south|east|west) of|between|past|outside|overlooking",
    r"facing|toward|towards|beyond|above|below|underneath|same \w+(?: \w+)? (?:as|like)|than|unlike"
    r"|compared (?:to|with)|similar to|(?:just|much|exactly|not) like"
    r"|as (?!well)\w+ as|instead of|rather than|other than|apart from|aside from|besides|formerly|used to be"
    r"|named after|owned by|run by|overlooks?|faces|adjoins|borders|shar\w+ (?:\w+ ){1,3}with"
    r"|(?:that|which|who|company|people|team|family|chain) (?:\w+ )?(?:runs?|owns?|operates?|manages?)|view of|visible from|walking distance (?:of|from|to)",
    r"confused?(?: \w+)? with|mix(?:ed)?(?: \w+)? up with|from the same \w+ as",
)
_NO_NOUN = (
    r"is|are|was|were|has|have|had|there|i|we|you|it|they|this|that|called|named|try|with|recommend"
    r"|suggest|would|will|can|could|does|do|offers?|book|booked|at|find|found|choose|and|or|like|be"
)
_IN_PASSING = re.compile(
    rf"\b{_LOCATED}(?: (?!(?:{_NO_NOUN})\b)[a-z0-9'-]+){{0,3}}(?: (?:and|or)(?: the)?)? ?,? ?$"
    r"|\b(?:taxis?|cabs?|bus(?:es)?|trams?|walk|drive|ride|trip|route|way|directions|distance"
    r"|shuttle|transfers?|runs?)\b[^,;]{0,60}\b(?:from|to|between)(?: the)? $"
    r"|\b(?:feels?|looks?|tastes?|seems?) like(?: the| a)? $"
    r"|\b(?:work(?:ed|s|ing)?|trained|cooked|learned|learnt|studied|wait\w*|meet\w*|starts?|ends?|stops?|on sale|on show|sold|shown"
    r"|get off|turn (?:left|right)|drop\w* off|pick\w* up)(?: \w+)? (?:at|in|by|for)(?: the)? $"
    r"|\b(?:car park|parking|owners?|chefs?|manager|street|back|front|side|end|corner|roof"
    r"|staff|guests?|fans?|garden|shadow|branch|sister \w+|rooms?|lobby|entrance) of(?: the)? $"
    r"|\b(?:by|from|(?:located|situated|based) (?:in|at|on|inside|within))(?: the)? $"
    r"|\benjoy (?:your|the|a) (?:\w+ )?(?:visit|trip|ride|journey|way)(?: to)?(?: the)? $"
)
_SEEMS = re.compile(r"\b(?:feels?|looks?|seems?) like(?: the)? $")
_TAKEN_FROM = re.compile(
    r"\b(?:ranging|order\w*|choos\w*|choice|chose|pick|options?|select|hear\w*|food|book\w*|confirmed"
    r"|delivery|takeaway|accepted|held) (?:\w+ )?(?:from|by)(?: the)? $"
)
_ADDRESS_AFTER = re.compile(
    r" (?:street|road|lane|avenue|square|row|close|crescent|court|passage|terrace|bus stop|station"
    r"|roundabout|district|drive)\b"
)
_ASIDE = re.compile(r"\([^()]*\)")
_NUMBERED = re.compile(r"(?:^|[ ,])\d{1,4}[a-z]?,? $")
_USERS = re.compile(
    r"\b(?:you|your)(?: have| had)?(?: \w+ly)? (?:enjoyed|liked|loved|visited|tried|mentioned"
    r"|asked(?: me)?(?: for| about)?|said|wanted|typed|wrote|requested|inquired|enquired|were"
    r"|stayed|went|request for|question about|search for|inquiry about)"
    r"(?: (?!is\b|are\b|,)[a-z]+){0,5} ?[\"']? ?$"
    r"|\b(?:searched|searching|looked) (?:for|up)(?: [a-z]+){0,4} ?[\"']? ?$"
    r"|\blet me (?:just )?(?:check|see|look)\b[^,;]*$|^as for(?: the)? $"
    r"|\bthanks?(?: you)? for (?:providing|the|your|telling|letting|giving|sharing)\b[^,;]*$"
)
_IF = re.compile(
    r"(?:^|[,;:] ?|\b(?:and|but|so|or|only|even|then|that) )"
    r"(?:if|unless|in case|should|provided|assuming|suppose)\b(?P<wish>[^,;]*)$"
)
_WISHES = re.compile(
    r"\b(?:like|love|prefer|want|fancy|choose|go (?:for|with)|pick|take|interested|sounds?|suits?"
    r"|works?|happy|ok|okay|book|stay|eat|need|appeals?)\b"
)
_ASKS = re.compile(
    r"\b(?:do|did|would) you mean\b|\b(?:is|was) (?:it|that|this)(?: the)? $|\bdo you know\b"
    r"|\bare you (?:asking|looking|referring|thinking|talking|sure|staying|at|in|coming|going)\b"
    r"|\bdo you (?:need|want) (?:any )?(?:help|assistance)\b|\bhave you (?:been|stayed|eaten|visited|heard|used)\b|\bhow far\b|\bwere you\b"
    r"|\b(?:can|could) you (?:please )?(?:tell|give|provide|share|send)\b|\bdid you (?:say|want|ask|book|mean|try|stay|go)\b|\bcan you confirm\b"
    r"|^(?:and |so |but )?(?:is|are|does|did|was|has)(?: the)? $"
)

_AUX = (
    r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|may|might|should|must|ll)"
)
_ADVERBS = (
    r"(?: ?[,(]? ?(?:also|still|really|currently|just|now|only|both|all|unfortunately|sadly|alas"
    r"|i am (?:afraid|sorry)(?: to say)?|itself|actually|definitely|simply|sometimes|at the moment"
    r"|today|however|as it happens|most|both|each|itself)\b ?,?)*"
)
_VERB = re.compile(
    rf"{_ADVERBS} ?(?:,[^,]{{1,60}},)? ?"
    rf"(?:{_AUX}|s not|s no|serves?|offers?|takes?|costs?|opens?|closes?|closed|lies|sits|stands|looks?|seems?"
    r"|appears?|gets?|comes?|leaves?|departs?|arrives?|goes|runs?|burn(?:ed|t)|stopped|moved|went"
    r"|shut|needs?|provides?|features?|match(?:es)?|fits?|meets?|suits?|works?|allows?|accepts?"
    r"|charges?|declined|refused|rejected|turned|says?|told|confirm\w*|keeps?|ticks?|sounds?|fully"
    r"|unavailable|full|no longer|never|lacks?|fails?|ceased|changed|lost|rates?|scores?|boasts?)\b"
)
"""A verb that has the name as its subject."""
_NOT = r"(?:not|no longer|never|no|neither|hardly|nothing|only by)"
_SUBJECT_NOT = re.compile(
    rf"{_ADVERBS} ?(?:,[^,]{{1,60}},)? ?(?:{_AUX}|s)(?: (?!{_NOT}\b|and\b|in\b|a\b)[a-z]+,?){{0,2}} {_NOT}\b"
    rf"|{_ADVERBS} ?(?:no longer|never|hardly|lacks?|fails?|refus\w+|declin\w+)\b"
)
_CLOSED = re.compile(
    r"(?:[(:,-] ?|\b)"
    + _any(
        r"closed(?! to cars)|shut|fully booked|(?:already |all )?booked (?:up|out|solid)",
        r"sold out|unavailable|out of (?:business|stock|your \w+|the question|service|order|range)",
        r"(?:is|are|was|were|be|[(:,-]) ?(?:\w+ ){0,2}full(?! \w*(?:board|english|of|service|menu))",
        r"cancell?ed|suspended|withdrawn|discontinued|bankrupt|went (?:bust|under|out)|gone bust",
        r"(?:came|comes|turned) (?:up|back) (?:empty|with nothing|blank)|drew a blank|in vain",
        r"(?:gave|yielded|returned|brought up) (?:no|nothing|zero)|gone|off the (?:table|menu|list)|no longer|ceased|demolished|burn(?:ed|t) down|stopped",
        r"(?:has |have )?moved|(?:far |much |way |a bit |rather )?too \w+(?: for)?",
        r"over (?:your )?budget|beyond your|unsuitable|not found|not listed|no results?|no match\w*",
        r"without (?:any )?(?:result|success|luck)|(?:refused|declined|rejected|turned \w+) ",
        r"turned (?:you|us|it|me) (?:down|away)|ran out|unknown to|does not|do not|never",
        r"(?:is|are) (?:\w+ )?(?:out|off|no good|no use|no option|gone)(?= ?[,.;]|$)",
        r"not available|not possible|not an option|not open|none left|no (?:rooms?|tables?|seats?"
        r"|tickets?|availability|vacanc\w+|space|places?|beds?)",
    )
    + r"(?![a-z])"
)
_FIRST = re.compile(
    r"(?:(?<!sold) and (?!therefore|so|thus|hence|closed|shut)|, (?!i am|sadly|unf)|\bwhich\b|\bso\b|\bbecause\b|\bsince\b)"
)
"""Where the first thing said of a subject ends."""

_DENIES_OBJECT = re.compile(
    r"\b"
    + _any(
        r"not|no|never|neither|nor|none|nothing|nobody|unable|without|lack\w*|unsuccessful"
        r"|impossible|failed|unaware|trouble (?:finding|locating)|out of|rul\w* out|rules?"
        r"|exclud\w+|cross\w* off|avoid|skip(?:ped)?|drop(?:ped)?|remov\w+|advise against"
        r"|instead of|cancell?\w*",
    )
    + r"\b"
)
_OFF = re.compile(r" (?:out|off|from (?:the|our|my|your) (?:list|options))\b")
_TAKES = re.compile(r"\b(?:rul|tak|took|cross|str[iu]k|cut|leav|left|keep|kept|count)\w*(?: the)? $")
_RAISED = re.compile(
    r"\b(?:not (?:think|believe|suppose|expect|look (?:like|as if)|seem|appear|sure (?:that|if))|doubt)"
    r"\b[^,;]*$"
)
_NEITHER = re.compile(r"\b(?:neither|none of)(?: the)? $")
_REGRET = re.compile(r"\b(?:unfortunately|sadly|regrettably|alas|i am afraid)\b(?! (?:i|we|there)\b)[ ,]*(?:that )?(?:the )?$")
_ALL_THERE_IS = re.compile(
    r"\b(?:only|still|all (?:i|we)|left|best|does have|available|nearest|closest)\b"
)

DETAIL = _any(
    r"(?:phone |telephone |contact |reference |house )?numbers?|phone|telephone|address(?:es)?",
    r"post ?codes?|zip|e-?mails?|websites?|web ?pages?|prices?(?! range)|pric(?:es|ing)|costs?|fees?|hours",
    r"opening|entrance|admission|signature|menus?|reviews?|ratings?|photos?|pictures?|street",
    r"details about|data on|exact|specific|directions|description",
)
"""What a bot may not know of a place that it offers all the same."""
_DETAIL = re.compile(rf"\b{DETAIL}\b")
_UNKNOWN_DETAIL = re.compile(
    rf"\byou (?:can|could|may|might) (?:\w+ )?(?:find|check|look up|get)\b.*\b{DETAIL}\b"
    rf"|\b(?:not|no|unable|without|missing|lack\w*)\b.*\b{DETAIL}\b.*\b(?:of|for|at|about|on|from|to)\b"
)
_LACKING = re.compile(r"\b(?:parking|park|wi ?-?fi|internet|wireless|breakfast)\b")
"""Features that a place may lack and still be offered."""
_NEEDS = re.compile(
    r"\b(?:need|must|have to|has to|required?|without|at least|only|important|essential|looking for"
    r"|want|should|with)\b"
)
_BOOKING = re.compile(r"\b(?:book|reserve|secure|make|get you|complete|confirm|cancel)\b")
_USES = re.compile(r"\b(?:eat|stay|dine|go|lunch|sleep|park)\b")
_ROOMS = re.compile(r"\b(?:rooms?|tables?|seats?|tickets?|availability|vacanc\w+|space|places?|beds?)\b")


def plain_triggers(text: str) -> str:
    """A clause in which phrases that only look like denials are blanked out, in their length."""
    return _NO_DENIAL.sub(lambda found: "_" * len(found[0]), text)


def standing(before: str, after: str, *, asks: bool, wanted: str) -> Standing:
    """How a name stands between what comes before it and what comes after it in its clause.

    Both without phrases that only look like denials (see `plain_triggers`). `asks`: the clause has
    the word order of a question. `wanted`: the user's last words, made plain.
    """
    before = _ASIDE.sub(" ", before[-WINDOW:]).rstrip('"( ') + " "
    after = re.sub(r'^["\')]+', "", after[:WINDOW])
    if _USERS.search(before) and not asks:
        return Standing.DENIED if _is_denied(before, after, wanted) else Standing.REPEATED
    if _passes(before, after):
        return Standing.PASSING
    condition = _IF.search(before)
    if condition and not _WISHES.search(condition["wish"] + after.split(",")[0]):
        return Standing.PASSING
    if asks and _ASKS.search(before):
        return Standing.ASKED
    if condition or asks:
        return Standing.OFFERED
    if _is_denied(before, after, wanted):
        return Standing.DENIED
    unknown = _UNKNOWN_DETAIL.search(_scope_before(before))
    failed = not _VERB.match(after) and denied_before(before) and not asks
    return Standing.PASSING if unknown or failed else Standing.OFFERED


def _passes(before: str, after: str) -> bool:
    if _VERB.match(after) and _SEEMS.search(before):
        return False
    if _ADDRESS_AFTER.match(after) or (_NUMBERED.search(before) and after.startswith((" road", ","))):
        return True
    return _IN_PASSING.search(before) is not None and not _TAKEN_FROM.search(before)


def _scope_before(before: str) -> str:
    ends = [match.end() for match in _OVER.finditer(before)]
    return before[ends[-1] :] if ends else before


def _scope_after(after: str) -> str:
    ended = _OVER.search(after, 1)
    if ended and after[: ended.start()].strip(" ,.?") == "" and ended[0] in "?: - ":
        ended = _OVER.search(after, ended.end())
    return after[: ended.start()] if ended else after


def _is_denied(before: str, after: str, wanted: str) -> bool:
    near, rest = _scope_before(before), _scope_after(after)
    if _VERB.match(rest):
        raised = _RAISED.search(near) is not None
        return raised or _subject_denied(near, rest, wanted)
    if re.match(r" ?,? which (?:is|are|does|do|has|was) not\b", rest):
        return False
    if _OFF.match(rest) and _TAKES.search(near):
        return True
    return _object_denied(near) or _CLOSED.match(rest.lstrip()) is not None


def takes_verb(after: str) -> bool:
    """Whether a verb follows that has the name before it as its subject."""
    return _VERB.match(after) is not None


def denied_before(before: str) -> bool:
    """Whether a denial reaches what follows these words."""
    return _DENIES_OBJECT.search(_scope_before(before)) is not None


def _object_denied(near: str) -> bool:
    found = None
    for found in _DENIES_OBJECT.finditer(near):
        pass
    if found is None or (found[0] == "rules"):
        return False
    between = near[found.end() :]
    if _BOOKING.search(between) or (_DETAIL.search(between) and " of " not in found[0]):
        return False
    at = re.search(r"\b(?:at|in)(?: the)? ?$", between)
    return not at or bool(_ROOMS.search(between) or _USES.search(between))


def _subject_denied(near: str, rest: str, wanted: str) -> bool:
    ended = _FIRST.search(rest, 2)
    first = rest[: ended.start()] if ended else rest
    if _SUBJECT_NOT.match(first) or _NEITHER.search(near):
        return gives_up(rest) or not _is_mere_lack(first, wanted)
    if _CLOSED.search(first):
        return not _DETAIL.search(first)
    if re.search(r"\bonly\b", first) and re.search(r"\b(?:afraid|sorry|unfortunately)\b", rest):
        return True
    regrets = _REGRET.search(near) is not None
    return regrets and not _ALL_THERE_IS.search(first)


def _is_mere_lack(said: str, wanted: str) -> bool:
    """Lacks a feature that the user did not say to need, or a detail that is not known."""
    lacking = _LACKING.search(said)
    if lacking:
        return not (_NEEDS.search(wanted) and _LACKING.search(wanted))
    return _DETAIL.search(said) is not None


_GIVES_UP = re.compile(
    r"\b(?:ring (?:a|any) bell|never heard of|no such|does not exist|out of business|closed (?:down|for good"
    r"|permanently)|(?:it|that|this) (?:is|will be) out\b|no longer (?:exists?|open|in business|there)|(?:will|would) not (?:do|work|suit"
    r"|fit)|not (?:suitable|what you|a match|an option|in (?:our|my|the) (?:list\w*|system"
    r"|database))|do not know (?:it|that|them))\b"
)


def gives_up(text: str) -> bool:
    """Whether a clause denies, without its name, what was named before it: "Never heard of it"."""
    return _GIVES_UP.search(text) is not None
