"""The summary of a results file: counts of all dialogues, rates and means of those that count."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.core.verdict import Score
from pytest_todeval.reports.entry import STANDARD_METRICS
from pytest_todeval.reports.schema import (
    DialogueEntry,
    MetricSummary,
    MetricValue,
    ScoreEntry,
    ScoreSummary,
    Summary,
)

__all__ = ["DIFFERS", "definitions", "score_summary", "summary"]

DIFFERS = "(differs)"
"""What stands in place of a setting or a definition that is not one."""


def summary(entries: Sequence[DialogueEntry]) -> Summary:
    """Counts of all entries; rates and scores over those that passed or failed."""
    outcomes = Counter(entry["outcome"] for entry in entries)
    counted = [e for e in entries if e["outcome"] in (Outcome.PASSED, Outcome.FAILED)]
    names = dict.fromkeys([*STANDARD_METRICS, *sorted({n for e in entries for n in e["metrics"]})])
    return {
        "dialogues": len(entries),
        "outcomes": {outcome.value: outcomes[outcome.value] for outcome in Outcome},
        "metrics": {name: _rate([e["metrics"].get(name) for e in counted]) for name in names},
        "scores": {
            name: score_summary(score for e in counted for score in e["scores"].get(name, ()))
            for name in sorted({name for e in entries for name in e["scores"]})
        },
    }


def score_summary(scores: Iterable[ScoreEntry]) -> ScoreSummary:
    """What the scores of one name come to; no mean of numbers that mean different things."""
    scores = list(scores)
    values = [score["value"] for score in scores if score["value"] is not None]
    idle = sum(score["unscored"] == Score.NOT_APPLICABLE for score in scores)
    found = definitions(scores)
    comparable = bool(values) and len(found) == 1
    return {
        "mean": math.fsum(values) / len(values) if comparable else None,
        "min": min(values) if comparable else None,
        "scored": len(values),
        "not_applicable": idle,
        "unscored": len(scores) - len(values) - idle,
        "definition": DIFFERS if len(found) > 1 else "".join(found),
    }


def definitions(scores: Iterable[ScoreEntry]) -> list[str]:
    """The definitions that the scores have; an empty one where the file does not say."""
    return sorted({score.get("definition", "") for score in scores})


def _rate(values: Sequence[MetricValue]) -> MetricSummary:
    applicable = [value for value in values if value is not None]
    yes_no = all(isinstance(value, bool) for value in applicable)
    return {
        "hits": sum(value is True for value in applicable) if yes_no else None,
        "total": len(applicable),
        "rate": math.fsum(applicable) / len(applicable) if applicable else None,
    }
