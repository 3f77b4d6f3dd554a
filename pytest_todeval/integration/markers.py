"""The markers: what they take, and the cases they ask for."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.goals.made_up.asked import MadeUp
from pytest_todeval.integration.case import NOTHING_DRAWN
from pytest_todeval.integration.options import GOAL_MARKERS, MARKER_LINES
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.worlds.asked import AskedGoals
from pytest_todeval.worlds.registry import FILE_ENDINGS

if TYPE_CHECKING:
    from pytest_todeval.integration.quarantine import Quarantine
    from pytest_todeval.integration.settings import Settings
    from pytest_todeval.worlds.goal_set import GoalSet

FILES = pytest.StashKey[dict[str, Path]]()
"""Name -> goal file, of those that the run has read."""


def _goals(
    source: "str | Path | MadeUp",
    *,
    split: str | None = None,
    domains: Sequence[str] | None = None,
    booking: bool | None = None,
    limit: int | None = None,
    seed: int | None = None,
    ids: Sequence[str] | None = None,
    exactly: Sequence[str] | None = None,
    every_domain_books: bool | None = None,
    tasks: str | None = None,
    labels: Sequence[str] | None = None,
    **options: Any,
) -> AskedGoals:
    filters = {"domains": domains, "booking": booking, "limit": limit, "seed": seed, "ids": ids}
    filters |= {"exactly": exactly, "every_domain_books": every_domain_books, "tasks": tasks}
    filters["labels"] = labels
    meant = (_meant(option, (*filters, "split")) for option in options)
    told = next(filter(None, meant), "")
    if told:
        raise UsageError(f"marker goals: {told} It takes: {_usage('goals')}")
    named = source if isinstance(source, MadeUp) else str(source)
    return AskedGoals(named, split, filters, options)


def _trials(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise UsageError(f"marker trials: got {n!r}, expected a whole number from 1 up")
    return n


def goal_sets(
    definition: "pytest.Function", settings: "Settings"
) -> "Iterator[tuple[GoalSet, Sequence[Any], Mapping[str, Any]]]":
    """The goal sets and selected goals that the markers on a test ask for, nearest marker last.

    With each, how the goals were chosen.
    """
    from pytest_todeval.goals import select
    from pytest_todeval.worlds import registry

    play_settings(definition)  # a wrong marker is told at once, not in each of its tests
    _require_no_slip(definition)
    for mark in reversed([m for m in definition.iter_markers() if m.name in GOAL_MARKERS]):
        asked = bound(_asks(mark.name), mark)
        goal_set = registry.load(
            asked.source,
            split=asked.split,
            settings=settings.places,
            beside=definition.path.parent,
            **asked.options,
        )
        _require_own_name(goal_set, asked.source, definition)
        if settings.limit is not None:
            asked.filters["limit"] = min(settings.limit, asked.filters["limit"] or settings.limit)
        if asked.filters.get("seed") is not None and asked.filters["limit"] is None:
            shown = f"`{mark.name}(seed=...)` of {definition.nodeid}"
            told = definition.config.stash.setdefault(NOTHING_DRAWN, {})
            told[f"{shown} (without `limit` nothing is drawn)"] = None
        chosen = {"split": asked.split, **asked.filters}
        if isinstance(asked.source, MadeUp):
            chosen["made_up"] = str(asked.source)
        yield goal_set, select.select(goal_set.goals, **asked.filters), chosen


def quarantines(definition: "pytest.Function") -> "tuple[Quarantine, ...]":
    """Returns what the markers `flaky_goal` on a test say, the nearest first."""
    marks = list(definition.iter_markers("flaky_goal"))
    if not marks:
        return ()
    from pytest_todeval.integration.quarantine import quarantined

    return tuple(bound(quarantined, mark) for mark in marks)


def _require_no_slip(definition: "pytest.Function") -> None:
    """Refuses a marker that is nearly one of ours: pytest would only warn of it."""
    ours = [line.partition("(")[0] for line in MARKER_LINES]
    known = {re.split(r"[(:]", line)[0].strip() for line in definition.config.getini("markers")}
    for mark in definition.iter_markers():
        near = get_close_matches(mark.name, ours, n=1, cutoff=0.8)
        if near and mark.name not in known:
            raise UsageError(
                f"marker {mark.name}: there is none: did you mean `{near[0]}`? One of your own can "
                "be declared in the ini file (`markers`)"
            )


def _require_own_name(
    goal_set: "GoalSet", asked: "str | MadeUp", definition: "pytest.Function"
) -> None:
    """Refuses a second goal file of one name: results could not tell the two apart."""
    source = asked.source if isinstance(asked, MadeUp) else asked
    if not source.endswith(FILE_ENDINGS):
        return
    path = (definition.path.parent / Path(source).expanduser()).resolve()
    known = definition.config.stash.setdefault(FILES, {}).setdefault(goal_set.name, path)
    if known != path:
        raise UsageError(
            f"two goal files of this run are called {goal_set.name!r}, so that results could not "
            f"tell them apart: {known} and {path}. Give one a line `name: ...` at its top"
        )


def _asks(marker: str) -> "Callable[..., AskedGoals]":
    """Returns what reads the arguments of a marker: that of a world is in its folder."""
    if marker == "goals":
        return _goals
    reads: Callable[..., AskedGoals] = import_module(f"pytest_todeval.worlds.{marker}.world").asked
    return reads


def trials(definition: "pytest.Function", settings: "Settings") -> int:
    """How often each goal is played: the command line, else the nearest marker, else once."""
    mark = definition.get_closest_marker("trials")
    if settings.trials is not None:
        return settings.trials
    return 1 if mark is None else int(bound(_trials, mark))


def play_settings(item: "pytest.Item | pytest.Function") -> PlaySettings:
    """Returns how to play the dialogue of a test: its `todeval` markers, the nearest winning."""
    merged: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers("todeval"))):
        bound(PlaySettings, mark)
        merged.update(mark.kwargs)
    return PlaySettings(**merged)


def bound(function: Callable[..., Any], mark: "pytest.Mark") -> Any:
    """Calls with the marker's arguments; a wrong one is an error showing what it takes."""
    signature = inspect.signature(function)
    try:
        signature.bind(*mark.args, **mark.kwargs)
    except TypeError as error:
        meant = (_meant(given, signature.parameters) for given in mark.kwargs)
        told = next(filter(None, meant), f"{error}.")
        raise UsageError(f"marker {mark.name}: {told} It takes: {_usage(mark.name)}") from None
    return function(*mark.args, **mark.kwargs)


def _meant(given: str, known: Iterable[str]) -> str:
    """Returns which argument was meant by one that there is not; empty if none is like it."""
    if given in known:
        return ""
    near = get_close_matches(given, list(known), n=1)
    return f"no argument {given!r}: did you mean {near[0]!r}?" if near else ""


def _usage(marker: str) -> str:
    line = next(line for line in MARKER_LINES if line.startswith(f"{marker}("))
    return line.split(": ", 1)[0]
