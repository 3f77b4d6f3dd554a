"""Whether a clause says that nothing meets the wishes."""

import re
from collections.abc import Iterable

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.nlu.bookings.patterns import patterns

_DETAIL = (
    r"(?:information|info|know|details?|phone|number|address|fee|postcode|hours|price\b(?! range)"
    "|cost|website|menu|reviews?|photos?|pictures?|ratings?|e-?mail|contact|directions|idea"
    "|access|data on)"
)
_UNKNOWN = re.compile(
    rf"\b(?:not|no|unable|without|unavailable|nothing|none)\b.{{0,40}}?\b{_DETAIL}\b|\b(?:fee"
    "|number|address|postcode|hours|information|phone|website|menu|email"
    r"|price(?! range))\b.{0,40}?\b(?:not|unavailable|unknown|nowhere)\b|^if\b|\bif (?:there|you"
    r"|that|this|not)\b|\bno (?:problem|worries|thank|trouble|preference|further|longer|need"
    "|charge|bother|rush|hurry|doubt|matter|wonder|issue|extra|obligation|pressure|stress|reason"
    "|deposit|fee)|^no ?[,.]? (?:i|you|it|that|they|thank)|not a problem|no more|if not|thank"
    r"|\bnot (?:sure|certain|just|only|yet|to worry|hesitate|forget|mind)\b|\b(?:could"
    r"|can) not (?:be )?(?:happier|agree|wait|go wrong)|\bnothing (?:of (?:that|the|this) (?:sort"
    r"|kind) )?(?:is|has|was)\b(?! (?:been )?(?:found|available|match\w*|listed|left|in|that|free"
    r"|showing|like))|why not|\bnothing (?:beats|tops|compares|rivals)\b|\bif none\b|\b(?:can"
    r"|could|will|would|should|must|may|might) not be (?!found|any|able|located|matched)\w+"
    r"|\bnothing like (?:a|the|an)\b|^(?:but )?(?:it|they|this|that|the \w+) (?:has|have"
    r"|do not have) (?:no|any|a) (?!\w+ (?:that|with|in)\b)(?!match|result|option|restaurant"
    r"|hotel|place|museum|train|attraction|guest)|\bnothing (?:easier|simpler|else|more|better)\b"
    r"|\bnone (?:of (?:these|this|that)$|other)|\bdo not be\b|\bnot to be (?!found)\w+|\b(?:not"
    r"|no|nothing)\b(?!.{0,60}\b(?:find|found|finding|available|match\w*|see)\b).{0,60}\byet\b"
    r"|\bno (?:record|trace|sign)s? of (?:it|that|you|this|an?|the|your)\b|\bno (?:request"
    r"|booking|reservation|appointment|order)s?\b.{0,20}\b(?:in (?:the|our|my) (?:system|books?"
    r"|diary|calendar)|under|exists?|shows?)\b|\b(?:nothing|none) (?:\w+ )?(?:in|on) (?:the|our"
    r"|my|your) (?:diary|calendar|books?|system|account|file|screen)\b(?! (?:that|which|with"
    r"|match\w*|for|like))|\byou (?:have|ve) (?:none|nothing)\b|\bnothing (?:upcoming|pending"
    r"|outstanding)\b|\bnothing (?:for \w+ )?to (?!offer|suggest|show|recommend|report|give)\w+"
    r"|\bno (?:dramas?|difficult\w+|payment|cash|cards?|bother|fuss|surprise|harm|hassle"
    r"|stress)\b|\bnothing (?:further|left to do|you need)\b|\bi (?:said|wrote|told you"
    r"|claimed) (?:that )?there\b|\bto hand\b|\bno (?:\w+ )?\w+ (?:was|were) (?:needed|required"
    r"|necessary)\b|\bno (?:shortage|limit|lack|end|fewer|less|relation|such thing|smoking|dogs"
    r"|pets)\b|\bnothing (?:but|quite like)\b|\bnot (?:found|find) nothing\b|\bnot a bad \w+"
    r"|\b(?:could|would) not have (?:been \w+er|\w+ed a better)\b|\bno (?:\w+ )?\w+ (?:is"
    r"|are) (?:needed|required|necessary|too|more|better|saved|stored)\b"
    r"|\bnot (?:actually )?(?:contacted|submitted|sent|placed|entered|put you|done)\b"
    r"|\bnot (?:\w+ to )?see (?:why|which|what|how|prices|the (?:price|dress|fare|menu))\b"
    r"|\bno (?:\w+ )?\w+ has been (?:requested|concluded|made|sent|added|arranged)\b"
    r"|\bno ,? ?(?:hang on|wait|sorry)\b|\bnobody has (?:bought|booked)\b"
    r"|\bnot (?:\w+ )?(?:locked|ticketed|committed|booked|bought|reserved)\b|\bsee the name\b"
    r"|\b: not available\b|\bnobody else\b|^(?:and )?(?:is|are) there (?:no|nothing|not)\b"
    r"|\bnot that there (?:is|are)\b|\bno chance of\b|\bnot see (?:his|her|your|their)\b"
    r"|\bnot have (?:an?|your|the) (?:destination|name|surname|date|time|day|card|pick-?up)\b"
    r"|\bwhen i (?:said|wrote|told)\b"
)
_FEATURE = re.compile(r"\b(?:parking|internet|wi ?-?fi|entrance fee)\b")
_KINDS = re.compile(
    r"\b(?:any|anything|nothing|match\w*|hotels|guest ?houses|(?:hotel|guest ?house) (?:that|with"
    r"|in)|places?|criteria|options?|restaurants|attractions|results?|found|find)\b"
)
_NO_OFFER = re.compile(
    r"\b(?:there (?:is|are|was|were|do|does|appears?|seems?)(?: \w+){0,3}? (?:no|not|none|nothing"
    r"|not any|no such|zero)\b|there no\b|(?:do|does|did|could|can|am|was|is|are|have"
    r"|were) not(?: \w+){0,3}? (?:have|find|found|finding|see|seeing|show\w*|any|list\w*|locate"
    r"|offer|match\w*|exist|available|fit|seem|appear|be|in (?:my|our|the))\b|(?:no|not any|none"
    r"|nothing|zero|neither) (?:\w+ ){0,6}?(?:match\w*|available|found|meet\w*|fit\w*|listed"
    "|in (?:the|that|this)|that|with|results?|listings?|options?|luck|of (?:the|them|those)"
    r"|like that|such|either|records?)\b|(?:have|has|found|find|show\w*|see|got|getting|returned"
    r"|are|with) (?:no|none|nothing|zero)\b|unable to (?:find|locate)|unsuccessful in finding"
    "|(?:sorry|unfortunately|afraid) ?,? ?(?:but )?(?:no|not|none|nothing|there are not"
    r"|there is not)\b|came up empty|no record|not available|unavailable|no (?:\w+ ){1,5}(?:in|at"
    r"|on|for|that|available|with|which|near)\b|does not (?:look|appear|seem)|no matches|not any"
    r"|none)\b|\b(?:results?|matches|hits|options?|found) ?[:=] ?(?:0|zero|none|nothing)\b|^(?:no"
    r"|nothing) (?:\w+ ){0,4}\w+ ?[.!]?$|^no ?, ?(?:i am )?sorry"
)
_SIGN = re.compile(r"([^\w\s-])")
_CONDITION = re.compile(r"(?:and |but |so )?(?:if|unless|in case|should|whenever|when)\b")
_CUES = re.compile(
    r"\b(?:no|not|none|nothing|zero|0|neither|unable|un\w+|blank|empty|short|out of luck"
    r"|nowhere|nobody|lack\w*|dry|never|without|no one|sorry)\b"
)
_YOU = re.compile(
    r"^(?:and |but |so )?you (?:do|did|have|are|were|will|would|can|need) (?:not|no)\b"
)


