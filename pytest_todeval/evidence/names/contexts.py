"""The words around a name that tell how it stands: rules as data, for `standing`.

In the form of plain text (`text.plain`). What denies is shared with `triggers`; what refuses a name
is in `refusals`.
"""

import re

from pytest_todeval.evidence.text.triggers import NEGATIONS, NOBODY


def any_of(*phrases: str) -> str:
    """A pattern of which any phrase matches."""
    return "(?:" + "|".join(phrases) + ")"


NO_DENIAL = re.compile(
    r"\b(?:can not go wrong|why (?:do )?(?:we )?not|not (?:only|a bad|sure)|(?:mad"
    r"|silly) not to|no (?:reason not|wonder)|nothing (?:wrong|bad)|never (?:closes?)"
    r"|will not go hungry|no (?:further|better)(?: \w+)? than|no(?= ?,)|no (?:problem"
    r"|fee)|no (?:\w+ )?(?:bookings?) (?:is )?needed|(?:fees?) is not (?:\w+ )?(?:listed"
    r"|known)|not (?:yet )?(?:closed|full|sold out)\b|(?:do|would) not (?:want to )?(?:rule out)"
    r"|no (?:extra|entrance|admission) (?:\w+ )?(?:fees?|costs?)|(?:nothing"
    r"|nobody) (?:in \w+ )?(?:is )?(?:quite )?(?:(?:beats?)\b)(?: \w+)? ?(?:to)?|if not|or not"
    r"|(?:do|should) not (?:want to )?(?:miss|overlook|worry|mind)|(?:will"
    r"|never) (?:not )?(?:be )?(?:disappoint(?:ed)?)|can not (?:wait|beat)|(?:can"
    r"|could) not \w+(?=[^.;]{0,80}\benough\b)|(?:does|do|will) not (?:charge|cost|need)"
    r"|not (?:too )?(?:expensive|far|dear))"
)
"""Words that deny elsewhere, and not here."""
MAY_DENY = re.compile(r"\b(?:no|not|never|nothing|nobody|without)\b")
"""Stands in every text of which `NO_DENIAL` finds a part."""

OVER = re.compile(
    r"\b(?:yet|still)\b|[;!?]|(?<!\d): |(?<![a-z]\.[a-z])\. |, (?:and |so )?(?=(?:i|you) )"
)
"""Ends the scope of a denial, whichever way it goes."""

