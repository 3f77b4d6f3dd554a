"""Turns the pairs that a judge names as missed or incorrect into the scores of the turns.

The filter rules are those of two-dimensional DST evaluation, section 2.2; the rest follows 2.3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import Sample
from pytest_todeval.evaluate.judge.llm_judge.panel import PanelAnswer
from pytest_todeval.evaluate.judge.llm_judge.state_step import StateStep
from pytest_todeval.evaluate.judge.llm_judge.votes import most_name, nothing_said
from pytest_todeval.evaluate.metrics.state_tracking.belief import (
    OR,
    Pairs,
    TurnState,
    said,
    slot_of,
    value_text,
)
from pytest_todeval.evaluate.metrics.state_tracking.report import JOINT, TURN, TurnResult
from pytest_todeval.evaluate.metrics.state_tracking.running import Running
from pytest_todeval.evaluate.metrics.state_tracking.schema import StateSchema
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.slots import SlotsReply
from pytest_todeval.nlu.values.normalise import same_value

Answers = Sequence[PanelAnswer[SlotsReply]]
NO_PAIRS: Pairs = MappingProxyType({})


@dataclass(frozen=True)
class _Found:
    """What one answer says about a turn, after the filter rules."""

    missed: Pairs
    incorrect: Pairs
    confirmed: Pairs
    """Named as missed, but held by the state since an earlier turn: the user says it (again)."""
    repeated: Pairs
    """Held again by a turn state, though judged correct before: wrong in the turn, not in the
    whole state."""
    reason: str

    @property
    def right(self) -> bool:
        return not (self.missed or self.incorrect or self.repeated)


def by_pairs(
    told: Iterable[tuple[StateStep, Answers, Answers]],
    schema: StateSchema,
    definition: str,
    *,
    by_values: bool,
    all_pairs: bool,
) -> list[TurnResult]:
    """Scores the turns from the answers on accuracy (none if it was not asked) and on completeness.

    With `by_values`, a value that its slot cannot have is incorrect, whatever the answers say; with
    `all_pairs`, the list of correct pairs holds all of a slot's, not only its last.
    """
    fold = _Fold(schema, definition, by_values, Running(all_pairs))
    return [fold.turn(step, accuracy, completeness) for step, accuracy, completeness in told]


@dataclass
class _Fold:
    """Goes through the turns in order and keeps the running lists."""

    schema: StateSchema
    definition: str
    by_values: bool
    running: Running
    broken: str = ""
    """Why joint goal accuracy cannot be told any more."""

    def turn(self, step: StateStep, accuracy: Answers, completeness: Answers) -> TurnResult:
        if step.state is None:
            return self._unscored(step, step.why, ())
        readings = self._readings(step, step.state, accuracy, completeness)
        samples = [_sample(by, reading) for by, reading in readings]
        why = nothing_said(samples)
        if why is not None:
            return self._unscored(step, why, samples)
        found = _most([each for _, each in readings if isinstance(each, _Found)])
        self.running.update(step.state, found.missed, found.incorrect, found.confirmed)
        first = step.score(TURN, found.right, _why(found), self.definition, samples)
        wrong = {**found.repeated, **found.incorrect}
        return TurnResult(
            step.turn,
            (first, self._joint(step)),
            *step.changes,
            found.missed,
            wrong,
            {} if self.broken else dict(self.running.missed),
            {} if self.broken else dict(self.running.incorrect),
        )

    def _readings(
        self, step: StateStep, state: TurnState, accuracy: Answers, completeness: Answers
    ) -> list[tuple[str, _Found | str]]:
        """Reads each model's answers together; returns a text that says why if they cannot be
        read.
        """
        asked: Sequence[PanelAnswer[SlotsReply] | None] = accuracy or [None] * len(completeness)
        return [
            (whole.by, self._reading(step, state, exact, whole))
            for exact, whole in zip(asked, completeness, strict=True)
        ]

    def _reading(
        self,
        step: StateStep,
        state: TurnState,
        accuracy: PanelAnswer[SlotsReply] | None,
        completeness: PanelAnswer[SlotsReply],
    ) -> _Found | str:
        try:
            wrong = None if accuracy is None else _reply(accuracy)
            lacks = _reply(completeness)
            incorrect = self._incorrect(state, wrong.slots if wrong else {})
            missed, confirmed = self._missed(step.before, state, lacks.slots)
        except Unreadable as error:
            return str(error)
        again = self.running.repeated(state) if step.reported else {}
        again = {key: value for key, value in again.items() if key not in incorrect}
        reasons = (wrong.reason if wrong and incorrect else "", lacks.reason)
        return _Found(missed, incorrect, confirmed, again, " ".join(filter(None, reasons)))

    def _incorrect(self, state: TurnState, named: Mapping[str, str]) -> dict[str, str]:
        """Returns the pairs named as incorrect, and those with a value that the schema does not
        have.
        """
        told = state.updated.items() if self.by_values else ()
        outside = [key for key, value in told if not self.schema.admits(key, value)]
        keys = [self._one(name, state.updated) for name in named]
        return {key: state.updated[key] for key in (*outside, *keys) if key}

    def _missed(
        self, before: Pairs, state: TurnState, named: Mapping[str, str]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Returns the missed and the confirmed pairs: those in the schema that were not accounted
        for before.
        """
        missed: dict[str, str] = {}
        confirmed: dict[str, str] = {}
        for name, told in named.items():
            key = self._one(name, self.schema.slots)
            value = value_text(key, told)
            if not key or not value or _same(state.updated, key, value):
                continue
            if _same(before, key, value) and key not in state.removed:
                confirmed |= {} if key in state.updated else {key: value}
            elif not self.running.is_counted(key, value):
                missed[key] = value
        return missed, confirmed

    def _one(self, name: str, among: Iterable[str]) -> str:
        """Finds the slot that a model means; "" if there is no such slot.

        Raises Unreadable if it may mean several: neither a fault nor none can be told from it.
        """
        known = frozenset(among)
        meant = [key for key in self.schema.find(name) if key in known]
        if len(meant) > 1:
            raise Unreadable(f"{name!r:.60} may be {', '.join(meant)}: expected domain-slot")
        return meant[0] if meant else ""

    def _joint(self, step: StateStep) -> Score:
        if self.broken:
            return step.unscored(JOINT, self.broken, self.definition)
        missed, incorrect = self.running.missed, self.running.incorrect
        right = not missed and not incorrect
        return step.score(JOINT, right, _listed(missed, incorrect), self.definition)

    def _unscored(self, step: StateStep, why: str, samples: Sequence[Sample]) -> TurnResult:
        self.broken = self.broken or f"turn {step.turn} is unscored: {why}"
        first = step.unscored(TURN, why, self.definition, samples)
        scores = (first, step.unscored(JOINT, self.broken, self.definition))
        return TurnResult(step.turn, scores, *step.changes)


