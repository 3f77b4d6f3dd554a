"""What the page shows of a run: an index of all dialogues, and each dialogue by itself.

The fields are those of `frontend/src/data.ts`.
"""

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from statistics import fmean
from typing import Any, cast

from pytest_todeval.core.outcome import Outcome
from pytest_todeval.runs.reports.breakdown import TITLES
from pytest_todeval.runs.reports.causes import FailureGroup, cause_of, findings_of, groups_of
from pytest_todeval.runs.reports.comparison.comparing import RunComparison
from pytest_todeval.runs.reports.comparison.values import counts, worth_of
from pytest_todeval.runs.reports.effort import dollars_of, seconds_of
from pytest_todeval.runs.reports.gates.deciding import Decided, gate_rows
from pytest_todeval.runs.reports.gates.ruling import Ruling
from pytest_todeval.runs.reports.history.store import KeptRun
from pytest_todeval.runs.reports.schema import DialogueEntry, Results, grouped, says_of_bot
from pytest_todeval.runs.reports.summary import breakdowns
from pytest_todeval.runs.statistics.change_point import change_points
from pytest_todeval.runs.statistics.level import chances, level_of

JSONObject = dict[str, Any]
OWNERS = {
    Outcome.PASSED: "",
    Outcome.FAILED: "bot",
    Outcome.SIMULATOR_FAULT: "user simulator",
    Outcome.JUDGE_FAULT: "judge",
    Outcome.ORACLE_FAULT: "goal or metric",
    Outcome.INFRASTRUCTURE: "network or backend",
    Outcome.STALE_CASSETTE: "recording",
    Outcome.TEST_ERROR: "test",
}
"""Who must act on an outcome."""
SHOWN_VALUES = ("passed", "success", "inform", "booking", "reward", "satisfied")
"""The values of a part that have an interval, where there are many."""
ALL = slice(None)
MOST_PARTS = 40
"""Rows of a breakdown: combinations of domains can be hundreds."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page is made of."""

    results: Results
    title: str = "results"
    ruling: Ruling | None = None
    before: Results | None = None
    """The earlier run, if there is one."""
    before_title: str = ""
    history: Sequence[KeptRun] = ()
    live: bool = False
    """Whether the run is still going on."""


def index_of(shown: Shown) -> JSONObject:
    """Returns all but the dialogues themselves: what the first look at the page needs."""
    entries = shown.results["dialogues"]
    keys = keys_of(entries)
    groups = groups_of(entries)
    by_entry = {id(entry): place for place, group in enumerate(groups) for entry in group.entries}
    worth = _Worth.of(entries)
    summary = shown.results["summary"]
    compared = shown.ruling.compared if shown.ruling else None
    return {
        "title": shown.title,
        "live": shown.live,
        "verdict": verdict_of(shown),
        "environment": shown.results["environment"],
        "outcomes": [
            {"name": name, "count": count, "owner": OWNERS[Outcome(name)]}
            for name, count in Counter(entry["outcome"] for entry in entries).most_common()
        ],
        "values": list(_values(entries, worth)),
        "parts": list(_parts(entries, worth)),
        "groups": [_group(group, keys) for group in groups],
        "rows": [_row(entry, keys[id(entry)], by_entry.get(id(entry))) for entry in entries],
        "rules": {
            name: {key: found[key] for key in ("adherence", "complies", "broken")}
            for name, found in summary.get("rules", {}).items()
        },
        "charts": {
            "by_turn": _by_turn(entries),
            "resolved": summary.get("resolution", {}),
            "distributions": _distributions(entries),
            "cells": _cells(entries),
            "power": list(_power(shown.ruling.decided)) if shown.ruling else [],
        },
        "flips": summary.get("flips"),
        "spent": summary.get("per_dialogue", {}).get("spent", {}),
        "comparison": _comparison(compared, shown) if compared else None,
        "history": list(_history(shown.history)),
    }


def dialogues_of(shown: Shown, places: slice = ALL) -> Iterator[JSONObject]:
    """The dialogues as the page shows them, each beside the earlier one of the same goal."""
    before = grouped(shown.before["dialogues"] if shown.before else (), _who)
    for entry in shown.results["dialogues"][places]:
        earlier = before.get(_who(entry), [])
        found = dialogue_of_entry(entry)
        if earlier and earlier[0]["turns"]:
            found["before"] = dialogue_of_entry(earlier[0])
        yield found


