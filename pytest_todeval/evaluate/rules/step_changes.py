"""A goal's steps beside what a dialogue changed: which change may belong to which step."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pytest_todeval.core.dialogue_act import DialogueAct
from pytest_todeval.core.records import Record, RecordChange
from pytest_todeval.core.steps import Effect, Step
from pytest_todeval.evaluate.metrics.effects.values import kind_in, picks
from pytest_todeval.evaluate.rules.finding import View
from pytest_todeval.facts.dialogue import MAX_TEXT, TurnFacts
from pytest_todeval.facts.step_acts import acts_about
from pytest_todeval.nlu.verbs import asks_for, speaks_of

NOTHING = "no record changes, as far as is known"


class StepChanges:
    """A goal's steps beside what a dialogue changed, up to a turn."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.steps = [
            each for step in view.evidence.goal.steps for each in (step, *step.alternatives)
        ]
        self.now = view.turn.changed or ()

    @cached_property
    def before(self) -> list[RecordChange]:
        """Returns what the turns before this one changed."""
        earlier = self.view.turns[:-1]
        return [change for turn in earlier for change in turn.changed or ()]

    def about(self, change: RecordChange) -> Iterator[Step]:
        """Returns the steps that a change may belong to."""
        return (step for step in self.steps if fits(step, change))

    def raised(self, step: Step) -> bool:
        """Says whether the user has asked for a step by this turn."""
        said = (turn.as_meant for turn in (*self.view.evidence.goal.opening, *self.view.turns))
        return any(asks_for(text[:MAX_TEXT], step.means) for text in said)

    @property
    def wanted(self) -> list[tuple[RecordChange, Step]]:
        """Returns the changes of this turn, each with the steps that it may belong to."""
        return [(change, step) for change in self.now for step in self.about(change)]

    def done(self, step: Step) -> list[RecordChange]:
        """Returns the changes so far that may belong to a step."""
        return [change for change in (*self.before, *self.now) if fits(step, change)]

    def said(self, facts: TurnFacts, step: Step) -> Sequence[DialogueAct]:
        """Returns what a turn says for sure of a step."""
        if not speaks_of(facts.text, step.means):
            return ()
        named = step.target.get("id", "").lower()
        others = [each for each in self._ids(step) if each != named]
        return [
            claim
            for claim in acts_about(self.view.evidence, facts, step)
            if not claim.doubt
            if (named and named in claim.sentence)
            or not any(other in claim.sentence for other in others)
        ]

    def _ids(self, step: Step) -> list[str]:
        given = self.view.evidence.goal.given.get(step.kind, ())
        return [str(each["id"]).lower() for each in given if "id" in each]


def fits(step: Step, change: RecordChange) -> bool:
    """Says whether a change may be what a step wants: of its kind, and of its record."""
    if kind_in(step.kind, {change.kind: ()}) != change.kind:
        return step.means.effect in (Effect.MOVES, Effect.SETS) and change.before is None
    if step.means.effect is Effect.ADDS:
        return change.before is None
    record = change.before or change.after or {}
    return step.means.effect is Effect.MOVES or not step.target or picks_record(step, record)


def picks_record(step: Step, record: Record) -> bool:
    return picks(step.kind, step.target, record)


def names_id(text: str, id: str) -> bool:
    """Says whether a text names a record by its id."""
    return re.search(rf"(?<!\w){re.escape(id)}(?!\w)", text, re.I) is not None
