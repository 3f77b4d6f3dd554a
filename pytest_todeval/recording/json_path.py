"""Paths into JSON, as they stand in the ini file: `$.metadata.trace`, `$..ts`, `$.items[*].id`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pytest_todeval.errors import UsageError

_STEP = re.compile(
    r"""(?P<deep>\.\.)(?:(?P<below>[^.\[\]'"*]+)|\*)"""
    r"""|\.(?:(?P<name>[^.\[\]'"*]+)|\*)"""
    r"""|\[(?:(?P<index>\d{1,9})|\*|'(?P<single>[^']*)'|"(?P<double>[^"]*)")\]"""
)
MOST_STEPS = 20


@dataclass(frozen=True, slots=True)
class _Step:
    name: str | int | None
    """A name or an index; None for any."""
    deep: bool = False
    """Whether any number of levels may lie before it."""


@dataclass(frozen=True, slots=True)
class JsonPlace:
    """A place in a JSON value, and which paths lead on from there."""

    left: tuple[tuple[_Step, ...], ...] = ()
    """Of each path that still applies, the steps left to go."""
    found: bool = False
    """Whether a path ends here."""

    def __bool__(self) -> bool:
        return bool(self.left) or self.found

    def at(self, name: str | int) -> "JsonPlace":
        """Returns one level down, at a name or an index."""
        if not self.left:
            return NOWHERE
        after: dict[tuple[_Step, ...], None] = {}
        found = False
        for path in self.left:
            if path[0].deep:
                after[path] = None
            if path[0].name is None or path[0].name == name:
                found = found or len(path) == 1
                after.update({path[1:]: None} if len(path) > 1 else {})
        return JsonPlace(tuple(after), found)


NOWHERE = JsonPlace()
"""A place from which no path leads on."""


def root(paths: Iterable[str]) -> JsonPlace:
    """The top of a value, with these paths to follow. Raises UsageError for what is no path."""
    return JsonPlace(tuple(_steps(path) for path in paths))


def _steps(path: str) -> tuple[_Step, ...]:
    steps: list[_Step] = []
    at = 1
    while match := _STEP.match(path, at):
        steps.append(_step(match))
        at = match.end()
    if not path.startswith("$") or at != len(path) or not 0 < len(steps) <= MOST_STEPS:
        raise UsageError(
            f"{path!r} is not a path into JSON; expected e.g. `$.metadata.trace_id`, "
            f"`$.items[*].id`, `$..timestamp` (at most {MOST_STEPS} steps)"
        )
    return tuple(steps)


def _step(match: re.Match[str]) -> _Step:
    if match["index"] is not None:
        return _Step(int(match["index"]))
    names = (match["below"], match["name"], match["single"], match["double"])
    return _Step(next((name for name in names if name is not None), None), bool(match["deep"]))