_LOCATED = any_of(
    r"around|close to|near(?:by(?= to)|er|est)?(?: to)?|next (?:door )?to|opposite|behind|beside"
    r"|adjacent to",
    r"alongside|in front of|across (?:the \w+ )?from|over the (?:road|street) from",
    r"(?:just |right )?(?:a)?round the corner from|(?:doors?|yards?|met(?:er|re)s?|miles?|km"
    r"|blocks?"
    r"|minutes?|mins?|walk|drive|ride|stroll|steps?|throw|streets?|stops?|far|way|away|distance)"
    r"(?: \w+){0,2}? (?:from|of|to)|(?:north|south|east|west) of|between|past|outside|overlooking",
    r"facing|toward|towards|beyond|above|below|underneath|same \w+(?: \w+)? (?:as|like)|than|unlike"
    r"|compared (?:to|with)|similar to|(?:just|much|exactly|not) like"
    r"|as (?!well)\w+(?: out)? as|instead of|rather than|other than|apart from|aside from"
    r"|besides|formerly"
    r"|used to be"
    r"|named after|owned by|run by|overlooks?|faces|adjoins|borders|shar\w+ (?:\w+ ){1,3}with"
    r"|(?:that|which|who|company|people|team|family|chain) (?:\w+ )?(?:runs?|owns?|operates?"
    r"|manages?)|view (?:\w+ )?of|(?:once )?(?:housed|hosted)|visible from|walking distance (?:of"
    r"|from|to)",
    r"confused?(?: \w+)? with|mix(?:ed)?(?: \w+)? up with|from the same \w+ as",
)
_NO_NOUN = (
    r"is|are|was|were|has|have|had|there|i|we|you|it|they|this|that|called|named|try|with|recommend"
    r"|suggest|would|will|can|could|does|do|offers?|book|booked|at|find|found|choose|and|or|like|be"
)
IN_PASSING = re.compile(
    rf"\b{_LOCATED}(?: (?!(?:{_NO_NOUN})\b)[a-z0-9'-]+){{0,3}}(?: (?:and|or)(?: the)?)? ?$"
    r"|\b(?:taxis?|cabs?|bus(?:es)?|trams?|walk|drive|ride|trip|route|way|directions|distance"
    r"|shuttle|transfers?|runs?)\b[^,;]{0,60}\b(?:from|to|between)(?: the)? $"
    r"|\b(?:feels?|looks?|tastes?|seems?) like(?: the| a)? $"
    r"|\b(?:work(?:ed|s|ing)?|trained|cooked|learned|learnt|studied|left|parked|collected|wait\w*"
    r"|meet\w*|starts?|ends?"
    r"|stops?|terminates?|calls|halts|gather\w*|assembl\w+|ask(?: for \w+)?|enquire|inquire|report"
    r"|on sale|on show|sold|shown"
    r"|get off|drop\w* off|pick\w* up)(?: \w+)? (?:at|in|by|for)(?: the)? $"
    r"|\bwho (?:did|built|designed|made|painted|wrote|founded)(?: the)? $"
    r"|\bfrom (?:your|the) (?:room|table|seats?|window|balcony|terrace) (?:at|in)(?: the)? $"
    r"|\b(?:leave|drop|store) (?:your|the|any) \w+(?: \w+)? (?:at|in|with)(?: the)? $"
    r"|\bturn (?:left|right|off)(?: \w+)? (?:at|after|before|past|by|onto)(?: the)? $"
    r"|\b(?:since|after|until|till)(?: the)? $|\blook\w* (?:out )?(?:on|onto"
    r"|over)(?: to)?(?: the)? $"
    r"|(?<!\bwe)(?<!\bi)(?<!also) (?:runs?|owns?|operates?|manages?"
    r"|pass(?:es)?)(?: by)?(?: both)?(?: the)? $"
    r"|\b(?:leaving|passing|approaching|nearing|deliver\w* to)(?: both)?"
    r"(?: the)? $"
    r"|\b(?:car park|parking|owners?|chefs?|manager|street|back|front|side|end|corner|roof"
    r"|staff|guests?|fans?|garden|shadow|branch|sister \w+|rooms?|lobby|entrance) of(?: the)? $"
    r"|\b(?:by|from|(?:located|situated|based) (?:in|at|on|inside|within))(?: the)? $"
    r"|\benjoy (?:your|the|a) (?:\w+ )?(?:visit|trip|ride|journey|way)(?: to)?(?: the)? $"
)
TAKEN_FROM = re.compile(
    r"\b(?:ranging|order\w*|choos\w*|swears?|delivery) (?:\w+ )?(?:from|by)(?: the)? $|\b(?:steer"
    r"|point) (?:you )?towards?(?: the| our)? $"
)
ASIDE = re.compile(r"\([^()]*\)")
NUMBERED = re.compile(r"(?:^|[ ,])\d{1,4}[a-z]?,? $")
USERS = re.compile(
    r"\b(?:you|your)(?: have| had)?(?: \w+ly)? (?:enjoyed|loved|mentioned|asked(?: me)?(?: for)?"
    r"|said|told (?:me|us)(?: that)?|requested|were|saw)(?: [\"']?(?!is\b"
    r"|and\b)[a-z]+){0,5} ?[\"']? ?$|\blet me (?:just )?(?:check|see|look)\b[^,;]*$"
    r"|\bthanks?(?: you)? for (?:providing|the|your|telling|letting|giving|sharing)\b[^,;]*$"
)
IF = re.compile(
    r"(?:^|[,;:] ?|\b(?:and|but|so|or|only|even|then|that) )(?:if|unless"
    r"|suppose)\b(?P<wish>[^,;]*)$"
)
WISHES = re.compile(r"\b(?:like|want|go for|sounds?|suits?|book|need)\b")
ASKS = re.compile(
    r"\bdo you mean\b|\b(?:is|was) (?:it|that|this)(?: the)? $|\bdo you know\b"
    r"|\bthinking of\b(?=[^,;]*$)|\bhow (?:was|were|did)\b|\bdid you\b|\bare you (?:already "
    r"|currently |still |also |all )?(?:asking|calling|ringing|writing|enquiring|inquiring|looking"
    r"|referring|thinking|talking|sure|staying|at|in|coming|going)\b|\bdo you (?:need"
    r"|want) (?:any )?(?:help|assistance)\b|\bdid (?:i|we) (?:just )?(?:say|write|suggest"
    r"|mention)\b|\bwho\b[^,;]{0,40} at(?: the)? $|\b(?:can|could) you (?:please )?(?:tell|give"
    r"|provide|share|send)\b|^(?:was|were)\b|^(?:and |so |but )?(?:is|are|does|did|was"
    r"|has)(?: the)? $"
)

