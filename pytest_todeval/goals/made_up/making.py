"""Making goals up: a row and some of its slots, or what no row has."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError
from pytest_todeval.goals.made_up.asked import MadeUp, MadeUpKind
from pytest_todeval.goals.made_up.draw import Draw
from pytest_todeval.goals.made_up.shapes import STEP, DomainShape, GoalShapes, Row, is_value
from pytest_todeval.goals.made_up.wording import message, oddities
from pytest_todeval.nlu.times import clock, to_minutes

Query = Callable[[str, Mapping[str, str]], Sequence[Row]]
"""Rows of a domain that meet constraints; all of them if there are none."""
Constraints = frozenset[tuple[str, str, str]]
"""Domain, slot and value of all that a goal constrains and books."""

EARLIEST, LATEST = "leaveAt", "arriveBy"
MIDNIGHT = 24 * 60
TRIES = 200
"""For each goal asked for, before it is said that there are no more."""
BOOKS = 0.6
"""How often a goal books, in a domain in which goals do."""


def make_goals(
    asked: MadeUp, source: str, shapes: GoalShapes, query: Query, real: Sequence[Goal]
) -> tuple[Goal, ...]:
    """Returns the goals that are asked for, in their order.

    `source` is what they are called by, `real` are all goals that none may equal. Raises UsageError
    if there are not so many, saying how many there are.
    """
    maker = _GoalMaker(asked.kind, query)
    draw = Draw(f"{asked.kind}/{asked.source}/{asked.seed}")
    taken = {each for goal in real for each in _of_a_real_one(goal)}
    found: dict[str, Goal] = {}
    combinations = _asked_for(asked, shapes)
    for _ in range(TRIES * asked.n):
        parts = [maker.part(shapes.domains[each], draw) for each in draw.one(combinations)]
        whole = [part for part in parts if part is not None]
        constraints = _constraints(whole)
        if len(whole) < len(parts) or constraints in taken:
            continue
        goal = _goal(source, constraints, whole, shapes, maker)
        if goal is None or goal.id in found:
            continue
        taken.add(constraints)
        found[goal.id] = goal
        if len(found) == asked.n:
            return tuple(found.values())
    raise UsageError(
        f"{asked}: only {len(found)} such goals were found in {TRIES * asked.n} draws, expected "
        f"{asked.n}: ask for fewer, or give {asked.source} goals with more slots"
    )


def _asked_for(asked: MadeUp, shapes: GoalShapes) -> Sequence[tuple[str, ...]]:
    wanted = shapes.combinations
    if asked.domains is not None:
        wanted = tuple(each for each in wanted if set(each) <= set(asked.domains))
    if not wanted:
        known = ", ".join(shapes.domains) or "none"
        raise UsageError(
            f"{asked}: no goal of {asked.source} is about such domains only; there are rows and "
            f"constraints of: {known}"
        )
    return wanted


@dataclass(frozen=True, slots=True)
class _GoalMaker:
    kind: MadeUpKind
    query: Query

    def part(self, shape: DomainShape, draw: Draw) -> DomainGoal | None:
        """Returns what a goal wants of one domain; None if the draw comes to nothing."""
        slots = _slots(shape, draw)
        rows = self.query(shape.domain, {})
        if self.kind is MadeUpKind.UNFULFILLABLE:
            inform = _values(slots, [draw.one(rows) for _ in slots])
        else:
            inform = _values(slots, [draw.one(rows)] * len(slots))
        book: dict[str, str] = {}
        if shape.bookings and (not shape.requests or draw.happens(BOOKS)):
            book = {slot: draw.one(shape.booked_with[slot]) for slot in draw.one(shape.bookings)}
        if self.kind is MadeUpKind.UNREALISTIC:
            inform, book = self._odd(shape, inform, book, draw)
        refusal = self.kind is not MadeUpKind.SYNTHETIC
        part = DomainGoal(shape.domain, inform, book=book, refusal=refusal)
        return part if inform and self._is_as_asked(part) else None

    def _odd(
        self, shape: DomainShape, inform: dict[str, str], book: dict[str, str], draw: Draw
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Returns one or two values replaced by such as exist nowhere."""
        left = draw.between(1, 2)
        for slot in draw.shuffled([*inform, *book]):
            odd = draw.shuffled(oddities(slot))
            if slot in inform:
                odd = [value for value in odd if not self.query(shape.domain, {slot: value})]
            if left and odd:
                (inform if slot in inform else book)[slot] = odd[0]
                left -= 1
        return inform, book

    def _is_as_asked(self, part: DomainGoal) -> bool:
        found = bool(self.query(part.domain, part.inform))
        match self.kind:
            case MadeUpKind.SYNTHETIC:
                return found
            case MadeUpKind.UNFULFILLABLE:
                ends = part.inform.get("departure"), part.inform.get("destination")
                each = all(self.query(part.domain, {s: v}) for s, v in part.inform.items())
                return not found and each and (ends[0] is None or ends[0] != ends[1])
        values = [(s, v) for each in (part.inform, part.book) for s, v in each.items()]
        return any(value in oddities(slot) for slot, value in values)

    def requests(self, part: DomainGoal, shape: DomainShape, draw: Draw) -> tuple[str, ...] | None:
        """What the goal asks for besides; None if it would ask for nothing and books nothing."""
        rows = self.query(part.domain, {} if part.refusal else part.inform)
        known = [
            slot
            for slot in shape.requests
            if slot not in part.inform and all(is_value(row.get(slot)) for row in rows[:20])
        ]
        wanted = draw.between(0, 2) if part.book else draw.between(1, 3)
        chosen = set(draw.shuffled(known)[:wanted])
        return tuple(slot for slot in known if slot in chosen) if chosen or part.book else None


