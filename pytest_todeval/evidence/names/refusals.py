"""The words that refuse a name, and those that only seem to: rules as data, for `standing`.

In the form of plain text (`text.plain`).
"""

import re

from pytest_todeval.evidence.names.contexts import NEGATION, any_of

CLOSED = re.compile(
    r"(?:[(:,-] ?|\b)"
    + any_of(
        r"closed(?! to cars)|(?:is|are) anything(?= ?$)|shut|fully booked|(?:already "
        r"|all )?booked (?:up|out|solid)",
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
        r"(?:has |have )?moved(?! to .*\b(?:open|now|serves)\b)|(?:far |much |way |a bit "
        r"|rather )?too \w+(?: for)?",
        r"over (?:your )?budget|beyond your|unsuitable|not found|not listed|no results?"
        r"|no match\w*",
        r"without (?:any )?(?:result|success|luck)|(?:refused|declined|rejected|turned \w+) ",
        r"(?:said|says|say) no\b|turned (?:you|us|it|me) (?:down|away)|ran out"
        r"|unknown to|does not|do not|never",
        r"(?:is|are) (?:\w+ )?(?:out|off|no good|no use|no option|gone)(?= ?[,.;]|$)",
        r"(?:permanently|temporarily|currently|already|indefinitely|completely|sadly|unfortunately)"
        r" (?:closed|shut|full|taken|sold out|booked(?: up)?|unavailable|gone)",
        r"falls? (?:outside|short)|exceeds?|non-?starter|under(?:going)? (?:\w+ )?(?:construction"
        r"|renovations?|repairs?|refurbishment|maintenance|works?)|being (?:\w+ )?(?:renovated"
        r"|refurbished|rebuilt|repaired|done up|redecorated)|had to (?:close|cancel|shut|stop)",
        r"more (?:\w+ )?than (?:you|your)\b|(?:a |the )(?:poor|bad|wrong|terrible) (?:choice|fit"
        r"|match"
        r"|idea|option|pick|one|part|side|end|area|town|city)|in (?:another|a different) (?:town"
        r"|city"
        r"|part|area|county|district)|(?:across|on the other side of) town|nowhere near",
        r"turned (?:\w+ ){1,3}(?:down|away)|(?:already|been) taken\b|(?:reserved|booked"
        r"|closed) for a"
        r" (?:private|wedding|party)|hired out|rented out|spoken for|occupied|over-?booked"
        r"|over-?subscribed|full up|packed|rammed|ruled out|eliminated|disqualified|excluded"
        r"|dropped"
        r"|out (?:as|because|since)\b|(?:0|zero) (?:results?|matches|hits|rooms|tables|seats)",
        r"(?:a )?no-? ?go\b|retired|axed|scrapped|binned|finished (?:its|their)|ended (?:its|their)"
        r"|(?:has|have) (?:now )?ended|(?<=: )full\b|(?<=- )full\b|(?<=\()full\b"
        r"|has a (?:\w+ )?waiting"
        r" list|lost (?:its|their) licen[cs]e|beyond (?:what|the)|(?:gave|gives) (?:me|us) (?:no"
        r"|zero)",
        r"off[ -]limits|out of (?:the running|contention|network|bounds|action|season|reach"
        r"|commission|area)|anything but"
        r"|no more(?! than)|far from (?:\w+)(?=[.,!]|$)|no place for|(?:is|are) (?:only |just )?for"
        r" (?:adults|children|members|residents|men|women|groups)(?: only)?(?=[.,]|$)",
        r"on (?:\w+ )?leave|on holiday|off (?:that|this|until|on|sick)|left the (?:practice"
        r"|firm|team"
        r"|company|salon)|stopped trading|members only|a (?:definite |firm "
        r"|clear )?no(?= ?[,.;!]|$)"
        r"|pulled down|not (?:seeing|accepting|taking) (?:any|new|guests|patients|bookings)",
        r"not available|not possible|not an option|not open|none left|no (?:rooms?|tables?|seats?"
        r"|tickets?|availability|vacanc\w+|space|places?|beds?)",
    )
    + r"(?![a-z])"
)
FIRST = re.compile(
    r"(?:(?<!sold) and (?!therefore|so|thus|hence|closed|shut)"
    r"|(?<!sadly)(?<!unfortunately)(?<!alas), (?!i am|sadly|unf)|\bwhich\b"
    r"|\bso\b|\bbecause\b|\bsince\b)"
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
OFF = re.compile(
    r" (?:a miss|a wide berth|a pass|out|off|from (?:the|our|my|your) (?:list|options))\b"
)
TAKES = re.compile(
    r"\b(?:giv|rul|tak|took|cross|str[iu]k|cut|leav|left|keep|kept|count)\w*(?: the)? $"
)
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
BOOKING = re.compile(r"\b(?:book|reserve|secure|make|get you|complete|confirm|cancel)\b")
USES = re.compile(
    r"\b(?:get (?:in|a|an)|playing|showing|screening|running|on|eat|stay|dine|go|lunch|sleep"
    r"|park)\b"
)
ROOMS = re.compile(
    r"\b(?:rooms?|tables?|seats?|tickets?|availability|vacanc\w+|space|places?|beds?|anything"
    r"|capacity)\b"
)

CONTRAST = re.compile(
    r"(?:, not|\brather than|\band not|\binstead of)(?: an?| the| in the)?"
    r" (?!hotel|guest|restaurant|just|only|even)(\w{4,})"
)
"""Says that a place is one thing, and not the other."""
LABELLED_NO = re.compile(r" ?(?::|=|-) ?(?:no|nope|none|nil|n/a|nothing(?: (?:at|for|on) \S+)?)\W*")
"""After a name in a list of yes and no."""
TOLD_BY_USER = re.compile(r"\b(?:told|said|thought|found|wrote)(?: \w+)?(?: that)?(?: the)? $")
WAS = re.compile(r" (?:was|were|had|could)\b")
OWNED = re.compile(
    r"\b(?:owners?|couple|family|landlord|landlady|people|chef|team)(?: \w+){0,3} (?:of|behind|who"
    r" (?:run|runs|ran|own|owns|owned)|at)(?: the)? $"
)
CEASED = re.compile(
    r"^ (?:have|has|are|is) (?:all )?(?:retired|closed|gone|emigrated|sold up)\b"
    r"|\bthe (?:place|restaurant|hotel|shop|venue|business) (?:is no more\b|(?:is|has) (?:now "
    r"|been )?"
    r"(?:closed|shut|gone)\b)"
)
"""After the owners of a place, and against the place: "the owners of X have retired"."""
THROWS_OUT = re.compile(
    r"(?:^|[,;:!.] ?|\b(?:so|then|please|better|would|should|must|to|can|let us|and"
    r"|had to) )(?:scrap"
    r"|scratch|forget(?: about)?|ditch|skip|strike|cross|discard|avoid|eliminate|dismiss|drop"
    r"|rule out|leave out|exclude|discount|count out|pass on|rule against)(?: the)? $"
    r"|\b(?:have|had|has|we|i|ve)(?: \w+)? (?:scrapped|dropped|crossed|struck|ditched|binned|axed"
    r"|excluded|removed|retired|discontinued|eliminated|discarded)(?: the| our)? $"
    r"|\byou have (?:just |only just )?missed(?: the)? $"
    r"|\bdraw(?:ing|n|s)? a blank (?:on|for|with)(?: the)? $"
    r"|\b(?:steer|stay|keep|stear) (?:you )?(?:well )?(?:clear|away)(?: of| from)(?: the)? $"
    r"|\b(?:rul|cross|weed|leav|knock)\w* out(?: the)? $"
    r"|\b(?:against|warn you off|talk you out of)(?: (?:going|staying|booking|eating|at|to|in))*"
    r"(?: the)? $"
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
    r"\b(?:ring (?:a|any) bell|(?:is|are) no more\b(?! than)|never heard of|no such"
    r"|does not exist|out of business|look elsewhere"
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
    r"|need|requirement|criteri)\w*|\b(?:that|which|it) (?:was|is) (?:your|the) (?:\w+ )?"
    r"(?:condition|requirement|must|wish|need|deal-?breaker)"
)
"""Says that the user needs what a place lacks."""
LACKS = re.compile(
    r"\b(?:(?:has|have|had|offers?) no|(?:does|do|did) not (?:have|include|come with)|lacks?)\b"
    r"(?: (?:an?|any|its|their))?((?: [a-z-]+){1,4})"
)
"""Says of a place that it lacks something."""
