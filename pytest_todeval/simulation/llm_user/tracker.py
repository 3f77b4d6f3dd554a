"""The tracked state of a user's goal (Kazi et al., section 3.1.1, user state tracking)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.models.goal_text import goal_text

DEEPEST = 6
MOST = 500
"""Entries of a state that are looked at."""


class PartStatus(StrEnum):
    """How far a part of the goal has come."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"
    """The bot cannot or will not."""


_WORDS = {
    PartStatus.OPEN: ("open", "no", "false", "none", "null", "pending", "todo", "0", "", "unknown"),
    PartStatus.DONE: ("done", "yes", "true", "complete", "completed", "told", "fulfilled", "1"),
    PartStatus.FAILED: ("failed", "impossible", "unavailable", "not possible", "refused"),
}
_STATUS = {word: status for status, words in _WORDS.items() for word in words}


@dataclass(frozen=True)
class Tracker:
    """Each part of the goal by its path (`hotel.book.people`), with its status.

    In the paper the model makes up the dictionary itself. Here the parts come from the goal, so
    that it cannot lose one, and what the model says of others is ignored.
    """

    parts: Mapping[str, PartStatus]

    @classmethod
    def of(cls, goal: Goal) -> "Tracker":
        """All parts open: slots to tell, to book and to find out; without domains, sentences."""
        paths = [path for part in goal.domains for path in _paths(part)]
        sentences = goal_text(goal).splitlines()
        paths = paths or [f"task.{n}" for n in range(1, len(sentences) + 1)]
        return cls(dict.fromkeys(paths, PartStatus.OPEN))

    @property
    def open(self) -> tuple[str, ...]:
        """Returns the paths of what is still to be done."""
        return self._with(PartStatus.OPEN)

    @property
    def failed(self) -> tuple[str, ...]:
        """Returns the paths of what the bot did not do."""
        return self._with(PartStatus.FAILED)

    def _with(self, status: PartStatus) -> tuple[str, ...]:
        return tuple(path for path, found in self.parts.items() if found is status)

    def after(self, state: Mapping[str, object]) -> tuple["Tracker", tuple[str, ...]]:
        """Returns the tracker after what a model says, and what of that was ignored, with why."""
        known = {path.casefold(): path for path in self.parts}
        parts, ignored = dict(self.parts), []
        for said, value in _flat(state):
            path = known.get(said.casefold().removesuffix(".status"))
            status = None if path is None else _status(path, value)
            if path is None:
                ignored.append(f"no part {said!r:.80} in the goal")
            elif status is None:
                ignored.append(f"{path}: {value!r:.60} is no status")
            else:
                parts[path] = status
        return Tracker(parts), tuple(ignored)

    def shown(self) -> str:
        """As JSON for the prompt."""
        return json.dumps(self.parts, ensure_ascii=False, indent=1)


def _paths(part: DomainGoal) -> Iterator[str]:
    groups = {"inform": part.inform, "book": part.book, "request": part.request}
    for group, slots in groups.items():
        yield from (f"{part.domain}.{group}.{slot}" for slot in slots)
    if part.wants_booking:
        yield f"{part.domain}.booked"


def _flat(state: Mapping[str, object]) -> list[tuple[str, object]]:
    """Paths and values; nested objects and flat paths are the same."""
    found: list[tuple[str, object]] = []
    waiting: list[tuple[str, object, int]] = [("", state, 0)]
    while waiting and len(found) < MOST:
        path, value, depth = waiting.pop()
        if isinstance(value, Mapping) and value and depth < DEEPEST:
            inner = [(f"{path}.{key}" if path else str(key), value[key]) for key in value]
            waiting += [(name, each, depth + 1) for name, each in reversed(inner)]
        elif not path.endswith(".value"):  # {"value": "north", "status": "done"}
            found.append((path, value))
    return found


def _status(path: str, value: object) -> PartStatus | None:
    if isinstance(value, bool | int | None):
        return PartStatus.DONE if value else PartStatus.OPEN
    if not isinstance(value, str):
        return None
    word = value.strip().casefold()
    if word not in _STATUS and ".request." in path:
        return PartStatus.DONE  # the value that was told stands in place of the status
    return _STATUS.get(word)
