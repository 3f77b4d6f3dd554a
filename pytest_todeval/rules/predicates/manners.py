"""Predicates over how the bot goes about it: closing, asking, pressing on, blaming."""

import re

from pytest_todeval.core.claim import Act
from pytest_todeval.evidence.calls.rows import identity
from pytest_todeval.evidence.dialogue import MAX_TEXT
from pytest_todeval.evidence.values.answers import asked_for
from pytest_todeval.evidence.values.told import says_value
from pytest_todeval.nlu.sentences import sentences
from pytest_todeval.rules.denied import is_denied
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.predicates.counts import single_rows
from pytest_todeval.rules.registry import predicate

_ENDS = re.compile(
    r"\b(?:bye|good ?bye|thanks?|thank you|cheers|that.s (?:all|it|everything)|that is (?:all|it)"
    r"|that will be all|no more|nothing else|have a (?:good|nice|great)|all set|i.m done|perfect"
    r"|great|see you|take care|no,? that|not? (?:right )?now)\b",
    re.I,
)
_VAGUE = re.compile(
    r"\b(?:be more specific|more precise|what exactly|what specifically|get this right"
    r"|tell me (?:a bit |a little )?more|elaborate|provide more (?:details|information)"
    r"|in more detail)\b",
    re.I,
)
_ONLY = re.compile(
    r"\bthe only (?:one|place|option|choice|hotel|restaurant|attraction|train|match|thing)\b"
    r"|\b(?:no|not any) other(?:s| (?:place|option|choice|hotel|restaurant|attraction|train))?\b"
    r"[^.!?]{0,30}\b(?:fit|match|available|there)|\bnothing else (?:fits|matches|is available)\b",
    re.I,
)
_SURE_NOT = re.compile(
    r"\bare you (?:really |absolutely |quite )?(?:sure|certain)[^?]{0,40}"
    r"\b(?:don.t|do not|not)\b[^?]{0,200}\?",
    re.I,
)
_REFUSES = re.compile(
    r"\b(?:can(?:no|.)?t|unable to|not able to|won.t|will not|not allowed to|not going to)"
    r" (?:\w+ ){0,2}(?:assist|help|do|fulfil|comply|discuss|answer|process|support|provide)"
    r"(?: you)?(?: with)? (?:that|this|it|your request|such)\b",
    re.I,
)
_FORGETS = re.compile(
    r"\b(?:remind me|(?:what|which|who|where|when) (?:\w+ )?was (?:it|that|the|your)\b"
    r"|(?:what|which|where|when) (?:\w+ )?did you (?:say|ask|tell|mention)|slipped my mind"
    r"|i(?:.ve| have)? (?:just )?forg(?:o|e)t\w*|where were we|lost track)\b",
    re.I,
)
_DECLINES = re.compile(
    r"\b(?:no|not|don.t|do not|without)\b[^.!?]{0,40}\b(?:book|reserv|need|want|thanks|thank)", re.I
)
_BLAMES = re.compile(
    r"\b(?:your (?:own )?(?:fault|mistake)"
    r"|you should(?: have|.ve) (?:said|told|read|known|thought|checked|listened|asked|mentioned"
    r"|specified|come|called|planned|looked|remembered|realised|been (?:more )?clear(?:er)?|paid)"
    r"|had you (?:\w+ )?(?:read|told|said|asked|listened|checked)|you (?:must have )?entered an?"
    r" (?:invalid|wrong)|read the terms"
    r"|as i (?:have )?already (?:told|said)|i(?:.ve| have) already told you|how many times"
    r"|shut up|waste (?:of )?my time|wasting my time"
    r"|(?:do|must) i (?:really |always )?have to|spell (?:everything|it all) out"
    r"|are you (?:deaf|blind|kidding|serious|even)|what(?:'s| is) wrong with you"
    r"|make up your mind|people like you|i (?:don.t|couldn.t) care|how hard can it be"
    r"|can.t you (?:read|listen|see)|use your (?:head|eyes|brain)|bother (?:somebody|someone) else"
    r"|i.m not your (?:servant|secretary|mother|maid|nanny|slave|assistant|friend)"
    r"|calm down|that.s not my (?:problem|job)|don.t be (?:silly|difficult|rude)"
    r"|(?P<own>be more careful|(?:read|listen) more carefully|pay (?:more )?attention|stupid|idiot"
    r"|dumb|ridiculous|nonsense|pathetic|for heaven.s sake))\b"
    r"|(?:^\W*|[.!?,]\s)(?:just |go )?(?:figure it out yourself|look it up yourself|do it yourself"
    r"|google it|get lost|whatever(?=[.!]))",
    re.I,
)
_OF_ITSELF = re.compile(r"\b(?:i|my|me|mine|we|our)\b", re.I)
_OF_THE_USER = re.compile(r"\b(?:you|your|yours|yourself)\b", re.I)


