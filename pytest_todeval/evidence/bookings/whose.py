"""Whose booking it is that a verb tells of: the user's, somebody else's, or anybody's."""

import itertools

from pytest_todeval.core.claim import Factuality
from pytest_todeval.evidence.bookings.deed import singular
from pytest_todeval.evidence.bookings.objects import PASSIVE, head_part
from pytest_todeval.evidence.bookings.patterns import words_of_role
from pytest_todeval.evidence.text.phrases import NAME, Group
from pytest_todeval.evidence.text.triggers import OTHERS, word_set

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
    if "you" in rest or "your" in rest or not subject or group.negated:
        return False
    if not _OWNERS_OR_LINKS.isdisjoint(subject):
        return False
    if (
        subject[0] == "my"
        or not group.words & {"is", "are", "was", "were", "s", "re", "been"}
        or group.modal
    ):
        return False
    if any(w in ("every", "all", "each") for w in subject):
        return True
    head, regret = singular(subject[-1]), not _REGRETS.isdisjoint(before)
    if head in _PROVIDERS:
        return regret or "they" in subject
    shown = any(
        word in ("that", "this", "those") and after not in _DETERMINERS
        for word, after in itertools.pairwise([*subject, ""])
    )
    if len(subject) == 1 and shown:
        return "already" in group.words
    return head in _TIMES or (shown and head in ("table", "room", "seat", "place", "spot"))


_OWNERS_OR_LINKS = word_set("you your who which")
_DETERMINERS = word_set("the your a an our my both all it")


def of_whom(group: Group, subject: list[str], rest: list[str], said: Factuality) -> Factuality:
    """Told of others: other people's bookings, bookings in general, the user's earlier ones."""
    if said not in (Factuality.ASSERTED, Factuality.DENIED) or subject[-1:] in (["i"], ["we"]):
        return said
    noun = head_part(subject) if group.words & PASSIVE else subject
    yours = "you" in rest or "your" in rest
    if said is Factuality.ASSERTED and (_by_others(rest) or _earlier(subject)):
        return Factuality.OF_OTHERS
    if _is_relative(subject, group):
        return Factuality.OF_OTHERS
    told = group.words & {"have", "has", "had", "ve"} or group.bare
    if told and not yours and _somebody(group, subject):
        return Factuality.OF_OTHERS
    if subject[-1:] == ["you"] and subject[-2:-1] != ["is"] and not group.words & PASSIVE:
        perfect = group.words & {"have", "ve", "successfully"} and "already" not in group.words
        return said if perfect or said is Factuality.DENIED else Factuality.OF_OTHERS
    if (subject[:1] == ["my"] or _in_front(subject)) and not yours:
        return Factuality.OF_OTHERS
    if group.causative and "had" in group.words and subject[-1:] in (["you"], ["we"]):
        return Factuality.OF_OTHERS
    own = "your" in noun and bool(group.words & PASSIVE)
    if any(w in OTHERS or w in _PERSONS for w in noun) and not yours and not own:
        return Factuality.OF_OTHERS
    present = group.words & {"is", "are", "s", "re"} and not group.words & {"been", "now"}
    if present and not yours and noun and _in_general(noun, subject, rest):
        return Factuality.OF_OTHERS
    if present and rest[:1] == ["by"] and rest[1:2] != [] and rest[1] in _CHANNELS:
        return Factuality.OF_OTHERS
    if any(w in _EARLIER for w in noun) and "your" in subject:
        return Factuality.OF_OTHERS
    return said


_CHANNELS = word_set("phone telephone post e-mail email letter appointment")
_PERSONS = word_set("lad bloke guy chap man woman lady crew neighbour boss manager")


def _is_relative(subject: list[str], group: Group) -> bool:
    """As in "a table that was booked (...)", "the ride that had been booked (...)": told of what
    is known already, or of any.
    """
    if subject[-1:] not in (["that"], ["which"], ["who"]) or len(subject) < 2:
        return False
    of_any = not _GENERIC.isdisjoint(subject[:2]) or subject[0] in ("a", "an", "all", "no")
    past = not group.words.isdisjoint({"was", "were", "had"})
    return of_any or (past and subject[0] in ("the", "that"))


def _in_front(subject: list[str]) -> bool:
    """As in "The man ahead of you (is booked in)"."""
    return any(
        word in ("ahead", "before", "behind") and "you" in subject[at + 1 : at + 3]
        for at, word in enumerate(subject)
    )


def _by_others(rest: list[str]) -> bool:
    """As in "booked in by the council"."""
    if "by" not in rest[:4]:
        return False
    after = rest[rest.index("by") + 1 :][:3]
    if after[:1] not in (["the"], ["a"], ["an"], ["another"], ["someone"], ["somebody"]):
        return False
    return not any(singular(word) in _DOERS or word in _TIMES for word in after)


_DOERS = words_of_role("venue") | words_of_role("staff") | words_of_role("system")
_HUMAN = OTHERS | word_set(
    """manager runner runners bloke guy lad chap woman man men women child kids neighbour boss
    friend policyholder policyholders parties hendersons holder holders student teacher"""
)


def _somebody(group: Group, subject: list[str]) -> bool:
    """As in "My manager has booked one": of a person who is neither the user nor the bot."""
    if group.words & PASSIVE - {"s", "got"} or not subject:
        return False
    if "who" in subject[-2:]:
        return True
    return any(word in _HUMAN and word not in ("they", "party") for word in head_part(subject))


def _earlier(subject: list[str]) -> bool:
    """As in "the cab that you ordered yesterday (was paid)"."""
    if any(a == "last" and b in _TIMES for a, b in itertools.pairwise(subject)):
        return True
    return any(
        word in ("you", "was", "were") and after in _BEFORE
        for word, after in itertools.pairwise(subject)
    ) and not _PAST.isdisjoint(subject)


_BEFORE = word_set("booked ordered reserved made had took confirmed placed bought")
_PAST = word_set("last yesterday ago earlier previously before easter christmas previous")


def _in_general(noun: list[str], subject: list[str], rest: list[str]) -> bool:
    if any(w in _GENERIC for w in subject[:2]):
        return True
    if noun[0] in ("a", "an") and rest[:1] == ["for"] and rest[1:2] != [] and rest[1].endswith("s"):
        return True
    known = any(w in _KNOWN or w[0].isdigit() or w == NAME for w in noun)
    if rest[:1] == ["for"] and any(word in _KINDS_OF_GUESTS for word in rest[1:4]):
        return True
    return not known and noun[-1].endswith("s") and bool(rest) and not noun[-1].endswith("ss")


_KINDS_OF_GUESTS = word_set(
    """members guests residents staff patients locals students visitors regulars groups families
    subscribers disabled children others weddings"""
)
