"""What a run says of its gates and its baseline after each goal, and whether that is its answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from pytest_todeval.runs.reports.comparison.comparing import (
    MARGIN,
    Change,
    RunComparison,
    by_goal,
    compare_runs,
    fixed,
)
from pytest_todeval.runs.reports.comparison.values import (
    PASSED,
    alike,
    paired_values,
    trials_of,
    width,
)
from pytest_todeval.runs.reports.gates.deciding import (
    Decided,
    GateFinding,
    decide_gate,
    gates_of,
    told_of,
)
from pytest_todeval.runs.reports.gates.quantities import FAULTS
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.sequential.asking import AskedGate, may_end_a_run, speaks_of_all
from pytest_todeval.runs.statistics.sequential import SequentialChanges


def never_early(gates: Sequence[str], before: Results | None) -> str | None:
    """Says why the run cannot pass before its last goal; None if it can. `before`: the baseline."""
    read = gates_of(gates)
    of_all = [f"`{gate.text}`" for gate in read if speaks_of_all(gate)]
    if of_all:
        return f"of every goal {', '.join(of_all)} asks something"
    if before is not None and _is_sure(before["dialogues"]):
        return "nothing was left to chance in the baseline, so any goal may show what broke"
    if before is None and not any(map(may_end_a_run, read)):
        return "no gate asks for a mean over goals"
    return None


def _is_sure(entries: Sequence[DialogueEntry]) -> bool:
    return not any(entry.get("chance", [""]) for entry in entries)


class RunningAnswer:
    """Asked after each goal, in the planned order, and once all are played or the run is over.

    The answer is there once a gate failed, a value is worse than before, or a goal broke where
    nothing is left to chance: nothing to come changes the exit code. While nothing is left to
    chance there is no other answer before the last goal: any goal may have broken. Else all gates
    have to pass, and all values to be no worse, or hardly to be found worse by the goals to come,
    if what is undecided passes. Facts of what was played end no run that has nothing else to
    decide.
    """

    def __init__(
        self,
        gates: Sequence[str],
        before: Results | None,
        *,
        goals: Sequence[str],
        dialogues: int,
        undecided_passes: bool = True,
    ) -> None:
        """`before`: the baseline. `goals`: the names of those planned; `dialogues`: how many."""
        self._undecided_passes = undecided_passes
        self._asked = [
            AskedGate(gate, goals=len(goals), dialogues=dialogues) for gate in gates_of(gates)
        ]
        self._before = before
        known = {} if before is None else by_goal(before["dialogues"])
        self._was = {goal: known[goal] for goal in goals if goal in known}
        self._changes = None if before is None else _changes(self._was, len(goals))
        self._sure = before is not None and _is_sure(before["dialogues"])
        self._broke = False
        self._counted: list[DialogueEntry] = []
        self._ended = False
        self.answer: GateFinding | None = None
        """None while it is open."""
        self.goals = 0
        """How many it was asked after, without those in quarantine."""

    def take(self, entries: Sequence[DialogueEntry]) -> None:
        """The dialogues of the next goal in the planned order; none if they were not to be had."""
        self.goals += not entries or any("quarantined" not in entry for entry in entries)
        self._counted += entries
        for asked in self._asked:
            asked.take(entries)
        if self._changes is not None:
            self._compare(self._changes, entries)
        self.answer = self._answer()

    def _compare(self, changes: SequentialChanges, entries: Sequence[DialogueEntry]) -> None:
        for goal, now in by_goal(entries).items():
            if goal in self._was:
                self._sure = self._sure and _is_sure(now)
                found = paired_values(self._was, {goal: now}, [goal])
                was, passed = found[PASSED].pairs[goal]
                self._broke |= passed < was and all(map(fixed, alike(self._was[goal], now)))
                pairs = {name: each.pairs[goal] for name, each in found.items()}
                changes.take({name: after - before for name, (before, after) in pairs.items()})

    def _answer(self) -> GateFinding | None:
        if self._broke:
            return "failed"
        facts = [asked for asked in self._asked if not (self._sure and asked.is_mean)]
        findings = [asked.finding for asked in facts]
        if "unreliable" in findings:
            return "unreliable"
        if any(asked.gate.name == FAULTS and not asked.holds for asked in self._asked):
            return None  # so far it says nothing of its bot
        worse = self._changes is not None and "worse" in self._changes.findings.values()
        if "failed" in findings or (worse and not self._sure):
            return "failed"
        if self._sure or not set(findings) <= {"passed"}:
            return None
        return self._if_gates_pass()

    def _if_gates_pass(self) -> GateFinding | None:
        """Returns what the comparison makes of a run whose gates all pass."""
        if self._changes is None:
            return "passed" if any(each.is_mean for each in self._asked) else None
        if self._changes.decided:
            return "passed"
        return "undecided" if self._undecided_passes and self._changes.idle else None

    def end(self) -> None:
        """All planned goals were played: what is open is tested as in a run of fixed size."""
        self._ended = True
        if self.answer is None:
            for asked in self._asked:
                asked.end()
            if self._changes is not None:
                now = by_goal(self._counted)
                found = paired_values(self._was, now, sorted(self._was.keys() & now.keys()))
                unlike = [name for name, each in found.items() if not each.same_trials]
                pairs = {name: each.pairs for name, each in found.items()}
                self._changes.end(pairs, unlike=unlike)

    def gates(self, played: Sequence[DialogueEntry]) -> list[Decided]:
        """Returns what became of each gate, faults among them. `played`: all dialogues of the run.

        Raises UsageError on a gate that asks for what no dialogue has.
        """
        if self._ended and self._sure and self.answer is None:  # as of a run of fixed size
            return told_of([partial(decide_gate, each.gate, played) for each in self._asked])
        return told_of(
            [partial(each.decided, self._counted, played, self._ended) for each in self._asked]
        )

    def comparison(self, now: Results) -> RunComparison | None:
        """The goals that count beside the baseline; None if there is none, or no goal so far.

        Raises UsageError if the runs rest on different things, or have no goal in common.
        """
        changes = self._changes
        if self._before is None or changes is None or not (changes.goals or self._ended):
            return None
        about = now["environment"].copy()
        about.pop("sequential", None)
        counted: Results = {**now, "environment": about, "dialogues": self._counted}
        found = compare_runs(self._before, counted)
        own = changes if found.chance else None
        not_counted = self._was.keys() - {entry["goal"] for entry in self._counted}
        return replace(
            found,
            changes=tuple(self._told(each, own) if own else each for each in found.changes),
            only_before=found.only_before - len(not_counted),
        )

    def _told(self, change: Change, changes: SequentialChanges) -> Change:
        return replace(
            change,
            difference=replace(change.difference, interval=changes.interval(change.name)),
            chance=changes.chance(change.name),
            finding=changes.findings[change.name] or self._left,
        )

    @property
    def _left(self) -> Literal["undecided", "open"]:
        """Returns what becomes of a value of which nothing was found."""
        return "undecided" if self._ended or self.answer == "undecided" else "open"


def _changes(was: Mapping[str, Sequence[DialogueEntry]], goals: int) -> SequentialChanges:
    spans: dict[str, float] = {}
    for entries in was.values():
        for name, (_, scale) in trials_of(entries).items():
            spans[name] = max(spans.get(name, 0.0), width(scale))
    return SequentialChanges(spans, goals=goals, margin=MARGIN)
