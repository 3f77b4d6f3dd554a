"""What a dialogue is worth, in numbers by name, for comparing runs: more is better in each."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.reports.answer_summary import rule_values
from pytest_todeval.reports.schema import DialogueEntry, grouped, says_of_bot

PASSED = "passed"
"""The test's outcome: 1 if it passed."""

Worth = tuple[float, float]
"""A value, and the width of its scale."""


def counts(entry: DialogueEntry) -> bool:
    """Whether the dialogue counts for or against its bot.

    What others spoiled does not, nor does a goal in quarantine.
    """
    return says_of_bot(entry) and "quarantined" not in entry


def worth_of(entry: DialogueEntry) -> dict[str, Worth]:
    """By name: `passed`, verdicts, rewards, mean scores, and the share of turns that keep a rule.

    A metric that is a number beyond 0 to 1 has no known scale, and is left out.
    """
    found = {PASSED: (float(entry["outcome"] == Outcome.PASSED), 1.0)}
    for name, value in entry["metrics"].items():
        if value is not None and 0 <= value <= 1:
            found[name] = (float(value), 1.0)
    for name, scores in entry["scores"].items():
        given = [score["value"] for score in scores if score["value"] is not None]
        if given:
            low, high = scores[0]["scale"]
            found[name] = (sum(given) / len(given), high - low)
    for name, results in entry["rules"].items():
        applied = [value for value in rule_values(results) if value in (0, 1)]
        if applied:
            found[f"rules.{name}"] = (sum(applied) / len(applied), 1.0)
    return found


SPARED = 0.25
"""Of all trials: so many may be left out for goals to have as many in both runs."""

Entries = Sequence[DialogueEntry]
Trials = list[tuple[list[float], list[float]]]
"""Of one goal, by bot, user and test: in the first run and in the second."""


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
    first: Mapping[str, Entries],
    second: Mapping[str, Entries],
    shared: Sequence[str],
) -> dict[str, PairedValues]:
    """By name. If one run lost a few trials, so does the other; if it has far fewer, all count."""
    trials: defaultdict[str, dict[str, Trials]] = defaultdict(dict)
    spans: dict[str, float] = {}
    for goal in shared:
        for one, other in alike(first[goal], second[goal]):
            before, now = trials_of(one), trials_of(other)
            for name, (values, span) in before.items():
                if name in now:
                    spans.setdefault(name, span)
                    trials[name].setdefault(goal, []).append((values, now[name][0]))
    return {name: _paired(found, spans[name]) for name, found in trials.items()}


def alike(before: Entries, now: Entries) -> list[tuple[Entries, Entries]]:
    """The dialogues of one goal, by the bots, users and tests that both runs have.

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


def trials_of(entries: Entries) -> dict[str, tuple[list[float], float]]:
    """By name: the values of one goal's trials, and the width of their scale."""
    found: dict[str, tuple[list[float], float]] = {}
    for entry in entries:
        for name, (value, span) in worth_of(entry).items():
            found.setdefault(name, ([], span))[0].append(value)
    return found
