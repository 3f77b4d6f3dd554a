"""The summary of a run with several bots or users, each by itself; and what is only claimed."""

from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.core.verdict import CLAIMED
from pytest_todeval.runs.reports.schema import MetricSummary, PlayersSummary, Summary
from pytest_todeval.runs.reports.table import NONE, aligned, number
from pytest_todeval.runs.reports.trials import is_pass_k
from pytest_todeval.runs.statistics.combine import COMBINE


def players_lines(summary: Summary) -> Iterator[str]:
    """Returns a table of the bots and one of the users, if there are several.

    What is named by a sentence, or has a cut-off, has no column: `todeval report` shows it.
    """
    for title, found in (("by bot", summary.get("bots")), ("by user", summary.get("users"))):
        if found:
            yield from (f"  {line}" for line in aligned(list(_rows(title, found))))


def _rows(title: str, found: Mapping[str, PlayersSummary]) -> Iterator[Sequence[str]]:
    each = list(found.values())
    metrics = [
        name
        for name in dict.fromkeys(name for one in each for name in one["metrics"])
        if "/" not in name
        and " " not in name
        and name != COMBINE
        and not is_pass_k(name)
        and any(one["metrics"].get(name, {"total": 0})["total"] for one in each)
    ]
    names = dict.fromkeys(name for one in each for name in one.get("scores", {}))
    scores = [name for name in names if " " not in name and "@" not in name]
    yield [title, "dialogues", "passed", *metrics, *scores]
    for name, one in found.items():
        yield [
            " ".join(name.split()),
            str(one["dialogues"]),
            str(one["outcomes"]["passed"]),
            *(_rate(one["metrics"].get(metric)) for metric in metrics),
            *(number(one.get("scores", {}).get(score, {"mean": None})["mean"]) for score in scores),
        ]


def _rate(found: MetricSummary | None) -> str:
    if found is None or found["rate"] is None:
        return NONE
    if found["hits"] is None:
        return f"{found['rate']:.3f}"
    return f"{found['hits']} of {found['total']}"


def claimed_lines(summary: Summary) -> Iterator[str]:
    """A line on the passed verdicts that nothing but the bot's own words and reports shows."""
    parts = []
    for name, count in summary.get("claimed", {}).items():
        hits = summary["metrics"].get(name, {"hits": None})["hits"]
        parts.append(f"{name} {count}" if hits is None else f"{name} {count} of {hits} passed")
    if parts:
        yield f"  {CLAIMED}: {', '.join(parts)} (--todeval-claims=fail refuses these)"
