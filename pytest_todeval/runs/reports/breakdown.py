"""A run by its parts: a table each of bots, users, domains, goal sets, ...; and rules by part."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple, cast

from pytest_todeval.runs.reports.effort import DONE, SOLVED
from pytest_todeval.runs.reports.schema import PlayersSummary, Summary
from pytest_todeval.runs.reports.table import NONE, aligned, one_line, percent
from pytest_todeval.runs.reports.trials import is_pass_k

TITLES = {
    "bots": "by bot",
    "users": "by user",
    "goal_sets": "by goal set",
    "variations": "by variation",
    "domains": "by domain",
    "combinations": "by combination",
    "labels": "by label",
}


class _Column(NamedTuple):
    title: str
    value: Callable[[PlayersSummary], float | None]
    told: Callable[[float], str]


def breakdown_lines(summary: Summary) -> Iterator[str]:
    """For each breakdown that the summary has, its tables, each after an empty line."""
    for name, title in TITLES.items():
        parts = cast("Mapping[str, PlayersSummary]", summary.get(name, {}))
        if parts:
            yield ""
            yield from aligned(list(_rows(name, title, parts)))
            yield from _rules(title, parts)


def _rows(name: str, title: str, parts: Mapping[str, PlayersSummary]) -> Iterator[Sequence[str]]:
    columns = [
        each
        for each in _columns(parts)
        if any(each.value(found) is not None for found in parts.values())
    ]
    yield [title, "dialogues", "passed", *(each.title for each in columns)]
    for part, found in parts.items():
        counts = [str(found["dialogues"]), str(found["outcomes"]["passed"])]
        yield [one_line(part), *counts, *(_cell(each, [found], fmean) for each in columns)]
    for told, chosen, made in _rows_of_others(name, parts):
        yield [told, "", "", *(_cell(each, chosen, made) for each in columns)]


def _rows_of_others(
    name: str, parts: Mapping[str, PlayersSummary]
) -> Iterator[tuple[str, Sequence[PlayersSummary], Callable[[Sequence[float]], float]]]:
    """Returns the rows made of others, which count alike however many dialogues they have.

    Means of goal sets (TD-Eval, table 3), and of combinations of equally many domains (clem:todd,
    tables 13 to 15); the spread over users (clem:todd, 5.1.2 and table 2: US-spread).
    """
    if name == "goal_sets":
        yield "mean of the sets", list(parts.values()), fmean
    if name == "users":
        yield "spread", list(parts.values()), _spread
    if name == "combinations":
        by_count: dict[int, list[PlayersSummary]] = {}
        for part, found in parts.items():
            by_count.setdefault(part.count("+") + 1, []).append(found)
        for count, chosen in sorted(by_count.items()):
            if len(chosen) > 1:
                yield f"mean of {count} domain{'s' * (count > 1)}", chosen, fmean


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _columns(parts: Mapping[str, PlayersSummary]) -> Iterator[_Column]:
    """Metrics, scores, Overall, composites, turns to resolution and latency."""
    each = list(parts.values())
    metrics = dict.fromkeys(name for one in each for name in one["metrics"])
    for name in metrics:
        if "/" not in name and " " not in name and not is_pass_k(name):
            yes_no = all(one["metrics"].get(name, {"hits": 0})["hits"] is not None for one in each)
            yield _Column(
                name, _at("metrics", name, "rate"), percent if yes_no else "{:.3f}".format
            )
    for name in dict.fromkeys(name for one in each for name in one.get("scores", {})):
        if " " not in name:
            yield _Column(name, _at("scores", name, "mean"), "{:.2f}".format)
    for level in ("turn", "dialogue"):
        yield _Column(f"overall by {level}", _at("overall", level), "{:.2f}".format)
    for name in dict.fromkeys(name for one in each for name in one.get("composites", {})):
        yield _Column(name, _at("composites", name, "value"), "{:.3f}".format)
    for name, title in ((SOLVED, "turns to resolution"), (DONE, "turns to done")):
        yield _Column(title, _at("resolution", name, "turns"), "{:.1f}".format)
    for name in ("p50", "p90"):
        yield _Column(f"{name.upper()} s", _at("latency", "turn", name), "{:.2f}".format)


def _at(*place: str) -> Callable[[PlayersSummary], float | None]:
    """Returns what stands at a place in a summary, if anything does."""

    def value(one: PlayersSummary) -> float | None:
        found: Any = one
        for name in place:
            found = (found or {}).get(name)
        return cast("float | None", found)

    return value


def _cell(
    column: _Column,
    parts: Sequence[PlayersSummary],
    made: Callable[[Sequence[float]], float],
) -> str:
    """Returns nothing if one has no value: a mean of the others would be of something else."""
    values = [column.value(part) for part in parts]
    known = [value for value in values if value is not None]
    return column.told(made(known)) if len(known) == len(values) else NONE


def _rules(title: str, parts: Mapping[str, PlayersSummary]) -> Iterator[str]:
    """The adherence to each rule that was broken, a column per part (AutoEval-ToD, table 4)."""
    broken = {
        name
        for one in parts.values()
        for name, found in one.get("rules", {}).items()
        if found["broken"]
    }
    rows = [
        [rule, *(percent(_at("rules", rule, "adherence")(one)) for one in parts.values())]
        for rule in sorted(broken)
    ]
    if rows:
        yield ""
        yield from aligned([[f"adherence {title}", *map(one_line, parts)], *rows])
