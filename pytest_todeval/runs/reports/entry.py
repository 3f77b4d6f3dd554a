"""One dialogue as its entry in the results file; whatever it holds comes out as plain JSON."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import JudgeFault, NeverDone
from pytest_todeval.prices import Prices
from pytest_todeval.runs.reports.nouns import noun
from pytest_todeval.runs.reports.plain import plain, plain_text
from pytest_todeval.runs.reports.schema import (
    JSON,
    DialogueEntry,
    DriftEntry,
    MetricValue,
    QuarantineEntry,
)

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Dialogue, Usage
    from pytest_todeval.core.score import Score
    from pytest_todeval.core.verdict import Verdict

STANDARD_METRICS = ("inform", "success", "booking", "reward")
"""Those that every entry has, if only as null."""

TIMES = frozenset({"seconds", "latency_s"})
"""The fields in which two runs of the same thing may differ."""


def dialogue_entry(
    dialogue: "Dialogue",
    *,
    test: str,
    outcome: Outcome,
    metrics: "Mapping[str, Verdict | MetricValue] | None" = None,
    scores: "Mapping[str, Sequence[Score]] | None" = None,
    rules: Mapping[str, object] | None = None,
    drift: Sequence[DriftEntry] | None = None,
    calls: Mapping[str, object] | None = None,
    raised: str = "",
    trivial: str = "",
    bot: str = "",
    user: str = "",
    judges: Sequence[str] = (),
    keywords: Mapping[str, object] | None = None,
    comparisons: Mapping[str, object] | None = None,
    rule_definitions: Mapping[str, str] | None = None,
    prices: Prices | None = None,
    chance: Sequence[str] | None = None,
    quarantined: QuarantineEntry | None = None,
    quarantine_over: QuarantineEntry | None = None,
) -> DialogueEntry:
    """One dialogue as its entry in the results file; whatever it holds comes out as plain JSON.

    The dialogue's fields are those of its class (`runs.reports.nouns`). `metrics` (verdicts,
    numbers or None, by name) is added to its verdicts and wins over them. `scores` holds one
    `Score` per turn, or one for the whole dialogue. `rules` is by rule: what was found in each
    turn, in the rule evaluator's own shape. `drift`, if the recorded user played: the turns that
    were answered otherwise then. `calls`, if our own users, judges and bots asked models: by lane,
    what it took (`models.usage.plain_totals`). `raised`: what the test raised, in a line.
    `trivial`: why a bot that does nothing passes the goal. `bot`, `user` and `judges`: the names of
    who played and judged. `keywords`, `comparisons` and `rule_definitions` as
    `runs.reports.answers.Answers` has them. By `prices` the tokens that the bot reports are priced.
    `chance`: what may come out otherwise in the next run. `quarantined`: why the goal is in
    quarantine; `quarantine_over`: why it was.
    """
    measured: dict[str, Verdict | MetricValue] = {**dialogue.verdicts, **(metrics or {})}
    told = noun(dialogue)
    told.pop("verdicts")
    entry = {
        "test": plain_text(test),
        "goal": plain_text(dialogue.goal.name),
        "trial": told.pop("trial"),
        "outcome": outcome.value,
        "bot": plain_text(bot),
        "user": plain_text(user),
        "judges": [plain_text(name) for name in judges],
        "metrics": {
            **dict.fromkeys(STANDARD_METRICS, None),
            **{plain_text(name): _metric(value) for name, value in measured.items()},
        },
        "verdicts": {
            plain_text(name): verdict_entry(value)
            for name, value in measured.items()
            if not isinstance(value, bool | int | float | None)
        },
        "scores": score_entries(scores or {}),
        "rules": rule_entries(rules or {}),
        "usage": _total_usage([turn.usage for turn in dialogue.turns], prices or Prices()),
        **_turns_to_done(dialogue),
        **told,
    }
    optional = {
        "drift": plain(drift),
        "calls": plain(calls) if calls else None,
        "raised": plain_text(raised) or None,
        "trivial": plain_text(trivial) or None,
        "chance": plain(chance),
        "quarantined": plain(quarantined),
        "quarantine_over": plain(quarantine_over),
        **answer_entries(keywords or {}, comparisons or {}, rule_definitions or {}),
    }
    given = {name: value for name, value in optional.items() if value is not None}
    return cast("DialogueEntry", {**entry, **given})


def score_entries(scores: "Mapping[str, Sequence[Score]]") -> dict[str, list[dict[str, Any]]]:
    """Scores by name as the file holds them."""
    return {plain_text(name): [_named(score) for score in found] for name, found in scores.items()}


def rule_entries(rules: Mapping[str, object]) -> dict[str, JSON]:
    """What was found by rule as the file holds it: turns that break it, and what a model said, each
    by itself with its reason; turns that keep it by evidence together, and those it is not about.

    What a rule evaluator of one's own found is written in its own shape.
    """
    found = cast("dict[str, Any]", plain(rules))
    return {name: _short(each) if _is_ours(each) else each for name, each in found.items()}


OF_RESULT = frozenset({"rule", "says", "turn", "value", "reason", "by", "samples", "advises"})
USUAL = {"by": "evidence", "samples": [], "advises": False}


def _is_ours(results: object) -> bool:
    listed = results if isinstance(results, list) else [None]
    return all(isinstance(each, dict) and each.keys() == OF_RESULT for each in listed)


def _short(results: list[dict[str, Any]]) -> list[JSON]:
    alone = [r for r in results if r["value"] in (0, None) or r["by"] != USUAL["by"]]
    short: list[JSON] = [
        {
            n: held
            for n, held in each.items()
            if n != "rule" and not (n in USUAL and held == USUAL[n])
        }
        for each in alone
    ]
    for value in (1, -1):
        same = [each for each in results if each["value"] == value and each not in alone]
        if same:
            advises = {"advises": True} if same[0]["advises"] else {}
            short.append({"value": value, "turns": [each["turn"] for each in same], **advises})
    return short


def answer_entries(
    keywords: Mapping[str, object],
    comparisons: Mapping[str, object],
    rule_definitions: Mapping[str, str],
) -> dict[str, JSON]:
    """What a judge says besides verdicts, scores and rules as the file holds it; None without."""
    meant = {rule: definition for rule, definition in rule_definitions.items() if definition}
    return {
        "keywords": plain(keywords) if keywords else None,
        "comparisons": plain([each for _, each in sorted(comparisons.items())]) or None,
        "rule_definitions": plain(meant) if meant else None,
    }


def _turns_to_done(dialogue: "Dialogue") -> dict[str, int | None]:
    """None if it never was done; nothing of a dialogue that was not played, or if nothing tells."""
    if dialogue.stop_reason is StopReason.IMPORTED:
        return {}
    try:
        return {"turns_to_done": dialogue.turns_to_done}
    except NeverDone:
        return {"turns_to_done": None}
    except JudgeFault:
        return {}


def verdict_entry(verdict: "Verdict") -> dict[str, Any]:
    """A verdict as the file holds it: the number of one that has any stands among the metrics."""
    entry = _named(verdict)
    entry.pop("value")
    return {**entry, "passed": None} if verdict.undecided else entry


def _named(found: "Verdict | Score") -> dict[str, Any]:
    """Its name is the key under which it stands."""
    entry = noun(found)
    entry.pop("name")
    return entry


def without_words(entry: DialogueEntry) -> DialogueEntry:
    """Returns a copy whose turns hold but the figures that are summed up over a run."""
    kept = ("latency_s", "spans", "usage")
    turns = [{name: turn[name] for name in kept if name in turn} for turn in entry["turns"]]
    return {**entry, "turns": turns}


def timeless(entry: DialogueEntry) -> DialogueEntry:
    """Returns a copy with every time as 0."""
    turns = cast("list[dict[str, JSON]]", _without_times(cast("JSON", entry["turns"])))
    found: DialogueEntry = {**entry, "turns": turns}
    if "calls" in entry:
        found["calls"] = cast("Any", _without_times(cast("JSON", entry["calls"])))
    return found


def _without_times(value: JSON) -> JSON:
    """What a bot or tool handed over may have fields of these names, too: it is left as it is."""
    if isinstance(value, list):
        return [_without_times(item) for item in value]
    if not isinstance(value, dict):
        return value
    theirs = ("tool_calls", "user_calls", "state", "turn_state", "retrieved")
    return {
        name: 0.0 if name in TIMES else item if name in theirs else _without_times(item)
        for name, item in value.items()
    }


def _metric(value: "Verdict | MetricValue") -> MetricValue:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    return value.metric


def _total_usage(usages: "Sequence[Usage | None]", prices: Prices) -> dict[str, float]:
    """Returns the sum over turns; `dollars` and `flop_dollars` only if all of them are known."""
    known = [usage for usage in usages if usage is not None]
    tokens = [usage.prompt_tokens + usage.completion_tokens for usage in known]
    spent = {
        "dollars": [prices.of_usage(usage) for usage in known],
        "flop_dollars": [
            prices.flop_cost(usage.model, count) for usage, count in zip(known, tokens, strict=True)
        ],
    }
    return {
        "prompt_tokens": sum(usage.prompt_tokens for usage in known),
        "completion_tokens": sum(usage.completion_tokens for usage in known),
        "cost": math.fsum(usage.cost for usage in known),
        **{name: total for name, each in spent.items() if (total := _total(each)) is not None},
    }


def _total(values: Sequence[float | None]) -> float | None:
    """None without any, and if one is not known: a partial sum would mislead."""
    found = [value for value in values if value is not None]
    return math.fsum(found) if values and len(found) == len(values) else None
