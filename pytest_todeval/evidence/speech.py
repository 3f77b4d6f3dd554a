"""What a clause does: refuses, confirms, offers to book, takes leave."""

import re

from pytest_todeval.evidence.lexicon import Lexicon

__all__ = [
    "FAREWELL",
    "MORE",
    "asks_to_book",
    "lacks_information",
    "no_offer",
    "offers_booking",
    "references",
    "thanks",
    "without_names",
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


_ASKS_TO_BOOK = re.compile(
    r"\b(?:book(?:ed|ing)?|reserve|reservation|order|schedule|arrange|put me down|sign me up"
    r"|get me (?:in|on)|enrol|enroll|squeeze (?:me|us)|fit (?:me|us)|table for|appointment|go ahead)\b"
)


def asks_to_book(text: str) -> bool:
    """Whether a user's plain words may ask for a booking, or agree to one."""
    return _ASKS_TO_BOOK.search(text) is not None


def without_names(text: str, known: Lexicon) -> str:
    """A plain text with names of venues replaced: "All Set Cafe" sets nothing."""
    for start, end, entry in known.matches(text):
        if entry.slot == "name" and (len(entry.tokens) > 1 or end - start > 5):
            text = f"{text[:start]}N{'A' * (end - start - 2)}E{text[end:]}"
    return text


def lacks_information(text: str) -> bool:
    """Says that some detail is not known."""
    return _UNKNOWN.search(text) is not None


def no_offer(text: str) -> bool:
    """Says that nothing meets the constraints."""
    if _FEATURE.search(text) and not _KINDS.search(text):
        return False
    return _NO_OFFER.search(text) is not None


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
