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
    r"[.;!?] |: | - |\b(?:but|while|whereas|although|though|whose|which|who|because)\b"
    r"|, (?=(?:so|and|or)? ?(?:i|we|you|they|it|there|he|she|our|your|my|the) )"
)
"""Where the part of a clause begins that the name stands in."""

_OFFERS = re.compile(
    r"\b"
    + any_of(
        r"(?:pre-?|re-?)?book\w*|reserv\w*|appointments?|tables?|rooms?|doubles?|twins?|suites?"
        r"|singles?|seats?|slots?|spots?|space|places?|covers?|tickets?|passes|passe?s|beds?"
        r"|nights?|weeks?|stays?|staying|availab\w+|vacanc\w+|openings?|bookings?",
        r"dine|dining|eat|eating|dinner|lunch|brunch|breakfast|supper|drinks?|menus?|try|trying"
        r"|enjoy|visit|start|starts|go|going|start\w*|begins?|end up|check (?:you )?in|checked in"
        r"|wait(?:s|ing)|expect\w*|see you|look\w* (?:out )?(?:for|forward)|welcom\w+",
        r"confirm\w*|scheduled|arrang\w+|fixed|registered|recorded|enroll?ed|signed (?:you )?up"
        r"|listed|entered|set|secured?|held|hold\w*|list|class|classes|session|order\w*|deliver\w*",
        r"i have|we have|you have|i would|i will|we will|there is|there are|has|have|got|found|find"
        r"|(?:that|it|this|which) (?:is|would be|will be)|options?|choices?|choose|pick|offer\w*"
        r"|recommend|suggest|best|one|it is|you will|you can"
        r"|you could|you are|you would|you may|you might|can be|try|interested|happy|love|fine"
        r"|cheap\w*|cost\w*|prices?|fees?|entry|entrance|admission|open|opens|free|number|phone"
        r"|look|glance|crack|shot|playing|showing|screening|running|on at|address|postcode"
        r"|parking|wifi|internet|time|travel\w*|arriv\w*|depart\w*|leav\w*"
        r"|wrong|next|wonders?|gem|good|great|perfect|book it|you in|for you|to you|want|like"
        r"|need|any|more|information|help|questions?|about|nothing|food|staff|kitchen|bar|pool"
        r"|terrace",
    )
    + r"\b"
)
"""Words of finding, booking and going: what is at a place is put forward with it."""

_OTHERS = re.compile(
    r"\b(?:customers|passengers|readers?|reviewers?|travell?ers|everyone|pianist|barista"
    r"|bartender|manager|owners?|founder|colleagues?|stylist|coach|family"
    r"|cousin|brother|sister|friends?|he|she)\b[^,;]{0,60}$"
)
"""Who does something elsewhere that is no business of the user's."""

