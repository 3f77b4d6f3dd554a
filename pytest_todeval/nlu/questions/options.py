"""What a bot lets its user choose from, and the reply that it asks for: "A or B?", "type YES"."""

import re
from collections.abc import Iterator

MOST = 5
"""Options that are listened to."""
LONGEST_TEXT = 8000
"""Characters of a text that are looked at."""
LONGEST = 4
"""Words of one option."""
_CUES = frozenset(
    re.findall(
        r"\w+",
        """
        prefer like want need have be it this by with for in on at between either a an the pay
        rather to you use is travelling traveling me choose would
        """,
    )
)
"""Words before the first of several options."""
_ENDS = frozenset(
    re.findall(
        r"\w+",
        """
        for on in at when would do should is please today instead which and if with
        """,
    )
)
"""Words after the last one."""
_DEEDS = frozenset(
    re.findall(
        r"\w+",
        """
        try search look see change cancel book hear know keep reserve go continue proceed no not
        anything something other more different another start shall should do would is was are
        both you
        """,
    )
)
"""Words by which an "option" is a thing to do, or none."""
_USUAL = re.compile(r"\b(?:later|arrival|standard|leisure)\b")
_ARTICLES = re.compile(r"^(?:an?|the|some) ")


def alternatives(text: str) -> tuple[str, ...]:
    """Returns the options of a plain question "..., A, B or C?", at most `MOST`; () if unclear."""
    question = text.split("?", 1)[0]
    before, found, last = question.rpartition(" or ")
    if not found:
        return ()
    first, *middle = [part.strip() for part in before.rsplit(",", MOST - 1)]
    leads_in = middle and re.search(r"\b(?:your|the)\b", first)
    options = [*([] if leads_in else [_after_cue(first)]), *middle, _until_end(last)]
    options = [_ARTICLES.sub("", option.strip(" ,.:;-\"'()")) for option in options]
    options = [option for option in options if option]
    clear = 1 < len(options) <= MOST and all(_is_option(option) for option in options)
    return tuple(options) if clear else ()


def suits_anybody(option: str) -> bool:
    """Whether an option is what people take who have not thought about it: to pay later, say."""
    return _USUAL.search(option) is not None


def _after_cue(text: str) -> str:
    words = re.split(r"[ :]+", text.strip(" :"))
    at = max((n for n, word in enumerate(words) if word.strip(",.:") in _CUES), default=-1)
    return " ".join(words[at + 1 :])


def _until_end(text: str) -> str:
    words = re.split(r" +", text.strip().split(",")[0])
    at = next((n for n, word in enumerate(words) if n and word in _ENDS), len(words))
    return " ".join(words[:at])


def _is_option(text: str) -> bool:
    words = text.split()
    return 0 < len(words) <= LONGEST and words[0] not in _DEEDS


_NUMBERED = re.compile(
    r"(?:^|(?<=[\s(\[]))(?:option )?([1-9A-E])[.):\]][ \t]+(\S[^\n]{0,200})", re.M
)
_INNER = re.compile(r"[,;.]?\s+\(?(?:option )?[2-9B-E][.):\]][ \t]+\S")
_BY_NUMBER = re.compile(
    r"\bby (?:its )?(?:number|letter)\b|\b(?:number|letter) of (?:your|the|an?)\b|\b(?:reply"
    "|respond|answer|type|press|enter|choose|pick|select|give|tell|send|say"
    r"|text)\b[^.?!]{0,30}\b(?:numbers?|letters?|digits?)\b"
    r"|\b1,? (?:2,? )?(?:3,? )?(?:4,? )?or [2-9]\b"
)


def numbered(text: str) -> tuple[tuple[str, str], ...]:
    """Returns the numbered or lettered options of a text: ("1", "Sea View, in the north"), ..."""
    found: list[tuple[str, str]] = []
    rest = text[:LONGEST_TEXT]
    while len(found) < 2 * MOST and (match := _NUMBERED.search(rest)):
        inner = _INNER.search(match[2])
        end = match.start(2) + inner.start() if inner else match.end()
        found.append((match[1], rest[match.start(2) : end].strip()))
        rest = rest[end:]
    return tuple(found) if len(found) > 1 else ()


def wants_number(text: str) -> bool:
    """Says whether a text asks to choose by number or letter."""
    return _BY_NUMBER.search(text[:LONGEST_TEXT]) is not None


_REPLY = re.compile(
    r"\b(?:reply|respond|answer|type|press|enter|say|send|text|write|hit|select|choose|key in"
    r"|click|tap)\b[^.?!\n]{0,200}",
    re.I,
)
_LABEL = re.compile(
    r"(?P<quote>[\"'“‘*\[(]{0,2})\b(?P<label>[A-Za-z]{1,12}|\d)\b[\"'”’*\])]{0,2}"
    r"(?: (?:to|for|if you (?:want|wish|would like) (?:me )?to|if you|and i will|and we will)"
    r" (?:me to |have |make |the |your |it )?(?P<purpose>[A-Za-z]+))?"
)
_YES_OR_NO = re.compile(r"[(\[]? ?\b(yes|y) ?(?:/|or|\|) ?(no|n)\b ?[)\]]?", re.I)
_AGREEING = frozenset(
    re.findall(
        r"\w+",
        """
        yes y ok okay confirm confirmed book proceed continue go accept agree approve reserve
        complete finish finalise finalize place make pay
        """,
    )
)
_DECLINING = frozenset(
    re.findall(
        r"\w+",
        """
        no n cancel decline stop abort change edit modify start restart quit back
        """,
    )
)


def reply_words(text: str) -> tuple[str, str] | None:
    """The replies that a text asks for to agree and to decline, e.g. ("1", "2"); None if for none.

    The second is empty if only agreement is spelled out.
    """
    yes = no = ""
    text = text[:LONGEST_TEXT]
    for request in _REPLY.finditer(text):
        for label, purpose in _labels(request[0]):
            if purpose in _AGREEING:
                yes = yes or label
            elif purpose in _DECLINING:
                no = no or label
    if not yes and (match := _YES_OR_NO.search(text)):
        yes, no = match[1], match[2]
    return (yes, no) if yes else None


def _labels(request: str) -> Iterator[tuple[str, str]]:
    """Returns the replies named in a request, each with what it is for."""
    for match in _LABEL.finditer(request, request.find(" ") if " " in request else len(request)):
        label, purpose = match["label"], (match["purpose"] or "").lower()
        plain = label.lower() in _AGREEING | _DECLINING
        marked = bool(match["quote"]) or label.isdigit() or (label.isupper() and len(label) > 1)
        if marked and purpose:
            yield label, purpose
        elif plain and (marked or match.start() < len("respond with the word ") + 8):
            yield label, label.lower()
