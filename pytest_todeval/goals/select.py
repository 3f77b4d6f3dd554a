"""Which goals of a set to play."""

import hashlib
from collections.abc import Callable, Iterator, Sequence, Set

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.goals.lists import LISTED_FROM, tasks_named

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
    exactly: Sequence[str] | None = None,
    every_domain_books: bool | None = None,
    tasks: str | None = None,
    labels: Sequence[str] | None = None,
) -> tuple[Goal, ...]:
    """Returns the goals that meet every filter, in the order of `goals`; the same in every process.

    `domains` keeps the goals that are about these domains *and no other* (any one of them
    suffices): a bot made for hotels can be asked nothing about trains; `exactly` those about all of
    these domains and no other. `booking` keeps those that book something (True) or nothing (False),
    see `books`; `every_domain_books` those that book in each of their domains (True), or do not.
    `ids` may end in `.json` or start with the source's name; `tasks` names a list of ids that a
    paper played, see `goals.lists`; `labels` keeps goals that carry any of these. `limit` takes
    that many: the first ones, or with `seed` a sample, in which a larger limit adds goals and drops
    none.

    Raises UsageError on an unknown domain, label, id or list, a list whose goals are not there, a
    value of the wrong type, and if nothing is left, naming the filter that emptied the selection.
    """
    _check("limit", limit, int)
    _check("seed", seed, int)
    _check("booking", booking, bool)
    _check("every_domain_books", every_domain_books, bool)
    if limit is not None and limit < 1:
        raise UsageError(f"limit: got {limit}, expected a whole number from 1 up")
    left = tuple(goals)
    filters = (
        *_by_name(goals, ids, tasks),
        *_by_domain(goals, domains, exactly),
        *_by_booking(booking, every_domain_books),
        *_by_label(goals, labels),
    )
    for words, meets in filters:
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
    return any(map(_books, goal.parts))


def _books(part: DomainGoal) -> bool:
    return part.wants_booking and bool(part.book or part.domain != "taxi")


def _by_name(
    goals: Sequence[Goal], ids: Sequence[str] | None, tasks: str | None
) -> Iterator[Filter]:
    if ids is None and tasks is None:
        return  # goals of a file are read when they are looked at
    known = {goal.id for goal in goals}
    if ids is not None:
        wanted = {_known_id(goals, known, id) for id in _names("ids", ids)}
        yield "has one of the ids", lambda goal: goal.id in wanted
    if tasks is not None:
        listed = frozenset(_listed(tasks, known))
        yield f"is in the list {tasks}", lambda goal: goal.id in listed


def _by_domain(
    goals: Sequence[Goal], domains: Sequence[str] | None, exactly: Sequence[str] | None
) -> Iterator[Filter]:
    if domains is None and exactly is None:
        return
    raised = list(dict.fromkeys(part.domain for goal in goals for part in goal.parts))
    if domains is not None:
        asked = {_known("domain", raised, domain) for domain in _names("domains", domains)}
        words = f"is about {', '.join(sorted(asked))} and nothing else (domains)"
        yield words, lambda goal: {part.domain for part in goal.parts} <= asked
    if exactly is not None:
        all_of = {_known("domain", raised, domain) for domain in _names("exactly", exactly)}
        words = f"is about {' and '.join(sorted(all_of))}, all of them (exactly)"
        yield words, lambda goal: {part.domain for part in goal.parts} == all_of


def _by_booking(booking: bool | None, every: bool | None) -> Iterator[Filter]:
    if booking is not None:
        words = f"books {'something' if booking else 'nothing'} (booking={booking})"
        yield words, lambda goal: books(goal) is booking
    if every is not None:
        words = "books in every domain" if every else "has a domain in which it books nothing"
        words += f" (every_domain_books={every})"
        yield words, lambda goal: all(map(_books, goal.parts)) is every


def _by_label(goals: Sequence[Goal], labels: Sequence[str] | None) -> Iterator[Filter]:
    if labels is None:
        return
    carried = sorted({label for goal in goals for label in goal.labels})
    asked = {_known("label", carried, label) for label in _names("labels", labels)}
    words = f"carries {' or '.join(sorted(asked))} (labels)"
    yield words, lambda goal: not asked.isdisjoint(goal.labels)


def _listed(tasks: object, known: Set[str]) -> Sequence[str]:
    if not isinstance(tasks, str):
        raise UsageError(
            f"tasks: got {tasks!r}, expected the name of a list; {known_names('', LISTED_FROM)}"
        )
    listed = tasks_named(tasks)
    lacking = [id for id in listed if id not in known]
    if lacking:
        raise UsageError(
            f"tasks={tasks!r}: {len(lacking)} of its {len(listed)} goals are not among these "
            f"{len(known)}, e.g. {lacking[0]}; it lists goals of {LISTED_FROM[tasks]}"
        )
    return listed


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


def _known(noun: str, known: Sequence[str], name: str) -> str:
    if name not in known:
        raise UsageError(f"unknown {noun} {name!r}: {known_names(name, sorted(known))}")
    return name


def _known_id(goals: Sequence[Goal], known: Set[str], wanted: str) -> str:
    source = goals[0].source if goals else ""
    name = wanted.removeprefix(f"{source}/").removesuffix(".json")
    if name not in known:
        first = ", ".join([goal.id for goal in goals[:3]])
        raise UsageError(f"no goal has the id {wanted!r} among these {len(goals)}: {first}, ...")
    return name