def _reply(answer: PanelAnswer[SlotsReply]) -> SlotsReply:
    if answer.asked.value is None:
        raise Unreadable(answer.why)
    return answer.asked.value


def _same(pairs: Pairs, key: str, value: str) -> bool:
    held = pairs.get(key, "").split(OR)
    return any(same_value(slot_of(key), each, value) for each in held if each)


def _most(found: Sequence[_Found]) -> _Found:
    """Returns what more than half of the answers say, with the reason of one that says exactly
    that.
    """
    missed = _named([each.missed for each in found])
    incorrect = _named([each.incorrect for each in found])
    confirmed = _named([each.confirmed for each in found])
    like = [f for f in found if {*f.missed} == {*missed} and {*f.incorrect} == {*incorrect}]
    return replace((like or found)[0], missed=missed, incorrect=incorrect, confirmed=confirmed)


def _named(answers: Sequence[Pairs]) -> dict[str, str]:
    values: dict[str, str] = {}
    for pairs in answers:
        values = {**pairs, **values}
    return {key: values[key] for key in sorted(most_name(answers))}


def _sample(by: str, reading: _Found | str) -> Sample:
    if isinstance(reading, str):
        return Sample(by, None, reading)
    return Sample(by, float(reading.right), _why(reading))


def _why(found: _Found) -> str:
    listed = _listed(found.missed, found.incorrect, found.repeated)
    return f"{listed}: {found.reason}" if found.reason else listed


def _listed(missed: Pairs, incorrect: Pairs, repeated: Pairs = NO_PAIRS) -> str:
    parts = [f"missed {said(missed)}"] if missed else []
    parts += [f"incorrect {said(incorrect)}"] if incorrect else []
    parts += [f"held before already {said(repeated)}"] if repeated else []
    return "; ".join(parts) or "nothing missed, nothing incorrect"
