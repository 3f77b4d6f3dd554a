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
    r"\b"
    + any_of(
        r"(?:can|could) not (?:go|get it) wrong|why (?:do )?(?:you |we )?not",
        r"not (?:only|just|merely|least|yet|so far|a bad|sure|to mention)",
        r"(?:mad|crazy|silly|foolish|daft|fools?|remiss|wrong) not to",
        r"(?:(?:does|do|will) not|never) (?:close|shut|stop|finish)(?:s"
        r"|es)?(?: \w+){0,2} (?:until|till|before)",
        r"no (?:reason (?:not|to doubt)|complaints|wonder|surprise|secret|exaggeration|mistake)"
        r"|nothing (?:wrong|bad|but (?:praise|good))",
        r"never (?:closes?|shuts?)|will not (?:go|leave|be|feel) (?:hungry|bored|sorry|thirsty"
        r"|short|cold|let down)",
        r"no (?:further|better|finer|nicer|other)(?: \w+)? (?:than|but)|no further",
        r"no(?= ?,)|no (?:problem|worries|trouble|doubt|need|matter|hurry|rush|charge|fee|deposit)",
        r"no (?:\w+ )?(?:bookings?|reservations?|tickets?|appointments?) (?:is |are |was )?"
        r"(?:needed|required|necessary)|(?:needs?|requires?) no"
        r" (?:booking|reservation|ticket|appointment)",
        r"(?:fees?|prices?|costs?|numbers?|address|postcode|menu|website|hours) (?:is|are|was|were)"
        r" not (?:\w+ )?(?:listed|given|known|shown|stated|available|published)",
        r"not (?:yet |actually |really )?(?:closed|shut|full|sold out|fully booked|gone)\b",
        r"(?:do|should|would|must) not (?:want to )?(?:rule out|dismiss|write off|discount)",
        r"no (?:extra|additional|booking|cancellation|hidden|entrance|entry|admission|service)"
        r" (?:\w+ )?(?:charges?|fees?|costs?)",
        r"(?:nothing|none|nobody|no one|nowhere|no (?!longer)\w+) (?:in \w+ )?(?:is |are |comes? "
        r"|gets? )?(?:quite )?(?:(?:beats?|tops?|rivals?|better|close|as \w+)\b"
        r"|\w{3,}er(?: \w+)? than\b)(?: \w+)? ?(?:than|as|to)?",
        r"nothing but|none other than|not to be missed|maybe not|perhaps not|if not|or not",
        r"(?:do|should|must|would) not (?:want to )?(?:miss|overlook|forget|hesitate|worry|mind)",
        r"(?:will|would|does|do|did|never) (?:not )?(?:be )?(?:disappoint(?:ed)?|regret)",
        r"(?:can|could) not (?:be (?:better|easier|nicer)|wait|beat|fault)",
        r"(?:can|could) not \w+(?=[^.;]{0,80}\b(?:enough|more highly)\b)",
        r"(?:never|not|hardly|no)\b[^,.;]{0,30}\b(?:better|nicer|finer)\b[^,.;]{0,30}\bthan",
        r"(?:does|do|will|would|did) not (?:charge|cost|require|need|ask)",
        r"(?:is|are|does|do|will|would|can|could|should) not (?:it|that|there|you|they)(?= ?[?,.])",
        r"(?:not|never) (?:too |very |that |so |overly )?(?:busy|crowded|difficult|hard|noisy"
        r"|expensive"
        r"|pricey"
        r"|far|bad|loud|dear)|without (?:any )?"
        r"(?:problem|trouble|extra|charge|delay)|(?<![^,] )(?:is|are|would|will|could"
        r"|should) not(?= \w)",
    )
)
"""Words that deny elsewhere, and not here."""
MAY_DENY = re.compile(r"\b(?:no|not|never|nothing|none|nobody|nowhere|hardly|without)\b")
"""Stands in every text of which `NO_DENIAL` finds a part."""

