"""What a judge found anew: the results file, and the table for a person."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeVar, cast

from pytest_todeval.commands.judging import LABELLED, Findings
from pytest_todeval.evaluate.judge.judge import Judge
from pytest_todeval.evaluate.metrics.retrieval import CUTOFFS
from pytest_todeval.runs.reports.entry import (
    answer_entries,
    rule_entries,
    score_entries,
    verdict_entry,
)
from pytest_todeval.runs.reports.results import class_of, results
from pytest_todeval.runs.reports.schema import (
    JSON,
    DialogueEntry,
    EnvironmentEntry,
    Noun,
    Results,
    grouped,
)
from pytest_todeval.runs.reports.summary import PLAIN, definitions, score_summary
from pytest_todeval.runs.reports.table import NONE, aligned, listed, number, one_line

V = TypeVar("V")
JUDGE = "judge"
BY_NAME = frozenset({"scores", "metrics", "verdicts", "rules", "keywords", "rule_definitions"})
"""The fields of an entry that hold what a judge says by its name."""


def judged_entries(
    judged: Sequence[tuple[DialogueEntry, Findings]], judge: str, *, settle: bool = False
) -> list[DialogueEntry]:
    """The entries with what was found now, by the judge of this name, in place of what stood there.

    With `settle` their outcomes follow from it: `failed` if a verdict is no or a rule is broken.

    A score, metric or rule that was found in any dialogue replaces the old one in all of them: old
    ones do not stay beside new ones, not even in a dialogue that has no new one.
    """
    names = _names([findings for _, findings in judged])
    entries: list[DialogueEntry] = [
        {**_entry(each, found, names), "judges": [judge]} for each, found in judged
    ]
    if settle:
        for entry, (_, found) in zip(entries, judged, strict=True):
            entry["outcome"] = _outcome(entry, found)
    return entries


def _outcome(entry: DialogueEntry, found: Findings) -> str:
    """What the verdicts and rules of now make of a dialogue that nobody asserted anything of."""
    refuted = any(each.metric is False for each in found.verdicts.values())
    broken = any(
        isinstance(each, dict) and each.get("value") == 0
        for name in found.rules
        for each in cast("list[JSON]", entry["rules"].get(name, []))
    )
    return "failed" if refuted or broken else "passed"


def old_entries(entries: Sequence[DialogueEntry], found: Sequence[Findings]) -> list[DialogueEntry]:
    """Entries that were not judged, without the scores, metrics and rules that others have anew."""
    names = _names(found)
    return [_cleared(entry, names) for entry in entries]


def judged_results(
    entries: Sequence[DialogueEntry],
    found: Sequence[Findings],
    old: EnvironmentEntry,
    judge: Judge,
    models: Sequence[str],
) -> Results:
    """The file of these entries; `models` are those that the judge asked, none if it goes by rules.

    Rule sets of before stay beside those of now unless they have a name in common.
    """
    metrics = {n: v.definition for each in found for n, v in each.verdicts.items()}
    prompts = {name: text for each in found for name, text in each.prompts.items()}
    rules = {name: text for each in found for name, text in each.rule_sets.items()}
    about: EnvironmentEntry = {
        **old,
        "metrics": {**old["metrics"], **metrics},
        "models": _without(old.get("models", {}), frozenset({JUDGE})),
        "prompts": {**old.get("prompts", {}), **prompts},
        "rules": {**old.get("rules", {}), **rules},
        "judges": {type(judge).__name__: {"class": [class_of(judge)], "models": list(models)}},
    }
    if models:
        about["models"][JUDGE] = list(models)
    return results(entries, about)


def _names(found: Sequence[Findings]) -> frozenset[str]:
    return frozenset(n for each in found for n in (*each.scores, *each.verdicts, *each.rules))


def _entry(entry: DialogueEntry, findings: Findings, names: frozenset[str]) -> DialogueEntry:
    old = _cleared(entry, names)
    verdicts = findings.verdicts
    told = answer_entries(findings.keywords, findings.comparisons, findings.rule_definitions)
    calls = _without(old.get("calls", {}), frozenset({JUDGE}))
    return {
        **old,
        "scores": {**old["scores"], **score_entries(findings.scores)},
        "metrics": {**old["metrics"], **{n: each.metric for n, each in verdicts.items()}},
        "verdicts": {**old["verdicts"], **{n: verdict_entry(v) for n, v in verdicts.items()}},
        "rules": {**old["rules"], **rule_entries(findings.rules)},
        "calls": {**calls, **cast("Any", findings.calls)},
        **cast("DialogueEntry", _added(cast("dict[str, JSON]", old), told)),
    }


def _added(old: dict[str, JSON], told: Mapping[str, JSON]) -> dict[str, JSON]:
    """What an entry has only if it is given: what was told now, and of before what has a name."""
    found: dict[str, JSON] = {}
    for field, now in told.items():
        was = old.get(field)
        if isinstance(now, dict) and isinstance(was, dict):
            found[field] = {**was, **now}
        elif now is not None:
            found[field] = now
    return found


def _cleared(entry: DialogueEntry, names: frozenset[str]) -> DialogueEntry:
    fields: dict[str, Any] = {**entry}
    for name in BY_NAME.intersection(fields):
        fields[name] = _without(fields[name], names)
    return cast("DialogueEntry", fields)


def _without(values: Mapping[str, V], names: frozenset[str]) -> dict[str, V]:
    return {name: value for name, value in values.items() if name not in names}


COLUMNS = ("", "mean", "least", "scored", "not applicable", "unscored", "before")
LONGEST_REASON = 160
LONGEST_NAME = 60
"""Unit tests are named by their sentence."""
LISTED = 10
RETRIEVAL = tuple(f"{metric}@{k}" for metric in ("hit_rate", "mrr") for k in CUTOFFS)
MOST_TURNS = 20
"""Rows of a table by turn."""
WINNERS = {
    "this": "better here",
    "other": "better in the other file",
    "tie": "level",
    "undecided": "undecided",
}


def judged_lines(
    before: Sequence[DialogueEntry],
    now: Sequence[DialogueEntry],
    names: Sequence[str],
    verdicts: Sequence[str],
) -> Iterator[str]:
    """Lines on the scores and verdicts of these names in the dialogues judged now.

    `before` holds the same dialogues as they stood in the file. A mean of before is marked if
    its definition is another, or not known: such means are not comparable.
    """
    if names:
        yield from aligned([COLUMNS, *(_row(name, before, now) for name in names)])
        yield from (line for name in names for line in _worst(name, now))
    for name in verdicts:
        yield _rate(name, before, now)
    yield from _broken(now)


def _row(name: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> list[str]:
    found = score_summary(_scores(name, now))
    numbers = [found["scored"], found["not_applicable"], found["unscored"]]
    return [
        one_line(name, LONGEST_NAME),
        number(found["mean"]),
        number(found["min"], ".3g"),
        *map(str, numbers),
        _before(name, before, now),
    ]


def _before(name: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> str:
    old, new = _scores(name, before), _scores(name, now)
    values = [score["value"] for score in old if score["value"] is not None]
    if not values:
        return NONE
    was = definitions(old)
    same = len(was) == 1 and was[0] != "" and was == definitions(new)
    return number(fmean(values)) + ("" if same else " (not comparable)")


def _worst(name: str, now: Sequence[DialogueEntry]) -> Iterator[str]:
    """Returns the first of the lowest scores with its reason; nothing if all are the best."""
    scored = [
        (score["value"], entry, score)
        for entry in now
        for score in entry["scores"].get(name, ())
        if score["value"] is not None
    ]
    if not scored:
        return
    value, entry, score = min(scored, key=lambda each: each[0])
    if value == score["scale"][1]:
        return
    where = "" if score["turn"] is None else f" turn {score['turn']}"
    what = f"{one_line(name, LONGEST_NAME)}: least {value:.3g} in {entry['goal']}{where}"
    yield f"{what}: {one_line(score['reason'], LONGEST_REASON)}" if score["reason"] else what


def _rate(name: str, before: Sequence[DialogueEntry], now: Sequence[DialogueEntry]) -> str:
    was, found = _told(name, before), _told(name, now)
    old = f" (before: {sum(was)} of {len(was)})" if was else ""
    return f"{name}: {sum(found)} of {len(found)} dialogues{old}"


def _told(name: str, entries: Sequence[DialogueEntry]) -> list[bool]:
    values = (entry["metrics"].get(name) for entry in entries)
    return [bool(value) for value in values if value is not None]


def _broken(now: Sequence[DialogueEntry]) -> Iterator[str]:
    """In how many dialogues the rules are kept, and the first turns that break one."""
    found = [list(_breaks(entry)) for entry in now if entry["rules"]]
    if not found:
        return
    yield f"rules: kept in {sum(not lines for lines in found)} of {len(found)} dialogues"
    lines = [line for each in found for line in each]
    yield from listed(lines, LISTED, "and {} more turns break a rule (--json has them)")


def _breaks(entry: DialogueEntry) -> Iterator[str]:
    for rule, told in entry["rules"].items():
        for each in told if isinstance(told, list) else ():
            if isinstance(each, dict) and each.get("value") == 0:
                where = f"{entry['goal']} turn {each['turn']}"
                reason = one_line(str(each["reason"]), LONGEST_REASON)
                yield f"rule {rule} broken in {where}: {reason}"


def _scores(name: str, entries: Sequence[DialogueEntry]) -> list[Noun]:
    return [score for entry in entries for score in entry["scores"].get(name, ())]


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
    """Returns the scores of two names, turn by turn."""
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


def _retrieval(entries: Sequence[DialogueEntry]) -> Iterator[str]:
    """Hit-Rate@k and MRR@k over all queries, by turn, and by variation if there are several."""
    groups = grouped(entries, lambda entry: entry.get("variation") or PLAIN)
    rows = [_retrieved("all turns", entries)]
    turns = sorted({turn for entry in entries for turn in _queried(entry)})
    rows += [_retrieved(f"turn {turn}", entries, turn) for turn in turns[:MOST_TURNS]]
    if len(groups) > 1:
        rows += [_retrieved(variation, found) for variation, found in groups.items()]
    if turns:
        yield from aligned([("", "queries", *RETRIEVAL), *rows])


def _queried(entry: DialogueEntry) -> list[int]:
    """Returns the turns that retrieved something."""
    scores = entry["scores"].get(RETRIEVAL[0], ())
    return [each["turn"] for each in scores if each["value"] is not None]


def _retrieved(what: str, entries: Sequence[DialogueEntry], turn: float | None = None) -> list[str]:
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
