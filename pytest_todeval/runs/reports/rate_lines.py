"""Metrics and scores of a run, a line each; of those named by a sentence, only the worst."""

import re
from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.runs.reports.schema import MetricSummary, ScoreSummary
from pytest_todeval.runs.reports.table import number, one_line
from pytest_todeval.runs.reports.trials import is_pass_k
from pytest_todeval.runs.statistics.combine import COMBINE

IN_REPORT = "(`todeval report` on the results file shows all)"
SHORT_NAME = 8
"""Characters that a metric's name is given at the least."""
LONGEST_NAME = 60
"""Statements and unit tests are named by their sentence."""
LISTED = 5
CUT_OFF = re.compile(r"([\w-]+)@([0-9]{1,9})")


def rate_lines(metrics: Mapping[str, MetricSummary]) -> Iterator[str]:
    """Returns a line per metric; of those named by a sentence, only the worst."""
    rates = {
        name: rate
        for name, rate in metrics.items()
        if rate["total"] and not is_pass_k(name) and not name.partition("/")[0].endswith(COMBINE)
    }
    told, more = _chosen(rates)
    shown = {name: one_line(name, LONGEST_NAME) for name in told}
    width = max([SHORT_NAME, *map(len, shown.values())])
    yield from (_rate(f"{shown[name]:<{width}}", rates[name]) for name in told)
    if more:
        yield f"  and {more} more statements {IN_REPORT}"


def score_lines(scores: Mapping[str, ScoreSummary]) -> Iterator[str]:
    """Returns a line per score: its mean and least number, and how many there are not.

    Those with a cut-off (`hit_rate@5`) share one.
    """
    others = {name: each for name, each in scores.items() if not CUT_OFF.fullmatch(name)}
    told, more = _chosen(others)
    for name in told:
        found = scores[name]
        if found["scored"] or _lacking(found):
            yield f"  {one_line(name, LONGEST_NAME)}: {_mean(found)}{_lacking(found)}"
    yield from _cut_off(scores)
    if more:
        yield f"  and {more} more scores {IN_REPORT}"


def _cut_off(scores: Mapping[str, ScoreSummary]) -> Iterator[str]:
    groups: dict[str, dict[str, ScoreSummary]] = {}
    for name, found in scores.items():
        if cut := CUT_OFF.fullmatch(name):
            groups.setdefault(cut[1], {})[cut[2]] = found
    for base, group in groups.items():
        means = [f"@{cutoff} {number(found['mean'])}" for cutoff, found in group.items()]
        first = next(iter(group.values()))
        told = f"{', '.join(means)}, of {first['scored']}{_lacking(first)}"
        yield f"  {one_line(base, LONGEST_NAME)}{told}"


def _lacking(found: ScoreSummary) -> str:
    told = [
        f"{found['not_applicable']} not applicable" if found["not_applicable"] else "",
        f"{found['unscored']} unscored" if found["unscored"] else "",
    ]
    return "".join(f"; {text}" for text in told if text)


def _mean(found: ScoreSummary) -> str:
    if not found["scored"]:
        return "no score"
    if found["mean"] is None or found["min"] is None:
        return f"{found['scored']} scores of different definitions, no mean"
    return f"mean {found['mean']:.2f}, least {found['min']:.3g}, of {found['scored']}"


def _rate(name: str, rate: MetricSummary) -> str:
    value = rate["rate"]
    if value is None:
        return f"  {name} {rate['total']} of different definitions, no mean"
    if rate["hits"] is None:
        return f"  {name} mean {value:.3f} over {rate['total']}"
    return f"  {name} {rate['hits']:>4} of {rate['total']:<4} {100 * value:5.1f} %"


def _chosen(
    named: Mapping[str, ScoreSummary] | Mapping[str, MetricSummary],
) -> tuple[Sequence[str], int]:
    """The names that are told: words all of them, of sentences the worst; and how many are not."""
    sentences = [name for name in named if " " in name]
    sentences.sort(key=lambda name: (_value(named[name]), name))
    told = set(sentences[:LISTED])
    return [name for name in named if " " not in name or name in told], max(
        len(sentences) - LISTED, 0
    )


def _value(found: ScoreSummary | MetricSummary) -> float:
    """Without a number it is told first: something is not as it ought to be."""
    value = found.get("mean", found.get("rate"))
    return value if isinstance(value, int | float) else float("-inf")
