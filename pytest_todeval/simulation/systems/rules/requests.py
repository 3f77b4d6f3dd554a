"""What the user wants to be told."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pytest_todeval.nlu.cues import ASKING
from pytest_todeval.nlu.questions.asked import NEVER_A_CONSTRAINT, USERS_ASK
from pytest_todeval.simulation.systems.rules.heard_text import VENUES, HeardText, SaidValue


class AskedValue(NamedTuple):
    """One value the user asks for."""

    domain: str
    slot: str


ANSWERED_BY = {
    "phone": (*VENUES, "taxi", "hospital", "police"),
    "address": (*VENUES, "hospital", "police"),
    "postcode": (*VENUES, "hospital", "police"),
    "area": VENUES, "pricerange": VENUES, "name": (*VENUES, "police"),
    "entrance fee": ("attraction",),
    "price": ("train", "attraction", "hotel"),
    "duration": ("train",), "trainID": ("train",), "leaveAt": ("train",), "arriveBy": ("train",),
    "food": ("restaurant",),
    "stars": ("hotel",), "internet": ("hotel",), "parking": ("hotel",),
    "type": ("hotel", "attraction"),
    "car type": ("taxi",),
    "reference": ("restaurant", "hotel", "train"),
    "department": ("hospital",),
}  # fmt: skip
YES_NO = re.compile(
    r"\b(?:whether|does (?:it|the|this|that|@\d+)|do (?:they|you know)|is"
    r" there|are there|if (?:it|they)|has it|have they|also have|it have|they"
    r" have|it's got)\b|\bright\b ?\?|\?"
)
NOT_NEEDED = re.compile(r"\b(?:don't|do not|no) (?:need|want|have|care)\b|\bdoesn't matter|\bany\b")


def requests(heard: HeardText, told: Sequence[SaidValue]) -> Iterator[AskedValue]:
    """Returns the values asked for, each once, in the order of the patterns."""
    seen = set()
    for slot, pattern in USERS_ASK.items():
        for match in pattern.finditer(heard.said):
            request = _request(heard, slot, match, told)
            if request is not None and request not in seen:
                seen.add(request)
                yield request


def _request(
    heard: HeardText, slot: str, match: re.Match[str], told: Sequence[SaidValue]
) -> AskedValue | None:
    start, end = heard.sentence_at(match.start())
    sentence = heard.said[start:end]
    if NOT_NEEDED.search(heard.said[start : match.start()]) and "?" not in sentence:
        return None
    among = ANSWERED_BY[slot]
    domain = heard.domain_of_noun(match.end(), among) or heard.domain_at(match.start(), slot, among)
    if domain is None:
        return None
    if slot not in NEVER_A_CONSTRAINT and not _asks(heard, slot, domain, (start, end), told):
        return None
    is_fee = slot == "price" and domain == "attraction"
    return AskedValue(domain, "entrance fee" if is_fee else slot)


def _asks(
    heard: HeardText, slot: str, domain: str, span: tuple[int, int], told: Sequence[SaidValue]
) -> bool:
    sentence = heard.said[slice(*span)]
    if any(s.slot == slot and span[0] <= s.at < span[1] for s in told):
        return (
            slot in ("internet", "parking")
            and domain in heard.context.offered
            and _yes_no(sentence)
        )
    if slot in ("internet", "parking"):
        return _yes_no(sentence)
    if slot == "area" and re.search(r"\blocated in\b", sentence):
        return "?" in sentence
    return ASKING.search(sentence) is not None


def _yes_no(sentence: str) -> bool:
    return YES_NO.search(sentence) is not None or "i need whether" in sentence
