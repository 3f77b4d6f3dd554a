"""Claims that a model made of a reply, held against the words of that reply."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct, Factuality
from pytest_todeval.core.notation import notation, parse_claim
from pytest_todeval.facts.calls.rows import IDENTITIES
from pytest_todeval.facts.model.wording import CheckedText
from pytest_todeval.nlu.values.normalise import canonical_slot

SHOWN = 100
"""Characters of what is quoted in a reason."""
_NAMED = frozenset({Act.OFFER, Act.NO_OFFER})
_VALUED = frozenset({Act.OFFER, Act.NO_OFFER, Act.REFERENCE, Act.INFORM})


def held_against(
    claims: Sequence[DialogueAct], text: str, domains: Sequence[str]
) -> tuple[tuple[DialogueAct, ...], tuple[str, ...]]:
    """Returns the claims that stand in a text, in the form in which the rules make them; of each
    other one why it was left out.

    The words quoted (`sentence`) and the name or value have to stand there; an item (`of`) that
    does not is dropped from its claim. `domains` are the known ones: another one is none.
    """
    wording, left_out = CheckedText(text), []
    kept: list[DialogueAct] = []
    for told in claims:
        claim = _shaped(told, domains)
        why = _not_whole(claim) or _not_said(claim, wording)
        if why:
            left_out.append(f"`{notation(claim):.{SHOWN}}` {why}")
            continue
        if claim.of is not None and not wording.has_name(claim.of):
            claim = replace(claim, of=None)
        kept.append(claim)
    return tuple(dict.fromkeys(_with_bookings(kept))), tuple(dict.fromkeys(left_out))


def _shaped(claim: DialogueAct, domains: Sequence[str]) -> DialogueAct:
    """The claim without what its act does not take, its slot and domain as they are known."""
    domain = (claim.domain or "").casefold()
    slot = None if claim.slot is None else canonical_slot(claim.slot.replace("_", " "))
    act, force = claim.act, claim.factuality
    if act is Act.OFFER and force is Factuality.DENIED:
        act, force = Act.NO_OFFER, Factuality.ASSERTED
    if act in _NAMED:
        slot = slot if slot in IDENTITIES else "name" if claim.value else None
    elif act is Act.REFERENCE:
        slot = "reference"
    elif act not in (Act.REQUEST, Act.INFORM):
        slot = None
    return replace(
        claim,
        act=act,
        factuality=force,
        domain=next((known for known in domains if known.casefold() == domain), None),
        slot=slot,
        value=claim.value if act in _VALUED else None,
        of=claim.of if act is Act.INFORM else None,
    )


def _not_whole(claim: DialogueAct) -> str:
    """Says why the notation could not write it so that it can be read again."""
    if claim.slot is None and claim.act in (Act.INFORM, Act.REQUEST):
        return "names no slot"
    try:
        parse_claim(notation(claim))
    except ValueError:
        return "is not a whole claim"
    return ""


def _not_said(claim: DialogueAct, wording: CheckedText) -> str:
    if not wording.has_quote(claim.sentence):
        return f"rests on words that the reply does not have: {claim.sentence!r:.{SHOWN}}"
    if claim.value is None:
        return ""
    named = claim.act in _NAMED or claim.act is Act.REFERENCE
    stands = wording.has_name(claim.value) if named else wording.has_value(*_told(claim))
    return "" if stands else f"has a value that the reply does not have: {claim.value!r:.{SHOWN}}"


def _told(claim: DialogueAct) -> tuple[str, str]:
    return claim.slot or "", claim.value or ""


def _with_bookings(claims: Sequence[DialogueAct]) -> Iterator[DialogueAct]:
    """With a booking for a reference that comes without one, as the rules hear it, too."""
    booked = any(claim.act is Act.BOOKED and claim.holds for claim in claims)
    for claim in claims:
        if claim.act is Act.REFERENCE and claim.holds and not booked:
            yield replace(claim, act=Act.BOOKED, slot=None, value=None)
            booked = True
        yield claim
