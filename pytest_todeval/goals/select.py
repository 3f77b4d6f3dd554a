"""Which goals of a set to play."""

import hashlib
from collections.abc import Callable, Iterator, Sequence, Set

from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import UsageError, known_names

__all__ = ["books", "select"]

Filter = tuple[str, Callable[[Goal], bool]]
"""What it asks for, in words; and whether a goal meets it."""


def select(
    goals: Sequence[Goal],
    *,
    domains: Sequence[str] | None = None,
    booking: bool | None = None,
    limit: int | None = None,
    seed: int | None = None,
    ids: Sequence[str] | None = None,
) -> tuple[Goal, ...]:
    """The goals that meet every filter, in the order of `goals`; the same in every process.

    `domains` keeps the goals that are about these domains *and no other* (any one of them
    suffices): a bot made for hotels can be asked nothing about trains. `booking` keeps those that
    book something (True) or nothing (False), see `books`. `ids` may end in `.json` or start with
    the source's name. `limit` takes that many: the first ones, or with `seed` a sample, in which a
    larger limit adds goals and drops none. Raises UsageError on an unknown domain or id, a value of
    the wrong type, and if nothing is left, naming the filter that emptied the selection.
    """
    _check("limit", limit, int)
    _check("seed", seed, int)
    _check("booking", booking, bool)
    if limit is not None and limit < 1:
        raise UsageError(f"limit: got {limit}, expected a whole number from 1 up")
    left = tuple(goals)
    for words, meets in _filters(goals, domains, booking, ids):
        kept = tuple(goal for goal in left if meets(goal))
        if not kept:
            raise UsageError(
                f"no goal is left: none of {len(left)} goals {words}; widen the filter"
            )
        left = kept
    return left if limit is None else _sample(left, limit, seed)


def books(goal: Goal) -> bool:
    """Whether a goal books something in the field's sense: taxis, which book no slots, not counted.

    So 646 of MultiWOZ's 1000 test goals book something.
    """
    return any(p.wants_booking and (p.book or p.domain != "taxi") for p in goal.domains)


def _filters(
    goals: Sequence[Goal],
    domains: Sequence[str] | None,
    booking: bool | None,
    ids: Sequence[str] | None,
) -> Iterator[Filter]:
    if ids is not None:
        known = {goal.id for goal in goals}
        wanted = {_known_id(goals, known, id) for id in _names("ids", ids)}
        yield "has one of the ids", lambda goal: goal.id in wanted
    if domains is not None:
        raised = list(dict.fromkeys(part.domain for goal in goals for part in goal.domains))
        asked = {_known_domain(raised, domain) for domain in _names("domains", domains)}
        words = f"is about {', '.join(sorted(asked))} and nothing else (domains)"
        yield words, lambda goal: {part.domain for part in goal.domains} <= asked
    if booking is not None:
        words = f"books {'something' if booking else 'nothing'} (booking={booking})"
        yield words, lambda goal: books(goal) is booking


def _sample(goals: Sequence[Goal], limit: int, seed: int | None) -> tuple[Goal, ...]:
    if seed is None:
        return tuple(goals[:limit])

    # A hash instead of `random`: Python promises no equal samples from one version to the next.
    def rank(goal: Goal) -> bytes:
        return hashlib.sha256(f"{seed}/{goal.id}".encode()).digest()

    drawn = {goal.id for goal in sorted(goals, key=rank)[:limit]}
    return tuple(goal for goal in goals if goal.id in drawn)


def _check(name: str, value: object, kind: type) -> None:
    wrong = not isinstance(value, kind) or (kind is int and isinstance(value, bool))
    if value is not None and wrong:
        expected = "True or False" if kind is bool else "a whole number"
        raise UsageError(f"{name}: got {value!r}, expected {expected}")


def _names(option: str, values: Sequence[str]) -> Sequence[str]:
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise UsageError(f"{option}: got {values!r}, expected a list of names, e.g. ['hotel']")
    if not values:
        raise UsageError(f"{option}: got an empty list, which no goal can meet; leave it out")
    return values


def _known_domain(known: Sequence[str], domain: str) -> str:
    if domain not in known:
        raise UsageError(f"unknown domain {domain!r}: {known_names(domain, sorted(known))}")
    return domain


def _known_id(goals: Sequence[Goal], known: Set[str], wanted: str) -> str:
    source = goals[0].source if goals else ""
    name = wanted.removeprefix(f"{source}/").removesuffix(".json")
    if name not in known:
        first = ", ".join([goal.id for goal in goals[:3]])
        raise UsageError(f"no goal has the id {wanted!r} among these {len(goals)}: {first}, ...")
    return name
