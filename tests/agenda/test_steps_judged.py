"""What the agenda user is served is judged: right desks are right, by records and by words alone;
desks that write something else than they say are not.
"""

from copy import deepcopy
from typing import Any

import pytest

from pytest_todeval.backends.records import records_of
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import CLAIMED
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from tests.agenda.test_steps_played import CASES
from tests.support.step_desk import StepDesk

MANNERS = range(6)
OTHER = "Z98"
"""A record that no goal is about."""


def played(goal: Goal, desk: StepDesk, style: str, seed: int, backend: Any = None) -> Dialogue:
    user = AgendaUser(goal, seed=seed, style=style)
    return run_dialogue(goal, user, desk.respond, backend)


@pytest.mark.parametrize("style", ["plain", "chatty"])
@pytest.mark.parametrize("case", CASES)
def test_a_right_desk_is_right_by_records_and_by_words(case: str, style: str) -> None:
    goal, records, _ = CASES[case]
    kind = goal.steps[0].kind
    for manner in MANNERS:
        for shown in (True, False):
            desk = StepDesk(kind, records, manner, asks_leave=manner < 3)
            rows = desk.records
            backend = records_of({kind: rows}) if shown else None
            found = evaluate(played(goal, desk, style, manner, backend))["success"]
            assert found, (manner, found)
            assert found.basis == ("verified" if shown else CLAIMED)


class Faulty(StepDesk):
    """Says what the right desk says, and writes something else."""

    fault = ""

    def _do(self) -> str:
        before, acted = deepcopy(self.records), self.id
        said = super()._do()
        other = OTHER
        if self.fault == "only said":
            self._restore(before)
        elif self.fault == "another in its place":
            done = self.records.get(acted)
            self._restore(before)
            self.records[other] = {**before[other], "status": (done or {}).get("status", "gone")}
        elif self.fault == "another, too":
            self.records[other]["owner"] = "somebody else"
        elif self.fault == "another lost":
            self.records.pop(other, None)
        elif self.fault == "a second record":
            self.records["Z99"] = {**before[acted], self.key: "Z99"}
        return said

    def _restore(self, records: dict[str, Any]) -> None:
        self.records.clear()
        self.records.update(records)


@pytest.mark.parametrize(
    "fault",
    ["only said", "another in its place", "another, too", "another lost", "a second record"],
)
@pytest.mark.parametrize("case", CASES)
def test_a_desk_that_writes_something_else_is_caught(case: str, fault: str) -> None:
    goal, records, _ = CASES[case]
    kind = goal.steps[0].kind
    for manner in MANNERS:
        rows = (*records, {next(iter(records[0])): OTHER})
        desk = Faulty(kind, rows, manner, asks_leave=manner < 3)
        desk.fault = fault
        dialogue = played(goal, desk, "plain", manner, records_of({kind: desk.records}))
        assert dialogue.stop_reason is StopReason.USER_DONE
        assert not evaluate(dialogue)["success"].passed, (manner, desk.records)
