"""Predicates over the steps of a goal: what is done to the records, and what is said of it.

They need a backend that shows its records; without one, or without steps, they are open.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pytest_todeval.core.claim import Act, Claim
from pytest_todeval.core.records import Record, RecordChange
from pytest_todeval.core.steps import Condition, Effect, Step
from pytest_todeval.evidence.deeds import said_of
from pytest_todeval.evidence.dialogue import MAX_TEXT, TurnFacts
from pytest_todeval.language.text import Clause, clauses, plain
from pytest_todeval.metrics.effects.values import figure, kind_in, picks, value_in
from pytest_todeval.nlu.kinds.amounts import AMOUNT
from pytest_todeval.nlu.verbs import as_booking, asks_for, speaks_of
from pytest_todeval.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.rules.predicates.consent import consents
from pytest_todeval.rules.registry import predicate

NOTHING = "no record changes, as far as is known"
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
_REFUSED_BY_USER = re.compile(
    r"^\W*(?:no(?! (?:preference|problem|worries|idea|matter))|nope|stop|wait|don.?t|do not)\b",
    re.I,
)


class _Steps:
    """A goal's steps beside what a dialogue changed, up to a turn."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.steps = [
            each for step in view.evidence.goal.steps for each in (step, *step.alternatives)
        ]
        self.now = view.turn.changed or ()

    @cached_property
    def before(self) -> list[RecordChange]:
        """What the turns before this one changed."""
        earlier = self.view.turns[:-1]
        return [change for turn in earlier for change in turn.changed or ()]

    def about(self, change: RecordChange) -> Iterator[Step]:
        """The steps that a change may belong to."""
        return (step for step in self.steps if _fits(step, change))

    def raised(self, step: Step) -> bool:
        """Whether the user has asked for a step by this turn."""
        said = (turn.as_meant for turn in (*self.view.evidence.goal.opening, *self.view.turns))
        return any(asks_for(text[:MAX_TEXT], step.means) for text in said)

    def done(self, step: Step) -> list[RecordChange]:
        """The changes so far that may belong to a step."""
        return [change for change in (*self.before, *self.now) if _fits(step, change)]

    def said(self, facts: TurnFacts, step: Step) -> Sequence[Claim]:
        """What a turn says for sure of a step."""
        if not speaks_of(facts.text, step.means):
            return ()
        named = step.target.get("id", "").lower()
        others = [each for each in self._ids(step) if each != named]
        return [
            claim
            for claim in said_of(self.view.evidence, facts, step)
            if not claim.doubt
            if (named and named in claim.sentence)
            or not any(other in claim.sentence for other in others)
        ]

    def _ids(self, step: Step) -> list[str]:
        given = self.view.evidence.goal.given.get(step.kind, ())
        return [str(each["id"]).lower() for each in given if "id" in each]


def _fits(step: Step, change: RecordChange) -> bool:
    """Whether a change may be what a step wants: of its kind, and of its record."""
    if kind_in(step.kind, {change.kind: ()}) != change.kind:
        return step.means.effect in (Effect.MOVES, Effect.SETS) and change.before is None
    if step.means.effect is Effect.ADDS:
        return change.before is None
    record = change.before or change.after or {}
    return step.means.effect is Effect.MOVES or not step.target or _picks(step, record)


def _picks(step: Step, record: Record) -> bool:
    return picks(step.kind, step.target, record)


@predicate
def changes_for_no_step(view: View) -> Found:
    """A record changes that none of the goal's steps is about."""
    steps = _Steps(view)
    if not steps.now or not steps.steps:
        return unknown(NOTHING)
    for change in steps.now:
        if not any(steps.about(change)):
            return yes(f"changes {change.name}, which the user did not ask for")
    return no("changes what the user wants changed")


@predicate
def changes_unasked(view: View) -> Found:
    """A record changes as a step wants it, but before the user has asked for it."""
    steps = _Steps(view)
    if not steps.now or not steps.steps:
        return unknown(NOTHING)
    for change in steps.now:
        found = list(steps.about(change))
        if found and not any(map(steps.raised, found)):
            return yes(f"changes {change.name} before the user has asked for it")
    return no("the user has asked for it")


