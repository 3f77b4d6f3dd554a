"""Answers to what the user asks for: read alike by the simulated user and the metrics."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.language.asked import FEATURES, USERS_ASK
from pytest_todeval.language.negation import NEGATED
from pytest_todeval.language.values import YES_NO_SLOTS

ANSWERED_BY = {
    ("taxi", "car type"): ("car type", "type", "car"),
    ("taxi", "type"): ("type", "car type", "car"),
    ("taxi", "phone"): ("phone", "contact number"),
    ("attraction", "entrance fee"): ("entrance fee", "price", "fee"),
    ("train", "price"): ("price", "entrance fee", "pricerange"),
}
"""Slots under which a requested one may be heard."""

SHORTEST = 3
"""Characters of a row's value that are looked for in a text; shorter ones stand there by chance."""
LONGEST_TEXT = 8000
"""Characters of a text that are looked at."""
LONGEST = 200
"""Characters of an answer that are kept."""
MOST_WORDS = 4
"""Of an answer that does not name what it answers: "It is a boat"."""
NUMERIC = frozenset(
    {"phone", "postcode", "reference", "price", "trainID", "duration", "entrance fee", "stars"}
)
"""Slots whose values hold digits."""

_UNKNOWN = re.compile(
    r"(?:n't|\bnot|\bno|\bunable|\bcannot|\bwithout)\b[^.?!]*\b(?:have|listed|available|known|know"
    r"|find|information|given|provided?|records?|say)\b|\bunknown\b|\bunavailable\b",
    re.I,
)
_REFUSED = re.compile(
    r"\b(?:out of|sold out|unavailable|unfortunately|unable|cannot|sorry|fully booked|full|taken"
    r"|gone|packed|zero|0)\b",
    re.I,
)
_REPEAT = re.compile(
    r"(?:n't|\bnot|\bunable to)\b[^.?!]{0,20}\b(?:understand|understood|catch|get that|get you"
    r"|follow|sure what you)|\b(?:rephrase|say (?:that|it) (?:again|differently)|pardon|come again"
    r"|repeat (?:that|it)|what was that|misunderstood)\b|^\W*sorry\W*$",
    re.I,
)
_STARTS = (
    r"(?:an?|and|anything|are|can|could|do|does|here|i|is|it|need|other|please|shall|should|that"
    r"|the|there|this|was|we|what|which|will|would|you|your)\b"
)
"""Words that start a sentence rather than a name."""
_SENTENCE = re.compile(rf"(?<=[.!?])(?:(?<!\b[A-Z]\.)(?<!\b[DM]r\.)|(?=\s+(?i:{_STARTS})))\s+|\n+")
"""Between two sentences; an initial ends none ("L. Amaro")."""
_POINTER = re.compile(r"[\u2190-\u21ff\u27a1\U0001f449]|={1,3}>|-{1,3}>")
"""Signs that point from a label to its value."""
_PICTURE = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f1e6-\U0001faff]+")
"""Emoji: what they stand between are sentences of their own."""
_EMPHASIS = re.compile(r"[*_`#]+(?=\S)|(?<=\S)[*_`#]+|(?m:^[ \t]*[-*\u2022] )")
_SAYS = re.compile(
    r"\s(?:is|are|was|will be|would be|costs?|amounts? to|comes? to|makes|stands at)\s"
    r"|,?\s(?:that|it|this)['\u2019]s\s|\s(?:(?:here|down) )?as\s"
    r"|\s?[:=]\s|\s[-\u2013\u2014]\s",
    re.I,
)
_IT_IS = (
    r"(?:it|they|that|this|that one)(?:['\u2019]s|['\u2019]ll be| is| are| was| will be| has| have"
    r"| makes| comes to)"
)
_DIRECT = re.compile(
    r"(?:it|they|that|this)(?:'s| is| are| will be| has| have| serves?| offers?)\s+"
    r"(?:an? |the )?(.+)",
    re.I,
)
_VALUE = r"((?:[^.!?\n]|\.(?=\w)|(?<=\b[A-Z])\.|(?<=\b[DM]r)\.){1,80}?)"
"""A few words; a point within a number or after an initial does not end them."""
_FIRST = (
    r"(?!(?:(?:that|this|it|here|there|what|which|who|so|well|yes|no|all|and|but|if|as|the|your|my)"
    r"\b))((?:[^.,!?\n:]|[.:](?=\w)|(?<=\b[DM]r)\.){1,60}?)"
)
"""A value that opens its sentence."""
_ENDS = r"(?=[!\n]|$|(?<!\b(?-i:[A-Z]))(?<!\b[DM]r)\.(?!\w))"
_EVASIVE = re.compile(
    r"(?:i|i['\u2019]\w+|we|let|sorry|unfortunately|depends|varies|good|please|hm+|which|what|not"
    r"|any|one moment)\b",
    re.I,
)
"""Starts of what follows a label and is no value."""
_NEXT = re.compile(r"\s[|\u00b7]\s|[,;]\s+(?=[\w -]{1,25}[:=]\s)")
"""Where the next label of a list on one line starts."""


