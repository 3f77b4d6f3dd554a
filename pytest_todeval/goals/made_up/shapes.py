"""The shapes of a set's own goals: which domains, which slots in them, booked with what."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.nlu.times import clock, to_minutes
from pytest_todeval.nlu.values.normalise import DAYS

Row = Mapping[str, object]

WHOLE_KINDS = {
    "day": DAYS,
    "people": tuple(map(str, range(1, 9))),
    "stay": tuple(map(str, range(1, 6))),
}
"""Slots of bookings of which any value makes sense, also if no goal has it."""
STEP = 15
"""Minutes between times that a goal may ask for."""


@dataclass(frozen=True, slots=True)
class DomainShape:
    """What goals of a set say of one domain."""

    domain: str
    slots: tuple[str, ...]
    """Those that some goal constrains and some row has."""
    together: frozenset[frozenset[str]]
    """Pairs of slots that some goal constrains together."""
    always: frozenset[str]
    """Those that every goal constrains."""
    most: int
    """Slots constrained at once."""
    bookings: tuple[tuple[str, ...], ...]
    """The slots of bookings; empty if nothing is booked."""
    booked_with: Mapping[str, tuple[str, ...]]
    """The values that a slot of a booking may have."""
    requests: tuple[str, ...]
    """What some goal asks for and some row tells."""

    @classmethod
    def of(cls, domain: str, parts: Sequence[DomainGoal], rows: Sequence[Row]) -> "DomainShape":
        """Returns what the goals' parts on a domain have in common with its rows."""
        columns = {slot for row in rows for slot, value in row.items() if is_value(value)}
        informs = list(filter(None, (_known(part.inform, columns) for part in parts)))
        books = [part.book for part in parts if part.book]
        slots = _each(slot for found in informs for slot in found)
        return cls(
            domain,
            slots,
            frozenset(frozenset((a, b)) for found in informs for a in found for b in found),
            frozenset(slots).intersection(*informs),
            max(map(len, informs), default=0),
            tuple(sorted({tuple(sorted(book)) for book in books})),
            _booked_with(books),
            _known(_each(slot for part in parts for slot in part.request), columns),
        )


@dataclass(frozen=True, slots=True)
class GoalShapes:
    """What the goals of a set have in common."""

    domains: Mapping[str, DomainShape]
    combinations: tuple[tuple[str, ...], ...]
    """The domains of each goal, in its order: the more often, the likelier."""

    @classmethod
    def of(cls, goals: Sequence[Goal], rows: Mapping[str, Sequence[Row]]) -> "GoalShapes":
        """Of the domains that have rows and are constrained."""
        found = {}
        for domain, known in rows.items():
            parts = [part for goal in goals for part in goal.domains if part.domain == domain]
            shape = DomainShape.of(domain, parts, known)
            if shape.slots and (shape.requests or shape.bookings):
                found[domain] = shape
        usable = (tuple(p.domain for p in g.domains if p.domain in found) for g in goals)
        return cls(found, tuple(domains for domains in usable if domains))


def is_value(value: object) -> bool:
    """Says whether a cell of a table holds something that people say."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    return str(value).strip() not in ("", "?", "none") and len(str(value)) <= 60


def _each(slots: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(slots))


def _known(slots: Iterable[str], columns: Collection[str]) -> tuple[str, ...]:
    return tuple(slot for slot in slots if slot in columns)


def _booked_with(books: Iterable[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    values: dict[str, set[str]] = {}
    for slot, value in (item for book in books for item in book.items()):
        values.setdefault(slot, set()).add(value)
    return {slot: _bookable(slot, found) for slot, found in sorted(values.items())}


def _bookable(slot: str, values: set[str]) -> tuple[str, ...]:
    """Returns the values of the goals; of a kind, all that make sense."""
    if slot in WHOLE_KINDS and values <= set(WHOLE_KINDS[slot]):
        return WHOLE_KINDS[slot]
    times = [to_minutes(value) for value in values]
    known = [time for time in times if time is not None]
    if slot != "time" or len(known) < len(times):
        return tuple(sorted(values))
    earliest, latest = min(known) // STEP * STEP, max(known)
    return tuple(clock(time) for time in range(earliest, latest + 1, STEP))
