"""What so many goals can show at best: said before the first of them is played."""

from collections.abc import Iterator, Sequence

from pytest_todeval.runs.reports.comparison.comparing import ALPHA, by_goal, left_to_chance
from pytest_todeval.runs.reports.comparison.values import PASSED
from pytest_todeval.runs.reports.gates.deciding import gates_of
from pytest_todeval.runs.reports.gates.gate import Gate
from pytest_todeval.runs.reports.gates.quantities import FACTS, RULES
from pytest_todeval.runs.reports.schema import Results
from pytest_todeval.runs.reports.table import counted
from pytest_todeval.runs.statistics.level import goals_to_reach, reachable

JUDGED = (1.0, 5.0)
"""The scale of scores, which alone have bounds above 1."""


def at_best_lines(
    gates: Sequence[str], goals: int, before: Results | None, baseline: str
) -> Iterator[str]:
    """Returns a line for each gate that so many goals cannot pass, and one for the baseline."""
    for gate in gates_of(gates):
        if not _is_mean(gate):
            continue
        scale = (0.0, 1.0) if gate.bound <= 1 else JUDGED
        if not reachable(goals, gate.sign, gate.bound, scale):
            needed = goals_to_reach(gate.sign, gate.bound, scale)
            takes = "no number of goals can" if needed is None else f"it takes {needed}"
            yield (
                f"{counted(goals, 'goal')} cannot show {gate.text} even at their best ({takes}): "
                "each failed test counts"
            )
    if before is not None:
        yield _beside(before, goals, baseline)


def _is_mean(gate: Gate) -> bool:
    if gate.sign == "==" or gate.name in FACTS or gate.scope:
        return False
    return gate.statistic in (None, "mean", "rate") and not (
        gate.name.startswith(RULES) and gate.statistic is None
    )


def _beside(before: Results, goals: int, baseline: str) -> str:
    known = by_goal(before["dialogues"])
    shared = min(goals, len(known))
    if not left_to_chance({goal: (each, each) for goal, each in known.items()}):
        return (
            f"{baseline} left nothing to chance: if this run does not either, each goal that "
            "breaks fails it"
        )
    least = next(n for n in range(1, 100) if 0.5**n <= ALPHA)
    if shared < least:
        return (
            f"{counted(shared, 'goal')} cannot show {PASSED} to be worse than in {baseline} by "
            f"more than chance (it takes {least} that break): each failed test counts"
        )
    return (
        f"of {shared} goals at least {least} have to break to show {PASSED} to be worse than in "
        f"{baseline} by more than chance; fewer leave it undecided"
    )
