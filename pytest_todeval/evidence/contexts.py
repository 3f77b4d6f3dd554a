"""The words around a name that tell how it stands: rules as data, for `standing`.

In the form of plain text (`text.plain`). What denies is shared with `triggers`.
"""

import re

from pytest_todeval.evidence.triggers import NEGATIONS, NOBODY

__all__ = [
    "ADDRESS_AFTER",
    "AFTER_ALL",
    "ALL_RIGHT",
    "ALL_THERE_IS",
    "ASIDE",
    "ASKS",
    "BARE_NOT",
    "BOOKING",
    "CANNOT",
    "CEASED",
    "CLOSED",
    "CONTRAST",
    "DENIES_OBJECT",
    "DETAIL",
    "DRAWN",
    "ECHO",
    "EXCLAIMS",
    "FIRST",
    "GIVES_UP",
    "GOES_ON",
    "HUMS",
    "IF",
    "IN_PASSING",
    "LABELLED_NO",
    "LACKING",
    "LACKS",
    "LAST_TIME",
    "MEANT",
    "NEEDS",
    "NEITHER",
    "NO_DENIAL",
    "NUMBERED",
    "OFF",
    "OVER",
    "OWNED",
    "RAISED",
    "REGRET",
    "ROOMS",
    "SEEMS",
    "SUBJECT_NOT",
    "TAKEN_FROM",
    "TAKES",
    "THROWS_OUT",
    "TOLD_BY_USER",
    "TURNED_DOWN",
    "TURNS",
    "UNKNOWN_DETAIL",
    "USERS",
    "USES",
    "VERB",
    "WANTED",
    "WAS",
    "WISHES",
]


def _any(*phrases: str) -> str:
    return "(?:" + "|".join(phrases) + ")"


