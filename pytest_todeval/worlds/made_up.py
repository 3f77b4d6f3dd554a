"""Goal sets that are made up over another one: its shapes, its database, its world."""

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.errors import UsageError
from pytest_todeval.goals.made_up.asked import MadeUp
from pytest_todeval.goals.made_up.making import Query, make_goals
from pytest_todeval.goals.made_up.shapes import GoalShapes
from pytest_todeval.worlds.goal_set import GoalSet


def made_up(asked: MadeUp, base: GoalSet) -> GoalSet:
    """Returns the goals that are asked for over a goal set, which are played in its world.

    Raises UsageError if the set's goals have no domains, its backend has no `query`, or there are
    not so many goals.
    """
    domains = tuple(dict.fromkeys(part.domain for goal in base.goals for part in goal.domains))
    query = query_of(base, str(asked), domains)
    rows = {domain: query(domain, {}) for domain in domains}
    shapes = GoalShapes.of(base.goals, {domain: each for domain, each in rows.items() if each})
    name = f"{asked.kind}/{base.name}"
    real = [*base.goals, *base.world.every_goal()]
    goals = make_goals(asked, name, shapes, query, real)
    digest = fingerprint(repr((g.id, g.message, g.domains)).encode() for g in goals)
    return GoalSet(name, goals, digest, base.world)


def query_of(base: GoalSet, asked: str, domains: Sequence[str]) -> Query:
    """Returns what finds rows; each question is asked of the backend once."""
    if not domains:
        raise UsageError(f"{asked}: the goals of {base.name} name no domains and slots")
    backend = base.world.backend(base.goals[0])
    search = getattr(backend, "query", None)
    if search is None:
        raise UsageError(
            f"{asked}: nothing can be looked up in {base.name}: it needs a backend with `query`;"
            " in a goal file, name a `database:`"
        )
    known: dict[tuple[str, frozenset[tuple[str, str]]], Sequence[Mapping[str, Any]]] = {}

    def query(domain: str, constraints: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
        key = domain, frozenset(constraints.items())
        if key not in known:
            known[key] = tuple(search(domain, dict(constraints)))
        return known[key]

    return query
