"""Predicates over the steps of a goal: which records change, and whether that was wanted.

They need a backend that shows its records; without one, or without steps, they are open.
"""

import re
from collections.abc import Sequence

from pytest_todeval.core.records import RecordChange
from pytest_todeval.core.steps import Condition
from pytest_todeval.evaluate.metrics.effects.values import value_in
from pytest_todeval.evaluate.rules.finding import Found, View, no, unknown, yes
from pytest_todeval.evaluate.rules.predicates.consent import consents
from pytest_todeval.evaluate.rules.registry import predicate
from pytest_todeval.evaluate.rules.step_changes import NOTHING, StepChanges, fits
from pytest_todeval.facts.dialogue import MAX_TEXT
from pytest_todeval.nlu.verbs import asks_for

_REFUSED_BY_USER = re.compile(
    r"^\W*(?:no(?! (?:preference|problem|worries|idea|matter))|nope|stop|wait|don.?t|do not)\b",
    re.I,
)


@predicate
def changes_for_no_step(view: View) -> Found:
    """A record changes that none of the goal's steps is about."""
    steps = StepChanges(view)
    if not steps.now or not steps.steps:
        return unknown(NOTHING)
    for change in steps.now:
        if not any(steps.about(change)):
            return yes(f"changes {change.name}, which the user did not ask for")
    return no("changes what the user wants changed")


@predicate
def changes_unasked(view: View) -> Found:
    """A record changes as a step wants it, but before the user has asked for it."""
    steps = StepChanges(view)
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
    steps = StepChanges(view)
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
    steps = StepChanges(view)
    if not steps.now or not steps.steps:
        return unknown(NOTHING)
    about = [(c, s) for c, s in steps.wanted if not verbs or s.verb in verbs]
    if not about:
        return unknown("does nothing that needs a yes")
    if consents(view, view.index):
        return no("the user agreed")
    change, step = about[0]
    return yes(f"{step.verb}: changes {change.name}, but the user has not said yes to it")


@predicate
def adds_twice(view: View) -> Found:
    """A record is added though one stands already for each step that wants one."""
    steps = StepChanges(view)
    added = [change for change in steps.now if change.before is None]
    if not added or not steps.steps:
        return unknown("adds no record, as far as is known")
    for change in added:
        wanted = [step.count or 1 for step in steps.steps if fits(step, change)]
        found = [c for c in (*steps.before, *steps.now) if c.kind == change.kind]
        standing = sum((c.before is None) - (c.after is None) for c in found)
        if wanted and standing > sum(wanted):
            return yes(f"adds {change.name}, though {standing - 1} stands already")
    return no("adds what is wanted, once")


@predicate
def takes_back(view: View) -> Found:
    """A record that a step had changed is set back as it was."""
    steps = StepChanges(view)
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
