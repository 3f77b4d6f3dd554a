"""Scores made of several metrics: AutoTOD's Combine, and composites with weights of one's own."""

import math
from collections.abc import Iterator, Mapping, Sequence

from pytest_todeval.runs.reports.schema import DialogueEntry, MetricSummary, PlayersSummary
from pytest_todeval.runs.reports.summary_schema import CompositeSummary
from pytest_todeval.runs.statistics.combine import COMBINE, combine
from pytest_todeval.runs.statistics.composite import Composite

INFORM = "inform"


def combine_summaries(
    entries: Sequence[DialogueEntry], metrics: Mapping[str, MetricSummary]
) -> dict[str, MetricSummary]:
    """Combine over dialogues, and by domain if the metrics are: `combine`, `combine/hotel`.

    So of each inform that has a verdict on bookings beside it, `autotod_inform` also; of a corpus,
    in which nothing is booked, another score has this name. None has a rate if a part has none.
    """
    judged = {name for entry in entries for name in entry["verdicts"]}
    found = {}
    for name in metrics:
        prefix, is_inform, domain = name.partition(INFORM)
        if not is_inform or not (domain == "" or domain.startswith("/")):
            continue
        parts = [f"{prefix}{each}{domain}" for each in (INFORM, "success", "booking")]
        asked = [metrics[part] for part in parts if part in metrics and metrics[part]["total"]]
        values = list(_combined(entries, parts)) if f"{prefix}booking" in judged else []
        if values:
            known = all(each["rate"] is not None for each in asked)
            rate = math.fsum(values) / len(values) if known else None
            found[f"{prefix}{COMBINE}{domain}"] = MetricSummary(
                hits=None, total=len(values), rate=rate
            )
    return found


def _combined(entries: Sequence[DialogueEntry], parts: Sequence[str]) -> Iterator[float]:
    """Of each dialogue whose inform is known, and in which nothing else is undecided."""
    for entry in entries:
        undecided = any(_undecided(entry, part) for part in parts)
        inform, success, booking = (entry["metrics"].get(part) for part in parts)
        if inform is not None and not undecided:
            yield combine(inform, success, booking)


def _undecided(entry: DialogueEntry, metric: str) -> bool:
    found = entry["verdicts"].get(metric, {})
    return bool(found.get("doubt") or found.get("refused"))


def composite_summaries(
    composites: Sequence[Composite], found: PlayersSummary, entries: Sequence[DialogueEntry]
) -> dict[str, CompositeSummary]:
    """Each composite of what the dialogues come to; scores are taken from their scale to 0 to 1."""
    parts: dict[str, float | None] = {
        **{name: each["adherence"] for name, each in found.get("rules", {}).items()},
        **{
            name: _share(each["mean"], _scale(name, entries))
            for name, each in found.get("scores", {}).items()
        },
        **{name: each["rate"] for name, each in found["metrics"].items()},
    }
    return {
        each.name: {
            "value": each.value(parts),
            "definition": each.formula,
            "missing": list(each.missing(parts)),
        }
        for each in composites
    }


def _scale(name: str, entries: Sequence[DialogueEntry]) -> tuple[float, float]:
    scales = (score["scale"] for entry in entries for score in entry["scores"].get(name, ()))
    least, most = next(scales, (0, 1))
    return least, most


def _share(mean: float | None, scale: tuple[float, float]) -> float | None:
    least, most = scale
    return None if mean is None or least == most else (mean - least) / (most - least)
