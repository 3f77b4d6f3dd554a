"""Drawing goals: Hypothesis chooses, and what it chooses can be had, or not, as asked for.

Each choice shrinks towards less: the first of a list, false, zero.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from hypothesis import assume
from hypothesis import strategies as st

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.goals.entry import goal_entry
from pytest_todeval.goals.made_up.making import wish
from pytest_todeval.goals.made_up.shapes import WHOLE_KINDS, DomainShape, is_value
from pytest_todeval.goals.made_up.wording import oddities
from pytest_todeval.properties.source import GoalSource

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]
MOST_ASKED = 3
"""Slots whose values a goal asks for in one domain."""
OFTEN, SELDOM = 7, 2
"""In how many of ten goals there is something."""
OTHER_VALUES = 12
"""Values that are tried for a first wish that nothing meets."""


def drawn_goal(
    draw: Draw,
    source: GoalSource,
    domains: Sequence[str] | None,
    satisfiable: bool | None,
    most: int,
) -> Goal:
    """Returns a goal of a source, with at most so many domains or steps."""
    known = source.domains(domains)
    with_steps = [g for g in source.with_steps if _is_about(g, domains)]
    if with_steps and (not known or draw(st.booleans())):
        return named(_with_steps(draw, with_steps, most))
    if not known:  # told in words: there is nothing to vary
        told: Goal = draw(st.sampled_from(source.goal_set.goals))
        return told
    of_one = st.composite(lambda draw: _part(draw, source, known, satisfiable))()
    some = st.lists(
        of_one, min_size=1, max_size=min(most, len(known)), unique_by=lambda part: part.domain
    )
    parts = tuple(draw(some))
    like = source.goal_set.goals[0]
    blank = replace(
        like, message=(), opening=(), solution="", raw={}, labels=(), steps=(), given={}
    )
    return named(replace(blank, domains=parts, expect=None, published=False))


def named(goal: Goal) -> Goal:
    """Returns the goal, with an id that follows from what it wants."""
    entry = {**goal_entry(goal), "id": ""}
    digest = hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:8]
    names = [part.domain for part in goal.domains] + [f"{s.verb}-{s.kind}" for s in goal.steps]
    told = "-".join("".join(c for c in name if c.isalnum() or c == "-") for name in names)
    return replace(goal, id=f"{told[:60] or goal.id}-{digest}")


def _some(values: Sequence[T], most: int, *, least: int = 0) -> st.SearchStrategy[list[T]]:
    """Returns some of the values, each once; fewer is simpler."""
    if not values:
        return st.just([])
    most = min(most, len(values))
    return st.lists(st.sampled_from(values), min_size=min(least, most), max_size=most, unique=True)


def _happens(draw: Draw, in_ten: int) -> bool:
    return bool(draw(st.integers(0, 9)) >= 10 - in_ten)


# Steps


def _is_about(goal: Goal, domains: Sequence[str] | None) -> bool:
    return domains is None or all(step.kind in domains for step in goal.steps)


def _with_steps(draw: Draw, goals: Sequence[Goal], most: int) -> Goal:
    """Returns one of the goals with steps, without some of them."""
    goal: Goal = draw(st.sampled_from(goals))
    places = range(len(goal.steps))
    # What one step makes another may need, and what is expected is of them all.
    if goal.expect is not None or len({step.kind for step in goal.steps}) < len(goal.steps):
        return goal
    kept = sorted(draw(_some(places, most, least=1)))
    return replace(goal, steps=tuple(goal.steps[at] for at in kept), message=(), raw={})


# Domains


def _part(
    draw: Draw, source: GoalSource, domains: Sequence[str], satisfiable: bool | None
) -> DomainGoal:
    """Returns what is wanted of one of the domains. What one is drawn of lies together, so that it
    can be left out as a whole.
    """
    domain = draw(st.sampled_from(domains))
    shape = source.shape(domain)
    if shape is None or source.query is None:
        return _part_like(draw, source.parts[domain])
    can_be_had = draw(st.booleans()) is False if satisfiable is None else satisfiable
    part = _of_a_row(draw, source, shape)
    return part if can_be_had else _unmet(draw, source, shape, part)


def _part_like(draw: Draw, parts: Sequence[DomainGoal]) -> DomainGoal:
    """Less than one of the set's own goals wants, so that it can be had as well as that."""
    like: DomainGoal = draw(st.sampled_from(parts))
    always = frozenset(like.inform).intersection(*(part.inform for part in parts))
    free = [slot for slot in like.inform if slot not in always]
    kept = {*always, *draw(_some(free, len(free)))}
    seen: dict[str, dict[str, None]] = {}
    for part in parts:
        for slot, value in part.book.items():
            seen.setdefault(slot, {})[value] = None
    book = {slot: draw(st.sampled_from(_like_those(slot, [*seen[slot]]))) for slot in like.book}
    request = tuple(draw(_some(like.request, MOST_ASKED, least=0 if like.wants_booking else 1)))
    return replace(
        like,
        inform={slot: value for slot, value in like.inform.items() if slot in kept},
        fail_inform={},
        book=book,
        fail_book={},
        request=request,
    )


