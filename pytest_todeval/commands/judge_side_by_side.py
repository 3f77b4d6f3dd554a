"""What stands side by side: judge and labels, this dialogue and another, retrieval by turn."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from pytest_todeval.commands.judged import LABELLED
from pytest_todeval.metrics.retrieval import CUTOFFS
from pytest_todeval.reports.schema import DialogueEntry
from pytest_todeval.reports.summary import PLAIN
from pytest_todeval.reports.table import aligned, number

RETRIEVAL = tuple(f"{metric}@{k}" for metric in ("hit_rate", "mrr") for k in CUTOFFS)
MOST_TURNS = 20
"""Rows of a table by turn."""


def side_by_side(entries: Sequence[DialogueEntry]) -> Iterator[str]:
    """Lines on what the entries hold of it; none if they hold nothing of the kind."""
    yield from _agreement(entries)
    yield from _comparisons(entries)
    yield from _retrieval(entries)


def _agreement(entries: Sequence[DialogueEntry]) -> Iterator[str]:
    """In how many turns labels and judge give the same number."""
    names = dict.fromkeys(name for entry in entries for name in entry["scores"])
    for name in names:
        if not name.startswith(LABELLED) or name.removeprefix(LABELLED) not in names:
            continue
        judged = name.removeprefix(LABELLED)
        pairs = [
            (label["value"], score["value"])
            for entry in entries
            for label, score in _paired(entry, name, judged)
            if label["value"] is not None and score["value"] is not None
        ]
        same = sum(label == score for label, score in pairs)
        by_labels, by_judge = (_mean([pair[of] for pair in pairs]) for of in (0, 1))
        yield (
            f"{judged}: labels {by_labels}, judge {by_judge}; they agree in {same} of "
            f"{len(pairs)} turns"
        )


def _paired(
    entry: DialogueEntry, name: str, other: str
) -> Iterator[tuple[dict[str, float | None], dict[str, float | None]]]:
    """The scores of two names, turn by turn."""
    by_turn = {score["turn"]: score for score in entry["scores"].get(other, ())}
    for score in entry["scores"].get(name, ()):
        if score["turn"] in by_turn:
            yield score, by_turn[score["turn"]]


def _comparisons(entries: Sequence[DialogueEntry]) -> Iterator[str]:
    told = [found for entry in entries for found in entry.get("comparisons", ())]
    if not told:
        return
    counts = Counter(found["winner"] or "undecided" for found in told)
    disagree = sum(not found["consistent"] for found in told)
    parts = [f"{counts[name]} {text}" for name, text in WINNERS.items() if counts[name]]
    orders = f" ({disagree} with orders that disagree)" if disagree else ""
    yield f"compared: of {len(told)} pairs, {', '.join(parts)}{orders}"


WINNERS = {
    "this": "better here",
    "other": "better in the other file",
    "tie": "level",
    "undecided": "undecided",
}


def _retrieval(entries: Sequence[DialogueEntry]) -> Iterator[str]:
    """Hit-Rate@k and MRR@k over all queries, by turn, and by variation if there are several."""
    groups: defaultdict[str, list[DialogueEntry]] = defaultdict(list)
    for entry in entries:
        groups[entry.get("variation") or PLAIN].append(entry)
    rows = [_row("all turns", entries)]
    turns = sorted({turn for entry in entries for turn in _queried(entry)})
    rows += [_row(f"turn {turn}", entries, turn) for turn in turns[:MOST_TURNS]]
    if len(groups) > 1:
        rows += [_row(variation, found) for variation, found in groups.items()]
    if turns:
        yield from aligned([("", "queries", *RETRIEVAL), *rows])


def _queried(entry: DialogueEntry) -> list[int]:
    """The turns that retrieved something."""
    scores = entry["scores"].get(RETRIEVAL[0], ())
    return [each["turn"] for each in scores if each["value"] is not None]


def _row(what: str, entries: Sequence[DialogueEntry], turn: float | None = None) -> list[str]:
    cells, queries = [], 0
    for name in RETRIEVAL:
        values = [
            score["value"]
            for entry in entries
            for score in entry["scores"].get(name, ())
            if score["value"] is not None and turn in (None, score["turn"])
        ]
        queries = len(values)
        cells.append(_mean(values))
    return [what, str(queries), *cells]


def _mean(values: Sequence[float]) -> str:
    return number(fmean(values) if values else None, ".3f")
