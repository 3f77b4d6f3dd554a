"""A run beside an earlier one, over the goals that both have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pytest_todeval.core.latency import nearest_rank
from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.comparison.values import (
    PASSED,
    Entries,
    PairedValues,
    alike,
    counts,
    paired_values,
    seconds_per_turn,
    trials_of,
    worth_of,
)
from pytest_todeval.runs.reports.schema import (
    DialogueEntry,
    EnvironmentEntry,
    Results,
    grouped,
    says_of_bot,
)
from pytest_todeval.runs.reports.sequential.stopped import stopped_early
from pytest_todeval.runs.statistics.paired import (
    Finding,
    PairedDifference,
    difference_of,
    fact_of,
    finding_of,
    goals_to_decide,
    together,
)

MARGIN = 0.05
"""The smallest loss that matters, as a share of a value's scale: 5 points of a rate."""
ALPHA = 0.05
"""Alarms where nothing changed: one run in twenty at most, over all values together."""
MOST = 0.5
"""Of a baseline's goals, or of those that had a value: if more are missing, little is compared."""
SPOILED = 0.1
"""Of all dialogues: if others spoiled more, a run is not to be relied on."""

QUARANTINED = "quarantined"
UNKNOWN = "an older results file does not say what was left to chance"
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
    """How likely it looks as much worse by chance, corrected for the other values."""
    finding: Finding
    """`worse`: more than chance, and maybe by what matters; `no worse`: not by as much as matters,
    at 95 %; `undecided`: the goals do not tell. Where nothing is left to chance: what is so."""
    margin: float
    """In units of the value."""
    needed: int | None = None
    """If it is undecided: how many goals would decide it, if more came out as these did."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A goal that passed more or less often than before."""

    goal: str
    before: tuple[int, int]
    """Passed, played."""
    now: tuple[int, int]
    sure: bool = False
    """Whether nothing was left to chance in its dialogues, then and now."""

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
    """Those of which it is sure stand first."""
    mended: tuple[Flip, ...]
    left_out: Mapping[str, tuple[int, int]]
    """Dialogues before and now that say nothing of their bot, by outcome, those of goals in
    quarantine (`quarantined`), and those of a bot, user or test that the other run does not have
    of the goal."""
    only_before: int
    only_now: int
    differing: tuple[str, ...] = ()
    """What the numbers rest on that differs, if it was compared all the same."""
    chance: tuple[str, ...] = ()
    """What in the two runs was left to chance; if nothing was, each difference is a fact."""
    gone: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The values that most goals have lost: how many had it, how many still have it."""
    latency: tuple[float, float] | None = None
    """Seconds within which nine of ten dialogues had their answers on average, then and now."""
    spoiled: tuple[float, float] = (0.0, 0.0)
    """The shares of all dialogues that others spoiled."""

    @property
    def worse(self) -> bool:
        """Says whether a goal broke for sure, or a value is worse."""
        return bool(self.broken) or any(change.finding == "worse" for change in self.changes)

    @property
    def broken(self) -> tuple[Flip, ...]:
        """Returns the goals that broke, where that is no chance."""
        return tuple(flip for flip in self.broke if flip.sure)

    @property
    def can_tell(self) -> bool:
        """Says whether these goals could show a value to be worse: all of them, if they broke."""
        return not self.chance or 0.5**self.goals <= ALPHA

    @property
    def thin(self) -> bool:
        """Says whether most of the earlier run's goals are missing."""
        return self.only_before > MOST * (self.goals + self.only_before)

    @property
    def doubtful(self) -> bool:
        """Says whether goals broke, or are missing, and it is not shown that nothing is worse."""
        passed = next(each for each in self.changes if each.name == PASSED)
        excused = passed.finding in ("no worse", "better")
        return bool(self.gone) or self.thin or (bool(self.broke) and not excused)


