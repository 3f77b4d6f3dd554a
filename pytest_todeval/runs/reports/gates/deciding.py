"""What a run says of its gates: passed, failed, undecided; and whether it can be relied on."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from pytest_todeval.core.bound import SIGNS, decides
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.runs.reports.baseline import NO_TURNS, is_baseline
from pytest_todeval.runs.reports.gates.gate import Gate, parse_gate
from pytest_todeval.runs.reports.gates.quantities import COST, FAULTS, Numbers, numbers_of
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.runs.reports.table import aligned, counted
from pytest_todeval.runs.statistics.level import Level, goals_to_decide, level_of, reachable
from pytest_todeval.runs.statistics.resampling import Interval

GateFinding = Literal["passed", "failed", "undecided", "open", "unreliable"]
"""`open`: the run ended before its last goal, and what it played does not tell."""
BUDGET = "faults <= 0.1"
"""If no gate is set on faults: more of them make the run unreliable."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one gate."""

    gate: Gate
    value: float
    level: Level | None
    """None of a fact of this run, which is true or not."""
    finding: GateFinding
    quarantined: int = 0
    """Dialogues in quarantine that it leaves out."""
    after: int | None = None
    """In a run that ends once it is decided: after how many goals this was found."""
    interval: Interval | None = None
    """Of a fact such as a percentile: where that of other such goals would lie."""
    needed: int | None = None
    """If it is undecided: how many goals would decide it, if more came out as these did."""
    can_pass: bool = True
    """Whether as many goals could show that it holds, if each were at its best."""


def decide(gates: Sequence[str], entries: Sequence[DialogueEntry]) -> list[Decided]:
    """Returns each gate on these dialogues; the budget for faults comes first.

    Raises UsageError on a gate that cannot be read, and if no dialogue of a reliable run has what
    it asks for: a misspelt gate does not pass.
    """
    if not entries:
        raise UsageError("the run has no dialogue that a gate could be held against")
    return told_of([partial(decide_gate, gate, entries) for gate in gates_of(gates)])


def told_of(asked: Iterable[Callable[[], Decided]]) -> list[Decided]:
    """Returns what becomes of each gate. Raises the first UsageError of those that cannot be told.

    Not if the run is unreliable: then others may have spoiled all that a gate asks for.
    """
    found: list[Decided] = []
    wrong: list[UsageError] = []
    for each in asked:
        try:
            found.append(each())
        except UsageError as error:
            wrong.append(error)
    if wrong and overall(found) != "unreliable":
        raise wrong[0]
    return found


def gates_of(texts: Sequence[str]) -> list[Gate]:
    """Reads gates; the budget for faults comes first, unless one is among them.

    Raises UsageError on a gate that cannot be read.
    """
    read = [parse_gate(text) for text in texts]
    if not any(gate.name == FAULTS for gate in read):
        read.insert(0, parse_gate(BUDGET))
    return read


def in_scope(gate: Gate, entries: Sequence[DialogueEntry]) -> list[DialogueEntry]:
    """Returns the dialogues that a gate is about."""
    return [
        entry
        for entry in entries
        if all(value in _of_scope(entry, key) for key, value in gate.scope)
    ]


def overall(found: Sequence[Decided]) -> GateFinding:
    """Of the whole run: a run that cannot be relied on says nothing of its bot."""
    return gravest([each.finding for each in found])


def gravest(findings: Sequence[GateFinding]) -> GateFinding:
    """Of several findings, the one that the run has."""
    order: tuple[GateFinding, ...] = ("unreliable", "failed", "undecided", "open")
    return next((each for each in order if each in findings), "passed")


def decide_gate(gate: Gate, entries: Sequence[DialogueEntry]) -> Decided:
    """Returns a gate on these dialogues. Raises UsageError if none has what it asks for."""
    chosen = in_scope(gate, entries)
    if not chosen:
        raise UsageError(f"gate {gate.text!r}: {_nobody(gate, entries)}{_of_baseline(entries)}")
    out = 0 if gate.name == COST else sum("quarantined" in entry for entry in chosen)
    if out == len(chosen):
        raise UsageError(f"gate {gate.text!r}: all {out} dialogues are of goals in quarantine")
    try:
        numbers = numbers_of(gate.name, gate.statistic, chosen)
    except UsageError as error:
        wrong = str(error).replace("gate:", f"gate {gate.text!r}:", 1)
        raise UsageError(f"{wrong}{_of_baseline(entries)}") from None
    if numbers.scale:
        refuse_beyond(gate, *numbers.scale)
    if numbers.stands_for_others(gate.sign):
        level = level_of(numbers.by_goal, numbers.scale or (0.0, 1.0))
        reached = _FINDING[level.reaches(gate.sign, gate.bound)]
        found = Decided(gate, level.mean, level, reached, out)
        return with_goals_needed(found, numbers) if reached == "undecided" else found
    held = SIGNS[gate.sign](numbers.value, gate.bound)
    missed: GateFinding = "unreliable" if gate.name == FAULTS else "failed"
    told = "passed" if held else missed
    return Decided(gate, numbers.value, None, told, out, interval=numbers.interval)


