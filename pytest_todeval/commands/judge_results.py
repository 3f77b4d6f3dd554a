"""The results file of dialogues judged anew: old outcomes, new findings, new definitions."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pytest_todeval.commands.judged import Findings
from pytest_todeval.judge.judge import Judge
from pytest_todeval.reports.entry import answer_entries, rule_entries, score_entries, verdict_entry
from pytest_todeval.reports.results import class_of, results
from pytest_todeval.reports.schema import JSON, DialogueEntry, EnvironmentEntry, Results

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
        "calls": {**calls, **cast("dict[str, JSON]", findings.calls)},
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