def _like_those(slot: str, values: list[str]) -> Sequence[str]:
    return (
        WHOLE_KINDS[slot] if slot in WHOLE_KINDS and {*values} <= {*WHOLE_KINDS[slot]} else values
    )


def _of_a_row(draw: Draw, source: GoalSource, shape: DomainShape) -> DomainGoal:
    """Returns what a row of the database has."""
    rows = source.rows[shape.domain]
    row = rows[draw(st.integers(0, len(rows) - 1))]
    told = {slot: value for slot in shape.slots if (value := wish(slot, row.get(slot)))}
    assume(shape.always <= told.keys())
    inform = {slot: told[slot] for slot in _slots(draw, shape, [*told], source.apart(shape.domain))}
    books = bool(shape.bookings) and (not shape.requests or _happens(draw, OFTEN))
    book = _booked(draw, shape) if books else {}
    asked = _known_of_all(source, shape, inform)
    assume(books or asked)
    request = tuple(draw(_some(asked, MOST_ASKED, least=0 if books else 1)))
    part = DomainGoal(shape.domain, inform, book=book, request=request)
    if _happens(draw, SELDOM):
        part = _first_in_vain(draw, source, part)
    return part


def _known_of_all(source: GoalSource, shape: DomainShape, inform: Mapping[str, str]) -> list[str]:
    """Returns what can be asked for: whichever row a bot takes tells it."""
    assert source.query is not None
    met = source.query(shape.domain, inform)
    others = [slot for slot in shape.requests if slot not in inform]
    return [slot for slot in others if all(is_value(row.get(slot)) for row in met)]


def _slots(
    draw: Draw, shape: DomainShape, slots: Sequence[str], apart: Collection[frozenset[str]]
) -> list[str]:
    """Slots that can be constrained together."""
    free = [slot for slot in slots if slot not in shape.always]
    chosen = [*shape.always]
    first = draw(st.integers(0, max(0, len(free) - 1)))
    for slot in free[first:] + free[:first]:
        if len(chosen) >= shape.most or not (_happens(draw, OFTEN) or not chosen):
            continue
        if not any(frozenset((slot, other)) in apart for other in chosen):
            chosen.append(slot)
    return [slot for slot in slots if slot in chosen]


def _booked(draw: Draw, shape: DomainShape) -> dict[str, str]:
    slots: tuple[str, ...] = draw(st.sampled_from(shape.bookings))
    return {slot: draw(st.sampled_from(shape.booked_with[slot])) for slot in slots}


def _first_in_vain(draw: Draw, source: GoalSource, part: DomainGoal) -> DomainGoal:
    """It, with a first wish that nothing meets, or a first booking that is refused."""
    if part.book and draw(st.booleans()):
        slot = draw(st.sampled_from([*part.book]))
        shape = source.shape(part.domain)
        others = [v for v in shape.booked_with[slot] if v != part.book[slot]] if shape else []
        return replace(part, fail_book={slot: draw(st.sampled_from(others))}) if others else part
    wishes = _met_by_nothing(source, part)
    if not wishes:
        return part
    slot, value = draw(st.sampled_from(wishes))
    return replace(part, fail_inform={**part.inform, slot: value})


def _met_by_nothing(source: GoalSource, part: DomainGoal) -> list[tuple[str, str]]:
    """Other values of its slots, each of which leaves no row."""
    assert source.query is not None
    found = []
    for slot in part.inform:
        if slot in ("name", "leaveAt", "arriveBy", "departure", "destination"):
            continue
        values = dict.fromkeys(wish(slot, row.get(slot)) for row in source.rows[part.domain])
        for value in [v for v in values if v and v != part.inform[slot]][:OTHER_VALUES]:
            if not source.query(part.domain, {**part.inform, slot: value}):
                found.append((slot, value))
    return found


def _unmet(draw: Draw, source: GoalSource, shape: DomainShape, part: DomainGoal) -> DomainGoal:
    """It, with a value that nothing has together with the rest: a refusal is right."""
    wishes = _met_by_nothing(source, part)
    odd = [(slot, value) for slot in part.inform for value in oddities(slot)]
    assert source.query is not None
    odd = [each for each in odd if not source.query(shape.domain, dict([each]))]
    assume(wishes or odd)
    slot, value = draw(st.sampled_from(wishes or odd))
    inform: Mapping[str, str] = {**part.inform, slot: value}
    return replace(part, inform=inform, fail_inform={}, fail_book={}, refusal=True)
