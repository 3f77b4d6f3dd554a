"""The values of goals that two runs have, with as many trials of a goal in both as can be had."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.reports.comparison.values import worth_of
from pytest_todeval.reports.schema import DialogueEntry

__all__ = ["PairedValues", "paired_values", "trials_of"]

SPARED = 0.25
"""Of all trials: so many may be left out for goals to have as many in both runs."""

Trials = tuple[list[float], list[float]]
"""Of one goal, in the first run and in the second."""


@dataclass(frozen=True, slots=True)
class PairedValues:
    """One value of the goals that have it in both runs."""

    pairs: Mapping[str, tuple[float, float]]
    """By goal, the means over its trials."""
    span: float
    """The width of the scale."""
    same_trials: bool
    """Whether each goal has as many trials in both runs."""


def paired_values(
    first: Mapping[str, Sequence[DialogueEntry]],
    second: Mapping[str, Sequence[DialogueEntry]],
    shared: Sequence[str],
) -> dict[str, PairedValues]:
    """By name. If one run lost a few trials, so does the other; if it has far fewer, all count."""
    trials: defaultdict[str, dict[str, Trials]] = defaultdict(dict)
    spans: dict[str, float] = {}
    for goal in shared:
        before, now = trials_of(first[goal]), trials_of(second[goal])
        for name, (values, span) in before.items():
            if name in now:
                spans.setdefault(name, span)
                trials[name][goal] = values, now[name][0]
    return {name: _paired(found, spans[name]) for name, found in trials.items()}


def _paired(trials: Mapping[str, Trials], span: float) -> PairedValues:
    every = sum(len(before) + len(now) for before, now in trials.values())
    kept = 2 * sum(min(len(before), len(now)) for before, now in trials.values())
    evened = kept >= (1 - SPARED) * every
    pairs = {}
    for goal, (before, now) in trials.items():
        most = min(len(before), len(now)) if evened else None
        pairs[goal] = _mean(before[:most]), _mean(now[:most])
    return PairedValues(pairs, span, evened)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def trials_of(entries: Sequence[DialogueEntry]) -> dict[str, tuple[list[float], float]]:
    """By name: the values of one goal's trials, and the width of their scale."""
    found: dict[str, tuple[list[float], float]] = {}
    for entry in entries:
        for name, (value, span) in worth_of(entry).items():
            found.setdefault(name, ([], span))[0].append(value)
    return found
