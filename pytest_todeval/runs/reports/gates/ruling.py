"""What gates and a baseline come to together: a finding, an exit code, a line to read first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pytest_todeval.runs.reports.comparison.comparing import Flip, RunComparison
from pytest_todeval.runs.reports.comparison.text import (
    comparison_lines,
    comparison_markdown,
    markdown_table,
    told_goals,
)
from pytest_todeval.runs.reports.gates.allowed import not_allowed
from pytest_todeval.runs.reports.gates.deciding import (
    Decided,
    GateFinding,
    gate_rows,
    gate_table,
    gravest,
    why_undecided,
)
from pytest_todeval.runs.reports.schema import DialogueEntry, Results
from pytest_todeval.runs.reports.table import counted, named
from pytest_todeval.shown import in_markdown

RulingFinding = GateFinding | Literal["red"]
"""`red`: dialogues failed that nothing allows, and these goals could not decide more."""
Undecided = Literal["pass", "fail", "later"]
FAILED, UNRELIABLE, UNDECIDED, RED = 10, 12, 11, 1
"""Exit codes. pytest itself uses 0 to 5; 1 is that of failed tests."""
LISTED = 10


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided of a run."""

    decided: Sequence[Decided]
    """What became of each gate, the budget for faults among them."""
    compared: RunComparison | None = None
    """The run beside its baseline."""
    baseline: str = "the baseline"
    """The name of its file."""
    undecided: Undecided | None = None
    """What becomes of a run that is undecided. None: it passes unless goals broke or failed."""
    red: Sequence[DialogueEntry] = ()
    """Dialogues that failed, and that nothing allows."""

    @classmethod
    def of(
        cls,
        entries: Sequence[DialogueEntry],
        decided: Sequence[Decided],
        before: Results | None,
        compared: RunComparison | None,
        baseline: str,
        undecided: Undecided | None,
    ) -> "Ruling":
        """That of these dialogues. `before`: the baseline, from the file of the name `baseline`."""
        red = not_allowed(entries, decided, before, compared)
        return cls(decided, compared, baseline, undecided, red)

    @property
    def finding(self) -> RulingFinding:
        if self._broken():
            return "failed"
        found = gravest([*(each.finding for each in self.decided), *self._of_comparison()])
        if found in ("unreliable", "failed", "open"):
            return found
        doubtful = self.compared is not None and self.compared.doubtful
        if not self.red:
            return "undecided" if found == "passed" and doubtful else found
        return "undecided" if self._could_tell() else "red"

    def _could_tell(self) -> bool:
        """Says whether something is undecided that as many goals might have decided."""
        gates = any(each.finding == "undecided" and each.can_pass for each in self.decided)
        compared = self.compared
        return gates or (compared is not None and compared.doubtful and compared.can_tell)

    @property
    def passes(self) -> bool:
        """Says whether the finding, if nothing is decided, counts as passed."""
        if self.undecided == "later":
            return True
        if self.finding == "red" or self.undecided == "fail":
            return False
        doubtful = bool(self.red) or (self.compared is not None and self.compared.doubtful)
        return self.undecided == "pass" or not doubtful

    @property
    def exit_code(self) -> int:
        codes = {"failed": FAILED, "unreliable": UNRELIABLE, "undecided": UNDECIDED, "red": RED}
        finding = self.finding
        if finding in ("undecided", "red") and self.passes:
            return 0
        return codes.get(finding, 0)

    def lines(self) -> Iterator[str]:
        """Returns what it comes to, and why; then all that it rests on."""
        yield self.headline()
        yield from gate_table(self.decided)
        if self.compared is not None:
            yield f"baseline {self.baseline}:"
            yield from comparison_lines(self.compared)

    def markdown(self) -> str:
        parts = [f"**{in_markdown(self.headline())}**\n", markdown_table(gate_rows(self.decided))]
        if self.compared is not None:
            parts += [
                f"Baseline {in_markdown(self.baseline)}:\n",
                comparison_markdown(self.compared),
            ]
        return "\n".join(parts)

    def headline(self) -> str:
        """Returns the finding, and what it is about, in a line."""
        finding = self.finding
        if finding == "passed":
            beside = f", and nothing is worse than in {self.baseline}" if self.compared else ""
            return f"passed: all gates hold{beside}"
        if finding == "open":
            return "open: the run ended before its last goal, and is not decided"
        title: str = "failed" if finding == "red" else finding
        if finding == "undecided" or (finding == "red" and self.passes):
            title += ", which counts as passed" if self.passes else ", which counts as failed"
            title += f" (undecided={self.undecided})" if self.undecided else ""
        return f"{title}: {'; '.join(self._why(finding))}"

    def _why(self, finding: RulingFinding) -> Iterator[str]:
        if broken := self._broken():
            yield f"{self._broke(broken)}, with nothing left to chance"
        if finding == "red":
            yield f"{_failed(self.red)}, and nothing that was asked for allows it"
            yield from self._too_small()
            return
        yield from self._gates(finding)
        yield from self._values(finding)
        if finding == "undecided" and self.red:
            yield _failed(self.red)

    def _too_small(self) -> Iterator[str]:
        """Returns what a run of so few goals could not show, whatever came out."""
        for each in self.decided:
            if each.finding == "undecided" and each.level is not None:
                goals = counted(each.level.goals, "goal")
                yield f"{goals} cannot show {each.gate.text}, so each failed test counts"
        if self.compared is not None and not self.compared.can_tell:
            goals = counted(self.compared.goals, "goal")
            yield f"{goals} cannot show a value to be worse, so each failed test counts"

    def _gates(self, finding: RulingFinding) -> Iterator[str]:
        """Returns the gates that are to blame."""
        for each in self.decided:
            if each.finding != finding:
                continue
            if finding == "undecided" and each.level is not None:
                yield f"{each.gate.text} ({why_undecided(each)})"
            elif finding == "unreliable":
                yield (
                    f"{each.gate.text} does not hold: others than the bot spoiled "
                    f"{each.value:.0%} of the dialogues. Play them again; the bot is not judged"
                )
            else:
                yield f"{each.gate.text} does not hold"

    def _values(self, finding: RulingFinding) -> Iterator[str]:
        """Returns the values beside the baseline that are."""
        found = self.compared
        if found is None:
            return
        worse = [each.name for each in found.changes if each.finding == "worse"]
        if worse and finding == "failed":
            broke = "" if self._broken() else _in_brackets(found.broke)
            yield f"worse than {self.baseline}: {', '.join(worse)}{broke}"
        if finding != "undecided":
            return
        yield from self._missing(found)
        yield from self._unsure(found)

    def _unsure(self, found: RunComparison) -> Iterator[str]:
        """Returns the values that chance alone may have changed."""
        undecided = [each for each in found.changes if each.finding == "undecided"]
        lower = [each.name for each in undecided if each.now < each.before]
        others = [each.name for each in undecided if each.name not in lower]
        if lower or found.broke:
            of = "" if found.broke else f" than {self.baseline}"
            looks = f"{', '.join(lower)} {'looks' if len(lower) == 1 else 'look'} worse{of}, but "
            broke = f"{self._broke(found.broke)}: " if found.broke else ""
            yield f"{broke}{looks if lower else ''}chance alone may do as much"
        if others:
            yield f"{', '.join(others)}: too few goals to tell from {self.baseline}"

    def _missing(self, found: RunComparison) -> Iterator[str]:
        if found.thin:
            there = f"{found.goals} of {counted(found.goals + found.only_before, 'goal')}"
            yield f"only {there} of {self.baseline} were played"
        for name, (had, have) in found.gone.items():
            yield f"{name} is gone: {counted(had, 'goal')} had it, {have} still have it"

    def _broke(self, flips: Sequence[Flip]) -> str:
        goals = counted(len(flips), "goal")
        return f"{goals} broke against {self.baseline} ({told_goals(flips, LISTED)})"

    def _broken(self) -> Sequence[Flip]:
        return () if self.compared is None else self.compared.broken

    def _of_comparison(self) -> Iterator[GateFinding]:
        """Returns what each value beside the baseline means for the run."""
        for change in () if self.compared is None else self.compared.changes:
            if change.finding == "worse":
                yield "failed"
            elif change.finding in ("undecided", "open"):
                yield change.finding


def _in_brackets(flips: Sequence[Flip]) -> str:
    return f" ({counted(len(flips), 'goal')} broke: {told_goals(flips, LISTED)})" if flips else ""


def _failed(red: Sequence[DialogueEntry]) -> str:
    goals = list(dict.fromkeys(entry["goal"] for entry in red))
    return f"{counted(len(red), 'dialogue')} failed ({named(goals, LISTED)})"