def _slots(shape: DomainShape, draw: Draw) -> list[str]:
    """Slots that goals of the set constrain together, in their order."""
    chosen = set(shape.always) or {draw.one(shape.slots)}
    wanted = draw.between(len(chosen), shape.most)
    for slot in draw.shuffled(shape.slots):
        alike = all(frozenset((slot, other)) in shape.together for other in chosen)
        if len(chosen) < wanted and alike:
            chosen.add(slot)
    return [slot for slot in shape.slots if slot in chosen]


def _values(slots: Sequence[str], rows: Sequence[Row]) -> dict[str, str]:
    """Returns a value for each slot, from the row beside it; nothing if one has none."""
    found = {slot: wish(slot, row.get(slot)) for slot, row in zip(slots, rows, strict=True)}
    return found if all(found.values()) else {}


def wish(slot: str, value: object) -> str:
    """A value as people wish for it: of a train's time, the quarter of an hour that suits it."""
    if not is_value(value):
        return ""
    time = to_minutes(str(value)) if slot in (EARLIEST, LATEST) else None
    if time is None:
        return str(value).strip()
    quarter = time // STEP * STEP if slot == EARLIEST else -(-time // STEP) * STEP
    return clock(quarter) if quarter < MIDNIGHT else ""


def _constraints(parts: Sequence[DomainGoal]) -> Constraints:
    return frozenset(
        (part.domain, slot, value.lower())
        for part in parts
        for slots in (part.inform, part.book)
        for slot, value in slots.items()
    )


def _of_a_real_one(goal: Goal) -> Iterator[Constraints]:
    """As it ends, and as its user starts; with its bookings, and without."""
    started = [replace(p, inform=p.first_inform, book=p.first_book) for p in goal.domains]
    for parts in (goal.domains, started):
        yield _constraints(parts)
        yield _constraints([replace(part, book={}) for part in parts])


def _goal(
    source: str,
    constraints: Constraints,
    parts: Sequence[DomainGoal],
    shapes: GoalShapes,
    maker: _GoalMaker,
) -> Goal | None:
    """The goal of these constraints: what it asks for besides, and its words, follow from them."""
    order = [part.domain for part in parts]
    text = json.dumps([maker.kind, order, sorted(constraints)], ensure_ascii=False)
    digest = hashlib.sha256(text.encode()).hexdigest()
    draw = Draw(digest)
    asking = [(part, maker.requests(part, shapes.domains[part.domain], draw)) for part in parts]
    whole = tuple(replace(part, request=wanted) for part, wanted in asking if wanted is not None)
    if len(whole) < len(parts):
        return None
    named = "-".join("".join(c for c in name if c.isalnum()) or "domain" for name in order)
    return Goal(f"{named[:80]}-{digest[:8]}", source, whole, message(whole, draw))