@predicate
def closes_early(view: View) -> Found:
    """The bot says goodbye and nothing else, though the user has not come to an end."""
    told = {claim.act for claim in view.facts.heard if claim.holds}
    if Act.BYE not in told or told - {Act.BYE, Act.REQUEST_MORE} or view.turn.tool_calls:
        return unknown("does not say goodbye, or says more")
    user = view.turn.as_meant[:MAX_TEXT]
    if _ENDS.search(user) or not user.strip():
        return no("the user has come to an end")
    return yes(f"says goodbye, but the user has just said {user.strip()[:80]!r}")


@predicate
def asks_vaguely(view: View) -> Found:
    """The bot asks what exactly is wanted, though the user has just said a value of the goal."""
    match = _VAGUE.search(view.facts.text)
    if match is None or "?" not in view.facts.text:
        return unknown("does not ask what is wanted")
    if view.turn.tool_calls or view.facts.acts(Act.OFFER) or view.facts.acts(Act.REQUEST):
        return no("asks for something, or has something to say")
    user = view.turn.as_meant[:MAX_TEXT]
    for part in view.evidence.goal.domains:
        for slot, value in {**part.inform, **part.book}.items():
            if says_value(user, slot, value):
                return yes(f"says {match[0]!r}, but the user has just said the {slot}: {value}")
    return no("the user has said nothing specific")


@predicate
def denies_others(view: View) -> Found:
    """The bot says that something is the only one, though the look-up of this turn found more."""
    match = _ONLY.search(view.facts.text)
    if match is None:
        return unknown("does not say that there is no other")
    counts = [
        int(call.call.result["count"])
        for call in view.facts.calls
        if isinstance(call.call.result, dict) and str(call.call.result.get("count")).isdecimal()
    ]
    found = (
        counts[-1]
        if counts
        else max((len(single_rows(call)) for call in view.facts.calls), default=0)
    )
    if not view.facts.calls:
        return unknown("looked nothing up in this turn")
    return (yes if found > 1 else no)(f"says {match[0]!r}; the look-up found {found}")


@predicate
def presses_after_no(view: View) -> Found:
    """The bot asks whether the user is sure not to want something, after the user said no."""
    match = _SURE_NOT.search(view.facts.text)
    if match is None:
        return unknown("does not ask whether the user is sure")
    if not _DECLINES.search(view.evidence.user_said(view.index)):
        return no("the user has declined nothing")
    return yes(f"asks {match[0]!r} after the user has said no")


@predicate
def refuses_flatly(view: View) -> Found:
    """The bot refuses what the user has just asked for without having tried, or though it found it.

    It says that it cannot help with that, has called nothing or found what it does not tell, and
    offers nothing, though the user has said a value of the goal or asked for one. In tasks, whose
    policies refuse, it is unknown.
    """
    match = _REFUSES.search(view.facts.text)
    if match is None or not view.evidence.goal.domains:
        return unknown("does not refuse, or the goal names no domains")
    told = (Act.OFFER, Act.REQUEST, Act.INFORM, Act.BOOKED)
    if any(view.facts.acts(act) for act in told):
        return no("says something else, too")
    if view.turn.tool_calls and not any(identity(row) for _, row in view.facts.rows):
        return no("has tried and found nothing")
    user = view.turn.as_meant[:MAX_TEXT]
    for part in view.evidence.goal.domains:
        wished = {**part.inform, **part.first_inform, **part.book}
        said = [slot for slot, value in wished.items() if says_value(user, slot, value)]
        if said or (said := list(asked_for(user, part.request))):
            return yes(f"says {match[0]!r}, but the user has just spoken of the {said[0]}")
    return no("the user wants nothing of the goal")


@predicate
def asks_what_was_said(view: View) -> Found:
    """The bot asks to be reminded of what it has offered, or the user has said, before."""
    asked = [s for s in _QUESTION.findall(view.facts.text) if _FORGETS.search(s)]
    if view.index < 2 or not asked or not view.evidence.goal.domains:
        return unknown("asks for nothing again")
    offered = [name for facts in view.evidence.until(view.index - 1) for name in facts.offers]
    if not offered:
        return no("nothing was offered before")
    return yes(f"asks {asked[0].strip()[:80]!r}; it has offered {offered[-1]!r}")


_QUESTION = re.compile(r"[^.!?\n]+\?")


@predicate
def blames_user(view: View) -> Found:
    """The bot blames, scolds or insults the user; what it says of itself alone blames nobody."""
    text = view.facts.text
    for sentence in sentences(text) if _BLAMES.search(text) else ():
        for match in _BLAMES.finditer(sentence):
            itself = _OF_ITSELF.search(sentence) and not _OF_THE_USER.search(sentence)
            excused = match[0].lower().startswith("your") and is_denied(sentence, match[0])
            if not excused and not (match["own"] and itself):
                return yes(f"says {match[0]!r}")
    return no("blames nobody")
