"""What goals can be drawn from: a goal set, its shapes and its database."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.goals.made_up.making import Query
from pytest_todeval.goals.made_up.shapes import DomainShape, GoalShapes
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.files.reading import goal_of
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.made_up import query_of

_HERE: ContextVar["tuple[Path, Mapping[str, Any]]"] = ContextVar("todeval_source_of_goals")
_KNOWN: dict[str, "GoalSource"] = {}
_BY_GOAL_SET: dict[str, "GoalSource"] = {}
BY_CHANCE = 2
"""Goals that would constrain two slots together if they had nothing to do with each other."""


@contextmanager
def loading(folder: Path, settings: Mapping[str, Any]) -> Iterator[None]:
    """While the body runs, goal files are looked for in this folder, and data where it is set."""
    token = _HERE.set((folder, settings))
    try:
        yield
    finally:
        _HERE.reset(token)


@dataclass(frozen=True)
class GoalSource:
    """A goal set that goals are drawn from."""

    goal_set: GoalSet
    shapes: GoalShapes | None
    """Of domains with a database; None without one."""
    query: Query | None
    parts: Mapping[str, Sequence[DomainGoal]]
    """Domain -> what the set's own goals want of it."""
    with_steps: Sequence[Goal]
    rows: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    _apart: dict[str, frozenset[frozenset[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, goal_set: GoalSet) -> "GoalSource":
        goals = goal_set.goals
        parts: dict[str, list[DomainGoal]] = {}
        for part in (part for goal in goals if not goal.steps for part in goal.domains):
            parts.setdefault(part.domain, []).append(part)
        with_steps = [goal for goal in goals if goal.steps]
        try:
            query = query_of(goal_set, f"goals({goal_set.name!r})", list(parts))
        except UsageError:  # nothing can be looked up: the goals themselves are all that is known
            return cls(goal_set, None, None, parts, with_steps)
        rows = {domain: found for domain in parts if (found := query(domain, {}))}
        return cls(goal_set, GoalShapes.of(goals, rows), query, parts, with_steps, rows)

    def apart(self, domain: str) -> frozenset[frozenset[str]]:
        """Pairs of slots that no goal constrains together, though by chance some would.

        Such as the time of leaving and that of arriving; a name mostly stands alone.
        """
        if domain not in self._apart:
            self._apart[domain] = _never_together([part.inform for part in self.parts[domain]])
        return self._apart[domain]

    def shape(self, domain: str) -> DomainShape | None:
        """Returns what goals say of a domain with a database; None if it has none."""
        return None if self.shapes is None else self.shapes.domains.get(domain)

    def domains(self, chosen: Sequence[str] | None) -> list[str]:
        """The domains that goals are drawn of. Raises UsageError for one that no goal is about."""
        known = self.shapes.domains if self.shapes is not None else self.parts
        kinds = {step.kind for goal in self.with_steps for step in goal.steps}
        for name in chosen or ():
            if name not in known and name not in kinds:
                hint = known_names(str(name), [*known, *kinds])
                raise UsageError(f"goals({self.goal_set.name!r}): domains: {name!r}; {hint}")
        return [name for name in known if chosen is None or name in chosen]

    def goal(self, entry: Mapping[str, Any]) -> Goal:
        """A goal in the shape of a goal file's entry, with what the set says of all its goals."""
        name = self.goal_set.name
        found = goal_of({"id": "pinned", **entry}, name, f"conversation({name!r}, ...)")
        own = {step.verb: step.own for goal in self.with_steps for step in goal.steps if step.own}
        steps = tuple(replace(step, own=own.get(step.verb, step.own)) for step in found.steps)
        first = self.goal_set.goals[0]
        return replace(found, source=name, steps=steps, hearing=first.hearing)


def _never_together(informs: Sequence[Mapping[str, str]]) -> frozenset[frozenset[str]]:
    counts = Counter(slot for each in informs for slot in each)
    pairs = {frozenset(pair) for each in informs for pair in combinations(each, 2)}
    paired = {slot for pair in pairs for slot in pair}
    return frozenset(
        frozenset((one, other))
        for one, other in combinations(counts, 2)
        if frozenset((one, other)) not in pairs
        if not {one, other} <= paired or counts[one] * counts[other] >= BY_CHANCE * len(informs)
    )


def source_of(given: "str | Path | GoalSet") -> GoalSource:
    """Returns the goal set by name, file, or as it is; loaded once per process.

    Raises what `registry.load` raises.
    """
    if isinstance(given, GoalSet):
        key = f"{given.name} {given.fingerprint} {id(given.world)}"
    else:
        folder, settings = _HERE.get((Path.cwd(), {}))
        key = f"{given} {folder} {sorted((k, str(v)) for k, v in settings.items())}"
    if key not in _KNOWN:
        loaded = (
            given
            if isinstance(given, GoalSet)
            else registry.load(str(given), beside=folder, settings=settings)
        )
        _KNOWN[key] = GoalSource.of(loaded)
    found = _KNOWN[key]
    _BY_GOAL_SET[found.goal_set.name] = found
    return found


def source_of_goal(goal: Goal) -> GoalSource:
    """Returns the source that a goal was drawn from. Raises UsageError if it was not drawn."""
    if goal.source not in _BY_GOAL_SET:
        raise UsageError(f"{goal.name}: no goal was drawn from {goal.source} in this process")
    return _BY_GOAL_SET[goal.source]


def set_of(goal: Goal) -> GoalSet | None:
    """Returns the goal set that a goal was drawn from; None if it was not."""
    found = _BY_GOAL_SET.get(goal.source)
    return None if found is None else found.goal_set