def dialogue_of_entry(entry: DialogueEntry) -> JSONObject:
    """Returns what a person wants to see of one dialogue; what is empty is left out."""
    cause = cause_of(entry)
    goal = entry.get("goal_record", {})
    found = {
        "goal": {key: goal.get(key) for key in ("message", "domains", "labels")},
        "turn": cause.turn if cause else None,
        "findings": [asdict(each) for each in findings_of(entry)] if cause else [],
        "verdicts": {
            name: {
                key: verdict.get(key)
                for key in ("passed", "reason", "turns", "basis", "applicable", "doubt", "refused")
            }
            for name, verdict in entry["verdicts"].items()
        },
        "scores": _scores_of(entry),
        "rules": _rules_of(entry),
        "turns": [_turn(turn) for turn in entry["turns"]],
        **{
            name: entry.get(name)
            for name in (
                "bookings",
                "stop_reason",
                "detail",
                "raised",
                "last_words",
                "notes",
                "drift",
            )
        },
        "calls": entry.get("calls"),
        "metrics": {n: v for n, v in entry["metrics"].items() if v is not None},
        "replay": f"pytest {shlex.quote(entry['test'])}",
        "pin": _pin(entry),
    }
    return {name: value for name, value in found.items() if value not in (None, "", [], {}, ())}


def keys_of(entries: Sequence[DialogueEntry]) -> dict[int, str]:
    """By the id of an entry, what it is called in an address: its goal, if that is enough."""
    by_goal = grouped(entries, lambda entry: entry["goal"])
    found = {}
    for goal, same in by_goal.items():
        for place, entry in enumerate(same):
            found[id(entry)] = goal if len(same) == 1 else f"{goal}~{place + 1}"
    return found


def verdict_of(shown: Shown) -> JSONObject:
    """What came of the run: by its gates and baseline if there are any, else by its dialogues."""
    entries = shown.results["dialogues"]
    if shown.ruling is not None and (shown.ruling.decided or shown.ruling.compared):
        rows = [list(row) for row in gate_rows(shown.ruling.decided)]
        found = shown.ruling.finding
        return {"finding": found, "words": shown.ruling.headline(), "gates": rows[1:]}
    count = Counter(entry["outcome"] for entry in entries)
    failed, passed = count[Outcome.FAILED], count[Outcome.PASSED]
    spoiled = len(entries) - failed - passed
    words = f"{failed} of {failed + passed} dialogues failed"
    if not failed:
        words = f"all {passed} dialogues passed" if passed else "no dialogue passed or failed"
    if spoiled:
        words += f"; {spoiled} more say nothing about the bot, as others spoiled them"
    finding = "failed" if failed else "passed" if passed and not spoiled else "undecided"
    return {"finding": finding, "words": words, "gates": []}


@dataclass(frozen=True, slots=True)
class _Worth:
    """What each dialogue is worth, read once: parts share dialogues."""

    by_entry: Mapping[int, Mapping[str, float]]
    """By the id of an entry that counts: its values by name."""
    scales: Mapping[str, tuple[float, float]]
    """Of scores."""

    @classmethod
    def of(cls, entries: Sequence[DialogueEntry]) -> "_Worth":
        scales = {
            name: tuple(scores[0]["scale"])
            for entry in entries
            for name, scores in entry["scores"].items()
            if scores
        }
        worth = {}
        for entry in filter(counts, entries):
            without_rules = {**entry, "rules": {}}
            worth[id(entry)] = {
                name: found.value
                for name, found in worth_of(cast("DialogueEntry", without_rules)).items()
                if "/" not in name
            }
        return cls(worth, cast("Mapping[str, tuple[float, float]]", scales))


def _values(entries: Sequence[DialogueEntry], worth: _Worth) -> Iterator[JSONObject]:
    """Returns each value of these dialogues with its interval over goals."""
    found: dict[str, dict[str, list[float]]] = {}
    for entry in entries:
        for name, value in worth.by_entry.get(id(entry), {}).items():
            found.setdefault(name, {}).setdefault(entry["goal"], []).append(value)
    for name, by_goal in found.items():
        scale = worth.scales.get(name, (0.0, 1.0))
        level = level_of([fmean(each) for each in by_goal.values()], scale)
        yield {
            "name": name,
            "score": name in worth.scales,
            "scale": scale,
            "mean": level.mean,
            "low": level.interval.low,
            "high": level.interval.high,
            "goals": level.goals,
        }


