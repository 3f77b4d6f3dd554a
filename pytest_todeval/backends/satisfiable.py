"""Whether a goal can be met at all; if no row satisfies it, that is not the bot's fault."""

from pytest_todeval.backends.database import EARLIEST, LATEST, MultiwozDatabase
from pytest_todeval.backends.protocol import Row
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.nlu.values.normalise import DONTCARE, normalise


def unsatisfiable(goal: Goal, database: MultiwozDatabase) -> str | None:
    """Says why no row satisfies the goal, or None if every domain has one.

    Word for word (but for case, and times being limits), unlike a bot's queries: a goal whose value
    no row spells that way can fail a bot that searches by the letter, and rightly so. Domains
    without a database, as taxis, have nothing to satisfy. Of one that expects a refusal, no row may
    meet it, unless it is the booking that nobody can make.
    """
    for part in goal.domains:
        if not database.rows(part.domain):
            continue
        found = database.query(part.domain, part.inform)
        wanted = part.inform.items()
        met = next((row for row in found if all(_literal(row, s, v) for s, v in wanted)), None)
        if part.refusal and met is not None and not part.book:
            what = met.get("name") or met.get("trainID") or "a row"
            return f"the goal expects a refusal, but {what} is a {part.domain} that meets it"
        if not part.refusal and met is None:
            return _reason(part, database, found)
    return None


def _literal(row: Row, slot: str, value: str) -> bool:
    """Says whether a row that a query found has the value as the goal spells it."""
    if slot in (EARLIEST, LATEST) or normalise(slot, value) in ("", DONTCARE):
        return True
    stored = str(row.get(slot, "")).strip().casefold()
    return stored in ("?", value.strip().casefold())


def _reason(part: DomainGoal, database: MultiwozDatabase, found: tuple[Row, ...]) -> str:
    for row in found[:1]:
        slot = next(slot for slot, value in part.inform.items() if not _literal(row, slot, value))
        return (
            f"no {part.domain} in the database has {slot} {part.inform[slot]!r} word for word "
            f"(the nearest is {row[slot]!r})"
        )
    for slot, value in part.inform.items():
        if not database.query(part.domain, {slot: value}):
            return f"no {part.domain} in the database has {slot} {value!r}"
    wanted = ", ".join(f"{slot} {value!r}" for slot, value in part.inform.items())
    return f"no {part.domain} in the database meets all of: {wanted}"
