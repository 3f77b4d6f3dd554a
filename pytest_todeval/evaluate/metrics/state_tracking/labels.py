"""State tracking against labels: turn state and joint goal accuracy, slot accuracy and F1.

Joint goal accuracy, slot accuracy and F1 are those of Wu et al. 2019 (TRADE), turn by turn: slot
accuracy counts a slot with a wrong value once, F1 is 1 if state and label are both empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.score import Score
from pytest_todeval.errors import JudgeFault, UsageError
from pytest_todeval.evaluate.metrics.state_tracking.belief import (
    NO_STATE,
    OR,
    NoStateReported,
    Pairs,
    Same,
    Tracked,
    TurnState,
    pairs_of,
    said,
    slot_of,
    tracked,
    turn_state,
)
from pytest_todeval.evaluate.metrics.state_tracking.report import (
    JOINT,
    SCALE,
    TURN,
    StateReport,
    TurnResult,
)
from pytest_todeval.evaluate.metrics.state_tracking.schema import Slots, StateSchema
from pytest_todeval.nlu.values.normalise import same_value

VERSION = "labelled state 1"
SLOTS, F1 = "slot_accuracy", "slot_f1"
BEFORE = "the bot reported no state in the turn before"


def labelled(
    dialogue: Dialogue,
    labels: Sequence[Mapping[str, Any]],
    match: str = "normalised",
    *,
    schema: Slots | None = None,
) -> StateReport:
    """Compares the bot's belief states with labels, one belief state per turn.

    `match` is `exact` (case and spaces aside) or `normalised` (times, numbers, days, spelling and
    shortened names in whatever form mean the same). A label with `|` accepts each of its values.
    `schema` says how many slots slot accuracy is over; by default MultiWOZ's for its goals, else
    those of the goal. A turn in which the bot reported no state is unscored, and so is the turn
    state of the next, or, of a bot that reports turn states, the whole state from there on. Such a
    bot is wrong in a turn whose state repeats what has not changed.

    Raises UsageError if labels and turns are not equal in number or `match` is neither,
    JudgeFault if the dialogue has no turn or the bot never reported a state.
    """
    same = _matching(match)
    states = tracked(dialogue, same)
    _check(dialogue, labels, states)
    wanted = [pairs_of(label) for label in labels]
    known = StateSchema.for_dialogue(dialogue) if schema is None else StateSchema.of(schema)
    total = len({*known.slots, *(key for label in wanted for key in label)})
    definition = f"{VERSION}, {match}, {known.definition}"
    turns = []
    for at, (turn, state) in enumerate(zip(dialogue.turns, states, strict=True)):
        compared = _Compared(turn.index, same, total, definition)
        turns.append(compared.result(state, wanted[at - 1] if at else {}, wanted[at]))
    return StateReport(tuple(turns), f"{match} match with labels", definition)


def _check(
    dialogue: Dialogue, labels: Sequence[Mapping[str, Any]], states: Sequence[Tracked]
) -> None:
    if not dialogue.turns:
        raise JudgeFault(f"{dialogue.goal.name}: the dialogue has no turn to score")
    if len(labels) != len(dialogue.turns):
        raise UsageError(
            f"got {len(labels)} labels for {len(dialogue.turns)} turns: expected a belief state "
            "per turn"
        )
    if all(state.silent for state in states):
        raise NoStateReported(f"{dialogue.goal.name}: {NO_STATE}")


def _matching(match: str) -> Same:
    known: dict[str, Same] = {"exact": _exact, "normalised": _normalised}
    if match not in known:
        raise UsageError(f"match is {match!r}, expected one of {', '.join(known)}")
    return known[match]


def _exact(key: str, value: str, label: str) -> bool:
    parts = label.lower().split(OR)
    return all(part in parts for part in value.lower().split(OR))


def _normalised(key: str, value: str, label: str) -> bool:
    slot, parts = slot_of(key), label.split(OR)
    return all(any(same_value(slot, v, part) for part in parts) for v in value.split(OR))


@dataclass(frozen=True)
class _Compared:
    """One turn, compared with its label."""

    turn: int
    same: Same
    slots: int
    """How many there are."""
    definition: str

    def result(self, told: Tracked, label_before: Pairs, label: Pairs) -> TurnResult:
        if told.silent:
            why = "the bot reported no state in this turn"
            names = (TURN, JOINT, SLOTS, F1)
            return TurnResult(self.turn, tuple(self._unscored(name, why) for name in names))
        missed, incorrect = ({}, {}) if told.now is None else self._errors(told.now, label)
        joint = self._joint(told.now, label, missed, incorrect)
        if told.turn is None:
            scores = (self._unscored(TURN, BEFORE), *joint)
            return TurnResult(self.turn, scores, joint_missed=missed, joint_incorrect=incorrect)
        now, wanted = told.turn, turn_state(label_before, label, self.same)
        lacks, wrong = self._of_turn(now, wanted, told.now or {}, label)
        score = self._score(TURN, float(not lacks and not wrong), _why(lacks, wrong))
        return TurnResult(
            self.turn, (score, *joint), now.updated, now.removed, lacks, wrong, missed, incorrect
        )

    def _errors(self, state: Pairs, label: Pairs) -> tuple[Pairs, Pairs]:
        """Returns what a state lacks of its label, and what it has beyond it."""
        missed = {k: v for k, v in label.items() if not self._holds(state, k, v)}
        incorrect = {
            k: v for k, v in state.items() if k not in label or not self.same(k, v, label[k])
        }
        return missed, incorrect

    def _of_turn(
        self, now: TurnState, wanted: TurnState, state: Pairs, label: Pairs
    ) -> tuple[Pairs, Pairs]:
        missed, incorrect = self._errors(now.updated, wanted.updated)
        dropped = {key: label[key] for key in now.removed if key in label}
        stale = {k: state[k] for k in wanted.removed if k in state and k not in now.updated}
        return {**dropped, **missed}, {**stale, **incorrect}

    def _holds(self, state: Pairs, key: str, label: str) -> bool:
        return key in state and self.same(key, state[key], label)

    def _joint(
        self, state: Pairs | None, label: Pairs, missed: Pairs, incorrect: Pairs
    ) -> tuple[Score, ...]:
        if state is None:
            return tuple(self._unscored(name, BEFORE) for name in (JOINT, SLOTS, F1))
        wrong_slots = len({*missed, *incorrect})
        right = len(label) - len(missed)
        pairs = len(label) + len(state)
        why = _why(missed, incorrect)
        total = max(self.slots, len({*state, *label}))
        return (
            self._score(JOINT, float(not wrong_slots), why),
            self._score(SLOTS, 1 - wrong_slots / total if total else 1.0, why),
            self._score(F1, 2 * right / pairs if pairs else 1.0, why),
        )

    def _score(self, name: str, value: float, reason: str) -> Score:
        return Score(name, value, reason, self.turn, SCALE, definition=self.definition)

    def _unscored(self, name: str, why: str) -> Score:
        return Score(name, None, why, self.turn, SCALE, why, definition=self.definition)


def _why(missed: Pairs, incorrect: Pairs) -> str:
    parts = [f"missed {said(missed)}"] if missed else []
    parts += [f"incorrect {said(incorrect)}"] if incorrect else []
    return "; ".join(parts) or "agrees with the label"