def answering(domain: str, requested: str) -> tuple[str, ...]:
    """The slots that answer a request for one slot."""
    return ANSWERED_BY.get((domain, requested), (requested,))


def asked_for(said: str, slots: Sequence[str]) -> tuple[str, ...]:
    """Which of these slots a user's words ask for."""
    said = said[:LONGEST_TEXT].lower()
    return tuple(
        slot
        for slot in slots
        if re.search(_words(slot), said) or (slot in USERS_ASK and USERS_ASK[slot].search(said))
    )


def accepted(
    domain: str,
    slot: str,
    claims: Sequence[Claim],
    text: str,
    *,
    asked: Sequence[str],
    row: Mapping[str, Any] | None = None,
    venue: str = "",
) -> str:
    """What a person takes for the answer to a request; empty if there is none.

    `claims` are those heard in the text that hold, about the domain or none in particular; `row`
    is what is known of the venue.
    """
    heard = heard_answer(domain, slot, claims)
    return heard or worded_answer(domain, slot, text, asked=asked, row=row, venue=venue)


def heard_answer(domain: str, slot: str, claims: Sequence[Claim]) -> str:
    """The answer to a request among claims; empty if there is none."""
    told = {c.slot: c.value for c in claims if c.act is Act.INFORM and c.slot and c.value}
    for claim in claims:
        if claim.act in (Act.OFFER, Act.REFERENCE) and claim.slot and claim.value:
            told.setdefault(claim.slot, claim.value)
    return next((told[name] for name in answering(domain, slot) if name in told), "")


def worded_answer(
    domain: str,
    slot: str,
    text: str,
    *,
    asked: Sequence[str],
    row: Mapping[str, Any] | None,
    venue: str,
) -> str:
    """The answer to a request in words that nobody listed: a row's value, else what is said."""
    known = () if slot in YES_NO_SLOTS or row is None else answering(domain, slot)
    values = [str(row[name]) for name in known if row is not None and name in row]
    outside = "" if venue in values else venue
    said = next((told for value in values if (told := row_value_in(value, text, outside))), "")
    return said or answer_in(text, slot, asked=asked)


def row_value_in(value: str, text: str, venue: str) -> str:
    """A row's value if the text holds it (outside the venue's name); else empty."""
    if len(value) < SHORTEST:
        return ""
    outside = text.lower().replace(venue.lower(), " ") if venue else text.lower()
    plain = " ".join(outside.split())
    return value if re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", plain) else ""


def answer_in(text: str, slot: str, *, asked: Sequence[str]) -> str:
    """What a text answers to the request for a slot, in its own words; empty if it does not.

    `asked` slots are those the user asked for: an answer to the only one need not name it, and
    whether something is there or not is answered only when asked.
    """
    if slot in YES_NO_SLOTS:
        return _yes_or_no(slot, text) if slot in asked else ""
    text = _plain(text)
    found = _after_a_question(slot, text)
    told = [s for s in _SENTENCE.split(text) if not s.rstrip().endswith("?")]
    told = [s for s in told if not _UNKNOWN.search(s)]
    found = found or next((said for s in told if (said := _said_of(slot, s))), "")
    if not found and list(asked) == [slot] and told and slot not in NUMERIC:
        found = _direct(told[0])
    return found if slot not in NUMERIC or re.search(r"\d|free", found, re.I) else ""


def sentences(text: str) -> list[str]:
    """The sentences of a text, its markup and pictures left out."""
    return _SENTENCE.split(_plain(text))


def denies(text: str) -> bool:
    """Whether a text says that the bot does not know."""
    return _UNKNOWN.search(text) is not None


def asks_to_repeat(text: str) -> bool:
    """Whether a text says that the bot did not understand: "Sorry, could you rephrase that?"."""
    return _REPEAT.search(text) is not None


def turns_down(text: str, value: str) -> bool:
    """Whether a sentence denies a value: "Sorry, we are out of pineapple"."""
    return any(
        NEGATED.search(sentence) or _REFUSED.search(sentence)
        for sentence in _SENTENCE.split(text)
        if not sentence.rstrip().endswith("?") and row_value_in(value, sentence, "")
    )


