"""A run beside an earlier one, over the goals that both have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.errors import UsageError
from pytest_todeval.reports.comparison.values import (
    PASSED,
    Entries,
    PairedValues,
    alike,
    counts,
    paired_values,
    worth_of,
)
from pytest_todeval.reports.schema import DialogueEntry, EnvironmentEntry, Results, grouped
from pytest_todeval.reports.sequential.stopped import stopped_early
from pytest_todeval.statistics.paired import (
    Finding,
    PairedDifference,
    difference_of,
    finding_of,
    holm,
)

MARGIN = 0.05
"""The smallest loss that matters, as a share of a value's scale: 5 points of a rate."""
ALPHA = 0.05
"""Alarms where nothing changed: one run in twenty at most, over all values together."""

QUARANTINED = "quarantined"
OTHERS = "other bot, user or test"


@dataclass(frozen=True, slots=True)
class Change:
    """One value in both runs."""

    name: str
    before: float
    now: float
    """Means over the goals that have the value in both."""
    difference: PairedDifference
    chance: float
    """How likely it looks as much worse by chance, corrected for the other values (Holm)."""
    finding: Finding
    """`worse`: more than chance, and maybe by what matters; `no worse`: not by as much as matters,
    at 95 %; `undecided`: the goals do not tell."""
    margin: float
    """In units of the value."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A goal that passed more or less often than before."""

    goal: str
    before: tuple[int, int]
    """Passed, played."""
    now: tuple[int, int]

    @property
    def change(self) -> float:
        return self.now[0] / self.now[1] - self.before[0] / self.before[1]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What changed."""

    goals: int
    """Those that both runs have."""
    changes: tuple[Change, ...]
    broke: tuple[Flip, ...]
    mended: tuple[Flip, ...]
    left_out: Mapping[str, tuple[int, int]]
    """Dialogues before and now that say nothing of their bot, by outcome, those of goals in
    quarantine (`quarantined`), and those of a bot, user or test that the other run does not have
    of the goal."""
    only_before: int
    only_now: int
    differing: tuple[str, ...] = ()
    """What the numbers rest on that differs, if it was compared all the same."""

    @property
    def worse(self) -> bool:
        return any(change.finding == "worse" for change in self.changes)


def compare_runs(
    before: Results, now: Results, *, margin: float = MARGIN, forced: bool = False
) -> RunComparison:
    """The second run beside the first.

    `margin`: the smallest loss that matters, as a share of each value's scale. Raises UsageError if
    the runs rest on different data, metrics, rules, prompts, users or judges and this is not
    `forced`, or if they have no goal in common.
    """
    unlike = tuple(differing(before["environment"], now["environment"]))
    if unlike and not forced:
        raise UsageError(
            f"the two runs cannot be compared, because they rest on different things: "
            f"{'; '.join(unlike)}. Run the earlier one again; `todeval compare --force` compares "
            "them all the same"
        )
    first, second = (by_goal(each["dialogues"]) for each in (before, now))
    shared = sorted(first.keys() & second.keys())
    if not shared:
        raise UsageError("the two runs have no goal in common that passed or failed in both")
    played = {goal: (first[goal], second[goal]) for goal in shared}
    held = {goal: _joined(alike(*each)) for goal, each in played.items()}
    values = paired_values(first, second, shared)
    differences = {
        name: difference_of(each.pairs, span=each.span, same_trials=each.same_trials)
        for name, each in values.items()
    }
    chances = holm({name: each.worse for name, each in differences.items()})
    flips = [_flip(goal, *each) for goal, each in held.items()]
    left_out = _left_out(before["dialogues"], now["dialogues"])
    others = [_number(played, run) - _number(held, run) for run in (0, 1)]
    if any(others):
        left_out[OTHERS] = others[0], others[1]
    return RunComparison(
        len(shared),
        tuple(
            _change(name, each, differences[name], chances[name], margin)
            for name, each in values.items()
        ),
        tuple(sorted((f for f in flips if f.change < 0), key=lambda f: f.change)),
        tuple(sorted((f for f in flips if f.change > 0), key=lambda f: -f.change)),
        left_out,
        len(first.keys() - _goals_of(now["dialogues"])),
        len(second.keys() - _goals_of(before["dialogues"])),
        unlike,
    )


def differing(before: EnvironmentEntry, now: EnvironmentEntry) -> Iterator[str]:
    """What the numbers of two runs rest on, but for the bot, that is not the same."""
    hashed = {
        "goal set": (before["goal_sets"], now["goal_sets"]),
        "metric": (before["metrics"], now["metrics"]),
        "prompt": (before.get("prompts", {}), now.get("prompts", {})),
        "rule set": (before.get("rules", {}), now.get("rules", {})),
    }
    for what, (one, other) in hashed.items():
        for name in sorted(one.keys() & other.keys()):
            if one[name] != other[name]:
                yield f"{what} {name!r} was {one[name]!r:.60}, is {other[name]!r:.60}"
    players = {
        "users": (before.get("users"), now.get("users")),
        "judges": (before.get("judges"), now.get("judges")),
    }
    for who, (was, are) in players.items():
        if was and are and was != are:
            yield f"{who} were {_names(was)}, are {_names(are)}"
    for which, run in (("earlier", before), ("later", now)):
        if (told := stopped_early(run)) is not None:
            yield f"the {which} run {told}: no test of fixed size holds of it"
    if before.get("ear", now.get("ear")) != now.get("ear", before.get("ear")):
        yield f"ear was {before.get('ear')}, is {now.get('ear')}"


def _names(found: object) -> str:
    """Names with their models, or what else a run kept of them."""
    if not isinstance(found, Mapping):
        return repr(found)
    parts = []
    for name, each in sorted(found.items()):
        models = each.get("models") if isinstance(each, Mapping) else None
        parts.append(f"{name} ({', '.join(map(str, models))})" if models else str(name))
    return ", ".join(parts)


def by_goal(entries: Sequence[DialogueEntry]) -> dict[str, list[DialogueEntry]]:
    """The dialogues that count for or against their bot."""
    return grouped(filter(counts, entries), lambda entry: entry["goal"])


def _change(
    name: str,
    values: PairedValues,
    difference: PairedDifference,
    chance: float,
    margin: float,
) -> Change:
    least = margin * values.span
    pairs = values.pairs.values()
    return Change(
        name,
        sum(before for before, _ in pairs) / len(pairs),
        sum(now for _, now in pairs) / len(pairs),
        difference,
        chance,
        finding_of(difference, chance, least, ALPHA),
        least,
    )


def _joined(parts: Sequence[tuple[Entries, Entries]]) -> tuple[Entries, Entries]:
    one, other = ([entry for part in parts for entry in part[run]] for run in (0, 1))
    return one, other


def _number(goals: Mapping[str, tuple[Entries, Entries]], run: int) -> int:
    return sum(len(each[run]) for each in goals.values())


def _flip(goal: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> Flip:
    def passed(entries: Sequence[DialogueEntry]) -> tuple[int, int]:
        return int(sum(worth_of(entry)[PASSED][0] for entry in entries)), len(entries)

    return Flip(goal, passed(before), passed(now))


def _goals_of(entries: Sequence[DialogueEntry]) -> set[str]:
    """All of them; those that do not count are told as left out."""
    return {entry["goal"] for entry in entries}


def _left_out(
    before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]
) -> dict[str, tuple[int, int]]:
    one, other = (
        Counter(
            QUARANTINED if QUARANTINED in entry else entry["outcome"]
            for entry in entries
            if not counts(entry)
        )
        for entries in (before, now)
    )
    return {name: (one[name], other[name]) for name in sorted({*one, *other})}
