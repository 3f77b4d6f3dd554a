"""What a MultiWOZ goal's message says: which domains it raises, and in which words.

The message is a list of sentences made from templates, with values in `<span class='emphasis'>`:
"You are looking for a <span ...>place to stay</span>. The hotel should be in the <span ...>cheap
</span> price range", "If there is no such hotel, how about ...", "Make sure you get ...".
"""

import html
import re
from collections.abc import Iterable, Mapping, Sequence

FIXED_ORDER = ("restaurant", "hotel", "attraction", "train", "taxi", "hospital", "police")
RAISED_BY = {
    "restaurant": re.compile(r"\b(?:restaurant|place to (?:dine|eat))\b", re.I),
    "hotel": re.compile(r"\b(?:hotel|guest ?house|place to stay)\b", re.I),
    "attraction": re.compile(r"\b(?:attraction|places? to (?:go|visit))\b", re.I),
    "train": re.compile(r"\btrain\b", re.I),
    "taxi": re.compile(r"\btaxi\b", re.I),
    "hospital": re.compile(r"\b(?:hospital|injured)\b", re.I),
    "police": re.compile(r"\b(?:police|robbed)\b", re.I),
}
TAG = re.compile(r"<[^<>]{0,200}>")
EMPHASIS = re.compile(r"<span class=['\"]emphasis['\"]>([^<]*)</span>")
STATES_NO_CONSTRAINT = re.compile(r"\s*(?:make sure you get|once you find|if the booking)\b", re.I)
"""Sentences about what to ask and what to book: a word there is no constraint."""
NEGATION = re.compile(r"\b(?:not|no|without|doesn't|does not|don't)\b", re.I)
AMENITY = {"internet": r"\b(?:internet|wi-?fi)\b", "parking": r"\bparking\b"}


def sections(message: Sequence[str], domains: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The sentences on each domain, the domains in the order in which the message raises them.

    A sentence belongs to the domain it raises for the first time, else to the one before it.
    Domains that the message never raises come last, without sentences.
    """
    found: dict[str, list[str]] = {}
    waiting = sorted(domains, key=_rank)
    current: list[str] = []
    for sentence in message:
        raised = _raised(sentence, waiting)
        if raised is not None:
            waiting.remove(raised)
            current = found.setdefault(raised, [])
        current.append(sentence)
    found.update({domain: [] for domain in waiting})
    return {domain: tuple(sentences) for domain, sentences in found.items()}


def mentions(sentences: Sequence[str], values: Mapping[str, str]) -> bool:
    """Says whether the sentences on a domain state every one of these values as a constraint.

    A value counts if it stands as whole words within emphasis (anywhere in the sentence if
    nothing is emphasised), outside the sentences on bookings and requests; so neither the `park` of
    "free parking" nor the `hotel` of "once you find the hotel" counts. `yes` and `no` are read from
    the phrase: "include free wifi", "doesn't need to have free parking". Never true of no values.
    """
    stating = [s for s in sentences if not STATES_NO_CONSTRAINT.match(s)]
    phrases = [p for s in stating for p in EMPHASIS.findall(s) or [TAG.sub(" ", s)]]
    plain = [html.unescape(phrase) for phrase in phrases]
    return bool(values) and all(
        any(_states(phrase, slot, value) for phrase in plain) for slot, value in values.items()
    )


def _rank(domain: str) -> tuple[int, str]:
    known = domain in FIXED_ORDER
    return (FIXED_ORDER.index(domain) if known else len(FIXED_ORDER), domain)


def _raised(sentence: str, waiting: Sequence[str]) -> str | None:
    text = TAG.sub("", sentence)
    hits = [
        (match.start(), domain)
        for domain in waiting
        if (match := _cue(domain).search(text)) is not None
    ]
    return min(hits)[1] if hits else None


def _cue(domain: str) -> re.Pattern[str]:
    return RAISED_BY.get(domain) or re.compile(rf"\b{re.escape(domain)}\b", re.I)


def _states(phrase: str, slot: str, value: str) -> bool:
    if slot in AMENITY and value.lower() in ("yes", "no", "free"):
        negated = NEGATION.search(phrase) is not None
        return re.search(AMENITY[slot], phrase, re.I) is not None and negated == (value == "no")
    suffix = "(?:ly)?" if slot == "pricerange" else ""
    return re.search(rf"(?<!\w){re.escape(value)}{suffix}(?!\w)", phrase, re.I) is not None
