"""What a dialogue is worth, in numbers by name, for comparing runs: more is better in each."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.answer_summary import rule_values
from pytest_todeval.runs.reports.schema import DialogueEntry, grouped, says_of_bot

PASSED = "passed"
"""The test's outcome: 1 if it passed."""


class Worth(NamedTuple):
    """A value on its scale. A metric that is a number may lie beyond 0 to 1: it has no scale."""

    value: float
    low: float = 0.0
    high: float = 1.0

    @property
    def beyond(self) -> bool:
        """Says whether the value lies beyond its scale."""
        return not self.low <= self.value <= self.high


def counts(entry: DialogueEntry) -> bool:
    """Says whether the dialogue counts for or against its bot.

    What others spoiled does not, nor does a goal in quarantine.
    """
    return says_of_bot(entry) and "quarantined" not in entry


def worth_of(entry: DialogueEntry) -> dict[str, Worth]:
    """By name: `passed`, verdicts, rewards, mean scores, the shares of turns that keep rules."""
    found = {PASSED: Worth(float(entry["outcome"] == Outcome.PASSED))}
    for name, value in entry["metrics"].items():
        if value is not None:
            found[name] = Worth(float(value))
    for name, scores in entry["scores"].items():
        given = [score["value"] for score in scores if score["value"] is not None]
        if given:
            low, high = scores[0]["scale"]
            found[name] = Worth(sum(given) / len(given), low, high)
    for name, results in entry["rules"].items():
        applied = [value for value in rule_values(results) if value in (0, 1)]
        if applied:
            found[f"rules.{name}"] = Worth(sum(applied) / len(applied))
    return found


def seconds_per_turn(entry: DialogueEntry) -> float | None:
    """Returns what the bot took for an answer on average; None if the file does not say."""
    if "seconds_per_turn" in entry:
        return entry["seconds_per_turn"]
    found = [turn.get("latency_s", 0.0) for turn in entry["turns"]]
    return fmean(found) if any(found) else None


SPARED = 0.25
"""Of all trials: so many may be left out for goals to have as many in both runs."""

Entries = Sequence[DialogueEntry]
Scale = tuple[float, float]
Trials = list[tuple[list[float], list[float]]]
"""Of one goal, by bot, user and test: in the first run and in the second."""


@dataclass(frozen=True, slots=True)
class PairedValues:
    """One value of the goals that have it in both runs."""

    pairs: Mapping[str, tuple[float, float]]
    """By goal, the means over its trials."""
    span: float
    """The width of the scale; if values lie beyond it, from the least to the greatest."""
    same_trials: bool
    """Whether each goal has as many trials in both runs."""

    @property
    def differences(self) -> dict[str, float]:
        """By goal, what it is now less what it was."""
        return {goal: now - before for goal, (before, now) in self.pairs.items()}


def paired_values(
    first: Mapping[str, Entries],
    second: Mapping[str, Entries],
    shared: Sequence[str],
) -> dict[str, PairedValues]:
    """By name. If one run lost a few trials, so does the other; if it has far fewer, all count."""
    trials: defaultdict[str, dict[str, Trials]] = defaultdict(dict)
    scales: dict[str, Scale] = {}
    for goal in shared:
        for one, other in alike(first[goal], second[goal]):
            before, now = trials_of(one), trials_of(other)
            for name, (values, scale) in before.items():
                if name in now:
                    scales[name] = _widened(scales.get(name, scale), scale, now[name][1])
                    trials[name].setdefault(goal, []).append((values, now[name][0]))
    return {name: _paired(found, width(scales[name])) for name, found in trials.items()}


def width(scale: Scale) -> float:
    """From one end of a scale to the other."""
    return scale[1] - scale[0]


def _widened(*scales: Scale) -> Scale:
    return min(low for low, _ in scales), max(high for _, high in scales)


def alike(before: Entries, now: Entries) -> list[tuple[Entries, Entries]]:
    """Returns the dialogues of one goal, by the bots, users and tests that both runs have.

    All are held against all if there is none of these, as a bot or a test was renamed.
    """
    one, other = grouped(before, _played_by), grouped(now, _played_by)
    return [(one[part], other[part]) for part in one if part in other] or [(before, now)]


def _played_by(entry: DialogueEntry) -> tuple[str | None, ...]:
    return entry.get("bot"), entry.get("user"), entry["test"].partition("[")[0]


def _paired(trials: Mapping[str, Trials], span: float) -> PairedValues:
    parts = [part for found in trials.values() for part in found]
    every = sum(len(before) + len(now) for before, now in parts)
    kept = 2 * sum(min(len(before), len(now)) for before, now in parts)
    evened = kept >= (1 - SPARED) * every
    pairs = {}
    for goal, found in trials.items():
        even = [_evened(*part) for part in found] if evened else found
        one, other = ([value for part in even for value in part[run]] for run in (0, 1))
        pairs[goal] = fmean(one), fmean(other)
    return PairedValues(pairs, span, evened)


def _evened(before: list[float], now: list[float]) -> tuple[list[float], list[float]]:
    most = min(len(before), len(now))
    return before[:most], now[:most]


def trials_of(entries: Entries) -> dict[str, tuple[list[float], Scale]]:
    """By name: the values of one goal's trials, and their scale, which holds them all."""
    found: dict[str, tuple[list[float], Scale]] = {}
    for entry in entries:
        for name, (value, low, high) in worth_of(entry).items():
            values, scale = found.get(name, ([], (low, high)))
            found[name] = [*values, value], _widened(scale, (low, high), (value, value))
    return found
