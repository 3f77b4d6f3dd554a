"""Whose booking it is that a verb tells of: the user's, somebody else's, or anybody's."""

from pytest_todeval.core.dialogue_act import Factuality
from pytest_todeval.nlu.bookings.objects import PASSIVE, head_part
from pytest_todeval.nlu.patterns import word_set
from pytest_todeval.nlu.text.phrases import NAME, Group
from pytest_todeval.nlu.text.triggers import OTHERS

_KNOWN = word_set(
    """the your you my our it that this those these both they everything all one two three four
    five six seven eight nine ten eleven twelve"""
)


def of_whom(group: Group, subject: list[str], rest: list[str], said: Factuality) -> Factuality:
    """Told of others: other people's bookings, bookings in general, the user's earlier ones."""
    if said not in (Factuality.ASSERTED, Factuality.DENIED) or subject[-1:] in (["i"], ["we"]):
        return said
    passive = bool(group.words & PASSIVE)
    if subject[-1:] == ["you"] and subject[-2:-1] != ["is"] and not passive:
        perfect = group.words & {"have", "ve", "successfully"} and "already" not in group.words
        return said if perfect else Factuality.OF_OTHERS
    yours = "you" in rest or "your" in rest
    noun = head_part(subject) if passive else subject
    return said if yours or not _is_of_others(group, subject, noun, rest) else Factuality.OF_OTHERS


def _is_of_others(group: Group, subject: list[str], noun: list[str], rest: list[str]) -> bool:
    own = "your" in noun and bool(group.words & PASSIVE)
    if subject[:1] == ["my"] or (not own and not OTHERS.isdisjoint(noun)):
        return True
    present = group.words & {"is", "are", "s", "re"} and not group.words & {"been", "now"}
    return bool(present and noun) and _in_general(noun, subject, rest)


def _in_general(noun: list[str], subject: list[str], rest: list[str]) -> bool:
    known = any(w in _KNOWN or w == NAME for w in noun)
    if rest[:1] == ["for"] and any(word in _KINDS_OF_GUESTS for word in rest[1:4]):
        return True
    return not known and noun[-1].endswith("s") and bool(rest) and not noun[-1].endswith("ss")


_KINDS_OF_GUESTS = word_set(
    """members guests residents staff patients locals students visitors regulars groups families
    subscribers disabled children others weddings"""
)
