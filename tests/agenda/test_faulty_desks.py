"""Desks that do a step wrongly: the verdicts or the rules for steps say so."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.steps import Step
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.evaluate.rules.checking import check
from pytest_todeval.evaluate.rules.load import load_rules
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from tests.agenda.test_steps_played import CANCEL, CARDS, MOVE, ORDERS, VISITS, Shown
from tests.support.step_desk import StepDesk


class OtherRecord(StepDesk):
    """Does it to the other one, and says so as if it were right."""

    def _do(self) -> str:
        right, others = self.id, [key for key in self.records if key != self.id]
        self.id = others[0]
        said = super()._do()
        return said.replace(others[0], right)


class AlsoAnother(StepDesk):
    def _do(self) -> str:
        for key in [key for key in self.records if key != self.id]:
            self.records[key] |= {"status": "noted"}
        return super()._do()


class OnlySays(StepDesk):
    def _do(self) -> str:
        said = self._worded_done()
        self._forget()
        return said

    def _worded_done(self) -> str:
        from tests.support.step_desk import VERBS

        return self._worded(VERBS[self.verb].done)


class HalfDone(OnlySays):
    """Does the first step, and only says the second."""

    begun = False

    def _do(self) -> str:
        if self.begun:
            return super()._do()
        self.begun = True
        return StepDesk._do(self)


class OtherValue(StepDesk):
    """Does it to the right record, and writes something else."""

    def _write(self, record: dict[str, Any]) -> None:
        super()._write(record)
        record |= {"status": "open"} | ({"day": "Monday"} if "day" in record else {})


class Twice(StepDesk):
    """Does it, and adds a copy of the record."""

    def _do(self) -> str:
        record = {**self.records[self.id], self.key: "X99"}
        said = super()._do()
        self.records["X99"] = record
        return said


class DeniesIt(StepDesk):
    def _do(self) -> str:
        verb, id = self.verb, self.id
        super()._do()
        return f"I'm sorry, I could not {verb} {id}."


class TellsNothing(StepDesk):
    def _do(self) -> str:
        super()._do()
        return "The weather is nice today. What else can I do for you?"


class Undoes(StepDesk):
    """Does it, and sets it back as soon as the user says anything more."""

    kept: Mapping[str, Any] | None = None

    def respond(self, text: str) -> str:
        if self.kept is not None:
            self.records = {key: dict(record) for key, record in self.kept.items()}
            self.kept = None
        return super().respond(text)

    def _do(self) -> str:
        kept = {key: dict(record) for key, record in self.records.items()}
        said = super()._do()
        self.kept = kept
        return said


class ActsTooSoon(StepDesk):
    """Does the second step in its first turn, before anybody has asked for it."""

    begun = False

    def respond(self, text: str) -> str:
        if not self.begun and self.kind == "appointment":
            del self.records["A18"]
        elif not self.begun:
            self.records["W13"]["status"] = "refunded"
        self.begun = True
        return super().respond(text)


TWO_STEPS = ("move and cancel", "return and refund")
FAULTS: Mapping[type[StepDesk], Sequence[str]] = {
    OtherRecord: (), AlsoAnother: (), OnlySays: (), DeniesIt: (), TellsNothing: (),
    Undoes: TWO_STEPS, ActsTooSoon: TWO_STEPS, HalfDone: TWO_STEPS, Twice: (),
    OtherValue: ("move and cancel", "block", "pay"),
}  # fmt: skip
"""Each with the goals in which it can show; none for all."""
GOALS: Mapping[str, tuple[tuple[Step, ...], tuple[Mapping[str, Any], ...]]] = {
    "move and cancel": ((MOVE, CANCEL), VISITS),
    "block": ((Step("block", "card", {"last4": "4711"}),), CARDS),
    "return and refund": (
        (Step("return", "order", {"id": "W12"}), Step("refund", "order", {"id": "W13"})), ORDERS
    ),
    "pay": ((Step("pay", "bill", {"id": "W12"}),), ORDERS),
}  # fmt: skip


def found_in(dialogue: Dialogue, desk: StepDesk) -> list[str]:
    """What is found wrong, verdicts first."""
    verdicts = evaluate(dialogue, Shown(desk))
    failed = [name for name, verdict in verdicts.items() if verdict.applicable and not verdict]
    report = check(dialogue, load_rules("steps"), Shown(desk))
    return [*failed, *(result.rule for result in (*report.broken, *report.advice))]


def played(
    make: Callable[..., StepDesk], steps: tuple[Step, ...], records: Any, manner: int
) -> tuple[Dialogue, StepDesk]:
    kind = steps[0].kind
    goal = Goal("g", "desk", (), steps=steps, given={kind: records})
    desk = make(kind, records, manner, asks_leave=manner % 2 == 0)
    user = AgendaUser(goal, seed=manner)
    return run_dialogue(goal, user, desk.respond, backend=Shown(desk)), desk


@pytest.mark.parametrize(
    ("fault", "goal"), [(fault, goal) for fault, some in FAULTS.items() for goal in some or GOALS]
)
def test_a_fault_is_found_in_every_manner(fault: type[StepDesk], goal: str) -> None:
    steps, records = GOALS[goal]
    for manner in range(6):
        dialogue, desk = played(fault, steps, records, manner)
        assert found_in(dialogue, desk), (manner, dialogue.stop_reason, dialogue.turns)
