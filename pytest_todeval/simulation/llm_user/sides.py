"""Words of a user's model that no user says: of itself as a model, for the bot, or its orders.

English only, as the prompts are; what a goal or a persona says itself is not looked for.
"""

import re
from collections.abc import Callable

_AI = r"(?:a\.?i\.?|artificial intelligence|(?:large )?language model|chat ?bot|bot|ai[ -]model)"
_AIDE = (
    r"(?:virtual|digital|automated|online|helpful|booking|travel|service|customer service|support)"
)
_HELPER = rf"(?:{_AIDE} ){{0,2}}assistant|{_AIDE} (?:agent|system)"
_NO_JOB = r"(?! (?:professor|manager|director|teacher|coach|editor|to|at|of|in)\b)"
_I_AM = r"\bi(?:'m| am)"
_MODEL = r"(?:chatgpt|gpt|claude|gemini|llama|qwen|mistral|smollm|deepseek|copilot|siri|alexa)\b"
_HELP = r"(?:help|assist|be of (?:help|service|assistance))"
_COUNT = r"(?:two|three|four|five|several|a few|many|some)"
_FOR_YOU = r"[^.?!\n]{0,60} for you\b"

_MODELS_OWN = (
    rf"{_I_AM}(?: \w+)? (?:an?|the|your) (?:[\w-]+ ){{0,3}}{_AI}\b(?! (?:developer|engineer))",
    rf"{_I_AM}(?: \w+)? (?:the|your|an?) (?:{_HELPER})\b{_NO_JOB}",
    rf"{_I_AM} (?:an? )?assistant\W*\Z",
    rf"\bas an? (?:[\w-]+ ){{0,2}}{_AI}\b",
    rf"\bas (?:an?|your) (?:{_AIDE} )assistant\b",
    rf"(?:{_I_AM}|\bmy name is|\bcall me) {_MODEL}",
    r"\bi was (?:trained|programmed) (?:by|to|on|as)\b",
    r"\bmy (?:system prompt|training data|programming|knowledge cutoff)\b",
    rf"(?:\b(?:the|my|as an?)|{_I_AM}(?: just| only)? an?) (?:user simulator|simulated user)\b",
    r"\bhave the ability to (?:speak|talk|browse|access|assist|help|provide|generate|perform"
    r"|process|make|respond|feel|have)\b",
    r"\bi (?:don't|do not) have (?:direct |any )?access to (?:real|the internet|live|current)",
    r"\bi (?:can't|cannot|am unable to|'m unable to) (?:help|assist)(?: you)? with (?:that|this)\b",
    r"\bi (?:can't|cannot) (?:fulfil|fulfill|comply with) (?:that|this|your) request\b",
)
_BOTS_OWN = (
    rf"\b(?:how|what) (?:can|may|could|do) i (?:{_HELP}|do for) you(?: today| with| further| now)?"
    r"(?= ?[?.!,]|\Z| today| with| further)",
    r"\banything else (?:that )?(?:i can (?:help|assist|do)|you(?:'d| would) like me to)\b",
    rf"\bi(?:'d| would|'ll| will)(?: be)? (?:more than )?(?:happy|glad|pleased|love|delighted)"
    rf" to {_HELP}\b",
    rf"{_I_AM} (?:here|ready|happy|glad|able) to {_HELP}\b",
    rf"\b(?:sure|certainly|of course|yes)\W{{1,3}}i can {_HELP}\b",
    r"\bi can help you (?:with|find|book|to)\b",
    rf"\bi(?:'ve| have)(?: now| just| already| successfully)? (?:booked|reserved|found|located)"
    rf"{_FOR_YOU}",
    rf"\b(?:let me|i'll|i will|allow me to) (?:check|look|find|search|book|reserve){_FOR_YOU}",
    r"(?:\A|[.!\n] {0,2})your (?:booking|reservation|table|room|ticket|order|request|appointment)"
    r" (?:has been|is now|was) (?:\w+ )?(?:booked|confirmed|reserved|made|placed|cancelled"
    r"|processed)",
    r"(?:\A|[.!\n] {0,2})your (?:reference|confirmation|booking) (?:number|code) is\b",
    r"\bthank you for (?:calling|contacting|choosing|reaching out)\b",
    r"\bwould you like me to (?:book|reserve|find|search|look (?:up|for)|check|recommend)\b",
    r"\b(?:what|which) (?:type|kind|sort|part|area|day|price range|time)(?: of [\w ]{1,30})?"
    r" (?:would|will|do|are) you (?:be )?(?:like|prefer|travel\w*|looking|staying|want)\b",
    r"\bplease (?:provide|share|enter) (?:me with )?your\b",
    rf"(?:\A|[.!\n] {{0,2}})i(?:'ve| have)? found (?:\d+|{_COUNT})"
    r" (?:[\w-]+ ){0,3}(?:that|in|for|with)\b",
    r"\byour (?:reference|confirmation|booking)(?: number| code)? is:? (?=\w{0,9}\d)\w{4,12}\b",
    r"(?:\A|[.!\n] {0,2})shall i (?:book|reserve) (?:it|them|this|one|an?)\b",
    r"\bwelcome to our\b|\bhow many (?:guests|people) (?:may|shall|should) i\b",
)
_NEXT = r"(?:now|then|next|first|finally|afterwards|also)"
_ORDERS = (
    r"\bthe (?:chat ?bot|chat ?box|assistant|user) is waiting\b",
    r"\bwrite (?:only )?(?:your|the) (?:first|next) (?:sentence|message|line|reply|response|one)\b",
    r"\bwrite (?:again|nothing else|nothing besides)\b",
    r"\b(?:you|i) (?:play|are playing|am playing|simulate) (?:the role of )?(?:a|the) (?:person"
    r"|user|customer)\b|\byou are (?:a|the|playing) (?:user|customer) (?:who|talking|of)\b",
    r"\bstay in character\b|\byour goal is (?:to|an?)\b",
    rf"\b(?:the|this) (?:simulated )?(?:user|customer) (?:{_NEXT} )?(?:wants?|wanted|says?|said"
    r"|asks?|asked|needs?|needed|is (?:asking|looking|satisfied)|would|leaves|replies|greets)\b",
    r"\b(?:what|as) (?:the|a simulated) (?:user|customer)\b",
    rf"\b{_NEXT},? i (?:would|should) (?:{_NEXT} )?(?:ask|mention|say|greet|inquire"
    r"|reply|respond)\b",
    r"(?:\A|[.!?\n] {0,2})you (?:also )?(?:want|need|are looking for) (?:an?|to (?:find|book|eat"
    r"|visit|go|travel|stay))\b",
    r"\bgoal i was given\b|\bof the goal\b|\bmy instructions (?:say|tell)\b",
)


def _any(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_WRONG = (
    (_any(_MODELS_OWN), "speaks of itself as a model or an assistant"),
    (_any(_BOTS_OWN), "speaks for the side of the chatbot"),
    (_any(_ORDERS), "reads its instructions aloud"),
)


def wrong_side(text: str, told: Callable[[str], bool]) -> str:
    """Returns what gives the draft away, as the end of "it ..."; empty if nothing does.

    `told` says of words whether the goal or the persona has them.
    """
    straight = text.replace("\u2019", "'")
    for pattern, wrong in _WRONG:
        if any(not told(found.group()) for found in pattern.finditer(straight)):
            return wrong
    return ""