_AUX = r"(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|may|might|should|must|ll)"
_ADVERBS = (
    r"(?: ?[,(]? ?(?:also|still|really|currently|just|now|only|both|all|unfortunately|sadly|alas"
    r"|i am (?:afraid|sorry)(?: to say)?|itself|actually|definitely|simply|sometimes|at the moment"
    r"|today|however|as it happens|most|both|each|itself)\b ?,?)*"
)
VERB = re.compile(
    rf"{_ADVERBS} ?(?:,[^,]{{1,60}},)? ?"
    rf"(?:{_AUX}|s not|s no|wont|cant|aint|doesnae|isnae|wouldnae|couldnae|wasnae|serves?"
    rf"|offers?|takes?|costs?|opens?|closes?|closed|lies|sits|stands"
    rf"|looks?|seems?"
    r"|appears?|gets?|comes?|leaves?|departs?|arrives?|goes|runs?|burn(?:ed|t)|stopped|moved|went"
    r"|shut|needs?|provides?|features?|match(?:es)?|fits?|meets?|suits?|works?|allows?|accepts?"
    r"|refuses|bans|forbids|excludes|rejects|exceeds|falls|undergoes|requires"
    r"|charges?|declined|refused|rejected|turned|says?|said|told|confirm\w*|keeps?|ticks?"
    r"|sounds?|fully"
    r"|unavailable|full|no longer|not|never|lacks?|fails?|ceased|changed|lost|rates?|scores?"
    r"|boasts?)\b"
)
"""A verb that has the name as its subject."""
NEGATION = "|".join(sorted(NEGATIONS | NOBODY))
_NOT = rf"(?:no longer|{NEGATION})"
SUBJECT_NOT = re.compile(
    rf"{_ADVERBS} ?(?:wont|cant|aint|doesnae|isnae|wouldnae|couldnae|wasnae|didnt)\b"
    rf"|{_ADVERBS} ?(?:,[^,]{{1,60}},)? ?(?:{_AUX}|s)(?: (?!{_NOT}\b|and\b|in\b"
    rf"|a\b)[a-z]+,?){{0,2}} {_NOT}\b"
    rf"|{_ADVERBS} ?(?:no longer|not|never|hardly|lacks?|fails?|refus\w+|declin\w+|bans"
    rf"|forbids|excludes|rejects|disallows|ceased|(?:unfortunately|sadly|regrettably"
    rf"|alas) (?:requires"
    rf"|needs|only|closes|charges|asks|starts))\b"
)