_ASKS_FEATURE = re.compile(
    r"\b(?:do(?:es)? (?:it|they|you|the|this|that)|(?:is|are|will|would) (?:it|there|they|this|that"
    r"|the|any|pets|kids)|can (?:i|we|they|you)|(?:if|whether) (?:it|they|there|the|i|we|pets)"
    r"|any)\b"
)


_SEARCHES = re.compile(
    r"\b(?:find|looking for|search\w*|what about|how about|tr(?:y|ies)|instead|places?|options?"
    r"|matches|something|anything|then|if (?:not|so|there)|food|one|ones|area|colleges?|museums?)\b"
)


def denies_feature(clause: str, user_said: str, nouns: Iterable[str]) -> bool:
    """Whether a denial answers a question about what is talked of: "Is there music?" "No music."

    `nouns` are the domains' names: a denial that speaks of one of them denies that there is any.
    """
    if not _ASKS_FEATURE.search(user_said) or _KINDS.search(clause) or _SEARCHES.search(user_said):
        return False
    words = {word.rstrip("s") for word in re.findall(r"\w+", f"{clause} {user_said}")}
    return words.isdisjoint(word.rstrip("s") for noun in nouns for word in noun.lower().split("_"))


def finds_nothing(text: str) -> Factuality | None:
    """Returns how far a plain clause says that nothing meets the wishes; None if it does not."""
    if not _CUES.search(text) or _UNKNOWN.search(text) or _YOU.search(text):
        return None
    spaced = _SIGN.sub(r" \1 ", text)
    if not any(patterns("nothing_found").found(spaced, set(spaced.split()))):
        if _FEATURE.search(text) and not _KINDS.search(text):
            return None
        if not _NO_OFFER.search(text):
            return None
    return Factuality.CONDITIONAL if _CONDITION.match(text) else Factuality.ASSERTED
