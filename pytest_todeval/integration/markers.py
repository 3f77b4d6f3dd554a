"""The markers: what they take, and the cases they ask for."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_todeval.errors import UsageError
from pytest_todeval.integration.options import GOAL_MARKERS, MARKER_LINES
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.worlds.asked import AskedGoals

if TYPE_CHECKING:
    import pytest

    from pytest_todeval.integration.options import Settings
    from pytest_todeval.worlds.goal_set import GoalSet

__all__ = ["goal_sets", "play_settings", "trials"]


def _goals(
    source: str,
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
    **options: Any,
) -> AskedGoals:
    filters = {"domains": domains, "booking": booking, "limit": limit, "seed": seed, "ids": ids}
    filters |= {"exactly": exactly, "every_domain_books": every_domain_books, "tasks": tasks}
    for option in options:
        meant = get_close_matches(option, (*filters, "split"), n=1)
        if meant:
            raise UsageError(
                f"marker goals: no argument {option!r}: did you mean {meant[0]!r}? "
                f"It takes: {_usage('goals')}"
            )
    return AskedGoals(str(source), split, filters, options)


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

    for mark in reversed([m for m in definition.iter_markers() if m.name in GOAL_MARKERS]):
        asked = _bound(_asks(mark.name), mark)
        goal_set = registry.load(
            asked.source,
            split=asked.split,
            settings=settings.places,
            beside=definition.path.parent,
            **asked.options,
        )
        if settings.limit is not None:
            asked.filters["limit"] = min(settings.limit, asked.filters["limit"] or settings.limit)
        chosen = {"split": asked.split, **asked.filters}
        yield goal_set, select.select(goal_set.goals, **asked.filters), chosen


def _asks(marker: str) -> "Callable[..., AskedGoals]":
    """What reads the arguments of a marker: that of a world is in its folder."""
    if marker == "goals":
        return _goals
    reads: Callable[..., AskedGoals] = import_module(f"pytest_todeval.worlds.{marker}.world").asked
    return reads


def trials(definition: "pytest.Function", settings: "Settings") -> int:
    """How often each goal is played: the command line, else the nearest marker, else once."""
    mark = definition.get_closest_marker("trials")
    if settings.trials is not None:
        return settings.trials
    return 1 if mark is None else int(_bound(_trials, mark))


def play_settings(item: "pytest.Item") -> PlaySettings:
    """How to play the dialogue of a test: its `todeval` markers, the nearest winning."""
    merged: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers("todeval"))):
        _bound(PlaySettings, mark)
        merged.update(mark.kwargs)
    return PlaySettings(**merged)


def _bound(function: Callable[..., Any], mark: "pytest.Mark") -> Any:
    """Call with the marker's arguments; a wrong one is an error showing what it takes."""
    try:
        inspect.signature(function).bind(*mark.args, **mark.kwargs)
    except TypeError as error:
        raise UsageError(f"marker {mark.name}: {error}. It takes: {_usage(mark.name)}") from None
    return function(*mark.args, **mark.kwargs)


def _usage(marker: str) -> str:
    line = next(line for line in MARKER_LINES if line.startswith(f"{marker}("))
    return line.split(": ", 1)[0]