def with_goals_needed(found: Decided, numbers: Numbers) -> Decided:
    """Returns an undecided gate with what would decide it."""
    sign, bound, scale = found.gate.sign, found.gate.bound, numbers.scale or (0.0, 1.0)
    return replace(
        found,
        needed=goals_to_decide(numbers.by_goal, sign, bound, scale),
        can_pass=reachable(len(numbers.by_goal), sign, bound, scale),
    )


_FINDING: dict[bool | None, GateFinding] = {True: "passed", False: "failed", None: "undecided"}


def refuse_beyond(gate: Gate, low: float, high: float) -> None:
    """Raises UsageError if what the scale allows passes as a whole, or fails as a whole."""
    if decides(gate.sign, gate.bound, low, high):
        return
    cannot = "fail" if SIGNS[gate.sign](low, gate.bound) else "pass"
    share = ", or 0% to 100%" if (low, high) == (0, 1) else ""
    raise UsageError(
        f"gate {gate.text!r}: no value can {cannot} it: {gate.name} goes from {low:g} to "
        f"{high:g}{share}"
    )


def _of_scope(entry: DialogueEntry, key: str) -> list[str]:
    """What a dialogue has of a scope: its domains, its labels, its goal set, its bot, its user."""
    goal = entry.get("goal_record", {})
    if key == "domain":
        return [each.get("domain", "") for each in goal.get("domains", ())]
    if key == "label":
        return list(goal.get("labels", ()))
    if key == "goals":
        return [entry["goal"].rpartition("/")[0]]
    return [entry.get("bot", "") if key == "bot" else entry.get("user", "")]


def _nobody(gate: Gate, entries: Sequence[DialogueEntry]) -> str:
    for key, value in gate.scope:
        known = sorted({each for entry in entries for each in _of_scope(entry, key)} - {""})
        if value not in known:
            return f"no dialogue is of {key} {value}; {known_names(value, known)}"
    told = " and ".join(f"{key} {value}" for key, value in gate.scope)
    return f"no dialogue is of {told}" if told else "the run has no dialogue"


def _of_baseline(entries: Sequence[DialogueEntry]) -> str:
    return f" ({NO_TURNS})" if is_baseline(entries) else ""


def gate_lines(found: Sequence[Decided]) -> Iterator[str]:
    """Returns what they come to by themselves, and the table."""
    yield f"gates: {overall(found)}"
    yield from gate_table(found)


def gate_table(found: Sequence[Decided]) -> Iterator[str]:
    """Returns the gates as a table, and what they leave out."""
    yield from aligned(gate_rows(found))
    out = max((each.quarantined for each in found), default=0)
    if out:
        yield f"left out, quarantined: {counted(out, 'dialogue')}"


def gate_rows(found: Sequence[Decided]) -> list[Sequence[str]]:
    """Returns the table, its head first."""
    return [("", "value", "90 %", ""), *map(_row, found)]


def _row(each: Decided) -> list[str]:
    ends = each.interval if each.level is None else each.level.interval
    interval = f"{ends.low:.3f} to {ends.high:.3f}" if ends else "-"
    return [each.gate.text, f"{each.value:.3f}", interval, _told(each)]


def _told(each: Decided) -> str:
    if each.finding != "undecided" or each.level is None:
        early = each.after is not None and each.finding in ("passed", "failed")
        return f"{each.finding} after {each.after} goals" if early else each.finding
    return f"undecided: {why_undecided(each)}"


def goals_more(lacking: int) -> str:
    """How many goals would decide what is open, if they come out as those did that were played."""
    return f"about {lacking} goals more" if lacking > 1 else "about 1 goal more"


def why_undecided(found: Decided) -> str:
    """Returns what would decide a gate that this run's goals do not."""
    gate, level = found.gate, found.level
    assert level is not None
    if found.needed is not None:
        return goals_more(found.needed - level.goals)
    sign, bound, ends = gate.sign, gate.bound, level.interval
    if (sign == ">=" and ends.high <= bound) or (sign == "<=" and ends.low >= bound):
        asked = gate.text.replace(sign, "==", 1)
        return f"a run cannot show a mean of {bound:g}; `{asked}` asks for it in this run"
    return "the mean is close to the bound"
