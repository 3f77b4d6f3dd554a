"""Predicates over what is said of the steps of a goal, against what is done to the records."""

import re
from collections.abc import Iterator

from pytest_todeval.core.dialogue_act import Act
from pytest_todeval.core.records import RecordChange
from pytest_todeval.core.steps import Effect, Step
from pytest_todeval.evaluate.metrics.effects.values import figure, value_in
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.evaluate.rules.step_changes import (
    NOTHING,
    StepChanges,
    fits,
    names_id,
    picks_record,
)
from pytest_todeval.facts.dialogue import MAX_TEXT, TurnFacts
from pytest_todeval.facts.step_acts import acts_about
from pytest_todeval.nlu.kinds.amounts import AMOUNT
from pytest_todeval.nlu.text.plain import Clause, clauses, plain
from pytest_todeval.nlu.text.sentences import sentences
from pytest_todeval.nlu.verbs import as_booking, asks_for, speaks_of

_DONE = re.compile(r"\b(?:done|all set|sorted|taken care of|went through|complete[d]?)\b", re.I)
_NOT_YET = re.compile(
    r"\b(?:(?:like|want|need) to|can|could|will|would|may|might|if|shall|should|not)\b"
)
_UNCHANGED = re.compile(
    r"\b(?:nothing (?:was|has been|is) (?:changed|done|touched)|unchanged|as it was|as they were"
    r"|ha(?:s|ve) not been (?:changed|touched))\b",
    re.I,
)
_NO = re.compile(
    r"\b(?:no(?! (?:problem|worries|trouble))|not(?! (?:a problem|to worry))|\w+n['’]t|never|cannot"
    r"|unable|impossible|unfortunately|sorry|afraid|regret)\b"
)
_DONE_FORM = re.compile(r"\bbook(?:ed|ing)\b", re.I)
"""Says of a deed, in words of booking, more than what could be done."""
_FIGURES = re.compile(r"\d[\d,]*(?:\.\d+)?")


@predicate
def asks_after_doing(view: View) -> Found:
    """The bot asks whether it may do what it has done in the same turn, and does not say so."""
    steps = StepChanges(view)
    wanted = steps.wanted
    if not wanted:
        return unknown(NOTHING)
    found = list(clauses(plain(view.facts.text)))
    if not any(clause.asks and "else" not in clause.text for clause in found):
        return no("asks nothing")
    for change, step in wanted:
        text, id = view.facts.text, step.target.get("id", "")
        about = speaks_of(text, step.means) or (id and names_id(text, id))
        done = any(c.act is Act.BOOKED and c.holds for c in steps.said(view.facts, step))
        if about and not done and not any(_says_done(each, change, step) for each in found):
            return yes(f"asks about {step.verb}, and has changed {change.name} already")
    return no("says that it is done")


def _says_done(clause: Clause, change: RecordChange, step: Step) -> bool:
    """Whether a clause says of a deed, as of what is so, that it is done, or what became of it."""
    if clause.asks or _NOT_YET.search(clause.text):
        return False
    if speaks_of(clause.text, step.means) or _DONE.search(clause.text):
        return True
    return any(value.lower() in clause.text for value in _new(change))


def _new(change: RecordChange) -> list[str]:
    """The values that a record has now and did not have before."""
    new, old = change.after or {}, change.before or {}
    return [str(value) for value in new.values() if value not in old.values()]


@predicate
def claims_undone(view: View) -> Found:
    """The bot says that a step is done, and no record has changed so."""
    steps = StepChanges(view)
    if view.turn.changed is None or not steps.steps:
        return unknown("nobody looked at the records")
    told = False
    for step in steps.steps:
        claims = [] if step.means.effect is Effect.NONE else steps.said(view.facts, step)
        if not any(claim.act is Act.BOOKED and claim.holds for claim in claims):
            continue
        told = True
        alike = [each for each in steps.steps if each.verb == step.verb]
        if not any(steps.done(each) for each in alike) and not _stood_so(view, step):
            return yes(f"says that {step.verb} is done, but no {step.kind} has changed")
    return (
        no("what it says is done is done") if told else unknown("says of nothing that it is done")
    )


def _stood_so(view: View, step: Step) -> bool:
    """Whether the record was from the beginning as the step wants it."""
    records = [r for r in view.evidence.goal.given.get(step.kind, ()) if picks_record(step, r)]
    states = {state.lower() for state in step.means.states}
    return any(str(value).lower() in states for record in records for value in record.values())


@predicate
def denies_done(view: View) -> Found:
    """The bot says that a step cannot be done or was not done, and its record has changed so.

    In words that nobody understands for sure it says so if they deny something, and the user then
    asks for the step again.
    """
    steps = StepChanges(view)
    if view.turn.changed is None or not steps.steps:
        return unknown("nobody looked at the records")
    for change, step in _asked_again(view, steps):
        return yes(f"left the user asking to {step.verb}, and had changed {change.name}")
    denied = [step for step in steps.steps if _says_not_done(steps, view.facts, step)]
    for step in denied:
        alike = [each for each in steps.steps if each.kind == step.kind and each is not step]
        changed = [c for c in steps.done(step) if not any(fits(each, c) for each in alike)]
        if changed and changed[-1].after != changed[0].before:
            return yes(f"says that {step.verb} failed, but {changed[-1].name} has changed")
    return no("what it says failed did") if denied else unknown("says of nothing that it failed")


