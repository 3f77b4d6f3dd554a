"""What a clause does: refuses, confirms, offers to book, takes leave."""

import re

__all__ = [
    "FAREWELL",
    "MORE",
    "booked",
    "booking_failed",
    "lacks_information",
    "no_offer",
    "offers_booking",
    "references",
]

_BOOK = (
    r"(?:book(?:ed|ing|ings)?|reserv(?:e|ed|ation|ations|ing)|tables?|rooms?|seats?"
    r"|slots?|availability|openings?|accommodate)"
)
_UNKNOWN = re.compile(
    r"\b(?:not|no|unable|without|unavailable)\b.{0,40}?\b(?:information|info|know"
    r"|details?|phone|number|address|fee|postcode|hours|price\b(?! range)|cost)\b"
    r"|\b(?:fee|number|address|postcode|hours|information|phone"
    r"|price(?! range))\b.{0,40}?\b(?:not|unavailable|unknown)\b"
    r"|^if\b|\bif (?:there|you|that|this|not)\b|\bno (?:problem|worries|thank|trouble"
    r"|preference|further|longer|need|charge)|^no ?[,.]? (?:i|you|it|that|they"
    r"|there is a|thank)|not a problem|no more|if not|thank"
)
_FEATURE = re.compile(r"\b(?:parking|internet|wi ?-?fi|entrance fee)\b")
_KINDS = re.compile(
    r"\b(?:any|anything|nothing|match\w*|hotels|guest ?houses|(?:hotel"
    r"|guest ?house) (?:that|with|in)|places?|places to stay|criteria|options?"
    r"|restaurants|attractions|results?|found|find)\b"
)
_NO_OFFER = re.compile(
    r"\b(?:there (?:is|are|was|were|do|does|appears?|seems?)(?: \w+){0,3}? (?:no|not"
    r"|none|nothing|not any|no such|zero)\b|there no\b"
    r"|(?:do|does|did|could|can|am|was|is|are|have|were) not(?: \w+){0,3}? (?:have|find"
    r"|found|finding|see|seeing|show\w*|any|list\w*|locate|offer|match\w*|exist"
    r"|available|fit|seem|appear|be|in (?:my|our|the))\b"
    r"|(?:no|not any|none|nothing|zero|neither) (?:\w+ ){0,6}?(?:match\w*|available"
    r"|found|meet\w*|fit\w*|listed|in (?:the|that|this)|that|with|results?|listings?"
    r"|options?|luck|of (?:the|them|those)|like that|such|either|records?)\b"
    r"|(?:have|has|found|find|show\w*|see|got|getting|returned|are|with) (?:no|none|nothing|zero)\b"
    r"|unable to (?:find|locate)|unsuccessful in finding|(?:sorry|unfortunately"
    r"|afraid) ?,? ?(?:but )?(?:no|not|none|nothing|there are not|there is not)\b"
    r"|came up empty|no record|not available|unavailable|no (?:\w+ ){1,5}(?:in|at|on|for"
    r"|that|available|with|which|near)\b|does not (?:look|appear|seem)|no matches"
    r"|not any|none)\b"
    r"|^(?:no|nothing) (?:\w+ ){0,4}\w+ ?[.!]?$|^no ?, ?(?:i am )?sorry|^no i am sorry ?\.?$"
)
_FAILED = re.compile(
    rf"\b(?:unable|not able|could not|can not|was not|were not|not possible|did not"
    rf"|is not|are not|have not|not have|has not|unsuccessful"
    rf"|failed)\b.{{0,40}}?\b{_BOOK}\b"
    rf"|\b(?:no|not any|not have any|not have a) (?:\w+ ){{0,3}}?(?:{_BOOK}|vacanc\w+)\b"
    r"|(?<!your )\b(?:they|both|restaurants?|hotel|place|time|day|slot"
    r"|trains?)\b(?: \w+)? (?:is|are|were|was) (?:both |all |already |fully "
    r"|completely )?booked\b(?= ?(?:[.,!?]|up|solid|for that|during|at that|that|on that"
    r"|full|$))"
    r"|\b(?:booking|reservation) (?:was |has |is |can )?(?:not |unsuccessful|failed|could not)"
    r"|\bfully booked\b|\bbooked (?:up|solid|full)\b|\b(?:already|completely) booked\b"
    r"|\b(?:is|are|was|were) (?:full|not available|unavailable|unsuccessful|not open"
    r"|closed)\b|\bnot (?:be )?(?:available|successful)\b|\bunavailable\b"
    r"|\bunsuccessful\b|\bsold out\b"
    r"|\b(?:(?:do|does) not open|was an error|glitch|system is down|not let me)\b"
    r"|\bnone\b.{0,30}\bavailable at (?:that|this)\b|\b(?:nothing|no|not"
    r"|none)\b.{0,30}\bavailable (?:in|at|for|on) that (?:time|day|date|slot)\b"
)
_NOT_FAILED = re.compile(r"\b(?:should you|if you) (?:do )?not\b")
_BOOKED = re.compile(
    r"\b(?:(?:i|we|ive|system|has|have|had|just|is|are|was|been|been successfully|got"
    r"|now|already|successfully|you|that|it|went ahead and|all|ok|yes|able to get you"
    r"|get you|got you)(?: \w+)? (?:booked|reserved|reserving)"
    r"|(?:was|were|been) (?:\w+ )?(?:able|successful) (?:to|in) (?:\w+ ){0,2}?(?:book\w*"
    r"|reserv\w*|make|making|secure|get)"
    r"|(?:booking|reservation|reservations|purchase|order|it|that|tickets?|train|table"
    r"|room|everything|all|taxi|stay|they|request|this)s? (?:was|is|has been|have been"
    r"|were|are|has|was a|have)(?: \w+)? (?:success\w*|complete[d]?|made|confirmed|set"
    r"|booked|reserved|all set|secured|done|finali[sz]ed|scheduled|purchased|placed"
    r"|in place|good to go|taken care of)"
    r"|successfully (?:\w+ )?(?:book\w*|reserv\w*|made|complete\w*|purchas\w*|creat\w*)"
    r"|book(?:ed|ing|ings) (?:you|your|that|it|the|a|for|successful|complete[d]?"
    r"|confirmed|for you)|(?:you )?(?:are|re|is) all (?:set|booked)|all set|(?:have|got"
    r"|getting) (?:you|your|that|it|the|a|this|those|them)\b.{0,60}?\b(?:booked|reserved"
    r"|down|confirmed|set up|scheduled)|(?:i|we) (?:have )?(?:booked|reserved|made"
    r"|scheduled|arranged|purchased|secured|completed|confirmed|placed|got you|bought"
    r"|went ahead)|^(?:all )?(?:booked|reserved|done|success)\b|(?:booking"
    r"|reservation) (?:went|goes) through|you have (?:a|an|been"
    r"|your)?(?: \w+){0,3} ?(?:reservation|booking|booked|reserved)|here is (?:the"
    r"|your) (?:booking|reservation)|set and booked|(?:changed|updated|moved) (?:your"
    r"|the|that) (?:booking|reservation)|got (?:that|the|your|a) (?:table|room)\b"
    r"|now have a|have you (?:all )?(?:\w+ )?(?:booked|down|set|reserved)|able to book"
    r"|will be held|will hold (?:the|your)|confirmation number|reserved for 15)\b"
)
_NOT_YET = re.compile(
    r"\b(?:would you|want me|like me|like to|if you|shall i|should i|can i|could i|may i"
    r"|do you|to be booked|wants? to book|once|before i|need to|needed to|i need"
    r"|i can book|let me|will book|can be booked|want to|i will|going to|ready to"
    r"|happy to|get (?:that|it|this|you) booked)\b"
)
_OFFERS = re.compile(
    rf"\b(?:{_BOOK}|tickets?|purchase|work for you|stay there|make (?:a|that|the))\b"
)
_REFERENCE = re.compile(
    r"\b(?:ref(?:erence|rence|erance|\b)|feference|confirmation|(?:booking|reservation"
    r"|order|ticket) ?(?:number|code|id\b|#|no\b))",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"#? ?(?<![\w.:£$])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w:]|\.\d)")
