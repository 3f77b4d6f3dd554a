"""The results file: one entry per dialogue, read by everything downstream (docs/results_file.md).

The shape is in `runs.reports.schema`, an entry is made in `runs.reports.entry`, the summary in
`runs.reports.summary`, the file itself in `runs.reports.results_file`.
"""

import json
import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar, cast

from pytest_todeval.errors import UsageError
from pytest_todeval.runs.reports.answer_summary import DIFFERS
from pytest_todeval.runs.reports.entry import dialogue_entry, timeless
from pytest_todeval.runs.reports.plain import plain
from pytest_todeval.runs.reports.results_file import read_results, write_results
from pytest_todeval.runs.reports.schema import (
    JSON,
    SCHEMA,
    DialogueEntry,
    EnvironmentEntry,
    Results,
)
from pytest_todeval.runs.reports.summary import definitions, summary, timeless_summary
from pytest_todeval.runs.reports.trials import is_pass_k
from pytest_todeval.runs.statistics.combine import COMBINE
from pytest_todeval.runs.statistics.combine import DEFINITION as COMBINED
from pytest_todeval.runs.statistics.composite import Composite
from pytest_todeval.runs.statistics.pass_k import ANY_DEFINITION as PASS_ANY
from pytest_todeval.runs.statistics.pass_k import DEFINITION as PASS_K

T = TypeVar("T")

SHARDS = "shards"
SEQUENTIAL = "sequential"
ABOUT = ("bots", "users", "judges", "limits", "selections", SHARDS)
"""What a run has several of by name; those of merged runs stand beside one another."""

__all__ = [
    "Results",
    "class_of",
    "dialogue_entry",
    "environment",
    "merge",
    "read_results",
    "results",
    "strip_times",
    "united",
    "write_results",
]


def environment(
    *,
    goal_sets: Mapping[str, str] | None = None,
    metrics: Mapping[str, str] | None = None,
    settings: Mapping[str, object] | None = None,
    models: Mapping[str, Sequence[str]] | None = None,
    prompts: Mapping[str, str] | None = None,
    rules: Mapping[str, str] | None = None,
    composites: Mapping[str, str] | None = None,
    **about: Any,
) -> EnvironmentEntry:
    """What a run's numbers rest on; every definition and fingerprint that a comparison must know.

    `goal_sets`: fingerprint by name of the set. `metrics`: definition and version by metric name,
    e.g. `{"inform": "multiwoz-corpus 1"}`. `settings`: the effective settings. `models`: the names
    of those asked, by lane. `prompts`: definition by name (`models.prompt.Prompt.definition`).
    `rules`: a hash by rule set. `composites`: weights by name
    (`runs.statistics.composite`). `about`: `bots`, `users`, `judges`, `limits`, `ear`,
    `selections` and `sequential`, as `EnvironmentEntry` has them.
    """
    from importlib.metadata import version

    return {
        "todeval": version("pytest-todeval"),
        "python": platform.python_version(),
        "goal_sets": dict(goal_sets or {}),
        "metrics": dict(metrics or {}),
        "settings": cast("dict[str, JSON]", plain(settings or {})),
        "models": {lane: list(names) for lane, names in (models or {}).items()},
        "prompts": dict(prompts or {}),
        "rules": dict(rules or {}),
        **cast("EnvironmentEntry", {"composites": dict(composites)} if composites else {}),
        **cast("EnvironmentEntry", _about(about)),
    }


def class_of(player: object) -> str:
    """Where the class or function of a bot, a user or a judge is defined; `URL` of an address."""
    if isinstance(player, str):
        return "URL"
    named: Any = player if hasattr(player, "__qualname__") else type(player)
    return f"{named.__module__}.{named.__qualname__}"


def results(entries: Iterable[DialogueEntry], environment: EnvironmentEntry) -> Results:
    """Returns the whole file from its entries, whatever order or process they came from."""
    ordered = _ordered(entries)
    weights = environment.get("composites", {})
    found = summary(ordered, [Composite.parse(name, each) for name, each in weights.items()])
    computed = {
        name: PASS_ANY if name.startswith("pass@") else PASS_K
        for name in found["metrics"]
        if is_pass_k(name)
    }
    computed |= {name: COMBINED for name in found["metrics"] if name.endswith(COMBINE)}
    return {
        "schema": SCHEMA,
        "environment": {**environment, "metrics": {**environment["metrics"], **computed}},
        "dialogues": ordered,
        "summary": found,
    }


def _ordered(entries: Iterable[DialogueEntry]) -> list[DialogueEntry]:
    """By test and trial; entries that share both (the same test run twice) by their content."""
    entries = list(entries)
    shared = Counter((entry["test"], entry["trial"]) for entry in entries)

    def order(entry: DialogueEntry) -> tuple[str, int, str]:
        key = entry["test"], entry["trial"]
        tie = json.dumps(timeless(entry), sort_keys=True) if shared[key] > 1 else ""
        return (*key, tie)

    return sorted(entries, key=order)


