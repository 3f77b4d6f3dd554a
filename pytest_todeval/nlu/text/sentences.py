"""The sentences of a reply, and which of them say nothing: questions, refusals, empty words."""

import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_todeval.nlu.en import word_list
from pytest_todeval.nlu.text.manner import unmannered

LONGEST = 8000
"""Characters of a text that are looked at."""
_STARTS = (
    r"(?:an?|and|anything|are|can|could|do|does|here|i|is|it|need|other|please|shall|should|that"
    r"|the|there|this|was|we|what|which|will|would|you|your)\b"
)
_MONTH = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_END = re.compile(
    rf"(?<=[.!?])(?<!\b(?:{_MONTH})\.)(?!(?<=\d\.) (?:{_MONTH}|Mai|Dez|Okt))"
    r"(?:(?<!\b[A-Z]\.)(?<!\b[DM]r\.)(?<!\bMrs\.)(?<!\bTel\.)"
    r"(?<!\b[RM]s\.)(?<!\bMr\.)(?<!\bSt\.)(?<!\bN[or]\.)(?<!\bPh\.)"
    rf"|(?=\s+(?i:{_STARTS})))\s+|\n+"
)
"""Between two sentences; neither an initial nor a title ends one ("L. Amaro", "Dr. Novak")."""
_POINTER = re.compile(r"[\u2190-\u21ff\u27a1\U0001f449]|={1,3}>|-{1,3}>")
"""Signs that point from a label to its value."""
_TICK = re.compile(
    r"(?<=[:|=])[ \t\"']*([\u2713\u2714\u2705\u2611]|[\u2717\u2718\u274c\u2612])\ufe0f?"
)
"""A tick or a cross behind a label."""
_PICTURE = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f1e6-\U0001faff]+")
"""Emoji: what they stand between are sentences of their own."""
_EMPHASIS = re.compile(r"[*_`#]+(?=\S)|(?<=\S)[*_`#]+|~~[^~]{1,80}~~|(?m:^[ \t]*[-*\u2022] )")


@lru_cache(maxsize=512)
def plain(text: str) -> str:
    """Returns a text without markup and pictures; signs that point to a value become colons."""
    text = _EMPHASIS.sub("", unmannered(text[:LONGEST]))
    text = _TICK.sub(lambda tick: " yes" if tick[1] in "\u2713\u2714\u2705\u2611" else " no", text)
    return _PICTURE.sub("\n", _POINTER.sub(":", text))


@lru_cache(maxsize=512)
def sentences(text: str) -> tuple[str, ...]:
    """Returns the sentences of a text, its markup and pictures left out."""
    return tuple(part for part in _END.split(plain(text)) if part.strip())


_ASKS = re.compile(
    r"\W*(?:(?:and|so|but|ok(?:ay)?|sure|great|first|also|now|well|yes|no),? )*(?:(?:may|can"
    r"|could|might) (?:i|you|we)\b|(?:would|do|are|have|will|were|did) you\b|(?:shall"
    r"|should) (?:i|we)\b|(?:please |kindly )?(?:let me know|(?:tell|give|provide|specify|choose"
    "|pick|enter|confirm|share|advise|type|reply)(?= (?:me|us|your|the|a|an|if|which|what|whether"
    r"|that|how|in|with|to|it|one)\b))\b|(?:what|which|when|where|who|how)\b[^.]*\b(?:you|your|i"
    r"|we|shall)\b|is (?:that|this|there)\b(?! (?:is|are)\b)|anything else)",
    re.I,
)
_QUESTION_PART = re.compile(r"(?:[,;:]|\s[-|\u2013\u2014]|\.{3}|\u2026)\s+")


def asks(sentence: str) -> bool:
    """Says whether a sentence asks the user for something, with or without a question mark."""
    return sentence.rstrip(" )\"'").endswith("?") or _ASKS.match(sentence) is not None


def stated(sentence: str) -> str:
    """What a sentence states: all of it, or what stands before the question that it runs into."""
    if not asks(sentence):
        return sentence
    parts = _QUESTION_PART.split(sentence)
    at = next((i for i, part in enumerate(parts) if _ASKS.match(part) or _inverted(part)), 0)
    at = at or (len(parts) - 1 if _TAG.fullmatch(parts[-1]) else 0)
    return ", ".join(parts[: at if at or len(parts) == 1 else 0])


_TAG = re.compile(
    r"\W*(?:all ?right|right|ok(?:ay)?|yes|yeah|correct|see|fine|good|got it|understood|you know"
    r"|(?:is|are|does|do|has|have|was)n['’]t (?:it|they|that|there))\W*",
    re.I,
)
"""What turns a statement into a question: "three days, alright?"."""
_INVERTED = re.compile(
    r"\W*(?:(?:and|so|but|or),? )?(?:is|are|was|does|do|did|has|have|can|could|will|would|shall"
    r"|should|may|might|what|which|when|where|who|whose|why|how|any)\b",
    re.I,
)


