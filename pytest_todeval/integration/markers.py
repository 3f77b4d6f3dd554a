"""The markers: what they take, and the cases they ask for."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.integration.options import JUDGES, MARKER_LINES, USERS

if TYPE_CHECKING:
    import pytest

    from pytest_todeval.goals.registry import GoalSet
    from pytest_todeval.integration.options import Settings

__all__ = ["PlaySettings", "goal_sets", "play_settings", "trials"]


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """How a dialogue is played (marker `todeval`)."""

    max_turns: int | None = None
    """None: as many as the backend has steps, else 30."""
    turn_timeout: float = 30.0
    """Seconds."""
    dialogue_timeout: float = 300.0
    """Seconds."""
    user_style: str = "plain"
    """Of the agenda user."""
    user: str | None = None
    """Who plays the user, where the test says it; else the option does."""
    judge: str | None = None
    """Who judges, likewise."""
    persona: str = ""
    """Who a model plays as the user, in a sentence or two."""
    language: str = "English"
    """Of the dialogue: what a model speaks as the user; the bot's is judged by it."""

    def __post_init__(self) -> None:
        for name, known in (("user", USERS), ("judge", JUDGES)):
            value = getattr(self, name)
            if value is not None and value not in known:
                hint = known_names(str(value), known)
                raise UsageError(f"marker todeval: no {name} {value!r}; {hint}")


@dataclass(frozen=True, slots=True)
class _Ask:
    """One marker's wish, before anything is loaded."""

    source: str
    split: str | None
    filters: dict[str, Any]


def _multiwoz(
    split: str = "test",
    domains: Sequence[str] | None = None,
    booking: bool | None = None,
    limit: int | None = None,
    seed: int | None = None,
    ids: Sequence[str] | None = None,
) -> _Ask:
    filters = {"domains": domains, "booking": booking, "limit": limit, "seed": seed, "ids": ids}
    return _Ask("multiwoz", split, filters)


def _goals(
    source: str,
    *,
    split: str | None = None,
    domains: Sequence[str] | None = None,
    booking: bool | None = None,
    limit: int | None = None,
    seed: int | None = None,
    ids: Sequence[str] | None = None,
) -> _Ask:
    filters = {"domains": domains, "booking": booking, "limit": limit, "seed": seed, "ids": ids}
    return _Ask(str(source), split, filters)


def _tau_bench(
    domain: str,
    split: str = "test",
    tasks: Sequence[int | str] | None = None,
    limit: int | None = None,
    seed: int | None = None,
) -> _Ask:
    ids = _task_ids("tau_bench", tasks, f"{split}-")
    return _Ask(f"tau_bench/{domain}", split, {"limit": limit, "seed": seed, "ids": ids})


def _tau2(
    domain: str,
    split: str = "base",
    tasks: Sequence[int | str] | None = None,
    limit: int | None = None,
    seed: int | None = None,
) -> _Ask:
    ids = _task_ids("tau2", tasks)
    return _Ask(f"tau2/{domain}", split, {"limit": limit, "seed": seed, "ids": ids})


def _task_ids(
    marker: str, tasks: Sequence[int | str] | None, before_number: str = ""
) -> list[str] | None:
    """The ids of tasks; a number stands for the id it is in, as the benchmark's own options say."""
    if tasks is None:
        return None
    known = isinstance(tasks, (list, tuple, range)) and all(
        isinstance(task, (int, str)) and not isinstance(task, bool) for task in tasks
    )
    if not known or not tasks:
        raise UsageError(
            f"marker {marker}: tasks: got {tasks!r}, expected a list of numbers or ids, e.g. [0, 3]"
        )
    names = map(str, tasks)
    return [f"{before_number}{name}" if name.isdecimal() else name for name in names]


def _trials(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise UsageError(f"marker trials: got {n!r}, expected a whole number from 1 up")
    return n


_ASKS: dict[str, Callable[..., _Ask]] = {
    "multiwoz": _multiwoz,
    "goals": _goals,
    "tau_bench": _tau_bench,
    "tau2": _tau2,
}


def goal_sets(
    definition: "pytest.Function", settings: "Settings"
) -> "Iterator[tuple[GoalSet, Sequence[Any]]]":
    """The goal sets and selected goals that the markers on a test ask for, nearest marker last."""
    from pytest_todeval.goals import registry, select

    for mark in reversed([m for m in definition.iter_markers() if m.name in _ASKS]):
        ask = _bound(_ASKS[mark.name], mark)
        goal_set = registry.load(
            ask.source,
            split=ask.split,
            data=settings.data,
            beside=definition.path.parent,
            homes={"tau_bench": settings.tau_home, "tau2": settings.tau2_home},
        )
        if settings.limit is not None:
            ask.filters["limit"] = min(settings.limit, ask.filters["limit"] or settings.limit)
        yield goal_set, select.select(goal_set.goals, **ask.filters)


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
        usage = next(line for line in MARKER_LINES if line.startswith(f"{mark.name}("))
        raise UsageError(
            f"marker {mark.name}: {error}. It takes: {usage.split(': ', 1)[0]}"
        ) from None
    return function(*mark.args, **mark.kwargs)
