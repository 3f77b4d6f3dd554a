"""Whose booking it is that a verb tells of: the user's, somebody else's, or anybody's."""

from pytest_todeval.core.claim import Factuality
from pytest_todeval.evidence.deed import singular
from pytest_todeval.evidence.objects import PASSIVE, head_part
from pytest_todeval.evidence.phrases import NAME, Group
from pytest_todeval.evidence.triggers import OTHERS, word_set

__all__ = ["is_taken", "of_whom"]

_GENERIC = word_set("every each any such many some most few several certain popular")


_KNOWN = word_set(
    """the your you my our it that this those these both they everything all one two three four
    five six seven eight nine ten eleven twelve"""
)


_EARLIER = word_set("other previous earlier last old next first original existing")


_TIMES = word_set(
    """slot time date day evening afternoon morning night weekend monday tuesday wednesday
    thursday friday saturday sunday pm am oclock"""
)


_PROVIDERS = word_set("restaurant hotel salon clinic they he she doctor stylist option NAME")


_REGRETS = word_set("sorry unfortunately afraid alas sadly but apologies regret")


def is_taken(group: Group, subject: list[str], rest: list[str], before: list[str]) -> bool:
    """As in "That slot is booked", "every table is reserved": nobody else can have it."""
    if "you" in rest or "your" in rest or "your" in subject or not subject or group.negated:
        return False
    if not group.words & {"is", "are", "was", "were", "s", "re", "been"} or group.modal:
        return False
    if any(w in ("every", "all", "each") for w in subject[-5:]):
        return True
    head, regret = singular(subject[-1]), not _REGRETS.isdisjoint(before)
    if head in _PROVIDERS:
        return regret or "they" in subject
    shown = bool({"that", "this", "those"} & set(subject[-4:]))
    return head in _TIMES or (shown and head in ("table", "room", "seat", "place", "spot"))


def of_whom(group: Group, subject: list[str], rest: list[str], said: Factuality) -> Factuality:
    """Told of others: other people's bookings, bookings in general, the user's earlier ones."""
    if said not in (Factuality.ASSERTED, Factuality.DENIED) or subject[-1:] in (["i"], ["we"]):
        return said
    noun = head_part(subject)[-4:] if group.words & PASSIVE else subject[-4:]
    yours = "you" in rest or "your" in rest
    if subject[-1:] == ["you"] and subject[-2:-1] != ["is"] and not group.words & PASSIVE:
        perfect = group.words & {"have", "ve", "successfully"} and "already" not in group.words
        return said if perfect or said is Factuality.DENIED else Factuality.OF_OTHERS
    own = "your" in noun and bool(group.words & PASSIVE)
    if any(w in OTHERS for w in noun) and not yours and not own:
        return Factuality.OF_OTHERS
    present = group.words & {"is", "are", "s", "re"} and not group.words & {"been", "now"}
    if present and not yours and noun and _in_general(noun, subject, rest):
        return Factuality.OF_OTHERS
    if any(w in _EARLIER for w in noun) and "your" in subject:
        return Factuality.OF_OTHERS
    return said


def _in_general(noun: list[str], subject: list[str], rest: list[str]) -> bool:
    if any(w in _GENERIC for w in subject[:2]):
        return True
    known = any(w in _KNOWN or w[0].isdigit() or w == NAME for w in subject)
    return not known and noun[-1].endswith("s") and bool(rest) and not noun[-1].endswith("ss")
