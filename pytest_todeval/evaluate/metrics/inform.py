"""Judges online inform: what the bot settled on in each domain meets the goal's constraints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.evaluate.metrics.choices import Choice, bookings_in, choices
from pytest_todeval.facts.calls.wishes import broken, given, meets
from pytest_todeval.facts.dialogue import MAX_TEXT, Evidence, TurnFacts
from pytest_todeval.facts.doubt import doubted
from pytest_todeval.facts.hearing import normal_text, said_in_full
from pytest_todeval.facts.told_values import answer_of, tells
from pytest_todeval.nlu.slots import slot_of
from pytest_todeval.nlu.values.answers import AnswerStatus, answer
from pytest_todeval.nlu.values.journeys import end_said
from pytest_todeval.nlu.values.normalise import same_name
from pytest_todeval.nlu.values.requested import asked_for, taken_for_answer

ANSWER_ONLY = ("hospital", "police")
"""Domains that are asked for information, if nothing is offered or booked."""
ENDS_EARLY = {
    StopReason.SYSTEM_DONE: "the bot ended the dialogue",
    StopReason.USER_GAVE_UP: "the user gave up",
    StopReason.TURN_LIMIT: "the turns ended",
}
SHOWN_END = 200
"""Characters of how a bot broke off."""
ENDS = ("departure", "destination")
JOURNEY = ("departure", "destination", "leaveAt", "arriveBy")


@dataclass(frozen=True)
class Finding:
    """The finding on one thing that a metric asks for."""

    ok: bool
    reason: str
    turns: tuple[int, ...] = ()
    verified: bool = True
    doubt: str = ""
    """The words that it hangs on and that may be misheard; see `Verdict.doubt`."""


def informed(evidence: Evidence, part: DomainGoal) -> Finding:
    """Judges whether what the bot settled on in a domain meets the goal's final constraints."""
    if part.domain in ANSWER_ONLY:
        return _answered(evidence, part)
    if part.domain == "taxi":
        return _taxi(evidence, part)
    found = choices(evidence, part)
    if not found:
        return _nothing_offered(evidence, part)
    findings = [_judged(part, choice) for choice in found]
    return next((finding for finding in findings if not finding.ok), findings[0])


def said_to_be_booked(evidence: Evidence, domain: str) -> Finding | None:
    """Returns a clause if the bot claims a booking in a domain without one; else None."""
    claims = (
        facts.index
        for facts in evidence.turns
        for claim in facts.acts(Act.BOOKED)
        if (claim.domain or facts.domain) == domain
    )
    turn = next(claims, None)
    if turn is None or evidence.bookings is None:
        return None
    source = "the backend holds no such booking" if evidence.verified else "no call booked it"
    reason = f"{domain}: the bot says it is booked, but {source}"
    return Finding(False, reason, (turn,), evidence.verified)


def end_of(evidence: Evidence) -> tuple[str, tuple[int, ...]]:
    """Says, as a clause, how a dialogue ended before something was given, and in which turn.

    Nothing of a user that left of its own accord: it may be that it never asked. Of a bot that
    broke off how it did: that is to be mended before anything that a verdict finds lacking.
    """
    count = len(evidence.turns)
    if evidence.dialogue.fault is Outcome.FAILED:
        told = evidence.dialogue.detail or evidence.dialogue.stop_reason
        shown = told if len(told) <= SHOWN_END else f"{told[:SHOWN_END]} ..."
        return f"; {shown}", (count,) if count else ()
    how = ENDS_EARLY.get(evidence.dialogue.stop_reason)
    return (f"; {how} in turn {count}", (count,)) if how and count else ("", ())


def _judged(part: DomainGoal, choice: Choice) -> Finding:
    fault = _fault(part, choice)
    told = fault or "which meets the goal"
    reason = f"{part.domain}: {choice.verb} {choice.what}, {told}"
    return Finding(fault is None, reason, choice.turns, choice.verified)


def _fault(part: DomainGoal, choice: Choice) -> str | None:
    if not choice.exists:
        return f"which is no {part.domain} of the database"
    if name := part.inform.get("name"):
        known = str(choice.values.get("name") or choice.what)
        return None if same_name(name, known) else f"but the goal wants {name}"
    return broken(part.domain, part.inform, choice.values)


def _nothing_offered(evidence: Evidence, part: DomainGoal) -> Finding:
    named = part.domain == "train" or evidence.vocabulary.names.get(part.domain)
    if named or part.wants_booking:
        how, turns = end_of(evidence)
        reason = f"{part.domain}: the bot offered none{how}"
        return Finding(False, reason, turns, evidence.has_database)
    return _answered(evidence, part)


