"""What judges and rules said of many dialogues: adherence, comparisons, keywords, Overall."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from pytest_todeval.runs.reports.schema import DialogueEntry, ScoreSummary
from pytest_todeval.runs.reports.summary_schema import (
    ComparisonSummary,
    KeywordSummary,
    OverallSummary,
    RuleSummary,
)

DIFFERS = "(differs)"
"""What stands in place of a setting or a definition that is not one."""
DIMENSIONS = ("conversation_cohesion", "backend_consistency", "policy_compliance")
"""TD-Eval's; those of whole dialogues have `dialogue_` before their names."""
LEVELS = {"turn": "", "dialogue": "dialogue_"}


def rule_summaries(entries: Sequence[DialogueEntry]) -> dict[str, RuleSummary]:
    """The adherence to each rule over all turns; none if its results mean different things."""
    return {
        rule: _rule(rule, [entry for entry in entries if rule in entry["rules"]])
        for rule in sorted({rule for entry in entries for rule in entry["rules"]})
    }


def _rule(rule: str, entries: Sequence[DialogueEntry]) -> RuleSummary:
    counts = Counter(value for entry in entries for value in rule_values(entry["rules"][rule]))
    applied = counts[1] + counts[0]
    meant = sorted({entry.get("rule_definitions", {}).get(rule, "") for entry in entries})
    one = len(meant) == 1
    found: RuleSummary = {
        "adherence": counts[1] / applied if one and applied else None,
        "complies": counts[1],
        "broken": counts[0],
        "not_applicable": counts[-1],
        "untold": counts[None],
        "definition": meant[0] if one else DIFFERS,
    }
    if any(_advises(entry["rules"][rule]) for entry in entries):
        found["advises"] = True
    return found


def _advises(results: Any) -> bool:
    listed = results if isinstance(results, list) else ()
    return any(isinstance(each, Mapping) and each.get("advises") is True for each in listed)


def rule_values(results: Any) -> Iterable[int | None]:
    """What was found in each turn; nothing of a rule evaluator of one's own in another shape."""
    for each in results if isinstance(results, list) else ():
        if isinstance(each, Mapping) and each.get("value", 2) in (1, 0, -1, None):
            turns = each.get("turns")  # turns of the same stand together
            yield from [each["value"]] * (len(turns) if isinstance(turns, list) else 1)


def comparison_summary(entries: Iterable[DialogueEntry]) -> ComparisonSummary | None:
    """Returns how often a dialogue of these was better than another; None if none was compared."""
    found = [each for entry in entries for each in entry.get("comparisons", ())]
    if not found:
        return None
    winners = Counter(each["winner"] for each in found)
    meant = sorted({each["definition"] for each in found})
    return {
        "better": winners["this"],
        "worse": winners["other"],
        "tie": winners["tie"],
        "undecided": winners[None],
        "inconsistent": sum(not each["consistent"] for each in found),
        "definition": meant[0] if len(meant) == 1 else DIFFERS,
    }


def keyword_summary(entries: Iterable[DialogueEntry]) -> dict[str, KeywordSummary]:
    """By score of coverage, the keywords of all goals: how many were raised, by whom, and which
    were not, most often missed first. Nothing of a score whose definitions differ.
    """
    found: dict[str, list[Mapping[str, Any]]] = {}
    meant: dict[str, set[str]] = {}
    for entry in entries:
        for name, words in entry.get("keywords", {}).items():
            found.setdefault(name, []).extend(words)
            scores = entry["scores"].get(name, ())
            meant.setdefault(name, set()).update(each.get("definition", "") for each in scores)
    return {name: _keywords(words) for name, words in sorted(found.items()) if len(meant[name]) < 2}


def _keywords(words: Sequence[Mapping[str, Any]]) -> KeywordSummary:
    raised = [word for word in words if _is_raised(word)]
    missed = Counter(_kind(word) for word in words if not _is_raised(word))
    speakers = Counter(str(who) for word in raised if (who := word.get("speaker")) is not None)
    return {
        "total": len(words),
        "raised": len(raised),
        "by": dict(sorted(speakers.items())),
        "missed": dict(sorted(missed.items(), key=lambda each: (-each[1], each[0]))),
    }


def _is_raised(word: Mapping[str, Any]) -> bool:
    """Returns a judge as published says that a keyword was raised, and not where."""
    return word.get("turn") is not None or word.get("unplaced") is True


def _kind(word: Mapping[str, Any]) -> str:
    """Returns a keyword without its value: `hotel area`; as it stands if it has no slot."""
    slot = word.get("slot")
    return f"{word.get('domain') or ''} {slot}".strip() if slot else str(word["keyword"])


def overall_summary(scores: Mapping[str, ScoreSummary]) -> OverallSummary:
    """TD-Eval's Overall (table 3): the mean of the means of its three dimensions, at each level.

    Only if all three have a mean.
    """
    found: dict[str, float] = {}
    for level, prefix in LEVELS.items():
        means = [scores.get(f"{prefix}{each}", {"mean": None})["mean"] for each in DIMENSIONS]
        known = [mean for mean in means if mean is not None]
        if len(known) == len(DIMENSIONS):
            found[level] = math.fsum(known) / len(known)
    return cast("OverallSummary", found)