@predicate
def changes_refused(view: View) -> Found:
    """A record changes right after the user said no, or as a policy that the goal names forbids."""
    steps = _Steps(view)
    if not steps.now or not steps.steps:
        return unknown(NOTHING)
    said = view.turn.as_meant[:MAX_TEXT]
    for change in steps.now:
        found = list(steps.about(change))
        if _REFUSED_BY_USER.search(said) and not any(asks_for(said, s.means) for s in found):
            return yes(f"changes {change.name} right after the user's no")
        refused = next((step for step in found if step.refusal is not None), None)
        if refused is not None and all(step.refusal is not None for step in found):
            return yes(f"{refused.verb}: changes {change.name}, though {refused.refusal}")
    return no("nothing speaks against it")


@predicate
def changes_without_yes(view: View, verbs: Sequence[str] = ()) -> Found:
    """A record changes, and the user has not said yes to a proposal; of these verbs, or of all."""
    steps = _Steps(view)
    if not steps.now or not steps.steps:
        return unknown(NOTHING)
    about = [(c, s) for c in steps.now for s in steps.about(c) if not verbs or s.verb in verbs]
    if not about:
        return unknown("does nothing that needs a yes")
    if consents(view, view.index):
        return no("the user agreed")
    change, step = about[0]
    return yes(f"{step.verb}: changes {change.name}, but the user has not said yes to it")


@predicate
def asks_after_doing(view: View) -> Found:
    """The bot asks whether it may do what it has done in the same turn, and does not say so."""
    steps = _Steps(view)
    wanted = [(change, step) for change in steps.now for step in steps.about(change)]
    if not wanted:
        return unknown(NOTHING)
    found = list(clauses(plain(view.facts.text)))
    if not any(clause.asks and "else" not in clause.text for clause in found):
        return no("asks nothing")
    for change, step in wanted:
        text, id = view.facts.text, step.target.get("id", "")
        about = speaks_of(text, step.means) or (id and _names(text, id))
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
def adds_twice(view: View) -> Found:
    """A record is added though one stands already for each step that wants one."""
    steps = _Steps(view)
    added = [change for change in steps.now if change.before is None]
    if not added or not steps.steps:
        return unknown("adds no record, as far as is known")
    for change in added:
        wanted = [step.count or 1 for step in steps.steps if _fits(step, change)]
        found = [c for c in (*steps.before, *steps.now) if c.kind == change.kind]
        standing = sum((c.before is None) - (c.after is None) for c in found)
        if wanted and standing > sum(wanted):
            return yes(f"adds {change.name}, though {standing - 1} stands already")
    return no("adds what is wanted, once")


@predicate
def takes_back(view: View) -> Found:
    """A record that a step had changed is set back as it was."""
    steps = _Steps(view)
    if not steps.now or not steps.before:
        return unknown(NOTHING)
    for change in steps.now:
        earlier = [each for each in steps.before if _same(each, change)]
        if earlier and earlier[0].before == change.after and any(steps.about(change)):
            return yes(f"sets {change.name} back as it was before")
    return no("takes nothing back")


def _same(one: RecordChange, other: RecordChange) -> bool:
    return (one.kind, one.name) == (other.kind, other.name)


@predicate
def claims_undone(view: View) -> Found:
    """The bot says that a step is done, and no record has changed so."""
    steps = _Steps(view)
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
    records = [r for r in view.evidence.goal.given.get(step.kind, ()) if _picks(step, r)]
    states = {state.lower() for state in step.means.states}
    return any(str(value).lower() in states for record in records for value in record.values())


@predicate
def denies_done(view: View) -> Found:
    """The bot says that a step cannot be done or was not done, and its record has changed so.

    In words that nobody understands for sure it says so if they deny something, and the user then
    asks for the step again.
    """
    steps = _Steps(view)
    if view.turn.changed is None or not steps.steps:
        return unknown("nobody looked at the records")
    for change, step in _asked_again(view, steps):
        return yes(f"left the user asking to {step.verb}, and had changed {change.name}")
    told = False
    for step in steps.steps:
        claims = steps.said(view.facts, step)
        failed = [c for c in claims if c.act is Act.BOOKING_FAILED and c.holds]
        unchanged = _said_unchanged(view.facts.text, step)
        said_done = any(c.act is Act.BOOKED and c.holds for c in claims)
        if not unchanged and (not failed or said_done):
            continue
        told = True
        alike = [each for each in steps.steps if each.kind == step.kind and each is not step]
        changed = [c for c in steps.done(step) if not any(_fits(each, c) for each in alike)]
        if changed and changed[-1].after != changed[0].before:
            return yes(f"says that {step.verb} failed, but {changed[-1].name} has changed")
    return no("what it says failed did") if told else unknown("says of nothing that it failed")


