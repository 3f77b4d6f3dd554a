"""Judges what the steps of a goal ask for (`for:`), held against the records they are about."""

from collections.abc import Iterator

from pytest_todeval.core.goal import DomainGoal
from pytest_todeval.core.records import Record, name_of
from pytest_todeval.core.steps import Condition, Step
from pytest_todeval.evaluate.metrics.effects.expected import chosen_of
from pytest_todeval.evaluate.metrics.effects.findings import records_seen
from pytest_todeval.evaluate.metrics.effects.values import kind_in, picks, value_in
from pytest_todeval.evaluate.metrics.inform import Finding
from pytest_todeval.evaluate.metrics.success import answer_to
from pytest_todeval.facts.dialogue import Evidence


def step_answers(evidence: Evidence) -> Iterator[Finding]:
    """Judges, for each slot that a step asks for, whether its true value was said.

    As it stands after the dialogue or stood before it: a step may change what it asks for. A step
    whose condition does not hold asks for what the condition is about.
    """
    for step in evidence.goal.steps:
        asks = step.asks if step.refusal is None else ()
        if step.refusal is None and step.condition and _is_left(evidence, step, step.condition):
            asks = tuple(dict.fromkeys((step.condition.slot, *asks)))
        for slot in asks:
            part = DomainGoal(step.kind, inform=step.target, request=asks)
            found = [
                answer_to(evidence, part, slot, (record, name_of(step.kind, record), True))
                for record in _records(evidence, step)
            ] or [answer_to(evidence, part, slot, ({}, step.kind, False))]
            yield next((each for each in found if each.ok), found[0])


def _records(evidence: Evidence, step: Step) -> Iterator[Record]:
    """Returns the records that a step may be about, as they are and as they were."""
    seen = records_seen(evidence.dialogue)
    for records in () if seen is None else (seen.after, seen.before):
        kind = kind_in(step.kind, records)
        if step.choose:
            yield from (record for way in chosen_of(step, records) for record in way)
        else:
            yield from (r for r in records.get(kind, ()) if picks(kind, step.target, r))


def _is_left(evidence: Evidence, step: Step, condition: Condition) -> bool:
    """Says whether a step's condition does not hold, so that its user only wants to know that."""
    seen = records_seen(evidence.dialogue)
    known = evidence.goal.given if seen is None else seen.before
    rows = known.get(kind_in(step.kind, known), ())
    values = [value_in(row, condition.slot) for row in rows if picks(step.kind, step.target, row)]
    held = [condition.holds(str(value)) for value in values if value is not None]
    return bool(held) and held[0] is False
