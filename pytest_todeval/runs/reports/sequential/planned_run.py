"""A run in its planned order: what is over, what counts so far, and if that is the answer."""

from collections.abc import Sequence
from typing import NamedTuple

from pytest_todeval.runs.reports.comparison.comparing import RunComparison
from pytest_todeval.runs.reports.gates.deciding import Decided
from pytest_todeval.runs.reports.schema import DialogueEntry, Results, SequentialEntry
from pytest_todeval.runs.reports.sequential.answer import RunningAnswer


class PlannedGoal(NamedTuple):
    """A goal of a run, with all tests that play it: its trials, several functions, several bots."""

    name: str
    tests: list[str]
    quarantined: bool = False
    """Of no account: planned after all others."""


class PlannedRun:
    """Goals count in the planned order, whichever is over first.

    So the answer does not hang on how fast dialogues are, nor on how many are played at once.
    """

    def __init__(
        self,
        goals: Sequence[PlannedGoal],
        gates: Sequence[str],
        before: Results | None,
        *,
        undecided_passes: bool = True,
    ) -> None:
        """`before`: the baseline, if there is one."""
        self._goals = list(goals)
        self._answer = RunningAnswer(
            gates,
            before,
            goals=[goal.name for goal in goals if not goal.quarantined],
            dialogues=sum(len(goal.tests) for goal in goals),
            undecided_passes=undecided_passes,
        )
        self._over: dict[str, DialogueEntry | None] = {}
        self._asked_after = 0

    def finish(self, test: str, entry: DialogueEntry | None) -> None:
        """A test is over; None if it had no dialogue."""
        self._over[test] = entry
        while not self.decided and self._asked_after < len(self._goals):
            goal = self._goals[self._asked_after]
            if not all(test in self._over for test in goal.tests):
                return
            self._asked_after += 1
            entries = [self._over[test] for test in goal.tests]
            self._answer.take([entry for entry in entries if entry is not None])

    @property
    def decided(self) -> bool:
        """Says whether no more dialogues are needed."""
        return self._answer.answer is not None

    def is_over(self, test: str) -> bool:
        return test in self._over

    @property
    def not_over(self) -> list[str]:
        """Returns the tests of goals that are not over, as planned."""
        tests = (test for goal in self._goals for test in goal.tests)
        return [test for test in tests if not self.is_over(test)]

    def end(self) -> None:
        if self._all_asked:
            self._answer.end()

    @property
    def _all_asked(self) -> bool:
        return self._asked_after == len(self._goals)

    def how_far(self, seed: str) -> SequentialEntry:
        """Returns what the results file says of it. `seed`: of the order."""
        return {
            "seed": seed,
            "goals": self._answer.goals,
            "of": sum(not goal.quarantined for goal in self._goals),
            "decided": self.decided or self._all_asked,
            "not_played": sorted(self.not_over),
        }

    def findings(self, found: Results) -> tuple[list[Decided], RunComparison | None]:
        """What became of each gate, and the run beside its baseline. `found`: all that was played.

        Raises UsageError on a gate that asks for what no dialogue has, and if the runs cannot be
        compared.
        """
        return self._answer.gates(found["dialogues"]), self._answer.comparison(found)
