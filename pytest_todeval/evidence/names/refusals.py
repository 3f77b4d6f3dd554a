"""The words that refuse a name, and those that only seem to: rules as data, for `standing`.

In the form of plain text (`text.plain`).
"""

import re

from pytest_todeval.evidence.names.contexts import NEGATION, any_of

CLOSED = re.compile(
    r"(?:[(:,-] ?|\b)(?:closed(?! to cars)|is anything(?= ?$)|shut|fully booked|sold out"
    r"|unavailable|out of (?:stock|your \w+|the question|order)|(?:is|are|was"
    r"|be) ?(?:\w+ ){0,2}full(?! \w*of)|struck from|nothing(?: \w+)? (?:free|left"
    r"|available|found)|cancell?ed|suspended|withdrawn|discontinued|bankrupt|went bust|gone"
    r"|off the (?:table|menu|list)|burn(?:ed|t) down|stopped|(?:has )?moved(?! to .*\bnow\b)"
    r"|(?:way )?too \w+(?: for)?|over (?:your )?budget|beyond your|without (?:any )?(?:result"
    r"|success|luck)|(?:said|says) no\b|does not|do not|is (?:\w+ )?(?:out|off)(?= ?[,.;]|$)"
    r"|(?:permanently|temporarily|currently|already|indefinitely|completely|sadly"
    r"|unfortunately) (?:closed|shut|full|taken|sold out|booked(?: up)?|unavailable|gone)"
    r"|falls? (?:outside|short)|under(?:going)? (?:\w+ )?(?:construction|renovations?|repairs?"
    r"|refurbishment|maintenance|works?)|turned (?:\w+ ){1,3}(?:down|away)|been taken\b"
    r"|(?:reserved|booked|closed) for a (?:private|wedding|party)|packed|rammed|ruled out|dropped"
    r"|(?:a )?no-? ?go\b|retired|scrapped|finished its|(?<=: )full\b|(?<=\()full\b"
    r"|has a (?:\w+ )?waiting list|lost (?:its|their) licen[cs]e|off[ -]limits"
    r"|out of (?:the running|network)|(?:is|are) (?:only |just )?for (?:adults|children|members"
    r"|residents|men|women|groups)(?: only)?(?=[.,]|$)|on (?:\w+ )?leave|off (?:that|this|sick)"
    r"|left the (?:practice|firm|team|company|salon)|members only|a (?:definite |firm "
    r"|clear )?no(?= ?[,.;!]|$)|pulled down|not available|no (?:rooms?|tables?))(?![a-z])"
)
FIRST = re.compile(
    r"(?:(?<!sold) and (?!so)|(?<!sadly)(?<!unfortunately)(?<!alas), (?!i am|sadly)|\bso\b"
    r"|\bbecause\b|\bsince\b)"
)
"""Where the first thing said of a subject ends."""

DENIES_OBJECT = re.compile(
    r"\b"
    + any_of(
        NEGATION,
        r"unable|lack\w*|unsuccessful"
        r"|impossible|failed|unaware|trouble (?:finding|locating)|out of|rul\w* out|rules?"
        r"|(?:0|zero) (?:matches|results|hits|entries|records|listings)"
        r"|exclud\w+|cross\w* off|avoid|skip(?:ped)?|drop(?:ped)?|remov\w+|advise against|stopped"
        r"|ceased"
        r"|instead of|cancell?\w*",
    )
    + r"\b"
)
OFF = re.compile(r" (?:a miss|out|off)\b")
TAKES = re.compile(r"\b(?:giv|rul|tak|took)\w*(?: the)? $")
NEITHER = re.compile(r"\bneither(?: the)? $")
REGRET = re.compile(r"\bsadly\b(?! i\b)[ ,]*(?:that )?(?:the )?$")
ALL_THERE_IS = re.compile(r"\bbest\b")

_DETAIL = any_of(
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
BOOKING = re.compile(r"\b(?:book|make|get you)\b")
USES = re.compile(r"\b(?:get a|playing|on|stay)\b")
ROOMS = re.compile(r"\b(?:rooms?|tables?|availability|places?|anything)\b")

CONTRAST = re.compile(r"(?:, not)(?: the)? (?!hotel|guest)(\w{4,})")
"""Says that a place is one thing, and not the other."""
LABELLED_NO = re.compile(r" ?(?::|-) ?(?:no|nothing(?: (?:at|for|on) \S+)?)\W*")
"""After a name in a list of yes and no."""
TOLD_BY_USER = re.compile(r"\b(?:told|said|found)(?: \w+)?(?: that)?(?: the)? $")
WAS = re.compile(r" was\b")
OWNED = re.compile(r"\b(?:owners?)(?: \w+){0,3} of(?: the)? $")
CEASED = re.compile(r"^ have (?:all )?retired\b")
"""After the owners of a place, and against the place: "the owners of X have retired"."""
THROWS_OUT = re.compile(
    r"(?:^|\b(?:would|to|can|let us) )(?:scrap|scratch|forget(?: about)?|leave out"
    r"|pass on)(?: the)? $|\b(?:have|had|has|we|i|ve)(?: \w+)? (?:scrapped|dropped|crossed|struck"
    r"|ditched|binned|axed|excluded|removed|retired|discontinued|eliminated|discarded)(?: the"
    r"| our)? $|\byou have (?:just |only just )?missed(?: the)? $|\b(?:steer|stay"
    r"|keep) (?:you )?(?:well )?(?:clear|away)(?: of| from)(?: the)? $"
)
"""Before a name that is told to be left alone."""
_SO = (
    r"(?:(?:that|it|this|they|those|we|i|you|one|which|is|are|s|be|will|would|have|am|afraid"
    r"|therefore|really|sadly|probably) )*"
)
DRAWN = re.compile(
    rf"(?:\b(?:so|therefore|hence|thus|which means|meaning)\b ?|(?:\band|[,:-]) ?(?:that|it|this"
    rf"|they"
    rf"|which) ){_SO}"
    + any_of(
        r"(?:will not|can not|cannot) (?:be able|look|take|help|see|manage|have you)",
        r"not (?:suitable|for (?:you|your|(?:[a-z]+ ){0,2}[a-z]+(?= ?[.,!]|$))|what (?:you|we)"
        r"|the (?:\w+ ){1,3}you"
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
    r"\b(?:no such|look elsewhere|closed down|(?:it|that) is out\b(?! of\b)|(?:it|that"
    r"|they) (?:does|do|can) not (?:fit|suit|work|qualify|match|meet)|not (?:suitable|what you))\b"
)
WANTED = re.compile(
    r"\brequired\b|\b(?:you|your \w+) (?:need|want|require|wish|asked|specified|are after"
    r"|were after|had in mind|are looking|ve asked)\b|\b(?:that|which|it) (?:was|is) (?:your"
    r"|the) (?:\w+ )?(?:condition|requirement|must|wish|need|deal-?breaker)"
)
"""Says that the user needs what a place lacks."""
LACKS = re.compile(
    r"\b(?:(?:has|have|had|offers?) no|(?:does|do|did) not (?:have|include|come with)|lacks?)\b"
    r"(?: (?:an?|any|its|their))?((?: [a-z-]+){1,4})"
)
"""Says of a place that it lacks something."""