_PAST = re.compile(
    r"\b"
    + any_of(
        r"your (?:last|previous|earlier|recent|past) \w+|you (?:had|ate|stayed|dined|visited"
        r"|went|were)\b"
        r"[^,;]* (?:at|in|to|with)",
        r"you (?:have |had )?(?:already |once )?(?:eaten|been|dined|visited|stayed|tried)",
        r"(?:spent|did) (?:\w+ ){1,3}(?:years?|months?|weeks?|time|seasons?|summers?) (?:at|in"
        r"|with)",
        r"used to|formerly|previously|once|last (?:time|year|week|month|summer|winter|night)"
        r"|years? ago|in the past|back when|when you (?:were|stayed|ate|came|visited)",
        r"(?:train|cook|work|learn|studi|practi[cs]|taught|teach|invent|creat|film|stud|earn|born"
        r"|grew up|met|married|moonlight)\w*"
        r"(?: (?:out|up|as \w+|\w+ years|under \w+))? (?:at|in)",
    )
    + r"\b"
)
_EARLIER = re.compile(
    r"\b(?:your|the|that|a) (?:last |recent |previous )?(?:meal|visit|stay|dinner|experience"
    r"|evening|time|night) (?:at|with|in|on)(?: the)? $"
)
_WAS = re.compile(
    r" ?(?:was|were|had|did|went|left|ended)\b(?! (?:\w+ )?(?:success\w*|book\w*|confirm\w*|made))"
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
_WITH_OTHERS = re.compile(
    rf"\b(?:shar(?:e|es|ed|ing)|affiliat\w+|connected|associated|merged?|partner\w*|compar\w+"
    rf"|compete\w*"
    rf"|confus\w+|mix\w*|fus\w+|unlike|linked|combined|part(?:ed)? ways)\b[^,;]{{0,40}}"
    rf" (?:with|at){_ARTICLE} $"
)

_BEFORE_ASIDE = re.compile(
    r"\b"
    + any_of(
        r"unlike(?: at| in| the one at)?|frae|not far frae|moved (?:here |to us |over )?from"
        r"|formerly|previously|used to be|once (?:was|known as)?|what was|named (?:after|for)",
        r"compar\w+ \w+(?: \w+){0,4} (?:to|with)(?: (?:a|an) \w+ (?:at|in))?|(?:is|are|s) giving"
        r"|reminiscent of"
        r"|remind\w* (?:you |me |us |people )?of|^(?:just )?think(?: of)?(?: (?:it|this"
        r"|us) as)?(?: an?)?(?: \w+er)?",
        r"(?:used to be|formerly|previously|once|originally|was|were) (?:\w+ )?(?:called|named"
        r"|known as)",
        r"takes? in|overlook\w*|fac(?:es|ing)|adjoin\w+|neighbou?rs|borders?|rivals|outshines"
        r"|beside|beneath|under(?:neath)?|atop|up from|down from|along from|over from|off"
        r"|(?:taken|took|take) over(?: the)?(?: old| former)?|replac(?:es|ed)|predates|supplies"
        r"|catered|succeed(?:s|ed)|inherited|bought|sold|renamed|rebuilt|inspired by"
        r"|your \w+ (?:has |had )?(?:left|reached|passed|departed)",
        r"welcome to|you have reached|you are through to|thank(?:s| you) for (?:\w+ly )?(?:calling"
        r"|contacting|choosing|visiting|ringing|phoning|writing to|messaging|using|shopping at"
        r"|flying(?: with)?|staying (?:at|with)|your (?:loyalty|interest|message|call|email) (?:to"
        r"|in))|on behalf of(?: all of us at)?|all of us (?:at|here at)|(?:yours|sincerely|regards)"
        r" ?,?|from all at|(?:team|family|crew|staff) (?:at|of)|speaking (?:for|from)|here at",
        r"(?:wharf|dock|quay|pier|street|square|corner|building|block|stop|platform|gate|road"
        r"|harbou?r"
        r"|place|spot) where|(?:stop|station|street|road|square|bridge|exit|pier"
        r"|junction) is (?:called|named)"
        r"|same(?: \w+){0,2} as(?: at| in)?|^as (?:at|in)|to do with|part of|(?:road|street|path"
        r"|bridge"
        r"|ferry|track|trail|closest|key|keys) to|(?:it|this|that|which) (?:is|was) (?:a bit "
        r"|just |rather )?like",
        r"^(?:just )?like(?= (?:the )?$)|(?:we|i) (?:are|am) not|(?:come|go|get|walk|step|pull"
        r"|head) out of",
        r"saying|favou?rite \w+ (?:is|was)|experiences? (?:with|at)|home to|(?:when"
        r"|until) you (?:see"
        r"|reach|pass|get to)|(?:owners?|chef|manager|family|couple|group) (?:also )?(?:has"
        r"|have|owns?"
        r"|runs?)|from your (?:profile|history|account|file)\b[^,;]*",
        r"at the time|(?:\w+ed|chef|who) (?:came|comes|hails) (?:from|to us from)"
        r"|(?:couple|people|woman|man|gentleman|lady|family|team|folks|group|company|owners?|guys)"
        r" (?:who|that|behind|which)(?: also)?(?: own| owns| run| runs)?",
    )
    + r"(?: the| our| your)?(?: old| former)? $"
)
"""Before a name that is only mentioned."""

_HEAR_OF = re.compile(
    r"\b(?:glad|sorry|pleased|delighted|thrilled|hope|trust)(?: to hear)?(?: that)?(?: the)? $"
)
_DID = re.compile(
    r" (?:treated|served|looked after|pleased|disappointed|impressed|let you down|(?:was|were)"
    r" (?:so |not |such )?\w+|went|did)\b"
)

_AFTER_ASIDE = re.compile(
    r" ?"
    + any_of(
        r"(?:side|forecourt|premises|building|site|car park|parking lot|exit|junction|turn-?off"
        r"|wynd|close|gate|fame|alumn\w+|veteran|owners?|chef|team\b(?! up)|staff|crew|reservations"
        r"|support|customer (?:care|services?)|concierge|booking (?:line|assistant|team|office)"
        r"|virtual|chat-?bot|assistant|app|help ?desk|bot|guests|colleagues|website|customers"
        r"|residents|members|fans)\b(?! (?:is|are) (?:free|cheap))",
        r"s (?:\w+ )?(?:sister|neighbou?r\w*|rivals?|competitors?|sibling|predecessor|former"
        r"|head chef|chef|founders?|owners?|successor|offshoot|old)\b(?! (?:serves|is|are) )",
        r"(?:faxed|sent|mailed|e-?mailed|phoned|rang|texted|forwarded) (?:over |us |me |across )",
        r"(?:taught|trained|inspired|supplies|supplied|founded|invented|owned|belongs to us)\b",
        r"reception\b|, good (?:morning|afternoon|evening|day)|, how (?:can|may) (?:i|we)",
        r", where you (?:stayed|ate|went|had|were|dined|met)\b",
        r"with(?:out| \w+) (?:the|a) (?:queues?|price|prices|crowds?|view|wait)",
    )
)
"""After a name that is only mentioned."""
_DOES = re.compile(
    r"\b(?:it|he|she|they|(?:the|our|their|my|his|her) \w+(?: \w+)?) (?!(?:"
    + any_of(
        r"is|was|has|this|its|as|plus|includes?|contains?|shows?|showed|returns?|returned|finds?"
        r"|gives|lists"
        r"|listed|offers|offered|suggests|suggested|recommends|recommended|loves|loved|likes|liked"
        r"|adores|praises|praised|prefers|favours|favors|names|named|called|says|means|remains"
        r"|leaves"
        r"|begs|gets|confirmed|booked|reserved|picks|picked|brings|needs|does|serves|includes|us"
        r"|selected|located|matches|matched|fits|suits|mentions|runs|stations?|hotels?|restaurants?"
        r"|guests?|houses?|options?|places?|results?|ones|bars?|trains?|museums?|\w+ss",
    )
    + r")\b)[a-z]+(?:s|ed)(?: the)? $"
)
"""Something else that does something to what is named: "the driver knows X"."""
_VERBS_ON = re.compile(r" ?(?:is|are|was|has|have|had|would|will|can|could|does|s|serves|offers)\b")
_IT_WAS = re.compile(r"\bit was(?: the)? $")
_WHO = re.compile(r" ?,? (?:that|who|which) (?!(?:you|i|we) )")
_CALLS = re.compile(
    r"^(?:(?:hello|hi|hiya|hey|good (?:morning|afternoon|evening|day)|greetings|welcome|ahoy)"
    r"[ ,!.]*(?:and )?)?(?:this is|you are (?:speaking|chatting|talking) (?:to|with))(?: the)? $"
)
_SPEAKS = re.compile(
    r" ?(?:,|here|speaking|calling|how (?:can|may)|,? what can|reservations|$|[.!]|team|at your)"
)

_NAMED = re.compile(
    r"\b(?:called|named|by the name(?: of)?|under the name(?: of)?|registered as|known as|titled"
    r"|listed as)(?: the)? ?[\"']?$"
)
"""Before a name that is what something is called."""

_WEIGHED = re.compile(
    r"\b(?:toss ?-?up|torn|choos\w+|choice|chose|decid\w+|decision|pick|split|waver\w*|undecided"
    r"|tie|tied|hesitat\w*|close call)(?: \w+){0,2} between\b[^,;]{0,60}$"
)
_UNBEATEN = re.compile(
    r"\b"
    + any_of(
        r"(?:none|nothing|nobody|no one|nowhere|no \w+|few(?: \w+)?)\b[^,;.]{0,60}\b(?:\w+er"
        r"|better|more \w+|close|closer|near)(?: [^,;. ]+){0,5} (?:than|to)",
        r"(?:can|could|will|would|may|might|did|do) (?:not|hardly|never|scarcely) (?:\w+ )?"
        r"(?:find|get|see|ask|do|eat|beat|want|wish)\b[^,;.]{0,50}\b(?:\w+er|better|worse|more)\b"
        r"(?: [^,;. ]+){0,6} than",
        r"(?:could|can|might) (?:do|dae) (?:a lot |far |much )?worse than",
        r"(?:none|nothing|nobody|no one|few)\b[^,;.]{0,40} (?:like|compares? (?:to|with)|touches)",
        r"(?:nothing|nowhere|none|nobody|no one)(?: \w+)? (?:except|but|besides|save)",
        r"(?:no|without) (?:equal|rival|match) (?:of|to)",
    )
    + r"(?: (?:the )?(?:one|ones|that|those|what \w+ \w+))?(?: (?:at|in|of|from))?(?: the)? $"
)
"""Says of what it compares that nothing is better."""
_SUCCEEDED = re.compile(
    r" ?(?:was|has been|is|went) (?:successful|accepted|approved|confirmed|through)"
)
_REQUEST = re.compile(r"\b(?:request|application|inquiry|enquiry) for\b[^,;]{0,40}$")


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
    if _AFTER_ASIDE.match(after) or _BEFORE_ASIDE.search(before):
        return True
    if is_called(before):
        return False
    if _DOES.search(before) and not _VERBS_ON.match(after):
        return True
    if _HEAR_OF.search(before) and _DID.match(after):
        return True
    if (_IT_WAS.search(before) and _WHO.match(after)) or (
        _CALLS.match(before) and _SPEAKS.match(after)
    ):
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
    if _WITH_OTHERS.search(before) or _PAST.search(near):
        return True
    if _EARLIER.search(before) and _WAS.match(after):
        return True
    if _OTHERS.search(near) and not re.search(r"\byou\b", near + after):
        return True
    if word in ("on", "with") or "__" in near or len(near.split()) < 3:
        return False
    cut = _CUT.search(after)
    return _OFFERS.search(near + (after[: cut.start()] if cut else after)) is None


def _last_cut(before: str) -> int:
    return max((match.end() for match in _CUT.finditer(before)), default=0)