def _answered(evidence: Evidence, part: DomainGoal) -> Finding:
    """Judges a domain of information only: some value of it was given."""
    rows = evidence.look_up(part.domain, part.inform) or [part.inform]
    wanted = [(slot, str(row[slot])) for row in rows for slot in part.request if slot in row]
    for facts in evidence.told:
        about = any(h.domain == part.domain and h.value for h in facts.heard)
        told = any(_tells_some(facts, part, slot, value) for slot, value in wanted)
        if about or told or any(answer_of(facts, part, slot) for slot in part.request):
            return Finding(True, f"{part.domain}: answered", (facts.index,), evidence.has_database)
    how, turns = end_of(evidence)
    reason = f"{part.domain}: the bot told nothing about it{how}"
    unclear = unclear_answer(evidence, part, part.request)
    if unclear is None:
        return Finding(False, reason, turns)
    facts, words = unclear
    doubt = doubted(facts, f"`{words}`", "it may be an answer")
    return Finding(False, reason, (facts.index,), doubt=doubt)


def _tells_some(facts: TurnFacts, part: DomainGoal, slot: str, value: str) -> bool:
    """Says whether a turn gives the value of a slot, or another one in its place."""
    if tells(facts, part.domain, slot, value):
        return True
    asked = slot in asked_for(facts.turn.as_meant, (slot,))
    known = slot_of(part, slot, (value,))
    said = answer(facts.text, known, value, asked=asked, user=facts.turn.as_meant)
    return not facts.echo and said.told in (AnswerStatus.RIGHT, AnswerStatus.WRONG)


def unclear_answer(
    evidence: Evidence, part: DomainGoal, slots: Sequence[str]
) -> tuple[TurnFacts, str] | None:
    """Returns the last turn in which the user took something for the value of one of these slots,
    with that value; None if there is none.
    """
    for facts in reversed(evidence.turns):
        user = facts.turn.as_meant
        asked = () if facts.echo else asked_for(user, part.request)
        for slot in slots:
            if said := taken_for_answer(part, slot, facts.text, asked=asked, user=user):
                return facts, said
    return None


def _taxi(evidence: Evidence, part: DomainGoal) -> Finding:
    booked = bookings_in(evidence, part.domain)
    if not booked:
        how, turns = end_of(evidence)
        only_said = said_to_be_booked(evidence, part.domain)
        nothing = Finding(False, f"taxi: none was booked{how}", turns, evidence.verified)
        return only_said or nothing
    fault = next((f for b in booked if (f := journey_fault(evidence, part, b.slots))), None)
    turns = tuple(t.index for t in evidence.turns if any(m.domain == "taxi" for m in t.made))
    reason = f"taxi: booked one {fault}" if fault else "taxi: booked as the goal wants"
    return Finding(fault is None, reason, turns, evidence.verified)


def journey_fault(evidence: Evidence, part: DomainGoal, slots: Mapping[str, str]) -> str | None:
    """Says what is wrong with a booked journey, as a clause; None if nothing is.

    If the goal leaves a place to follow from the venues booked before, any place that the dialogue
    has mentioned will do, in the direction that the user has said.
    """
    for slot in JOURNEY:
        found = str(slots[slot]) if given(slots.get(slot)) else ""
        wanted = part.inform.get(slot)
        if wanted and not meets("taxi", slot, wanted, found):
            return f"whose {slot} is {found!r}; the goal wants {wanted!r}"
        if wanted and not found and evidence.verified:
            return f"without {slot}; the goal wants {wanted!r}"
        place = found and not wanted and slot in ENDS
        if place and not any(same_name(found, known) for known in _places(evidence, found)):
            return f"whose {slot} {found!r} nobody has mentioned"
    return _wrong_way(evidence, part, slots)


def _wrong_way(evidence: Evidence, part: DomainGoal, slots: Mapping[str, str]) -> str | None:
    """Returns a clause if a journey runs the wrong way: its ends are swapped."""
    start, end = (str(slots.get(slot) or "") for slot in ENDS)
    if not (start and end) or all(slot in part.inform for slot in ENDS):
        return None
    said = {place: _end_said(evidence, place) for place in (start, end)}
    as_said = said[start][0] == "departure" or said[end][0] == "destination"
    turn = max(said[start][1], said[end][1])
    if as_said or not turn:
        return None
    return f"from {start} to {end}; in turn {turn} the user said the other way"


def _end_said(evidence: Evidence, place: str) -> tuple[str | None, int]:
    """Returns which end of the journey the user last gave a place as, and in which turn."""
    for facts in reversed(evidence.told):
        user = facts.turn.as_meant[:MAX_TEXT]
        about = facts.domain == "taxi" or "taxi" in user.lower()
        if about and (end := end_said(user, place)):
            return end, facts.index
    return None, 0


def _places(evidence: Evidence, place: str) -> Iterator[str]:
    for facts in evidence.told:
        yield from facts.offers
        if said_in_full(normal_text(facts.turn.as_meant[:MAX_TEXT]), place):
            yield place
    for domain in evidence.goal.domains:
        yield from (b.slots.get("name", "") for b in bookings_in(evidence, domain.domain))
