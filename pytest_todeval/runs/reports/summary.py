"""The summary of a results file: counts of all dialogues, rates and means of those that count."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, cast

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.score import Score
from pytest_todeval.core.verdict import CLAIMED
from pytest_todeval.runs.reports.answer_summary import (
    DIFFERS,
    comparison_summary,
    keyword_summary,
    overall_summary,
    rule_summaries,
)
from pytest_todeval.runs.reports.effort import effort_summary, latency_summary, resolution_summaries
from pytest_todeval.runs.reports.entry import STANDARD_METRICS
from pytest_todeval.runs.reports.games import games_summary, violation_counts
from pytest_todeval.runs.reports.quarantines import QUARANTINES, quarantine_summary
from pytest_todeval.runs.reports.schema import (
    DialogueEntry,
    MetricSummary,
    Noun,
    PlayersSummary,
    ScoreSummary,
    Summary,
    grouped,
    says_of_bot,
)
from pytest_todeval.runs.reports.trials import flip_summary, pass_k_of
from pytest_todeval.runs.reports.weighted import combine_summaries, composite_summaries
from pytest_todeval.runs.statistics.composite import Composite

PLAIN = "plain"
"""The variation of dialogues whose user speaks as it is."""


def summary(entries: Sequence[DialogueEntry], composites: Sequence[Composite] = ()) -> Summary:
    """Counts of all entries; rates and scores over those that passed or failed.

    Of several bots, users, domains, ... each by itself as well: a mean over all is of none.
    """
    parts = {
        name: {part: _of(found, composites) for part, found in each.items()}
        for name, each in breakdowns(entries).items()
    }
    whole = _of(entries, composites)
    cells = cells_of(entries) if {"bots", "users"} <= parts.keys() else {}
    by_turn = _by_turn(_counted(entries), whole["scores"])
    added = {"by_turn": by_turn, "cells": cells, "flips": flip_summary(entries)}
    added |= {name: quarantine_summary(entries, name) for name in QUARANTINES}
    return cast("Summary", {**whole, **{k: v for k, v in added.items() if v}, **parts})


def cells_of(entries: Sequence[DialogueEntry]) -> dict[str, dict[str, PlayersSummary]]:
    """Returns what each bot comes to with each user that it met, by name."""
    met = grouped(entries, lambda entry: (entry.get("bot", ""), entry.get("user", "")))
    found: dict[str, dict[str, PlayersSummary]] = {}
    for (bot, user), each in sorted(met.items()):
        if bot and user:
            found.setdefault(bot, {})[user] = _of(each, ())
    return found


def timeless_summary(summary: Summary) -> Summary:
    """Returns a copy without what was summed up from latencies."""
    found: dict[str, Any] = {**summary}
    for name in PARTS.keys() & found.keys():
        found[name] = {part: _timeless(each) for part, each in found[name].items()}
    if "cells" in found:
        found["cells"] = {
            bot: {user: _timeless(each) for user, each in users.items()}
            for bot, users in found["cells"].items()
        }
    return cast("Summary", _timeless(found))


def _timeless(summary: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: each for name, each in summary.items() if name != "latency"}
    if "per_dialogue" in found:
        found["per_dialogue"] = {**found["per_dialogue"], "seconds": None}
    return found


def breakdowns(
    entries: Sequence[DialogueEntry],
) -> dict[str, dict[str, list[DialogueEntry]]]:
    """Returns the entries of each bot, user, domain, ..., by name, if there are several.

    A single label that only some goals carry is a part, too.
    """
    found: dict[str, dict[str, list[DialogueEntry]]] = {name: {} for name in PARTS}
    for entry in entries:
        for name, parts in PARTS.items():
            for part in parts(entry):
                found[name].setdefault(part, []).append(entry)
    some = [each for each in found["labels"].values() if len(each) < len(entries)]
    return {
        name: dict(sorted(each.items()))
        for name, each in found.items()
        if len(each) > 1 or (name == "labels" and some)
    }


def _domains(entry: DialogueEntry) -> list[str]:
    """Older files do not hold the goal."""
    goal = entry.get("goal_record", {})
    return sorted({part["domain"] for part in goal.get("domains", ())})


def _combination(entry: DialogueEntry) -> Sequence[str]:
    domains = _domains(entry)
    return ("+".join(domains),) if domains else ()


PARTS: Mapping[str, Callable[[DialogueEntry], Sequence[str]]] = {
    "bots": lambda entry: [name] if (name := entry.get("bot")) else [],  # not in older files
    "users": lambda entry: [name] if (name := entry.get("user")) else [],
    "goal_sets": lambda entry: (entry["goal"].rpartition("/")[0],),
    "variations": lambda entry: (entry.get("variation") or PLAIN,),
    "domains": _domains,
    "combinations": _combination,
    "labels": lambda entry: sorted(set(entry.get("goal_record", {}).get("labels", ()))),
}
"""To which parts of each breakdown a dialogue belongs."""


def _of(entries: Sequence[DialogueEntry], composites: Sequence[Composite]) -> PlayersSummary:
    outcomes = Counter(entry["outcome"] for entry in entries)
    counted = _counted(entries)
    names = dict.fromkeys([*STANDARD_METRICS, *sorted({n for e in entries for n in e["metrics"]})])
    metrics = {name: _rate(name, counted) for name in names}
    found: PlayersSummary = {
        "dialogues": len(entries),
        "outcomes": {outcome.value: outcomes[outcome.value] for outcome in Outcome},
        "metrics": {**metrics, **combine_summaries(counted, metrics), **pass_k_of(entries)},
        "scores": {
            name: score_summary(score for e in counted for score in e["scores"].get(name, ()))
            for name in sorted({name for e in entries for name in e["scores"]}, key=_by_cutoff)
        },
        "claimed": dict(sorted(Counter(_claimed(counted)).items())),
    }
    added = {
        "rules": rule_summaries(counted),
        "comparisons": comparison_summary(counted),
        "keywords": keyword_summary(counted),
        "overall": overall_summary(found["scores"]),
        "resolution": resolution_summaries(counted),
        "latency": latency_summary(counted),
        "per_dialogue": effort_summary(counted) if counted else None,
        "games": games_summary(entries),
        "violations": violation_counts(entries),
    }
    found.update(cast("PlayersSummary", {name: each for name, each in added.items() if each}))
    if composites:
        found["composites"] = composite_summaries(composites, found, counted)
    return found


def _by_cutoff(name: str) -> tuple[str, int, str]:
    """`hit_rate@3` before `hit_rate@10`."""
    base, _, cutoff = name.partition("@")
    return base, int(cutoff) if cutoff.isdecimal() and len(cutoff) < 10 else 0, name


def _counted(entries: Sequence[DialogueEntry]) -> list[DialogueEntry]:
    return list(filter(says_of_bot, entries))


def _by_turn(
    entries: Sequence[DialogueEntry], scores: Mapping[str, ScoreSummary]
) -> dict[str, dict[str, float]]:
    """Returns the mean of each score by turn, over the dialogues that have a number in that turn.

    Of hit rates these are AutoEval-ToD's progressive ones (section 3.3, figure 4).
    """
    found: dict[str, dict[str, float]] = {}
    for name in (name for name, each in scores.items() if each["mean"] is not None):
        values: dict[int, list[float]] = {}
        for score in (score for entry in entries for score in entry["scores"].get(name, ())):
            if score["turn"] is not None and score["value"] is not None:
                values.setdefault(score["turn"], []).append(score["value"])
        if len(values) > 1:
            found[name] = {str(turn): fmean(each) for turn, each in sorted(values.items())}
    return found


def _claimed(entries: Sequence[DialogueEntry]) -> Iterator[str]:
    """Returns the metrics of passed verdicts that nothing but the bot's words shows."""
    for entry in entries:
        for name, verdict in entry["verdicts"].items():
            if verdict["basis"] == CLAIMED and verdict["passed"] and verdict["applicable"]:
                yield name


