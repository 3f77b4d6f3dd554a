"""Claims as people write them: in check files, in `hearing:` examples, in what a bot reports.

    [DOMAIN:] [FACTUALITY] ACT [ARGUMENT] [of ITEM]

    booked                              asserts a booking
    hotel: booked                       of the hotel
    denied booked                       says that it is not booked
    offer Rose House                    puts a venue forward
    train: offer trainID=TR1234         or a train, by its id
    no_offer                            nothing meets the wishes
    no_offer Rose House                 that one is denied
    request phone                       asks the user for a slot
    inform area=north of Rose House     tells a value, and whose it is
    reference XK42QP7Z                  tells a reference number
    offer_book, booking_failed, request_more, bye

FACTUALITY is `denied`, `conditional`, `future`, `asked` or `of_others`; without it, asserted.
"""

import re
from collections.abc import Mapping
from typing import Any

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality

_FACTUALITIES = {each.value.replace(" ", "_"): each for each in Factuality}
_ACTS = {act.value: act for act in Act}
_NAMED = frozenset({Act.OFFER, Act.NO_OFFER})
_SLOT_ONLY = frozenset({Act.REQUEST})
_DOMAIN = re.compile(r"([\w -]{1,60}?)\s*:\s+")
_SLOT = re.compile(r"([A-Za-z][\w ]{0,60})=(.+)", re.S)
LONGEST = 500
"""Characters of a claim that are read."""


def parse_claim(text: str) -> DialogueAct:
    """Returns the claim that a line of the notation writes. Raises ValueError if it is none."""
    rest, domain = text.strip(), None
    if len(rest) > LONGEST:
        raise ValueError(f"{rest[:60]!r}... has {len(rest)} characters, expected {LONGEST} at most")
    found = _DOMAIN.match(rest)
    if found:
        domain, rest = found[1].strip(), rest[found.end() :]
    word, _, after = rest.partition(" ")
    factuality = _FACTUALITIES.get(word, Factuality.ASSERTED)
    if word in _FACTUALITIES:
        word, _, after = after.strip().partition(" ")
    act = _ACTS.get(word)
    if act is None:
        raise ValueError(f"{text.strip()[:80]!r} names no act; known: {', '.join(_ACTS)}")
    return _with_argument(DialogueAct(act, domain, factuality=factuality), after.strip(), text)


def _with_argument(claim: DialogueAct, argument: str, text: str) -> DialogueAct:
    of = None
    if claim.act is Act.INFORM and " of " in argument:
        argument, _, of = argument.rpartition(" of ")
    slot, value = _slot_and_value(claim, argument)
    wants = {
        Act.INFORM: "inform SLOT=VALUE",
        Act.OFFER: "offer NAME",
        Act.REQUEST: "request SLOT",
        Act.REFERENCE: "reference CODE",
    }
    if claim.act in wants and not (slot and (value or claim.act in _SLOT_ONLY)):
        raise ValueError(f"{text.strip()[:80]!r} is incomplete, expected `{wants[claim.act]}`")
    if claim.act not in wants and claim.act not in _NAMED and argument:
        raise ValueError(f"{text.strip()[:80]!r}: `{claim.act}` takes nothing after it")
    return DialogueAct(claim.act, claim.domain, slot, value, of, claim.factuality)


def _slot_and_value(claim: DialogueAct, argument: str) -> tuple[str | None, str | None]:
    if not argument:
        return None, None
    if claim.act in _SLOT_ONLY:
        return argument, None
    pair = _SLOT.fullmatch(argument)
    if pair:
        return pair[1].strip(), pair[2].strip()
    if claim.act is Act.INFORM:
        return None, argument
    if claim.act is Act.REFERENCE:
        return "reference", argument
    return "name", argument


def notation(claim: DialogueAct) -> str:
    """Returns a claim as a line of the notation, without its doubt; `parse_claim` reads it back."""
    words = [f"{claim.domain}:"] if claim.domain else []
    if not claim.holds:
        words.append(claim.factuality.value.replace(" ", "_"))
    words.append(claim.act.value)
    if claim.act in _SLOT_ONLY:
        words.append(claim.slot or "")
    elif claim.value is not None:
        bare = claim.slot in ("name", "reference") and claim.act is not Act.INFORM
        words.append(
            claim.value if bare and "=" not in claim.value else f"{claim.slot}={claim.value}"
        )
    if claim.of and claim.act is Act.INFORM:
        words.append(f"of {claim.of}")
    return " ".join(words)


def claim_of(told: object) -> DialogueAct:
    """Returns a claim told as a `DialogueAct`, a line of the notation, or a mapping of its fields.

    Raises ValueError, saying what came, for anything else.
    """
    if isinstance(told, DialogueAct):
        return told
    if isinstance(told, str):
        return parse_claim(told)
    if isinstance(told, Mapping):
        return _of_fields(told)
    raise ValueError(f"got {type(told).__name__}, expected a claim such as 'booked'")


def _of_fields(told: Mapping[Any, Any]) -> DialogueAct:
    known = ("act", "domain", "slot", "value", "of", "factuality")
    unknown = [str(key) for key in told if key not in known]
    if unknown:
        raise ValueError(f"unknown field {unknown[0]!r:.60}; known: {', '.join(known)}")
    act, force = _ACTS.get(str(told.get("act"))), str(told.get("factuality") or "asserted")
    if act is None:
        raise ValueError(f"act: got {told.get('act')!r:.60}; known: {', '.join(_ACTS)}")
    if force.replace(" ", "_") not in _FACTUALITIES:
        raise ValueError(f"factuality: got {force!r:.60}; known: {', '.join(_FACTUALITIES)}")
    texts = [None if told.get(key) is None else str(told[key]) for key in known[1:5]]
    domain, slot, value, of = texts
    return DialogueAct(act, domain, slot, value, of, _FACTUALITIES[force.replace(" ", "_")])