def _asked_again(view: View, steps: _Steps) -> Iterator[tuple[RecordChange, Step]]:
    """What the user asks for though it is done, after a reply that seems to deny it."""
    said = view.turn.as_meant[:MAX_TEXT]
    for facts in view.evidence.turns[: view.index - 1]:
        for change in facts.turn.changed or ():
            for step in steps.about(change):
                id = step.target.get("id", "")
                asks = asks_for(said, step.means) and (not id or _names(said, id))
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


def _may_say_done(view: View, facts: TurnFacts, change: RecordChange, step: Step) -> bool:
    """Whether a reply may say, in whatever words, that a step is done, or tells what is new."""
    if any(c.act is Act.BOOKED and c.holds for c in said_of(view.evidence, facts, step)):
        return True
    said = [each.text for each in clauses(plain(facts.text)) if not each.asks]
    return any(
        _DONE.search(text)
        or (_DONE_FORM.search(as_booking(text, step.means)) and not _NO.search(text))
        or any(value.lower() in text for value in _new(change))
        for text in said
    )


def _said_unchanged(text: str, step: Step) -> bool:
    """Whether the record of a step, by its id, is said to be as it was."""
    id = step.target.get("id", "")
    sentences = re.split(r"(?<=[.!?])\s", text) if id else []
    return any(_names(each, id) and _UNCHANGED.search(each) for each in sentences)


@predicate
def done_untold(view: View) -> Found:
    """A record has changed in the turn before, or in this last one, and no reply speaks of it."""
    steps = _Steps(view)
    last = view.index == len(view.evidence.turns)
    turns = view.evidence.turns[max(0, view.index - 2) : view.index]
    changes = [c for facts in turns[: None if last else -1] for c in facts.turn.changed or ()]
    wanted = [(change, step) for change in changes for step in steps.about(change)]
    if not wanted:
        return unknown(NOTHING)
    said = " ".join(facts.text for facts in turns)
    for change, step in wanted:
        heard = (claim for facts in turns for claim in said_of(view.evidence, facts, step))
        if any(claim.act is Act.BOOKED and claim.holds for claim in heard):
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
    steps = _Steps(view)
    wanted = [(change, step) for change in steps.now for step in steps.about(change)]
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


def _other_named(view: View, steps: _Steps, change: RecordChange, step: Step) -> str:
    """The record that the bot says it has changed in place of the one that it has."""
    own = str(value_in(change.before or change.after or {}, "id") or "")
    if not own or _names(view.facts.text, own):
        return ""
    given = (str(r["id"]) for r in view.evidence.goal.given.get(step.kind, ()) if "id" in r)
    named = [each for each in given if _names(view.facts.text, each)]
    claims = said_of(view.evidence, view.facts, step) if named else ()
    done = " ".join(c.sentence for c in claims if c.act is Act.BOOKED and c.holds)
    return next((each for each in named if _names(done, each)), "")


def _names(text: str, id: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(id)}(?!\w)", text, re.I) is not None


def _known(view: View, steps: _Steps) -> Iterator[str]:
    """All in which an amount may stand that the bot tells."""
    yield view.evidence.user_said(view.index)
    for change in (*steps.before, *steps.now):
        for record in (change.before, change.after):
            yield from map(str, (record or {}).values())
    for records in view.evidence.goal.given.values():
        yield from (str(value) for record in records for value in record.values())
    for facts in view.evidence.until(view.index):
        yield from (f"{call.arguments} {call.result}" for call in facts.turn.tool_calls)


@predicate
def changes_while(view: View, kind: str, field: str, holds: str) -> Found:
    """A record of a kind changes whose field said this before: `shipped`, `over 30`."""
    condition = Condition.read(field, holds)
    found = [c for c in view.turn.changed or () if c.before is not None and c.kind == kind]
    if not found:
        return unknown(f"no {kind} changes, as far as is known")
    for change in found:
        value = value_in(change.before or {}, field)
        if value is not None and condition.holds(str(value)):
            return yes(f"changes {change.name}, whose {field} is {value!r}")
    return no(f"no {kind} changes whose {field} is {holds}")