def score_summary(scores: Iterable[Noun]) -> ScoreSummary:
    """What the scores of one name come to; no mean of numbers that mean different things."""
    scores = list(scores)
    values = [score["value"] for score in scores if score["value"] is not None]
    idle = sum(score["unscored"] == Score.NOT_APPLICABLE for score in scores)
    found = definitions(scores)
    comparable = bool(values) and len(found) == 1
    return {
        "mean": fmean(values) if comparable else None,
        "min": min(values) if comparable else None,
        "scored": len(values),
        "not_applicable": idle,
        "unscored": len(scores) - len(values) - idle,
        "definition": DIFFERS if len(found) > 1 else "".join(found),
    }


def definitions(scores: Iterable[Noun]) -> list[str]:
    """Returns the definitions that the scores have; an empty one if the file does not say."""
    return sorted({score.get("definition", "") for score in scores})


def _rate(name: str, entries: Sequence[DialogueEntry]) -> MetricSummary:
    having = [(e["metrics"].get(name), e["verdicts"].get(name)) for e in entries]
    applicable = [value for value, _ in having if value is not None]
    told = {_definition(verdict) for value, verdict in having if verdict and value is not None}
    if len(told) > 1:
        return {"hits": None, "total": len(applicable), "rate": None}
    yes_no = all(isinstance(value, bool) for value in applicable)
    return {
        "hits": sum(value is True for value in applicable) if yes_no else None,
        "total": len(applicable),
        "rate": fmean(applicable) if applicable else None,
    }


def _definition(verdict: Noun) -> str:
    return f"{verdict.get('metric_set', 'online')} {verdict['version']}"  # older files are online
