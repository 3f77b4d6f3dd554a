"""One gate, asked after each goal in the planned order."""

from collections.abc import Sequence
from dataclasses import replace

from pytest_todeval.core.bound import SIGNS
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.gates.deciding import (
    Decided,
    GateFinding,
    decide_gate,
    in_scope,
    with_goals_needed,
)
from pytest_todeval.runs.reports.gates.gate import Gate
from pytest_todeval.runs.reports.gates.quantities import (
    COST,
    FACTS,
    FAULTS,
    RULES,
    Numbers,
    numbers_of,
)
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.runs.statistics.sequential import SequentialLevel

EXTREMES = ("min", "max", "count", "total")
FINDING: dict[bool | None, GateFinding] = {True: "passed", False: "failed", None: "open"}


def speaks_of_all(gate: Gate) -> bool:
    """Says whether it asks for something of every goal, so that it cannot pass before the last one.

    What a run costs is a fact of what it played, and so are its percentiles.
    """
    if gate.name == COST:
        return False
    return gate.sign == "==" or _statistic(gate) in EXTREMES


def may_end_a_run(gate: Gate) -> bool:
    """Says whether it may ask for a mean over goals, which can pass before the last one."""
    named = gate.name not in FACTS and _statistic(gate) in (None, "mean", "rate")
    return named and gate.sign != "=="


def _statistic(gate: Gate) -> str | None:
    return gate.statistic or ("count" if gate.name.startswith(RULES) else None)


class AskedGate:
    """What the goals so far say of a gate. What is found first stays."""

    def __init__(self, gate: Gate, *, goals: int, dialogues: int) -> None:
        """`goals`, `dialogues`: how many are planned."""
        self.gate = gate
        self._goals, self._dialogues = goals, dialogues
        self._level: SequentialLevel | None = None
        self._numbers: Numbers | None = None

    def take(self, entries: Sequence[DialogueEntry]) -> None:
        """The dialogues of the next goal; what a gate cannot be read from yet says nothing."""
        try:
            numbers = numbers_of(self.gate.name, self.gate.statistic, in_scope(self.gate, entries))
        except UsageError:
            return
        self._numbers = numbers if self._numbers is None else self._numbers.with_more(numbers)
        if self._numbers.stands_for_others(self.gate.sign):
            if self._level is None:
                scale = numbers.scale or (0.0, 1.0)
                gate = self.gate
                self._level = SequentialLevel(gate.sign, gate.bound, goals=self._goals, scale=scale)
            for value in numbers.by_goal:
                self._level.take(value)
        else:  # also of values that left their scale: then no mean stands for other goals
            self._level = None

    @property
    def finding(self) -> GateFinding:
        """`open` if goals to come may still change it."""
        if self._level is not None:
            return FINDING[self._level.reached]
        if self._numbers is None:
            return "open"
        if self._is_lost(self._numbers):
            return "unreliable" if self.gate.name == FAULTS else "failed"
        return "passed" if self.holds and not speaks_of_all(self.gate) else "open"

    @property
    def is_mean(self) -> bool:
        """Says whether it stands for goals that were not played, too."""
        return self._level is not None

    @property
    def holds(self) -> bool:
        """Says whether a fact holds of the goals so far."""
        facts = self._numbers
        return facts is not None and SIGNS[self.gate.sign](facts.value, self.gate.bound)

    def _is_lost(self, facts: Numbers) -> bool:
        """Says whether no goal to come can mend it."""
        gate, value = self.gate, facts.value
        if self.holds:
            return False
        if gate.name == FAULTS and gate.sign in ("<=", "<"):
            return sum(facts.values) > gate.bound * self._dialogues
        if facts.statistic in ("max", "count", "total"):  # these only grow
            return value > gate.bound or gate.sign == "<"
        if facts.statistic == "min":
            return value < gate.bound or gate.sign == ">"
        ends = facts.scale or (0.0,)
        return gate.sign == "==" and gate.bound in ends  # a mean that left the end of its scale

    def end(self) -> None:
        if self._level is not None:
            self._level.end()

    def decided(
        self, counted: Sequence[DialogueEntry], played: Sequence[DialogueEntry], ended: bool
    ) -> Decided:
        """Returns what the run says of the gate.

        `counted`: the dialogues of the goals that it was asked after, `played`: all, which is what
        a run costs. `ended`: whether all planned goals were played. Raises UsageError as `decide`.
        """
        found = decide_gate(self.gate, played if self.gate.name == COST else counted)
        out = found.quarantined
        if self._level is None:
            early = not ended and speaks_of_all(self.gate) and found.finding == "passed"
            return replace(found, finding="open" if early else found.finding)
        level = self._level.level
        finding = FINDING[self._level.reached]
        if finding == "open" and ended:
            finding = "undecided"
        told = Decided(self.gate, level.mean, level, finding, out, after=level.goals)
        known = self._numbers if finding == "undecided" else None
        return told if known is None else with_goals_needed(told, known)
