"""What a gate asks of some dialogues: the numbers of its name, one way of summing them up."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_todeval.core.latency import nearest_rank
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.runs.reports.answer_summary import rule_values
from pytest_todeval.runs.reports.comparison.values import PASSED, counts, worth_of
from pytest_todeval.runs.reports.effort import dollars_of
from pytest_todeval.runs.reports.schema import DialogueEntry, grouped
from pytest_todeval.runs.reports.table import counted, one_line
from pytest_todeval.runs.reports.trials import flips, is_pass_k, successes_of
from pytest_todeval.runs.statistics.level import CONFIDENCE
from pytest_todeval.runs.statistics.pass_k import estimates_of
from pytest_todeval.runs.statistics.resampling import Interval, bootstrap, every

FAULTS = "faults"
FLAKY = "flaky"
COST = "cost"
FACTS = (FAULTS, FLAKY, "latency", "turns", COST)
"""Names whose numbers are of the run, whatever is asked of them."""
RULES = "rules."
RESAMPLES = 200
"""For the interval of a percentile, which decides nothing."""
STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "mean": lambda values: sum(values) / len(values),
    "rate": lambda values: sum(values) / len(values),
    "total": sum,
    "count": sum,
    "p50": lambda values: nearest_rank(sorted(values), 50),
    "p90": lambda values: nearest_rank(sorted(values), 90),
}


@dataclass(frozen=True, slots=True)
class Numbers:
    """What some dialogues have of a name."""

    statistic: str
    values: tuple[float, ...]
    """All of them, such as the seconds of every turn."""
    by_goal: tuple[float, ...] = ()
    """Means by goal, of what stands for other goals, too: a rate, a mean score. Empty of what is
    no more than a fact of this run: a least value, a count, a total."""
    scale: tuple[float, float] | None = None
    """The least and the most that there can be, if a bound beyond them is a mistake."""
    parts: tuple[tuple[float, ...], ...] = ()
    """Of seconds and turns, those of each goal: other goals would have others."""

    @property
    def value(self) -> float:
        return float(STATISTICS[self.statistic](self.values))

    def stands_for_others(self, sign: str) -> bool:
        """Whether a gate of this sign asks for the mean of all goals, those not played, too."""
        return bool(self.scale and self.by_goal and sign != "==")

    def with_more(self, others: "Numbers") -> "Numbers":
        """Together with those of other dialogues."""
        values = (*self.values, *others.values)
        parts = (*self.parts, *others.parts)
        if others.scale != self.scale:  # a value beyond its scale has shown that there is none
            return replace(self, values=values, by_goal=(), scale=None)
        return replace(self, values=values, by_goal=(*self.by_goal, *others.by_goal), parts=parts)

    @property
    def interval(self) -> Interval | None:
        """In which the figure of other such goals would lie; None of what is of this run alone."""
        if self.statistic not in ("p50", "p90", "mean") or len(self.parts) < 2:
            return None
        clusters = [Counter(part) for part in self.parts]
        figure = {"": lambda sample: STATISTICS[self.statistic](sorted(Counter(sample).elements()))}
        return bootstrap(clusters, every(figure), number=RESAMPLES, level=CONFIDENCE)[""]


def numbers_of(name: str, statistic: str | None, entries: Sequence[DialogueEntry]) -> Numbers:
    """Returns the numbers of these dialogues; goals in quarantine count for what a run costs alone.

    Raises UsageError if they have nothing of this name, or no such statistic of it.
    """
    if name == FAULTS:
        values = [
            float(entry["outcome"] not in _OF_BOTS)
            for entry in entries
            if "quarantined" not in entry
        ]
        return _chosen(name, statistic, "rate", values)
    played = [entry for entry in entries if counts(entry)]
    if name == FLAKY:
        if not (flaky := [float(0 < won < tried) for _, won, tried in flips(played)]):
            raise UsageError(
                "gate: no goal was played more than once: play each several times, "
                "`--todeval-trials 3`"
            )
        return _chosen(name, statistic, "rate", flaky)
    if is_pass_k(name):
        return _of_trials(name, statistic, played)
    if name in ("latency", "turns"):
        goals = grouped(played, lambda entry: entry["goal"])
        parts = [_seconds(each) if name == "latency" else _turns(each) for each in goals.values()]
        usual = "p90" if name == "latency" else "mean"
        found = _chosen(name, statistic, usual, (value for part in parts for value in part))
        return replace(found, parts=tuple(parts))
    if name == COST:
        return _chosen(name, statistic, "total", _dollars(entries))
    if name.startswith(RULES):
        return _of_rule(name, statistic, played)
    return _of_worth(name, statistic, played)


_OF_BOTS = (Outcome.PASSED, Outcome.FAILED)


def _chosen(
    name: str,
    statistic: str | None,
    usual: str,
    values: Iterable[float],
    scale: tuple[float, float] | None = None,
) -> Numbers:
    found = tuple(values)
    if not found:
        raise UsageError(f"gate: no dialogue has a number for {name!r}")
    return Numbers(statistic or usual, found, scale=scale)


def _seconds(entries: Sequence[DialogueEntry]) -> tuple[float, ...]:
    return tuple(turn.get("latency_s", 0.0) for entry in entries for turn in entry["turns"])


def _turns(entries: Sequence[DialogueEntry]) -> tuple[float, ...]:
    return tuple(float(len(entry["turns"])) for entry in entries)


def _of_trials(name: str, statistic: str | None, entries: Sequence[DialogueEntry]) -> Numbers:
    """Returns how likely all (`pass^4`), or any (`pass@4`), of so many trials of a goal succeed."""
    if statistic is not None:
        raise UsageError(f"gate: {name!r} has no statistics, got {statistic!r}; leave it out")
    k = int(name[len("pass^") :])
    by_set = successes_of(entries)
    if len(by_set) > 1:
        raise UsageError(
            f"gate: {name!r} of several goal sets is of none: add `for goals "
            f"{'` or `for goals '.join(by_set)}`"
        )
    estimates = [
        each
        for successes in by_set.values()
        for each in estimates_of(successes, k, any_of=name.startswith("pass@"))
    ]
    if not k or not estimates:
        raise UsageError(
            f"gate: no goal was played {k} times for {name!r}: `--todeval-trials {max(k, 2)}`"
        )
    return Numbers("mean", tuple(estimates), tuple(estimates), (0.0, 1.0))


def _of_rule(name: str, statistic: str | None, entries: Sequence[DialogueEntry]) -> Numbers:
    """Returns the turns that break the rule; `rate`: the share of turns that keep it."""
    results = [entry["rules"].get(name.removeprefix(RULES)) for entry in entries]
    if all(each is None for each in results):
        known = sorted({f"{RULES}{rule}" for entry in entries for rule in entry["rules"]})
        if not known:
            raise UsageError(
                "gate: no dialogue was held to rules: ask `judge.rules(dialogue)` in the test, or "
                "`todeval judge RESULTS --ask rules --json JUDGED` of a run that there is"
            )
        raise UsageError(f"gate: no dialogue has {name!r}; {known_names(name, known)}")
    applied = [value for each in results for value in rule_values(each) if value in (0, 1)]
    if not applied:
        raise UsageError(f"gate: {name!r} applied in no turn, so that it cannot fail")
    if statistic in (None, "count", "total"):
        return Numbers("count", tuple(float(value == 0) for value in applied))
    return _of_worth(name, statistic, entries)


def _of_worth(name: str, statistic: str | None, entries: Sequence[DialogueEntry]) -> Numbers:
    goals: defaultdict[str, list[float]] = defaultdict(list)
    singles: list[float] = []
    scale: tuple[float, float] | None = (0.0, 1.0)
    beyond = False
    for entry in entries:
        if (worth := worth_of(entry).get(name)) is None:
            continue
        goals[entry["goal"]].append(worth.value)
        beyond |= worth.beyond
        scores = entry["scores"].get(name, ())
        if scores:
            scale = (float(scores[0]["scale"][0]), float(scores[0]["scale"][1]))
        given = [score["value"] for score in scores if score["value"] is not None]
        singles += given or [worth.value]
    if not goals:
        raise _nowhere(name, entries)
    means = tuple(sum(each) / len(each) for each in goals.values())
    scale = None if beyond else scale  # without one the mean is a fact of this run
    if statistic in (None, "mean", "rate"):
        return Numbers("mean", means, () if beyond else means, scale)
    single = scale if statistic not in ("total", "count") else None
    return _chosen(name, statistic, "mean", singles, single)


def _nowhere(name: str, entries: Sequence[DialogueEntry]) -> UsageError:
    """Returns the error about a name that no dialogue has a worth of."""
    idle = [each for each in (entry["verdicts"].get(name) for entry in entries) if each]
    if idle and not any(each["applicable"] for each in idle):
        return UsageError(
            f"gate: {name!r} applies to none of {counted(len(idle), 'dialogue')}: "
            f"{one_line(idle[0]['reason'])}"
        )
    known = sorted({each for entry in entries for each in worth_of(entry)} | {*FACTS, PASSED})
    stem, _, last = name.rpartition(".")
    if stem in known:
        return UsageError(f"gate: no statistic {last!r}; {known_names(last, STATISTICS)}")
    return UsageError(f"gate: no dialogue has {name!r}; {known_names(name, known)}")


def _dollars(entries: Sequence[DialogueEntry]) -> list[float]:
    spent = [dollars_of(entry) for entry in entries]
    unknown = sum(each is None for each in spent)
    if unknown:
        raise UsageError(
            f"gate: what {unknown} of {len(spent)} dialogues cost is not known; give the prices of "
            "their models with todeval_prices"
        )
    return [each for each in spent if each is not None]
