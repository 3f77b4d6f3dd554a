"""Answers to what the user asks for: read alike by the simulated user and the metrics."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.nlu.questions.asked import USERS_ASK
from pytest_todeval.nlu.slots import head_of, kind_of, slot_of
from pytest_todeval.nlu.text.negation import NEGATED
from pytest_todeval.nlu.text.sentences import sentences
from pytest_todeval.nlu.values.answers import AnswerStatus, answer, has_answer
from pytest_todeval.nlu.values.normalise import YES_NO_SLOTS

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

_UNKNOWN = re.compile(
    r"(?:n't|\bnot|\bno|\bunable|\bcannot|\bwithout)\b[^.?!]*\b(?:have|listed|available|known|know"
    r"|find|information|given|provided?|records?|say)\b|\bunknown\b|\bunavailable\b",
    re.I,
)
_REFUSED = re.compile(
    r"\b(?:unavailable|unfortunately|unable|cannot|sorry|full|taken|gone|packed|zero|0)\b",
    re.I,
)
_REPEAT = re.compile(
    r"(?:n't|\bnot|\bunable to)\b[^.?!]{0,20}\b(?:understand|understood|catch|get that|get you"
    r"|follow|sure what you)|\b(?:rephrase|say (?:that|it) (?:again|differently)|pardon|come again"
    r"|repeat (?:that|it)|what was that|misunderstood)\b|^\W*sorry\W*$",
    re.I,
)


def answering(domain: str, requested: str) -> tuple[str, ...]:
    """Returns the slots that answer a request for one slot."""
    return ANSWERED_BY.get((domain, requested), (requested,))


def asked_for(said: str, slots: Sequence[str]) -> tuple[str, ...]:
    """Returns which of these slots a user's words ask for."""
    said = said[:LONGEST_TEXT].lower()
    return tuple(slot for slot in slots if re.search(_words(slot), said) or _asks(slot, said))


def _asks(slot: str, said: str) -> bool:
    """Says whether words that leave part of its name out ask for a slot: "the price" per day."""
    if slot in USERS_ASK:
        return USERS_ASK[slot].search(said) is not None
    head = head_of(slot)
    return len(head) > SHORTEST and re.search(rf"\b{re.escape(head)}s?\b", said) is not None


def heard_answer(domain: str, slot: str, claims: Sequence[DialogueAct]) -> str:
    """Returns the answer to a request among claims; empty if there is none."""
    told = {c.slot: c.value for c in claims if c.act is Act.INFORM and c.slot and c.value}
    for claim in claims:
        if claim.act in (Act.OFFER, Act.REFERENCE) and claim.slot and claim.value:
            told.setdefault(claim.slot, claim.value)
    found = (told[name] for name in answering(domain, slot) if name in told)
    return next((value for value in found if _fits(slot, value)), "")


def _fits(slot: str, value: str) -> bool:
    """Says whether what was heard can be a value of a slot: "yes" is no gate."""
    return slot in YES_NO_SLOTS or value not in ("yes", "no") or not kind_of(slot).shaped


def worded_answer(
    part: DomainGoal,
    slot: str,
    text: str,
    *,
    asked: Sequence[str],
    user: str = "",
    row: Mapping[str, Any] | None = None,
    values: Sequence[str] = (),
) -> str:
    """Returns what a person takes for the answer to a request; empty if there is none.

    `asked` are the slots that the user has just asked for, in the words `user`; `row` is what is
    known of the venue, `values` those that the slot may have.
    """
    known = [str(row[name]) for name in answering(part.domain, slot) if row and name in row]
    said = answer(
        text,
        slot_of(part, slot, known or values),
        next(iter(known), None),
        asked=slot in asked,
        user=user,
        covered=[str(v) for name, v in (row or {}).items() if str(v) not in known],
        rivals=[slot_of(part, other) for other in asked if other != slot],
    )
    return "" if said.told is AnswerStatus.NOTHING else said.said


def taken_for_answer(
    part: DomainGoal, slot: str, text: str, *, asked: Sequence[str], user: str
) -> str:
    """Returns what a person who has just asked for a slot takes for its value if no value is told
    in a form of its kind: the sentence that says anything; empty if none does.
    """
    rivals = [slot_of(part, other) for other in asked if other != slot]
    return has_answer(text, slot_of(part, slot), user=user, rivals=rivals) if slot in asked else ""


def row_value_in(value: str, text: str, venue: str) -> str:
    """Returns a row's value if the text holds it (outside the venue's name); else empty."""
    if len(value) < SHORTEST:
        return ""
    outside = text.lower().replace(venue.lower(), " ") if venue else text.lower()
    plain = " ".join(outside.split())
    return value if re.search(rf"(?<!\w){re.escape(value.lower())}(?!\w)", plain) else ""


def denies(text: str) -> bool:
    """Says whether a text says that the bot does not know."""
    return _UNKNOWN.search(text) is not None


def asks_to_repeat(text: str) -> bool:
    """Whether a text says that the bot did not understand: "Sorry, could you rephrase that?"."""
    return _REPEAT.search(text) is not None


def turns_down(text: str, value: str) -> bool:
    """Says whether a sentence denies a value: "Sorry, we are out of pineapple"."""
    return any(
        NEGATED.search(sentence) or _REFUSED.search(sentence)
        for sentence in sentences(text)
        if not sentence.rstrip().endswith("?") and row_value_in(value, sentence, "")
    )


def _words(slot: str) -> str:
    """Returns a pattern of how people say the name of a slot."""
    return r"[ _-]".join(map(re.escape, slot.lower().replace("_", " ").split()))