def merge(parts: Iterable[Results]) -> Results:
    """Returns several results files as one; the order of the parts makes no difference.

    An entry that stands in several parts is kept once. Raises UsageError if two parts hold
    different results for one test, trial, bot and user, or define a metric, a goal set, a rule set,
    a score or a prompt differently, or asked other models in a lane: such numbers are not
    comparable.
    """
    parts = list(parts)
    if not parts:
        raise UsageError("nothing to merge: give at least one results file")
    about = _merged_environment([part["environment"] for part in parts])
    found: dict[tuple[str, int, str, str], DialogueEntry] = {}
    for entry in (entry for part in parts for entry in part["dialogues"]):
        key = entry["test"], entry["trial"], entry.get("bot", ""), entry.get("user", "")
        if found.setdefault(key, entry) != entry:
            raise UsageError(
                f"cannot merge: {key[0]} (trial {key[1]}) has different results in two files; "
                "keep the one that counts"
            )
    _agreed("score", [_score_definitions(part) for part in parts])
    return results(found.values(), about)


def _score_definitions(part: Results) -> dict[str, str]:
    """Definition by score name; in one file a score may have several, if tests differ.

    What an older file does not say is left out: nobody can tell whether it differs, and the summary
    makes no mean of it and others.
    """
    found: dict[str, set[str]] = {}
    for entry in part["dialogues"]:
        for name, scores in entry["scores"].items():
            found.setdefault(name, set()).update(filter(None, definitions(scores)))
    return {name: "; ".join(sorted(each)) for name, each in found.items() if each}


def _merged_environment(parts: Sequence[EnvironmentEntry]) -> EnvironmentEntry:
    models = [{lane: names for lane, names in p.get("models", {}).items() if names} for p in parts]
    composites = _agreed("composite", [part.get("composites", {}) for part in parts])
    return {
        "todeval": _joined(part["todeval"] for part in parts),
        "python": _joined(part["python"] for part in parts),
        "goal_sets": _agreed("goal set", [part["goal_sets"] for part in parts]),
        "metrics": _agreed("metric", [part["metrics"] for part in parts]),
        "settings": _shared([part["settings"] for part in parts]),
        "models": _agreed("the models of lane", models),
        "prompts": _agreed("prompt", [part.get("prompts", {}) for part in parts]),
        "rules": _agreed("rule set", [part.get("rules", {}) for part in parts]),
        **cast("EnvironmentEntry", {"composites": composites} if composites else {}),
        **cast("EnvironmentEntry", reduce(united, [_about(part) for part in parts])),
    }


def _about(part: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: part.get(name, {}) for name in ABOUT if name in part or name != SHARDS}
    found["ear"] = part.get("ear", [])
    if SEQUENTIAL in part:
        found[SEQUENTIAL] = part[SEQUENTIAL]
    return united({}, found)


def united(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Returns both together, in an order that does not hang on which came first; lists as sets."""
    return {
        name: _both(one.get(name), other.get(name)) for name in sorted({*one.keys(), *other.keys()})
    }


def _both(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping) or isinstance(other, Mapping):
        return united(one or {}, other or {})
    found = {json.dumps(each, sort_keys=True): each for each in (*(one or ()), *(other or ()))}
    return [found[text] for text in sorted(found)]


def _joined(values: Iterable[str]) -> str:
    return ", ".join(sorted({single for value in values for single in value.split(", ")}))


def _agreed(kind: str, parts: Sequence[Mapping[str, T]]) -> dict[str, T]:
    merged: dict[str, T] = {}
    for name, value in sorted(
        ((name, value) for part in parts for name, value in part.items()), key=str
    ):
        if merged.setdefault(name, value) != value:
            raise UsageError(
                f"cannot merge: {kind} {name!r} is {merged[name]!r} in one file and {value!r} in "
                "another; results of different definitions are not comparable"
            )
    return merged


def _shared(parts: Sequence[Mapping[str, JSON]]) -> dict[str, JSON]:
    names = sorted({name for part in parts for name in part})
    values = {name: [part.get(name, DIFFERS) for part in parts] for name in names}
    return {
        name: found[0] if all(value == found[0] for value in found) else DIFFERS
        for name, found in values.items()
    }


def strip_times(results: Results) -> Results:
    """A copy without latencies, the only values in which two runs of the same thing may differ."""
    return {
        **results,
        "dialogues": [timeless(entry) for entry in results["dialogues"]],
        "summary": timeless_summary(results["summary"]),
    }
