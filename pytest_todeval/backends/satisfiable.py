"""Whether a goal can be met at all; where no row satisfies it, that is not the bot's fault."""

from pytest_todeval.backends.database import MultiwozDatabase
from pytest_todeval.core.goal import DomainGoal, Goal

__all__ = ["unsatisfiable"]


def unsatisfiable(goal: Goal, database: MultiwozDatabase) -> str | None:
    """Why no row satisfies the goal, or None where every domain has one.

    Strict: all constraints of a domain at once (names and places also fuzzily, as in every query).
    Domains without a database, as taxis, have nothing to satisfy.
    """
    for part in goal.domains:
        if database.rows(part.domain) and not database.query(part.domain, part.inform):
            return _reason(part, database)
    return None


def _reason(part: DomainGoal, database: MultiwozDatabase) -> str:
    for slot, value in part.inform.items():
        if not database.query(part.domain, {slot: value}):
            return f"no {part.domain} in the database has {slot} {value!r}"
    wanted = ", ".join(f"{slot} {value!r}" for slot, value in part.inform.items())
    return f"no {part.domain} in the database meets all of: {wanted}"