NO_DENIAL = re.compile(
    r"\b"
    + _any(
        r"(?:can|could) not (?:go|get it) wrong|why (?:do )?(?:you |we )?not",
        r"not (?:only|just|merely|least|yet|so far|a bad|sure|to mention)",
        r"(?:mad|crazy|silly|foolish|daft|fools?|remiss|wrong) not to|(?:does|do|will) not (?:close|shut"
        r"|stop|finish)(?: \w+){0,2} (?:until|till|before)",
        r"no (?:reason (?:not|to doubt)|complaints|wonder|surprise|secret|exaggeration|mistake)|nothing (?:wrong|bad|but (?:praise|good))",
        r"will not (?:go|leave|be|feel) (?:hungry|bored|sorry|thirsty|short|cold|let down)",
        r"no (?:further|better|finer|nicer|other)(?: \w+)? (?:than|but)|no further",
        r"no(?= ?,)|no (?:problem|worries|trouble|doubt|need|matter|hurry|rush|charge|fee|deposit)",
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

OVER = re.compile(
    r"\b(?:(?<!anything )but|however|though|although|while|whereas|instead|yet|except that|otherwise|still)\b"
    r"|[;!?]| - |(?<!\d): |(?<![a-z]\.[a-z])\. |, (?:and |so )?(?=(?:i|we|you|they|there) )"
)
"""Ends the scope of a denial, whichever way it goes."""

_LOCATED = _any(
    r"close to|near(?:by(?= to)|er|est)?(?: to)?|next (?:door )?to|opposite|behind|beside|adjacent to",
    r"alongside|in front of|across (?:the \w+ )?from|over the (?:road|street) from",
    r"(?:just |right )?(?:a)?round the corner from|(?:doors?|yards?|met(?:er|re)s?|miles?|km"
    r"|blocks?"
    r"|minutes?|mins?|walk|drive|ride|stroll|steps?|throw|streets?|stops?|far|way|away|distance)"
    r"(?: \w+){0,2}? (?:from|of|to)|(?:north|south|east|west) of|between|past|outside|overlooking",
    r"facing|toward|towards|beyond|above|below|underneath|same \w+(?: \w+)? (?:as|like)|than|unlike"
    r"|compared (?:to|with)|similar to|(?:just|much|exactly|not) like"
    r"|as (?!well)\w+(?: out)? as|instead of|rather than|other than|apart from|aside from|besides|formerly"
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
    r"|\b(?:leave|drop|store) (?:your|the|any) \w+(?: \w+)? (?:at|in|with)(?: the)? $"
    r"|\bturn (?:left|right|off)(?: \w+)? (?:at|after|before|past|by|onto)(?: the)? $"
    r"|\b(?:since|after|until|till)(?: the)? $|\blook\w* (?:out )?(?:on|onto|over)(?: to)?(?: the)? $"
    r"|(?<!\bwe)(?<!\bi)(?<!also) (?:runs?|owns?|operates?|manages?|pass(?:es)?)(?: by)?(?: both)?(?: the)? $"
    r"|\b(?:leaving|passing|approaching|nearing|deliver\w* to)(?: both)?"
    r"(?: the)? $"
    r"|\b(?:car park|parking|owners?|chefs?|manager|street|back|front|side|end|corner|roof"
    r"|staff|guests?|fans?|garden|shadow|branch|sister \w+|rooms?|lobby|entrance) of(?: the)? $"
    r"|\b(?:by|from|(?:located|situated|based) (?:in|at|on|inside|within))(?: the)? $"
    r"|\benjoy (?:your|the|a) (?:\w+ )?(?:visit|trip|ride|journey|way)(?: to)?(?: the)? $"
)
SEEMS = re.compile(r"\b(?:feels?|looks?|seems?) like(?: the)? $")
TAKEN_FROM = re.compile(
    r"\b(?:ranging|order\w*|choos\w*|choice|chose|pick|options?|select|swears?|drop|pop|swing|hear\w*|food|book\w*"
    r"|confirmed"
    r"|delivery|takeaway|accepted|held) (?:\w+ )?(?:from|by)(?: the)? $"
    r"|\b(?:steer|point|nudge|direct|guide|lean\w*|draw\w*|inclin\w+|send|push) (?:you |me )?towards?"
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
    r"|asked(?: me)?(?: for| about)?|said|told (?:me|us)(?: that)?|wanted|typed|wrote|requested|inquired|enquired|were"
    r"|stayed|went|ate|dined|bought|saw|booked with|request for|question about|search for|inquiry about)"
    r"(?: [\"']?(?!is\b|are\b|,)[a-z]+){0,5} ?[\"']? ?$"
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
    r"|\bhow (?:was|were|did)\b|\bdid you\b"
    r"|\bare you (?:already |currently |still |also |all )?(?:asking|looking|referring|thinking|talking|sure|staying|at|in|coming|going)\b"
    r"|\bdo you (?:need|want) (?:any )?(?:help|assistance)\b|\bhave you (?:been|stayed|eaten"
    r"|visited|heard|used)\b|\bhow far\b|\bwere you\b|\bdid you (?:\w+ )?last\b|\byou last \w+ (?:at|in|with)\b"
    r"|\bdid (?:i|we) (?:just )?(?:say|write|suggest|mention)\b|\bwho\b[^,;]{0,40} at(?: the)? $"
    r"|\b(?:can|could) you (?:please )?(?:tell|give|provide|share|send)\b|\bdid you (?:say|want"
    r"|enjoy|like|visit|ask|book|mean|try|stay|go)\b|\bcan you confirm\b"
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
    rf"(?:{_AUX}|s not|s no|wont|cant|aint|doesnae|isnae|wouldnae|couldnae|wasnae|serves?|offers?|takes?|costs?|opens?|closes?|closed|lies|sits|stands"
    rf"|looks?|seems?"
    r"|appears?|gets?|comes?|leaves?|departs?|arrives?|goes|runs?|burn(?:ed|t)|stopped|moved|went"
    r"|shut|needs?|provides?|features?|match(?:es)?|fits?|meets?|suits?|works?|allows?|accepts?|refuses|bans|forbids|excludes|rejects|exceeds|falls|undergoes|requires"
    r"|charges?|declined|refused|rejected|turned|says?|told|confirm\w*|keeps?|ticks?|sounds?|fully"
    r"|unavailable|full|no longer|not|never|lacks?|fails?|ceased|changed|lost|rates?|scores?|boasts?)\b"
)
"""A verb that has the name as its subject."""
_NEGATION = "|".join(sorted(NEGATIONS | NOBODY))
_NOT = rf"(?:no longer|{_NEGATION})"
SUBJECT_NOT = re.compile(
    rf"{_ADVERBS} ?(?:wont|cant|aint|doesnae|isnae|wouldnae|couldnae|wasnae|didnt)\b"
    rf"|{_ADVERBS} ?(?:,[^,]{{1,60}},)? ?(?:{_AUX}|s)(?: (?!{_NOT}\b|and\b|in\b"
    rf"|a\b)[a-z]+,?){{0,2}} {_NOT}\b"
    rf"|{_ADVERBS} ?(?:no longer|not|never|hardly|lacks?|fails?|refus\w+|declin\w+|bans"
    rf"|forbids|excludes|rejects|disallows|ceased|(?:unfortunately|sadly|regrettably|alas) (?:requires"
    rf"|needs|only|closes|charges|asks|starts))\b"
)
CLOSED = re.compile(
    r"(?:[(:,-] ?|\b)"
    + _any(
        r"closed(?! to cars)|(?:is|are) anything(?= ?$)|shut|fully booked|(?:already |all )?booked (?:up|out|solid)",
        r"sold out|unavailable|out of (?:business|stock|your \w+|the question|service|order|range)",
        r"(?:is|are|was|were|be|[(:,-]) ?(?:\w+ ){0,2}full(?! \w*(?:board|english|of|service"
        r"|menu))",
        r"(?:taken|struck|dropped|removed) (?:off|from|out)|delisted|inactive",
        r"nothing(?: \w+)? (?:free|left|available|found)|(?:has|have) (?:already )?(?:left"
        r"|departed)",
        r"cancell?ed|suspended|withdrawn|discontinued|bankrupt|went (?:bust|under|out)|gone bust",
        r"(?:came|comes|turned) (?:up|back) (?:empty|with nothing|blank)|drew a blank|in vain",
        r"(?:gave|yielded|returned|brought up) (?:no|nothing|zero)|gone|off the (?:table|menu"
        r"|list)|no longer|ceased|demolished|burn(?:ed|t) down|stopped",
        r"(?:has |have )?moved|(?:far |much |way |a bit |rather )?too \w+(?: for)?",
        r"over (?:your )?budget|beyond your|unsuitable|not found|not listed|no results?"
        r"|no match\w*",
        r"without (?:any )?(?:result|success|luck)|(?:refused|declined|rejected|turned \w+) ",
        r"turned (?:you|us|it|me) (?:down|away)|ran out|unknown to|does not|do not|never",
        r"(?:is|are) (?:\w+ )?(?:out|off|no good|no use|no option|gone)(?= ?[,.;]|$)",
        r"(?:permanently|temporarily|currently|already|indefinitely|completely|sadly|unfortunately)"
        r" (?:closed|shut|full|taken|sold out|booked(?: up)?|unavailable|gone)",
        r"falls? (?:outside|short)|exceeds?|non-?starter|under(?:going)? (?:\w+ )?(?:construction"
        r"|renovations?|repairs?|refurbishment|maintenance|works?)|being (?:\w+ )?(?:renovated"
        r"|refurbished|rebuilt|repaired|done up|redecorated)|had to (?:close|cancel|shut|stop)",
        r"more (?:\w+ )?than (?:you|your)\b|(?:a |the )(?:poor|bad|wrong|terrible) (?:choice|fit|match"
        r"|idea|option|pick|one|part|side|end|area|town|city)|in (?:another|a different) (?:town|city"
        r"|part|area|county|district)|(?:across|on the other side of) town|nowhere near",
        r"turned (?:\w+ ){1,3}(?:down|away)|(?:already|been) taken\b|(?:reserved|booked|closed) for a"
        r" (?:private|wedding|party)|hired out|rented out|spoken for|occupied|over-?booked"
        r"|over-?subscribed|full up|packed|rammed|ruled out|eliminated|disqualified|excluded|dropped"
        r"|out (?:as|because|since)\b|(?:0|zero) (?:results?|matches|hits|rooms|tables|seats)",
        r"(?:a )?no-? ?go\b|retired|axed|scrapped|binned|finished (?:its|their)|ended (?:its|their)"
        r"|(?:has|have) (?:now )?ended|(?<=: )full\b|(?<=- )full\b|(?<=\()full\b|has a (?:\w+ )?waiting"
        r" list|lost (?:its|their) licen[cs]e|beyond (?:what|the)|(?:gave|gives) (?:me|us) (?:no|zero)",
        r"off[ -]limits|out of (?:network|bounds|action|season|reach|commission|area)|anything but"
        r"|no more(?! than)|far from (?:\w+)(?=[.,!]|$)|no place for|(?:is|are) (?:only |just )?for"
        r" (?:adults|children|members|residents|men|women|groups)(?: only)?(?=[.,]|$)",
        r"not available|not possible|not an option|not open|none left|no (?:rooms?|tables?|seats?"
        r"|tickets?|availability|vacanc\w+|space|places?|beds?)",
    )
    + r"(?![a-z])"
)
FIRST = re.compile(
    r"(?:(?<!sold) and (?!therefore|so|thus|hence|closed|shut)|, (?!i am|sadly|unf)|\bwhich\b"
    r"|\bso\b|\bbecause\b|\bsince\b)"
)
"""Where the first thing said of a subject ends."""

DENIES_OBJECT = re.compile(
    r"\b"
    + _any(
        _NEGATION,
        r"unable|lack\w*|unsuccessful"
        r"|impossible|failed|unaware|trouble (?:finding|locating)|out of|rul\w* out|rules?"
        r"|(?:0|zero) (?:matches|results|hits|entries|records|listings)"
        r"|exclud\w+|cross\w* off|avoid|skip(?:ped)?|drop(?:ped)?|remov\w+|advise against|stopped"
        r"|ceased"
        r"|instead of|cancell?\w*",
    )
    + r"\b"
)
OFF = re.compile(r" (?:a miss|a wide berth|a pass|out|off|from (?:the|our|my|your) (?:list|options))\b")
TAKES = re.compile(r"\b(?:giv|rul|tak|took|cross|str[iu]k|cut|leav|left|keep|kept|count)\w*(?: the)? $")
RAISED = re.compile(
    r"\b(?:not (?:think|believe|suppose|expect|look (?:like|as if)|seem|appear|sure (?:that|if))"
    r"|doubt)"
    r"\b[^,;]*$"
)
NEITHER = re.compile(r"\b(?:neither|none of)(?: the)? $")
REGRET = re.compile(
    r"\b(?:unfortunately|sadly|regrettably|alas|i am afraid)\b(?! (?:i|we"
    r"|there)\b)[ ,]*(?:that )?(?:the )?$"
)
ALL_THERE_IS = re.compile(
    r"\b(?:only|still|all (?:i|we)|left|best|does have|available|nearest|closest)\b"
)

_DETAIL = _any(
    r"(?:phone |telephone |contact |reference |house )?numbers?|phone|telephone|address(?:es)?",
    r"post ?codes?|zip|e-?mails?|websites?|web ?pages?|prices?(?! range)|pric(?:es|ing)|costs?"
    r"|fees?|hours",
    r"opening|entrance|admission|signature|menus?|reviews?|ratings?|photos?|pictures?|street",
    r"details about|data on|exact|specific|directions|description",
)
"""What a bot may not know of a place that it offers all the same."""
DETAIL = re.compile(rf"\b{_DETAIL}\b")
UNKNOWN_DETAIL = re.compile(
    rf"\b(?:clue|idea|know|sure|tell|say|information|certain|confirm|word)\b(?: \w+){{0,3}}"
    rf" (?:whether|if)(?: the)? $|"
    rf"\byou (?:can|could|may|might) (?:\w+ )?(?:find|check|look up|get)\b.*\b{_DETAIL}\b"
    rf"|\b(?:not|no|unable|without|missing|lack\w*)\b.*\b{_DETAIL}\b.*\b(?:of|for|at|about|on|from"
    rf"|to)\b"
)
LACKING = re.compile(r"\b(?:parking|park|wi ?-?fi|internet|wireless|breakfast)\b")
"""Features that a place may lack and still be offered."""
NEEDS = re.compile(
    r"\b(?:need|must|have to|has to|required?|without|at least|only|important|essential|looking for"
    r"|want|should|with)\b"
)
BOOKING = re.compile(r"\b(?:book|reserve|secure|make|get you|complete|confirm|cancel)\b")
USES = re.compile(r"\b(?:playing|showing|screening|running|on|eat|stay|dine|go|lunch|sleep|park)\b")
ROOMS = re.compile(
    r"\b(?:rooms?|tables?|seats?|tickets?|availability|vacanc\w+|space|places?|beds?)\b"
)

AFTER_ALL = re.compile(
    r"^(?:it )?turns out (?:that )?(?:they|it|i|we) (?:could|can|do|does|is|are|have|has)\b(?! not)|^(?:but|though|although|yet|still|however) ,? ?(?:it|they|that|the \w+)\b(?!.*\b(?:not|no|never)\b)"
    r".*\b(?:worth|recommend\w*|excellent|superb|great|lovely|fantastic|popular|gem|loved?|brilliant"
    r"|delicious|amazing|best)\b"
)
"""Praises what the clause before found something against."""
CONTRAST = re.compile(
    r"(?:, not|\brather than|\band not|\binstead of)(?: an?| the| in the)?"
    r" (?!hotel|guest|restaurant|just|only|even)(\w{4,})"
)
"""Says that a place is one thing, and not the other."""
BARE_NOT = re.compile(r"(?:^|[,;:.!-] ?|\bsorry )not(?: the)? $")
"""Before a name that is put right: "Sorry, not X, I meant Y"."""
ECHO = re.compile(r"[^?.!,;]{1,60}\?+")
"""A clause that gives back a name: "Rose House?"."""
TURNED_DOWN = re.compile(
    r"^(?:(?:well|oh|hmm|ah|ooh|sorry|i am (?:so )?(?:sorry|afraid)|afraid|unfortunately|sadly|alas"
    r"|regrettably)[ ,.:!-]*)*(?:no\b(?! (?:problem|worries|trouble))|nope|nah|not\b|never\b|none"
    r"|nothing|closed|shut|gone|full|fully|sold out|(?:way |far |much |a bit |rather |a tad )?too \w+"
    r"|(?:way |well |far |just )?(?:outside|over|above|beyond|out of)\b|(?:that|it|they|this|the place"
    r"|that one|the name|that name)(?: \w+)? (?:not|never|closed|shut|went|gone|no longer|full)\b"
    r"|(?:it|they|that)(?: (?:has|have|had))? (?:moved|left|closed|shut|burn\w+|went)\b"
    r"|(?:i|we) (?:have |had )?(?:not|never|do not|can not|could not)\b)"
    r"|^[^,.!?]{0,40}\b(?:sadly|unfortunately|i am afraid|sorry)\W*$"
)
"""Right after a name that was given back, turns it down: "Rose House? Closed, sadly."."""
GOES_ON = re.compile(
    r"^(?:and |so )?(?:it|they|that|this|which|the (?:place|venue)|(?:is|was) (?:that|this|it))\b"
)
"""Goes on about what the clause before has named."""
HUMS = re.compile(
    r"\W*(?:hmm+|um+|uh|oh|ah|well|sorry|sadly|alas|let me see|one moment|wait|right|ok|okay)\W*"
)
"""A clause that says nothing."""
LAST_TIME = re.compile(
    r"\b(?:last (?:year|time|week|month|night|summer|winter|spring|autumn|\w+day)|yesterday|previously"
    r"|years? ago)\b"
)
EXCLAIMS = re.compile(r"^(?:oh ,? ?)?(?:what a (?:shame|pity|nuisance)|how (?:sad|annoying|unfortunate))\b")
ALL_RIGHT = re.compile(r" (?:all right|alright|ok|okay|fine|good|suitable|acceptable|something)\b")
LABELLED_NO = re.compile(r" ?(?::|=|-) ?(?:no|nope|none|nil|n/a)\W*")
"""After a name in a list of yes and no."""
TOLD_BY_USER = re.compile(r"\b(?:told|said|thought|found|wrote)(?: \w+)?(?: that)?(?: the)? $")
WAS = re.compile(r" (?:was|were|had|could)\b")
CANNOT = re.compile(
    r"^(?:it|they) (?:do|does|can|will) not (?:do|treat|handle|cover|touch)\b(?!.*\bthough\b)"
)
MEANT = re.compile(r"^(?:(?:but|no|sorry|rather) ,? ?)?(?:i meant|i mean|i should|but|it is|make that)")
"""Puts right the name before."""
OWNED = re.compile(
    r"\b(?:owners?|couple|family|landlord|landlady|people|chef|team)(?: \w+){0,3} (?:of|behind|who"
    r" (?:run|runs|ran|own|owns|owned)|at)(?: the)? $"
)
CEASED = re.compile(
    r"^ (?:have|has|are|is) (?:all )?(?:retired|closed|gone|emigrated|sold up)\b"
    r"|\bthe (?:place|restaurant|hotel|shop|venue|business) (?:is no more\b|(?:is|has) (?:now |been )?"
    r"(?:closed|shut|gone)\b)"
)
"""After the owners of a place, and against the place: "the owners of X have retired"."""
THROWS_OUT = re.compile(
    r"(?:^|[,;:!.] ?|\b(?:so|then|please|better|would|should|must|to|can|let us|and|had to) )(?:scrap"
    r"|scratch|forget(?: about)?|ditch|skip|strike|cross|discard|avoid|eliminate|dismiss|drop"
    r"|rule out|leave out|exclude|discount|count out|pass on|rule against)(?: the)? $"
    r"|\b(?:have|had|has|we|i|ve)(?: \w+)? (?:scrapped|dropped|crossed|struck|ditched|binned|axed"
    r"|excluded|removed|retired|discontinued|eliminated|discarded)(?: the| our)? $"
    r"|\bdraw(?:ing|n|s)? a blank (?:on|for|with)(?: the)? $"
    r"|\b(?:steer|stay|keep|stear) (?:you )?(?:well )?(?:clear|away)(?: of| from)(?: the)? $"
    r"|\b(?:rul|cross|weed|leav|knock)\w* out(?: the)? $"
    r"|\b(?:against|warn you off|talk you out of)(?: (?:going|staying|booking|eating|at|to|in))*"
    r"(?: the)? $"
)
"""Before a name that is told to be left alone."""
TURNS = re.compile(r"\b(?:but|however|though|although|while|whereas|yet|unless)\b|[;!?]|\. ")
"""Where what is said of a name may turn round."""
_SO = (
    r"(?:(?:that|it|this|they|those|we|i|you|one|which|is|are|s|be|will|would|have|am|afraid"
    r"|therefore|really|sadly|probably) )*"
)
DRAWN = re.compile(
    rf"(?:\b(?:so|therefore|hence|thus|which means|meaning)\b ?|(?:\band|[,:-]) ?(?:that|it|this|they"
    rf"|which) ){_SO}"
    + _any(
        r"not (?:suitable|for (?:you|your|(?:[a-z]+ ){0,2}[a-z]+(?= ?[.,!]|$))|what (?:you|we)|the (?:\w+ ){1,3}you"
        r"|a (?:match|fit)|one for|right for|an option|eligible|going to)",
        r"hardly (?:the \w|what)|a no\b|no (?:use|good|go|match)\b|(?:crossed|ruled"
        r"|struck|knocked|taken) (?:off|out)|will not (?:do|work|suit|fit|help)"
        r"|would not (?:do|work|suit|fit)|(?:does|do|did|can) not (?:fit|suit|match|meet|qualify"
        r"|work|cut it|tick|satisfy|send you|recommend|suggest)|not to be|excluded|disqualif\w+"
        r"|let us (?:skip|drop|forget|leave)",
    )
    + r"|\b(?:go|look|try|search|book|ask|move on|somewhere|anywhere|head) elsewhere\b"
    r"|\b(?:need|find|try|look(?: for)?|pick|choose) (?:somewhere|something|another place|someone)"
    r"(?: else)?\b"
    r"|\brules (?:it|that|this|them)(?: one)? out\b"
    r"|^(?:is|was) (?:that|this|it)(?: one)? (?:crossed|ruled|out|off|gone|done)\b"
)
"""What follows from what is said of a name, if that is against it: "..., so it is not for you"."""

GIVES_UP = re.compile(
    r"\b(?:ring (?:a|any) bell|(?:is|are) no more\b(?! than)|never heard of|no such|does not exist|out of business|look elsewhere"
    r"|closed (?:down|for good|permanently)|(?:it|that|this) (?:is|will be) out\b"
    r"|no longer (?:exists?|open|in business|there)|(?:will|would) not (?:do|work|suit|fit"
    r"|go there)"
    r"|(?:it|that|they) (?:does|do|can) not (?:fit|suit|work|qualify|match|meet)"
    r"|not (?:suitable|what you|a match|an option|in (?:our|my|the) (?:list\w*|system|database))"
    r"|do not know (?:it|that|them))\b"
)
WANTED = re.compile(
    r"\b(?:required|requested|needed|wanted|wished)\b|\b(?:you|your \w+) (?:need|want|require|wish"
    r"|asked|specified|are after|were after|had in mind|are looking|ve asked)\b|\byour (?:wish"
    r"|need|requirement|criteri)\w*"
)
"""Says that the user needs what a place lacks."""
LACKS = re.compile(
    r"\b(?:(?:has|have|had|offers?) no|(?:does|do|did) not (?:have|include|come with)|lacks?)\b"
    r"(?: (?:an?|any|its|their))?((?: [a-z-]+){1,4})"
)
"""Says of a place that it lacks something."""
