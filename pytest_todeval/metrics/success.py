"""Online success: every value that the goal asks for was told, rightly."""

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_todeval.core.claim import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.evidence.calls.rows import identity
from pytest_todeval.evidence.calls.wishes import given
from pytest_todeval.evidence.dialogue import Evidence, TurnFacts
from pytest_todeval.evidence.doubt import doubted
from pytest_todeval.evidence.values.answers import sentences
from pytest_todeval.evidence.values.told import answer_of, heard_values, may_mean, says_value, tells
from pytest_todeval.language.asked import piece_of
from pytest_todeval.language.values import YES_NO_SLOTS, same_name, same_value
from pytest_todeval.metrics.choices import choices
from pytest_todeval.metrics.inform import Finding, end_of

SYNONYMS = {"car type": "type", "car": "type", "reference": "reference"}
"""Slots of a request that a booking holds under another name."""


def answers(evidence: Evidence, part: DomainGoal) -> Iterator[Finding]:
    """For each requested slot of a domain: whether the bot told its value, rightly."""
    known = _known(evidence, part)
    for slot in part.request:
        yield _answer(evidence, part, slot, known)


def _known(evidence: Evidence, part: DomainGoal) -> tuple[Mapping[str, Any], str, bool]:
    """What is true of the domain's final choice, what that is, and whether it is verified."""
    found = choices(evidence, part)
    if found:
        return found[0].values, found[0].what, found[0].verified
    rows = evidence.look_up(part.domain, part.inform)
    return rows[0] if rows else {}, part.domain, True


def _answer(
    evidence: Evidence, part: DomainGoal, slot: str, known: tuple[Mapping[str, Any], str, bool]
) -> Finding:
    values, what, verified = known
    about = f"{part.domain}: the {slot} of {what}"
    value = values.get(slot, values.get(SYNONYMS.get(slot, slot)))
    if not given(value) or isinstance(value, Mapping):
        return _unknown_value(evidence, part, slot, about)
    for facts in evidence.told:
        if _told(facts, part, slot, values, str(value)):
            return Finding(True, f"{about} was told: {value}", (facts.index,), verified)
    return _not_told(evidence, part, slot, about, values, verified)


def _told(
    facts: TurnFacts, part: DomainGoal, slot: str, values: Mapping[str, Any], value: str
) -> bool:
    heard_as = SYNONYMS.get(slot, slot)
    if tells(facts, part.domain, heard_as, value) or tells(facts, part.domain, slot, value):
        return True
    if slot != "price" or not given(values.get("people")):
        return False
    # the fare of all who travel, instead of one
    return not facts.echo and _says_total(facts.text, value, str(values["people"]))


def _says_total(text: str, price: str, people: str) -> bool:
    amount = price.split()[0].lstrip("£$")
    try:
        return says_value(text, "price", f"{float(amount) * int(people):.2f}")
    except ValueError:
        return False


def _not_told(
    evidence: Evidence,
    part: DomainGoal,
    slot: str,
    about: str,
    values: Mapping[str, Any],
    verified: bool,
) -> Finding:
    """Another value was told, or none; or words that answer the request and may mean the value."""
    item, value = identity(values), str(values.get(slot, values.get(SYNONYMS.get(slot, slot))))
    source = _source(evidence, verified)
    for facts in reversed(evidence.turns):
        for told in heard_values(facts, part.domain, slot, item):
            if not same_value(slot, told, value):
                reason = f"{about}: told {told}, {source} {value}"
                return Finding(False, reason, (facts.index,), verified)
    for facts in reversed(evidence.turns):
        said = answer_of(facts, part, slot)
        if said:
            reason = f"{about}: told {said!r}{_whose(facts, slot, item)}, {source} {value}"
            doubt = doubted(facts, f"`{slot}: {said}`", "the words may mean the value all the same")
            unsure = doubt if may_mean(said, value) else ""
            return Finding(False, reason, (facts.index,), verified, unsure)
    how, turns = end_of(evidence)
    asked = _asked(evidence, slot) or turns
    return Finding(False, f"{about} was never told{how}", asked, verified)


def _source(evidence: Evidence, verified: bool) -> str:
    if not verified:
        return "the reported results say"
    return "the database says" if evidence.has_database else "the results say"


def _whose(facts: TurnFacts, slot: str, item: str | None) -> str:
    """Whose slot a turn tells, if it is that of something else."""
    others = [c.of for c in facts.acts(Act.INFORM) if c.slot == slot and c.of]
    other = next((each for each in others if not same_name(item or "", each)), None)
    return f", that of {other}" if other else ""


def _asked(evidence: Evidence, slot: str) -> tuple[int, ...]:
    word = piece_of(slot)
    return tuple(t.index for t in evidence.turns if word in t.turn.as_meant.lower())[:1]


def _unknown_value(evidence: Evidence, part: DomainGoal, slot: str, about: str) -> Finding:
    """No row tells the value (or it says `?`): what a user takes for the answer counts, as a
    claim, and so does that the bot does not know it either.
    """
    for facts in evidence.told:
        if answer_of(facts, part, slot) or _speaks_of(facts, slot):
            return Finding(True, f"{about} was told", (facts.index,), False)
    return Finding(False, f"{about} was never told", _asked(evidence, slot), False)


def _speaks_of(facts: TurnFacts, slot: str) -> bool:
    if facts.echo:
        return False
    if slot in YES_NO_SLOTS:
        return says_value(facts.text, slot, "yes") or says_value(facts.text, slot, "no")
    return any(piece_of(slot) in s.lower() and "?" not in s for s in sentences(facts.text))