_CODE = re.compile(r"\b(?=[A-Z]{0,7}\d)(?=\d{0,7}[A-Z])[A-Z0-9]{8}\b")
_NO_CODE = re.compile(
    r"tr ?\d{2,5}|0\d{9,10}|cb\d+[a-z]{2}|[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}|\d{1,3}"
    r"|\d+(?:st|nd|rd|th|am|pm|gbp)|gbp|wifi"
)
REACH = 90
"""Characters after "reference" in which its number is looked for."""

MORE = re.compile(
    r"\b(?:(?:any|some)thing (?:else|more|further)|any (?:other|more|further"
    r"|additional)\b|(?:else|more) (?:can )?(?:i|we) (?:can )?(?:help|assist|do)"
    r"|(?:further|additional|more|other) (?:assistance|help|questions|information|info)"
    r"|(?:help|assist) you (?:with|find|further|today|any)|else (?:today|i can)|(?:be of"
    r"|need) (?:any )?(?:\w+ )?(?:assistance|help|service)|that be all|all (?:you need"
    r"|for today|set)\?|more (?:information|details|info))\b"
)
FAREWELL = re.compile(
    r"\b(?:good ?-?bye|bye|have (?:a|an) (?:\w+ ){0,3}(?:day|time|trip|stay|evening"
    r"|night|one|meal|weekend|visit|afternoon|journey|week|dinner|lunch|travels)"
    r"|enjoy (?:your|the|yourself|it)|take care|see you|safe travels"
    r"|thank you for (?:using|contacting|calling|choosing)|thanks for (?:using"
    r"|contacting|calling|choosing|your))\b"
)


