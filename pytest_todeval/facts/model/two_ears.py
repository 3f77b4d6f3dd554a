"""Two ears on one reply, a model's and the rules': what only one of them heard is doubtful."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from pytest_todeval.core.dialogue_act import Act, DialogueAct
from pytest_todeval.core.notation import notation
from pytest_todeval.nlu.values.normalise import normalise, same_name

DISAGREE = "the two ears disagree in turn"
"""How the notes of a dialogue begin that tell of what one ear heard and the other did not."""
VERDICT_BEARING = frozenset(
    {Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER, Act.NO_OFFER, Act.REFERENCE}
)
"""Kinds of claims on which verdicts hang, and the user's next steps."""
SHOWN = 200
"""Characters of a sentence in a note."""
_KIN = {
    Act.BOOKED: (Act.BOOKED, Act.BOOKING_FAILED, Act.OFFER_BOOK),
    Act.BOOKING_FAILED: (Act.BOOKING_FAILED, Act.BOOKED, Act.NO_OFFER),
    Act.OFFER: (Act.OFFER, Act.NO_OFFER),
    Act.NO_OFFER: (Act.NO_OFFER, Act.OFFER, Act.BOOKING_FAILED),
    Act.REFERENCE: (Act.REFERENCE, Act.INFORM),
}
"""What one ear may hear in place of the other's claim."""


def compared(
    by_model: Sequence[DialogueAct],
    by_rules: Sequence[DialogueAct],
    text: str,
    settled: Callable[[str], bool],
) -> tuple[tuple[DialogueAct, ...], tuple[str, ...]]:
    """The model's claims, those that only the rules heard, and each disagreement with its sentence.

    A claim of `VERDICT_BEARING` that holds for one ear and not for the other gets a `doubt`, the
    disagreement. Of sentences that are `settled` the rules are right: an example has taught them.
    A claim that both heard is as clear as a claim can be; if the model does not tell its domain,
    it is that of the rules' claim.
    """
    claims: list[DialogueAct] = []
    notes: list[str] = []
    for claim in by_model:
        twin = next((other for other in by_rules if _same(claim, other)), None)
        if twin is not None:
            claims.append(replace(claim, domain=claim.domain or twin.domain))
        elif not _bears(claim):
            claims.append(claim)
        elif not settled(claim.sentence):
            claims.append(_doubtful(claim, notation(claim), _instead(claim, by_rules)))
            notes.append(_note(claims[-1], text))
    for claim in _only(by_rules, by_model):
        if settled(claim.sentence):
            claims.append(claim)
            continue
        claims.append(_doubtful(claim, _instead(claim, by_model), notation(claim)))
        notes.append(_note(claims[-1], text))
    return tuple(claims), tuple(dict.fromkeys(notes))


def _only(
    by_rules: Sequence[DialogueAct], by_model: Sequence[DialogueAct]
) -> Iterator[DialogueAct]:
    """Returns what the rules alone heard, each once."""
    seen: list[DialogueAct] = []
    for claim in filter(_bears, by_rules):
        if not any(_same(claim, other) for other in (*by_model, *seen)):
            seen.append(claim)
            yield claim


def _bears(claim: DialogueAct) -> bool:
    return claim.holds and claim.act in VERDICT_BEARING


def _same(one: DialogueAct, other: DialogueAct) -> bool:
    """Says whether two claims say the same; a name or a code tells its domain by itself."""
    if (one.act, one.factuality) != (other.act, other.factuality):
        return False
    if one.value is None or other.value is None:
        alike = one.value is other.value and (one.slot or "") == (other.slot or "")
        return alike and (None in (one.domain, other.domain) or one.domain == other.domain)
    if one.act in (Act.OFFER, Act.NO_OFFER):
        return same_name(one.value, other.value)
    slot = one.slot or other.slot or ""
    same_slot = one.act is not Act.INFORM or one.slot == other.slot
    return same_slot and normalise(slot, one.value) == normalise(slot, other.value)


def _instead(claim: DialogueAct, others: Sequence[DialogueAct]) -> str:
    """Returns what the other ear heard in place of a claim, in the notation."""
    kin = (other for other in others if other.act in _KIN[claim.act] and _about(claim, other))
    told = list(dict.fromkeys(notation(other) for other in kin))
    return "; ".join(told[:2])


def _about(claim: DialogueAct, other: DialogueAct) -> bool:
    if claim.value is None or other.value is None:
        return True
    return same_name(claim.value, other.value)


def _doubtful(claim: DialogueAct, model: str, rules: str) -> DialogueAct:
    doubt = f"the model hears {_quoted(model)}, the rules hear {_quoted(rules)}"
    return replace(claim, doubt=doubt)


def _note(claim: DialogueAct, text: str) -> str:
    sentence = " ".join((claim.sentence or text[: 10 * SHOWN]).split())
    cut = sentence if len(sentence) <= SHOWN else f"{sentence[:SHOWN]} ..."
    return f"{claim.doubt}: {cut}"


def _quoted(claims: str) -> str:
    return f"`{claims}`" if claims else "nothing of it"