def _parts(entries: Sequence[DialogueEntry], worth: _Worth) -> Iterator[JSONObject]:
    """Returns the run by bot, user, domain, label, ...: each part's values with their intervals."""
    for name, parts in breakdowns(entries).items():
        rows = [
            {
                "name": part,
                "dialogues": len(each),
                "failed": sum(entry["outcome"] == Outcome.FAILED for entry in each),
                "spoiled": sum(not says_of_bot(entry) for entry in each),
                "values": {
                    v["name"]: [v["mean"], v["low"], v["high"]] for v in _values(each, worth)
                },
            }
            for part, each in sorted(parts.items(), key=lambda named: -len(named[1]))[:MOST_PARTS]
        ]
        if rows:
            yield {"name": name, "title": TITLES[name], "rows": rows}


def _group(group: FailureGroup, keys: Mapping[int, str]) -> JSONObject:
    cause = group.cause
    domains = Counter(
        str(part["domain"])
        for entry in group.entries
        for part in entry.get("goal_record", {}).get("domains", ())
    )
    return {
        "title": group.title,
        "names": group.names,
        "shape": cause.shape,
        "outcome": cause.outcome,
        "owner": OWNERS[Outcome(cause.outcome)],
        "calls": cause.calls,
        "reason": cause.finding.reason,
        "bots": sorted({entry.get("bot", "") for entry in group.entries} - {""}),
        "domains": [name for name, _ in domains.most_common()],
        "keys": [keys[id(entry)] for entry in group.entries],
    }


def _row(entry: DialogueEntry, key: str, group: int | None) -> JSONObject:
    cause = cause_of(entry)
    return {
        "key": key,
        "test": entry["test"],
        "goal": entry["goal"],
        "trial": entry["trial"],
        "bot": entry.get("bot", ""),
        "user": entry.get("user", ""),
        "outcome": entry["outcome"],
        "group": group,
        "why": cause.finding.reason if cause else "",
        "what": cause.finding.name if cause else "",
        "turn": cause.turn if cause else None,
        "turns": len(entry["turns"]),
        "seconds": round(seconds_of(entry), 3),
        "dollars": dollars_of(entry) if entry.get("calls") or entry["usage"].get("cost") else None,
        "domains": sorted({p["domain"] for p in entry.get("goal_record", {}).get("domains", ())}),
        "labels": list(entry.get("goal_record", {}).get("labels", ())),
        "quarantined": "quarantined" in entry,
    }


def _turn(turn: Mapping[str, Any]) -> JSONObject:
    kept = ("user", "meant", "system", "tool_calls", "user_calls", "state", "turn_state", "heard")
    more = ("heard_by", "booked", "cancelled", "latency_s", "usage", "retrieved", "spans")
    found = {name: turn.get(name) for name in (*kept, *more)}
    return {name: value for name, value in found.items() if value not in (None, "", [], {}, 0.0)}


def _scores_of(entry: DialogueEntry) -> list[JSONObject]:
    kept = ("value", "reason", "turn", "scale", "unscored")
    return [
        {"name": name, **{key: score.get(key) for key in kept}}
        for name, scores in entry["scores"].items()
        for score in scores
        if score.get("unscored") != "not applicable"
    ]


def _rules_of(entry: DialogueEntry) -> list[JSONObject]:
    """Returns those that were broken, and those that nobody could tell of; how many were kept."""
    found = []
    for name, results in entry["rules"].items():
        for each in results if isinstance(results, list) else ():
            if isinstance(each, dict) and each.get("value", 2) in (0, None):
                kept = {key: each.get(key) for key in ("says", "turn", "value", "reason", "by")}
                found.append({"name": name, **kept})
    return found


def _pin(entry: DialogueEntry) -> str:
    """Returns the marker that makes a test of this goal alone."""
    source, _, goal = entry["goal"].rpartition("/")
    return f"@pytest.mark.goals({source!r}, ids=[{goal!r}])"


