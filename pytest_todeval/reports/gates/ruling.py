"""What gates and a baseline come to together: a finding, an exit code, a line to read first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_todeval.reports.comparison.comparing import RunComparison
from pytest_todeval.reports.comparison.text import (
    comparison_lines,
    comparison_markdown,
    markdown_table,
)
from pytest_todeval.reports.gates.deciding import (
    EXIT,
    UNDECIDED,
    Decided,
    GateFinding,
    gate_lines,
    gate_rows,
    gravest,
    why_undecided,
)
from pytest_todeval.reports.table import counted
from pytest_todeval.shown import in_markdown


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided of a run."""

    decided: Sequence[Decided]
    """What became of each gate, the budget for faults among them."""
    compared: RunComparison | None = None
    """The run beside its baseline."""
    baseline: str = "the baseline"
    """The name of its file."""
    strict: bool = False
    """Whether what is undecided is to fail."""

    @property
    def finding(self) -> GateFinding:
        return gravest([*(each.finding for each in self.decided), *self._of_comparison()])

    @property
    def exit_code(self) -> int:
        finding = self.finding
        return UNDECIDED if finding == "undecided" and self.strict else EXIT[finding]

    def lines(self) -> Iterator[str]:
        """What it comes to, and why; then all that it rests on."""
        yield self.headline()
        yield from gate_lines(self.decided)
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
        """The finding, and what it is about, in a line."""
        finding = self.finding
        if finding == "passed":
            beside = f", and nothing is worse than in {self.baseline}" if self.compared else ""
            return f"passed: all gates hold{beside}"
        if finding == "open":
            return "open: the run ended before its last goal, and is not decided"
        counts = f", which counts as {'failed' if self.strict else 'passed'}"
        title = f"{finding}{counts if finding == 'undecided' else ''}"
        return f"{title}: {'; '.join([*self._gates(finding), *self._values(finding)])}"

    def _gates(self, finding: GateFinding) -> Iterator[str]:
        """The gates that are to blame."""
        for each in self.decided:
            if each.finding != finding:
                continue
            if finding == "undecided" and each.level is not None:
                yield f"{each.gate.text} ({why_undecided(each.gate, each.level)})"
            elif finding == "unreliable":
                yield (
                    f"{each.gate.text} does not hold: others than the bot spoiled "
                    f"{each.value:.0%} of the dialogues. Play them again; the bot is not judged"
                )
            else:
                yield f"{each.gate.text} does not hold"

    def _values(self, finding: GateFinding) -> Iterator[str]:
        """The values beside the baseline that are."""
        if self.compared is None:
            return
        changes, broke = self.compared.changes, self._broke()
        worse = [each.name for each in changes if each.finding == "worse"]
        if worse and finding == "failed":
            yield f"worse than {self.baseline}: {', '.join(worse)}{broke}"
        if finding != "undecided":
            return
        undecided = [each for each in changes if each.finding == "undecided"]
        lower = [each.name for each in undecided if each.now < each.before]
        others = [each.name for each in undecided if each.name not in lower]
        if lower:
            looks = "looks" if len(lower) == 1 else "look"
            yield (
                f"{', '.join(lower)} {looks} worse than {self.baseline}{broke}, but chance alone "
                "may do as much"
            )
        if others:
            yield f"{', '.join(others)}: too few goals to tell from {self.baseline}"

    def _broke(self) -> str:
        count = 0 if self.compared is None else len(self.compared.broke)
        return f" ({counted(count, 'goal')} broke)" if count else ""

    def _of_comparison(self) -> Iterator[GateFinding]:
        """What each value beside the baseline means for the run."""
        for change in () if self.compared is None else self.compared.changes:
            if change.finding == "worse":
                yield "failed"
            elif change.finding in ("undecided", "open"):
                yield change.finding
