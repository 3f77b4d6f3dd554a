"""All that a results file says of its dialogues together, as text for a person."""

from collections.abc import Iterator, Sequence

from pytest_todeval.runs.reports.answer_lines import answer_lines, kept
from pytest_todeval.runs.reports.breakdown import breakdown_lines
from pytest_todeval.runs.reports.failures import failure_lines
from pytest_todeval.runs.reports.games import game_lines
from pytest_todeval.runs.reports.matrix import matrices, matrix_lines
from pytest_todeval.runs.reports.quarantines import quarantine_lines
from pytest_todeval.runs.reports.schema import MetricSummary, Results, Summary
from pytest_todeval.runs.reports.sequential.stopped import stopped_lines
from pytest_todeval.runs.reports.table import aligned, number, one_line, percent
from pytest_todeval.runs.reports.trials import trial_lines


def report_lines(results: Results) -> Iterator[str]:
    """Tables of metrics, scores, rules, keywords, resolution, times and costs; then by part.

    What the file says nothing of has no table.
    """
    summary = results["summary"]
    counts = [f"{count} {name}" for name, count in summary["outcomes"].items() if count]
    yield f"{summary['dialogues']} dialogues" + (f": {', '.join(counts)}" if counts else "")
    yield from (line.strip() for line in stopped_lines(results["environment"]))
    told = [line.strip() for line in answer_lines(summary) if not line.startswith("  rules:")]
    told += [line[2:] for line in trial_lines(summary.get("flips"))]
    told += [line[2:] for line in quarantine_lines(summary)]
    for table in (
        _metrics(summary),
        _scores(summary),
        _rules(summary),
        _scores_by_turn(summary),
        _resolution(summary),
        _resolved_by_turn(summary),
        _latency(summary),
        _effort(summary),
        _spent(summary),
        game_lines(summary.get("games"), summary.get("violations", {})),
        _keywords(summary),
    ):
        rows = list(table)
        if len(rows) > 1:
            yield ""
            yield from aligned(rows)
    if told:
        yield ""
        yield from told
    yield from breakdown_lines(summary)
    if any("reward" in entry["verdicts"] for entry in results["dialogues"]):
        failed = list(failure_lines({"": results}))
        yield from (["", *failed] if failed else [])
    yield from _cells(results)


def _cells(results: Results) -> Iterator[str]:
    """Tables of systems by users, if there are several of both."""
    if "cells" in results["summary"]:
        for matrix in matrices(results["dialogues"]):
            yield ""
            yield f"by system and user: {matrix.metric}"
            yield from matrix_lines(matrix)


def _metrics(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["metric", "rate", "dialogues", "claimed only"]
    claimed = summary.get("claimed", {})
    for name, found in summary["metrics"].items():
        if found["total"]:
            only = str(claimed[name]) if name in claimed else ""
            yield [one_line(name), *_rate(found), only]


def _rate(found: MetricSummary) -> tuple[str, str]:
    if found["rate"] is None:
        return "no mean", f"{found['total']} of different definitions"
    if found["hits"] is None:
        return f"{found['rate']:.3f}", f"mean of {found['total']}"
    return percent(found["rate"]), f"{found['hits']} of {found['total']}"


def _scores(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["score", "mean", "least", "scored", "not applicable", "unscored"]
    for name, found in summary.get("scores", {}).items():
        counts = (found["scored"], found["not_applicable"], found["unscored"])
        figures = number(found["mean"]), number(found["min"], ".3g")
        yield [one_line(name), *figures, *map(str, counts)]


def _rules(summary: Summary) -> Iterator[Sequence[str]]:
    """Returns the worst first, those that never applied last."""
    yield ["rule", "adherence", "complies", "broken", "not applicable", "untold"]
    rules = summary.get("rules", {})
    for name, found in sorted(rules.items(), key=lambda rule: (kept(rule[1]), rule[0])):
        counts = (found["complies"], found["broken"], found["not_applicable"], found["untold"])
        yield [one_line(name), percent(found["adherence"]), *map(str, counts)]


def _scores_by_turn(summary: Summary) -> Iterator[Sequence[str]]:
    """Returns a row per turn; no column of what is named by a sentence."""
    scores = {name: each for name, each in summary.get("by_turn", {}).items() if " " not in name}
    yield ["score by turn", *scores]
    for turn in sorted({int(turn) for each in scores.values() for turn in each}):
        yield [str(turn), *(number(each.get(str(turn))) for each in scores.values())]


def _resolution(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["resolved", "dialogues", "mean turn"]
    for name, found in summary.get("resolution", {}).items():
        yield [name, f"{found['resolved']} of {found['total']}", number(found["turns"])]


def _resolved_by_turn(summary: Summary) -> Iterator[Sequence[str]]:
    """Returns a row per turn: the share of all dialogues that is resolved by then."""
    resolution = summary.get("resolution", {})
    yield ["resolved by turn", *resolution]
    for turn in range(max((len(found["by_turn"]) for found in resolution.values()), default=0)):
        yield [str(turn + 1), *(_share(found["by_turn"], turn) for found in resolution.values())]


def _share(by_turn: Sequence[float], turn: int) -> str:
    """After the last turn in which one was resolved it stays as it is."""
    return percent(by_turn[min(turn, len(by_turn) - 1)] if by_turn else None)


def _latency(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["seconds", "turns", "P50", "P90", "most"]
    if "latency" in summary:
        for name, found in {
            "a turn of the bot": summary["latency"]["turn"],
            **summary["latency"]["spans"],
        }.items():
            times = (found["p50"], found["p90"], found["most"])
            yield [one_line(name), str(found["count"]), *(f"{each:.3f}" for each in times)]


def _effort(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["per dialogue", ""]
    if "per_dialogue" in summary:
        found = summary["per_dialogue"]
        for name, value in (
            ("turns", found["turns"]),
            ("seconds of the bot", found["seconds"]),
            ("done per turn", found["efficiency"]),
        ):
            if value is not None:
                yield [name, f"{value:.3f}"]


def _spent(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["spent per dialogue", "prompt", "completion", "dollars", "dollars by FLOPs"]
    if "per_dialogue" in summary:
        for lane, found in summary["per_dialogue"]["spent"].items():
            tokens = (found["prompt_tokens"], found["completion_tokens"])
            dollars = (found["dollars"], found["flop_dollars"])
            told = (*(number(n, ",.0f") for n in tokens), *(number(d, ".4f") for d in dollars))
            yield [lane, *told]


def _keywords(summary: Summary) -> Iterator[Sequence[str]]:
    yield ["keywords", "raised", ""]
    for name, found in summary.get("keywords", {}).items():
        yield [one_line(name), f"{found['raised']} of {found['total']}", ""]
        yield from ([f"  by the {who}", str(count), ""] for who, count in found["by"].items())
        yield from (
            [f"  not raised: {one_line(word)}", str(count), ""]
            for word, count in found["missed"].items()
        )