def _inverted(part: str) -> bool:
    return _INVERTED.match(part) is not None


_REFUSES = re.compile(
    r"(?:n['’]t|\bnot|\bno|\bunable|\bcannot|\bwithout|\bnothing)\b[^.?!;]*\b(?:have|listed"
    "|available|known|know|find|found|information|info|given|provided?|records?|say|see|tell"
    "|share|disclose|access|help|sure|answer|details|idea|clue|give|show|look|data|able|allowed"
    r"|permitted|possible|record|specified|mentioned|stated|understand|follow|catch|get)\b"
    r"|\bunknown\b|\bunavailable\b|\bunfortunately\b|\bdifficult to say\b|\b(?:beyond"
    r"|outside) (?:my|our|what)\b|\bno (?:idea|clue)\b|\bsorry\b[^.?!]{0,40}$|\b(?:contact|ask"
    r"|call|check with|visit|speak to|reach out to)\b[^.?!]{0,40}\b(?:directly|for (?:that|this"
    r"|it|details|information)|website)\b|\b(?:confidential|restricted|classified)\b",
    re.I,
)


_PUTS_OFF = re.compile(
    r"\b(?:(?:let me|let us|i['’]ll|i will|we['’]ll|we will|i am going to|i['’]m going to"
    "|allow me to) (?:just |quickly |go and |now )?(?:check|look|find|see|get|ask|have a look"
    "|pull|verify|confirm|connect|transfer|put|be|come back|let you|try|need|fetch|forward|pass"
    "|take a|go|send|search|note|do)|(?:one|a) (?:moment|minute|sec)|hold on|bear with|checking"
    "|looking (?:up|into|for)|pulling up|you (?:asked|wanted|would like|want to know|mentioned)"
    r"|(?:question|inquiry|enquiry) (?:about|regarding))\b|\b(?:depends|varies)\b|\b(?:shown"
    "|listed|found|stated|printed|mentioned|given|written|see) (?:in|on|at) (?:your|the|our"
    r"|my) (?:\w+ )?(?:confirmation|e-?mail|website|app|booking|ticket|letter|contract|account"
    r"|page|profile|terms)\b",
    re.I,
)


def puts_off(sentence: str) -> bool:
    """Says whether a sentence promises, or points elsewhere, in place of an answer."""
    return _PUTS_OFF.search(sentence) is not None


_CLOSES = re.compile(
    r"\b(?:else|more|further|help|assist|book|reserve|go ahead|proceed|did (?:that|this|i)"
    r"|does (?:that|this)|ok(?:ay)?|right|all (?:good|clear|set)|happy with|shall i|should i"
    r"|would you like (?:me|to)|want me|interested)\b",
    re.I,
)


def asks_back(every: Sequence[str]) -> bool:
    """Says whether a reply asks the user what it needs to know before it can answer."""
    return any(asks(s) and not stated(s) and not _CLOSES.search(s) for s in every)


def refuses(sentence: str) -> bool:
    """Says whether a sentence says that the bot does not know, or does not tell."""
    return _REFUSES.search(sentence) is not None


_EMPTY = word_list("empty_words")
"""Words of which no answer consists: a sentence of these alone tells nothing."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def content(sentence: str, known: frozenset[str] = frozenset()) -> list[str]:
    """The words of a sentence that may tell something; `known` are words that tell nothing new."""
    words = (match[0] for match in _WORD.finditer(sentence))
    return [
        w for w in words if (low := w.lower().replace("’", "'")) not in known and not _is_empty(low)
    ]


def _is_empty(word: str) -> bool:
    return word in _EMPTY or word.split("'")[0] in _EMPTY or word.replace("'", "") in _EMPTY


_NOT_SO = re.compile(
    r"(?:\bnot|n['’]t|\bno longer|\bnever|\brather than|\binstead of|\bunlike|\bnor|\bformerly"
    r"|\bused to be)(?: (?:the|an?|at|in|on|for|by|to|be|it|its|your|from|gate|seat|number|dr|mr"
    r"|mrs|ms)\.?)*\W{0,3}$",
    re.I,
)
_UNSURE = re.compile(
    r"\b(?:whether|if (?:it|they|that|this|the|your)|some (?:people|guests|customers|of)|suppose"
    r"|imagine|assuming|for example|e\.g\.|for instance|not sure|unsure|don['’]t know|do not know"
    "|cannot say|can['’]t (?:say|confirm|tell)|not (?:allowed|able|permitted)|no idea"
    r"|guess)\b[^,;:.!?\n\u2014]*$",
    re.I,
)
"""Words behind which nothing is said to be so, up to the clause's end."""


def denied(text: str, at: int) -> bool:
    """Says whether what stands at a place of a text is not said to be so: "not gate B18", "whether
    it is B18".
    """
    before = text[max(0, at - 80) : at]
    return _NOT_SO.search(before) is not None or _UNSURE.search(before) is not None