OVER = re.compile(
    r"\b(?:(?<!anything )but|however|though|although|while|whereas|instead|yet|except that"
    r"|otherwise|still)\b"
    r"|[;!?]| - |(?<!\d): |(?<![a-z]\.[a-z])\. |, (?:and |so )?(?=(?:i|we|you|they|there) )"
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
SEEMS = re.compile(r"\b(?:feels?|looks?|seems?) like(?: the)? $")
TAKEN_FROM = re.compile(
    r"\b(?:ranging|order\w*|choos\w*|choice|chose|pick|options?|select|swears?|drop|pop|swing"
    r"|hear\w*|food|book\w*"
    r"|confirmed"
    r"|delivery|takeaway|accepted|held) (?:\w+ )?(?:from|by)(?: the)? $"
    r"|\b(?:steer|point|nudge|direct|guide|lean\w*|draw\w*|inclin\w+|send|push) (?:you "
    r"|me )?towards?"
    r"(?: the| our)? $"
)
ADDRESS_AFTER = re.compile(
    r" (?:street|road|lane|avenue|square|row|close|crescent|court|passage|terrace|bus stop|station"
    r"|roundabout|district|drive)\b"
)
ASIDE = re.compile(r"\([^()]*\)")
NUMBERED = re.compile(r"(?:^|[ ,])\d{1,4}[a-z]?,? $")
USERS = re.compile(
    r"\b(?:you|your)(?: have| had)?(?: \w+ly)? (?:enjoyed|liked|loved|visited|tried|mentioned"
    r"|asked(?: me)?(?: for| about)?|said|told (?:me|us)(?: that)?|wanted|typed|wrote|requested"
    r"|inquired|enquired|were"
    r"|stayed|went|ate|dined|bought|saw|booked with|request for|question about|search for"
    r"|inquiry about)"
    r"(?: [\"']?(?!is\b|are\b|and\b|,)[a-z]+){0,5} ?[\"']? ?$"
    r"|\b(?:searched|searching|looked) (?:for|up)(?: [a-z]+){0,4} ?[\"']? ?$"
    r"|\blet me (?:just )?(?:check|see|look)\b[^,;]*$|^as for(?: the)? $"
    r"|\bthanks?(?: you)? for (?:providing|the|your|telling|letting|giving|sharing)\b[^,;]*$"
)
IF = re.compile(
    r"(?:^|[,;:] ?|\b(?:and|but|so|or|only|even|then|that) )"
    r"(?:if|unless|in case|should|provided|assuming|suppose)\b(?P<wish>[^,;]*)$"
)
WISHES = re.compile(
    r"\b(?:like|love|prefer|want|fancy|choose|go (?:for|with)|pick|take|interested|sounds?|suits?"
    r"|works?|happy|ok|okay|book|stay|eat|need|appeals?)\b"
)
ASKS = re.compile(
    r"\b(?:do|did|would) you mean\b|\b(?:is|was) (?:it|that|this)(?: the)? $|\bdo you know\b"
    r"|\bthinking of\b(?=[^,;]*$)|\bdo you (?:\w+ to )?know\b|\bare you familiar\b"
    r"|\bhow (?:was|were|did)\b|\bdid you\b|^have you (?:already |ever )?(?!considered"
    r"|thought)(?:\w+ed|made|got)\b"
    r"|^(?:so )?(?:was|is) (?:it|that)\b[^,;]*,? or(?: the)? $"
    r"|\bare you (?:already |currently |still |also |all )?(?:asking|calling|ringing|writing"
    r"|enquiring|inquiring|looking|referring|thinking|talking|sure|staying|at|in|coming|going)\b"
    r"|\bdo you (?:need|want) (?:any )?(?:help|assistance)\b|\bhave you (?:been|stayed|eaten"
    r"|visited|heard|used)\b|\bhow far\b|\bwere you\b|\bdid you (?:\w+ )?last\b"
    r"|\byou last \w+ (?:at|in|with)\b"
    r"|\bdid (?:i|we) (?:just )?(?:say|write|suggest|mention)\b|\bwho\b[^,;]{0,40} at(?: the)? $"
    r"|\b(?:can|could) you (?:please )?(?:tell|give|provide|share|send)\b|\bdid you (?:say|want"
    r"|enjoy|like|visit|ask|book|mean|try|stay|go)\b|\bcan you confirm\b"
    r"|^(?:was|were)\b"
    r"|^(?:and |so |but )?(?:is|are|does|did|was|has)(?: the)? $"
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