def compare_runs(
    before: Results, now: Results, *, margin: float = MARGIN, forced: bool = False
) -> RunComparison:
    """Returns the second run beside the first.

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
    chances = together(
        {name: each.worse for name, each in differences.items()},
        {name: each.differences for name, each in values.items()},
    )
    left = left_to_chance(held)
    flips = [_flip(goal, *each, sure=not left or fixed(each)) for goal, each in held.items()]
    left_out = _left_out(before["dialogues"], now["dialogues"])
    others = [_number(played, run) - _number(held, run) for run in (0, 1)]
    if any(others):
        left_out[OTHERS] = others[0], others[1]
    return RunComparison(
        len(shared),
        tuple(
            _change(name, each, differences[name], chances[name], margin, sure=not left)
            for name, each in values.items()
        ),
        tuple(sorted((f for f in flips if f.change < 0), key=lambda f: (not f.sure, f.change))),
        tuple(sorted((f for f in flips if f.change > 0), key=lambda f: -f.change)),
        left_out,
        len(first.keys() - _goals_of(now["dialogues"])),
        len(second.keys() - _goals_of(before["dialogues"])),
        unlike,
        left,
        _gone(first, second, shared),
        _latencies(before["dialogues"], now["dialogues"]),
        (_spoiled(before["dialogues"]), _spoiled(now["dialogues"])),
    )


def left_to_chance(held: Mapping[str, tuple[Entries, Entries]]) -> tuple[str, ...]:
    """What in some goals' dialogues, then and now, may come out otherwise though nothing changed.

    Nothing if users, bots and judges go by rules or by cassettes, or if all goals were played
    several times, then and now, and each came out the same every time.
    """
    every = [entry for each in held.values() for run in each for entry in run]
    found = {why for entry in every for why in entry.get("chance", [UNKNOWN])}
    if found and all(_agree(run) for each in held.values() for run in each):
        return ()
    return tuple(sorted(found))


def fixed(runs: tuple[Entries, Entries]) -> bool:
    """Says whether nothing was left to chance in the dialogues of one goal."""
    return all("chance" in entry and not entry["chance"] for run in runs for entry in run)


def _agree(entries: Entries) -> bool:
    """Whether each test has played its goal several times, and it came out the same each time."""
    trials = grouped(entries, lambda entry: (entry["test"].partition("[")[0], entry.get("bot")))
    return all(
        len(each) > 1 and len({entry["outcome"] for entry in each}) == 1 for each in trials.values()
    )


def _gone(
    first: Mapping[str, Entries], second: Mapping[str, Entries], shared: Sequence[str]
) -> dict[str, tuple[int, int]]:
    had: Counter[str] = Counter()
    have: Counter[str] = Counter()
    for goal in shared:
        before, now = trials_of(first[goal]), trials_of(second[goal])
        had.update(before.keys())
        have.update(before.keys() & now.keys())
    return {name: (n, have[name]) for name, n in had.items() if n - have[name] > MOST * n}


def _spoiled(entries: Sequence[DialogueEntry]) -> float:
    counted = [entry for entry in entries if QUARANTINED not in entry]
    return sum(not says_of_bot(entry) for entry in counted) / max(1, len(counted))


def _latencies(before: Entries, now: Entries) -> tuple[float, float] | None:
    """None if one of the runs does not say."""
    found = [
        sorted(filter(None, map(seconds_per_turn, filter(counts, entries))))
        for entries in (before, now)
    ]
    return (nearest_rank(found[0], 90), nearest_rank(found[1], 90)) if all(found) else None


def differing(before: EnvironmentEntry, now: EnvironmentEntry) -> Iterator[str]:
    """Returns what the numbers of two runs rest on, but for the bot, that is not the same."""
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
    """Returns the dialogues that count for or against their bot."""
    return grouped(filter(counts, entries), lambda entry: entry["goal"])


def _change(
    name: str,
    values: PairedValues,
    difference: PairedDifference,
    chance: float,
    margin: float,
    *,
    sure: bool,
) -> Change:
    least = margin * values.span
    pairs = values.pairs.values()
    found = fact_of(difference, least) if sure else finding_of(difference, chance, least, ALPHA)
    needed = None
    if found == "undecided":
        times = chance / difference.worse
        several = list(values.differences.values())
        needed = goals_to_decide(several, span=values.span, least=least, times=times)
    return Change(
        name,
        sum(before for before, _ in pairs) / len(pairs),
        sum(now for _, now in pairs) / len(pairs),
        difference,
        chance,
        found,
        least,
        needed,
    )


def _joined(parts: Sequence[tuple[Entries, Entries]]) -> tuple[Entries, Entries]:
    one, other = ([entry for part in parts for entry in part[run]] for run in (0, 1))
    return one, other


def _number(goals: Mapping[str, tuple[Entries, Entries]], run: int) -> int:
    return sum(len(each[run]) for each in goals.values())


def _flip(goal: str, before: Entries, now: Entries, *, sure: bool) -> Flip:
    def passed(entries: Sequence[DialogueEntry]) -> tuple[int, int]:
        return int(sum(worth_of(entry)[PASSED].value for entry in entries)), len(entries)

    return Flip(goal, passed(before), passed(now), sure)


def _goals_of(entries: Sequence[DialogueEntry]) -> set[str]:
    """Returns all of them; those that do not count are told as left out."""
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