def _says_not_done(steps: StepChanges, facts: TurnFacts, step: Step) -> bool:
    """Whether a turn says that a step failed, or that its record is as it was."""
    id = step.target.get("id", "")
    told = sentences(facts.text) if id else ()
    if any(names_id(each, id) and _UNCHANGED.search(each) for each in told):
        return True
    acts = {claim.act for claim in steps.said(facts, step) if claim.holds}
    return Act.BOOKING_FAILED in acts and Act.BOOKED not in acts


def _asked_again(view: View, steps: StepChanges) -> Iterator[tuple[RecordChange, Step]]:
    """What the user asks for though it is done, after a reply that seems to deny it."""
    said = view.turn.as_meant[:MAX_TEXT]
    for facts in view.evidence.turns[: view.index - 1]:
        for change in facts.turn.changed or ():
            for step in steps.about(change):
                id = step.target.get("id", "")
                asks = asks_for(said, step.means) and (not id or names_id(said, id))
                if not (asks and _seems_denied(facts.text, step)):
                    continue
                told = view.evidence.turns[facts.index - 1 : view.index]
                if not any(_may_say_done(view, each, change, step) for each in told):
                    yield change, step


def _seems_denied(text: str, step: Step) -> bool:
    """Whether a reply asks nothing, and speaks of a deed with a no."""
    found = list(clauses(plain(text)))
    denied = (_NO.search(each.text) and speaks_of(each.text, step.means) for each in found)
    return not any(each.asks for each in found) and any(denied)


def _confirms(view: View, facts: TurnFacts, step: Step) -> bool:
    heard = acts_about(view.evidence, facts, step)
    return any(claim.act is Act.BOOKED and claim.holds for claim in heard)


def _may_say_done(view: View, facts: TurnFacts, change: RecordChange, step: Step) -> bool:
    """Whether a reply may say, in whatever words, that a step is done, or tells what is new."""
    if _confirms(view, facts, step):
        return True
    said = [each.text for each in clauses(plain(facts.text)) if not each.asks]
    return any(
        _DONE.search(text)
        or (_DONE_FORM.search(as_booking(text, step.means)) and not _NO.search(text))
        or any(value.lower() in text for value in _new(change))
        for text in said
    )


@predicate
def done_untold(view: View) -> Found:
    """A record has changed in the turn before, or in this last one, and no reply speaks of it."""
    steps = StepChanges(view)
    last = view.index == len(view.evidence.turns)
    turns = view.evidence.turns[max(0, view.index - 2) : view.index]
    changes = [c for facts in turns[: None if last else -1] for c in facts.turn.changed or ()]
    wanted = [(change, step) for change in changes for step in steps.about(change)]
    if not wanted:
        return unknown(NOTHING)
    said = " ".join(facts.text for facts in turns)
    for change, step in wanted:
        if any(_confirms(view, facts, step) for facts in turns):
            return no("says that it is done")
        if _told(said, change, step):
            return no("tells what was done")
    return yes(f"has changed {wanted[0][0].name}, and does not say so")


def _told(said: str, change: RecordChange, step: Step) -> bool:
    if any(_says_done(clause, change, step) for clause in clauses(plain(said))):
        return True
    return any(value.lower() in said.lower() for value in _new(change))


@predicate
def misstates_deed(view: View) -> Found:
    """The bot names another record of the kind than it has changed, or an amount nobody knows."""
    steps = StepChanges(view)
    wanted = steps.wanted
    if not wanted:
        return unknown(NOTHING)
    text = view.facts.text
    for change, step in wanted:
        other = _other_named(view, steps, change, step)
        if other:
            return yes(f"says {other}, and has changed {change.name}")
    known = {figure(each) for each in _FIGURES.findall(" ".join(_known(view, steps)))}
    for span in AMOUNT.spans(text):
        told = text[span.start : span.end].strip()
        figures = _FIGURES.findall(told)
        if span.sure and figures and not {figure(each) for each in figures} <= known:
            return yes(f"tells {told!r}, which no record has")
    return no("what it says of the deed is so")


def _other_named(view: View, steps: StepChanges, change: RecordChange, step: Step) -> str:
    """The record that the bot says it has changed in place of the one that it has."""
    own = str(value_in(change.before or change.after or {}, "id") or "")
    if not own or names_id(view.facts.text, own):
        return ""
    given = (str(r["id"]) for r in view.evidence.goal.given.get(step.kind, ()) if "id" in r)
    named = [each for each in given if names_id(view.facts.text, each)]
    claims = acts_about(view.evidence, view.facts, step) if named else ()
    done = " ".join(c.sentence for c in claims if c.act is Act.BOOKED and c.holds)
    return next((each for each in named if names_id(done, each)), "")


def _known(view: View, steps: StepChanges) -> Iterator[str]:
    """All in which an amount may stand that the bot tells."""
    yield view.evidence.user_said(view.index)
    for change in (*steps.before, *steps.now):
        for record in (change.before, change.after):
            yield from map(str, (record or {}).values())
    for records in view.evidence.goal.given.values():
        yield from (str(value) for record in records for value in record.values())
    for facts in view.evidence.until(view.index):
        yield from (f"{call.arguments} {call.result}" for call in facts.turn.tool_calls)