def _by_turn(entries: Sequence[DialogueEntry]) -> JSONObject:
    """By score and turn: the mean, and how many have a number there."""
    found: dict[str, dict[int, list[float]]] = {}
    for entry in filter(says_of_bot, entries):
        for name, score in _numbers(entry):
            if score["turn"] is not None:
                found.setdefault(name, {}).setdefault(score["turn"], []).append(score["value"])
    return {
        name: [[turn, fmean(values), len(values)] for turn, values in sorted(turns.items())]
        for name, turns in found.items()
    }


def _distributions(entries: Sequence[DialogueEntry]) -> JSONObject:
    """By score, how often each number was given."""
    found: dict[str, Counter[float]] = {}
    for name, score in chain.from_iterable(map(_numbers, filter(says_of_bot, entries))):
        found.setdefault(name, Counter())[round(score["value"], 2)] += 1
    return {name: sorted(each.items()) for name, each in found.items()}


def _numbers(entry: DialogueEntry) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, scores in entry["scores"].items():
        yield from ((name, score) for score in scores if score["value"] is not None)


def _cells(entries: Sequence[DialogueEntry]) -> list[JSONObject]:
    """Returns the share that passed, of each bot with each user, if there are several of both."""
    pairs = grouped(filter(says_of_bot, entries), lambda e: (e.get("bot", ""), e.get("user", "")))
    if min(len({bot for bot, _ in pairs}), len({user for _, user in pairs})) < 2:
        return []
    return [
        {"bot": bot, "user": user, "rate": fmean(e["outcome"] == Outcome.PASSED for e in each)}
        for (bot, user), each in pairs.items()
    ]


def _power(decided: Sequence[Decided]) -> Iterator[JSONObject]:
    """Of each gate on a rate: how likely a bot of each true rate passes it, and fails it."""
    for each in decided:
        gate, level = each.gate, each.level
        if level is None or not 0 < gate.bound < 1 or gate.sign not in (">=", ">"):
            continue
        yield {
            "gate": gate.text,
            "bound": gate.bound,
            "goals": level.goals,
            "rates": chances(level.goals, gate.bound),
        }


def _comparison(found: RunComparison, shown: Shown) -> JSONObject:
    keys: dict[str, list[str]] = {}
    for key in keys_of(shown.results["dialogues"]).values():
        keys.setdefault(key.partition("~")[0], []).append(key)

    def flips(each: Sequence[Any]) -> list[JSONObject]:
        return [
            {"goal": f.goal, "before": f.before, "now": f.now, "keys": keys.get(f.goal, [])}
            for f in each
        ]

    return {
        "before": shown.before_title or (shown.ruling.baseline if shown.ruling else ""),
        "goals": found.goals,
        "changes": [
            {
                "name": change.name,
                "before": change.before,
                "now": change.now,
                "mean": change.difference.mean,
                "low": change.difference.interval.low,
                "high": change.difference.interval.high,
                "chance": change.chance,
                "finding": change.finding,
                "margin": change.margin,
                "goals": change.difference.goals,
                "detectable": change.difference.detectable,
            }
            for change in found.changes
        ],
        "broke": flips(found.broke),
        "mended": flips(found.mended),
        "left_out": {name: list(each) for name, each in found.left_out.items()},
        "only_before": found.only_before,
        "only_now": found.only_now,
        "differing": list(found.differing),
    }


def _history(runs: Sequence[KeptRun]) -> Iterator[JSONObject]:
    """By branch and bot: the runs, and where a value changed its level."""
    for (branch, bot), each in grouped_runs(runs).items():
        names = [name for name in SHOWN_VALUES if any(name in run.values for run in each)]
        for name in names:
            having = [run for run in each if name in run.values]
            values = [run.values[name][0] for run in having]
            told = zip(having, values, strict=True)
            goals = [run.values[name][1] for run in having]
            yield {
                "name": name,
                "branch": branch,
                "bot": bot,
                "runs": [[run.at, run.version, value] for run, value in told],
                "changes": [asdict(change) for change in change_points(values, goals)],
            }


def grouped_runs(runs: Sequence[KeptRun]) -> dict[tuple[str, str], list[KeptRun]]:
    """Runs by branch and bot, in the order in which they were made."""
    found: dict[tuple[str, str], list[KeptRun]] = {}
    for run in runs:
        found.setdefault((run.branch, run.bot), []).append(run)
    return found


def _who(entry: DialogueEntry) -> tuple[str, int]:
    return entry["goal"], entry["trial"]
