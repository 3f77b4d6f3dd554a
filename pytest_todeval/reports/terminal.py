"""The summary of a run, by outcome and metric."""

from collections.abc import Iterable, Iterator, Mapping

from pytest_todeval.reports.schema import DialogueEntry, MetricSummary, Results

__all__ = ["collected_line", "drift_lines", "summary_lines", "unused_lines"]

_LISTED_FAULTS = 10
_LISTED_DRIFT = 10
_LISTED_UNUSED = 10


def collected_line(count: int, goal_sets: Mapping[str, str]) -> str:
    """What is about to be played, and who plays."""
    sets = ", ".join(f"{name} ({fingerprint})" for name, fingerprint in sorted(goal_sets.items()))
    return f"todeval: {_dialogues(count)} over {sets}"


def summary_lines(results: Results, played_by: Iterable[str]) -> list[str]:
    """Lines for the terminal from a results file's content; `played_by` names who played."""
    dialogues = results["dialogues"]
    summary = results["summary"]
    outcomes = ", ".join(f"{n} {name}" for name, n in summary["outcomes"].items() if n)
    lines = [f"{_dialogues(len(dialogues))} ({'; '.join(played_by)}): {outcomes}"]
    lines += [_rate(name, rate) for name, rate in summary["metrics"].items() if rate["total"]]
    lines += _faults(dialogues)
    return lines


def drift_lines(drift: Iterable[str]) -> Iterator[str]:
    """Where answers to the recorded user drifted, a line for each of the first dialogues."""
    lines = sorted(drift, key=lambda line: line.partition(" in test ")[2])
    yield from (f"  {line}" for line in lines[:_LISTED_DRIFT])
    if len(lines) > _LISTED_DRIFT:
        yield f"  and {len(lines) - _LISTED_DRIFT} more dialogues drifted (--todeval-json has them)"


def unused_lines(unused: Iterable[str]) -> Iterator[str]:
    """Recorded calls that passed replays did not play, a line for each of the first dialogues."""
    lines = sorted(unused, key=lambda line: line.partition("): ")[2])
    yield from (f"  cassettes: {line}" for line in lines[:_LISTED_UNUSED])
    if len(lines) > _LISTED_UNUSED:
        rest = len(lines) - _LISTED_UNUSED
        yield f"  cassettes: in {rest} more dialogues recorded calls were not played"


def _dialogues(count: int) -> str:
    return f"{count} dialogue{'' if count == 1 else 's'}"


def _rate(name: str, rate: MetricSummary) -> str:
    value = rate["rate"] or 0.0
    if rate["hits"] is None:
        return f"  {name:<8} mean {value:.3f} over {rate['total']}"
    return f"  {name:<8} {rate['hits']:>4} of {rate['total']:<4} {100 * value:5.1f} %"


def _faults(dialogues: list[DialogueEntry]) -> Iterator[str]:
    """The dialogues that say nothing about the bot, with their reason: never silent."""
    faults = [d for d in dialogues if d["outcome"] not in ("passed", "failed")]
    for entry in faults[:_LISTED_FAULTS]:
        why = (entry["detail"] or entry["stop_reason"]).splitlines()[0]
        yield f"  {entry['outcome']}: {entry['goal']}: {why}"
    if len(faults) > _LISTED_FAULTS:
        rest = ", ".join(entry["goal"] for entry in faults[_LISTED_FAULTS:])
        yield f"  and {len(faults) - _LISTED_FAULTS} more: {rest}"