_THANKS = re.compile(
    r"\b(?:thank you|thanks|thankyou|happy|glad|pleasure)\b.{0,20}\b(?:using|contacting"
    r"|calling|choosing|letting|visiting|to help|help(?:ed|ing)|assist\w*|of (?:help"
    r"|service))\b"
)


def thanks(text: str) -> bool:
    """Thanks for the call: whatever it names ("Cambridge Info Centre") is no value."""
    return _THANKS.search(text) is not None


def lacks_information(text: str) -> bool:
    """Says that some detail is not known."""
    return _UNKNOWN.search(text) is not None


def no_offer(text: str) -> bool:
    """Says that nothing meets the constraints."""
    if _FEATURE.search(text) and not _KINDS.search(text):
        return False
    return _NO_OFFER.search(text) is not None


def booking_failed(text: str) -> bool:
    """Says that a booking could not be made."""
    return _FAILED.search(text) is not None and not _NOT_FAILED.search(text)


def booked(text: str) -> bool:
    """Says that a booking was made."""
    match = _BOOKED.search(text)
    return match is not None and not _NOT_YET.search(text)


def offers_booking(text: str) -> bool:
    """A question that is about booking."""
    return _OFFERS.search(text) is not None


def references(text: str) -> list[str]:
    """Reference numbers told in a text as written, e.g. "GVC0K9WU", "#ABC-123"."""
    found = [
        code for match in _REFERENCE.finditer(text) if (code := _first_code(text, match.end()))
    ]
    if not found:
        found = [match[0] for match in _CODE.finditer(text)]
    return list(dict.fromkeys(code for code in found if not _NO_CODE.fullmatch(code.lower())))


def _first_code(text: str, start: int) -> str | None:
    for match in _TOKEN.finditer(text, start, start + REACH):
        code = match[0].lstrip("# ")
        if _is_code(code) or (match[0].startswith("#") and len(code) > 2):
            return code
    return None


def _is_code(code: str) -> bool:
    """Digits and letters, or capitals only: no word, no time, no train, no post code."""
    if len(code) < 4 or _NO_CODE.fullmatch(code.lower()):
        return False
    return any(char.isdigit() for char in code) or (code.isupper() and len(code) > 4)