def _yes_or_no(slot: str, text: str) -> str:
    for sentence in _SENTENCE.split(text):
        asks = sentence.rstrip().endswith("?")
        if not asks and FEATURES[slot].search(sentence):
            return "no" if NEGATED.search(sentence) else "yes"
    first = text.strip().lower()
    return next((word for word in ("yes", "no") if re.match(rf"{word}\b", first)), "")


def _plain(text: str) -> str:
    """A text without markup; what pictures stand between is apart, what points to a value is
    a colon.
    """
    text = _EMPHASIS.sub("", text[:LONGEST_TEXT])
    return _PICTURE.sub("\n", _POINTER.sub(":", text))


def _words(slot: str) -> str:
    """A pattern of how people say the name of a slot."""
    return r"[ _-]".join(map(re.escape, slot.lower().replace("_", " ").split()))


def _after_a_question(slot: str, text: str) -> str:
    """What answers a question that the bot asks itself: "The deposit? It's 90 pounds.", or is told
    first: "90 pounds. That's the deposit.".
    """
    asks = (
        rf"(?:^|[.!?:\n,])\W{{0,6}}(?:(?:and|as for|the|your|its)[ ]+){{0,2}}{_words(slot)}[ ]?\?"
    )
    match = re.search(rf"{asks}[ ]+(?:{_IT_IS}[ ]+)?{_VALUE}{_ENDS}", text, re.I)
    match = match or re.search(
        rf"(?:^|[.!?\n]\s){_FIRST}[.!] {_IT_IS} (?:the|your|its) {_words(slot)}\b", text, re.I
    )
    return _value(match[1]) if match else ""


def _said_of(slot: str, sentence: str) -> str:
    """What a sentence tells of a slot that it names: after it ("the crust is thin", "crust:
    thin"), before it ("serves French food", "It's thin for the crust", "thin (crust)"), or right
    beside it ("crust 12 inches").
    """
    words = _words(slot)
    after = re.search(rf"\b{words}\b(.*)", sentence, re.I | re.S)
    if after is None:
        return ""
    said = _SAYS.split(f" {after[1]} ", maxsplit=1)
    if len(said) == 2 and (told := _value(said[1])):
        return told
    forms = (
        rf"\b{words}\b[\s|:=\"']{{1,4}}((?:[\d\u00a3$\u20ac]|(?-i:[A-Z])|free\b|none\b)"
        rf"[^.!?\n,;|]*(?:\.\d+[^.!?\n,;|]*)?)",
        rf"\b{words}['\u2019]s ((?:(?!\bis\b|['\u2019]s\b)[^!?\n:;|,]){{1,60}}?)(?=,|\.|$)",
        rf"(?:{_IT_IS}[ ]+)?((?:[^!?\n:()]|:(?=\d)){{1,60}}?)[ ]?\({words}\)",
        rf"\b{_IT_IS}[ ]+([^!?\n]{{1,60}}?)(?:,| for)+ the {words}\b",
        rf"\b(?:serves?|offers?|has|have)\s+(.{{1,60}}?)\s+{words}\b",
        rf"^{_FIRST},? (?:it|that|this)(?: is| was|['\u2019]s)(?: it)?,? (?:(?:for|as) )?the"
        rf" {words}\b",
        rf"^{_FIRST}(?:,[^,!?]{{1,40}},)? (?:is|are|was|would be) (?:the|your|its|their) {words}\b",
        rf"^{_FIRST} the {words} is\W*$",
        rf"^{_FIRST}, (?:\w+ ){{1,6}}(?:under|for|as|in|against|beside) (?:the )?{words}\W*$",
    )
    matches = (re.search(form, sentence, re.I) for form in forms)
    return next((told for match in matches if match and (told := _value(match[1]))), "")


def _value(said: str) -> str:
    """What was said as a value, tidied; empty if it is none."""
    found = _tidy(_NEXT.split(said, maxsplit=1)[0])
    holds = any(char.isalnum() for char in found)
    return found if holds and not _EVASIVE.match(found) and not _UNKNOWN.search(found) else ""


def _direct(sentence: str) -> str:
    match = _DIRECT.match(sentence)
    said = _tidy(match[1]) if match else ""
    return said if len(said.split()) <= MOST_WORDS else ""


def _tidy(said: str) -> str:
    return said.strip(" .!,|\"'\n")[:LONGEST]
