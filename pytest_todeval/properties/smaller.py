"""What is left of a conversation if one thing in it is left out, as long as it can be had."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.goals.made_up.shapes import is_value
from pytest_todeval.play.conversation import PLAIN, DrawnConversation
from pytest_todeval.properties.drawing import named
from pytest_todeval.properties.source import GoalSource, source_of_goal

MOST_TRIES = 400


def smallest(
    found: DrawnConversation, fails: Callable[[DrawnConversation], bool], most: int = MOST_TRIES
) -> DrawnConversation:
    """Returns the conversation with nothing in it that can be left out, so that it still fails.

    Hypothesis would come to it by ways that take many more dialogues: what a user says hangs on all
    that it wants.
    """
    tried = {found.name}
    while True:
        for other in smaller(found):
            if other.name in tried:
                continue
            tried.add(other.name)
            if len(tried) > most:
                return found
            if fails(other):
                found = other
                break
        else:
            return found


def smaller(found: DrawnConversation) -> Iterator[DrawnConversation]:
    """It without one thing, the largest first; then with simpler values."""
    yield from _plainer(found)
    source, goal = source_of_goal(found.goal), found.goal
    for at in range(len(goal.domains)) if len(goal.domains) + len(goal.steps) > 1 else ():
        yield _with(found, domains=goal.domains[:at] + goal.domains[at + 1 :])
    for at in range(len(goal.steps)) if len(goal.steps) > 1 and goal.expect is None else ():
        yield _with(found, steps=goal.steps[:at] + goal.steps[at + 1 :])
    for at, part in enumerate(goal.domains):
        for less in _less(part, source):
            if _is_sound(less, source):
                yield _with(found, domains=(*goal.domains[:at], less, *goal.domains[at + 1 :]))
    if found.seed:
        yield from (replace(found, seed=seed) for seed in range(found.seed))


def _plainer(found: DrawnConversation) -> Iterator[DrawnConversation]:
    if found.faults:
        yield replace(found, faults=())
        yield from (
            replace(found, faults=found.faults[:at] + found.faults[at + 1 :])
            for at in range(len(found.faults))
            if len(found.faults) > 1
        )
    if found.noise:
        yield replace(found, noise="")
    if found.style != PLAIN:
        yield replace(found, style=PLAIN)


def _with(found: DrawnConversation, **changed: object) -> DrawnConversation:
    goal: Goal = replace(found.goal, **changed)  # type: ignore[arg-type]
    return replace(found, goal=named(goal))


def _less(part: DomainGoal, source: GoalSource) -> Iterator[DomainGoal]:
    if part.book and part.request:
        yield replace(part, book={}, fail_book={}, wants_booking=False)
    if part.fail_inform:
        yield replace(part, fail_inform={})
    if part.fail_book:
        yield replace(part, fail_book={})
    yield from _fewer_slots(part, source)
    yield from _simpler_values(part, source)


def _fewer_slots(part: DomainGoal, source: GoalSource) -> Iterator[DomainGoal]:
    shape = source.shape(part.domain)
    needed = frozenset[str]() if shape is None else shape.always
    for slot in [s for s in part.inform if s not in needed] if len(part.inform) > 1 else ():
        rest = {name: value for name, value in part.inform.items() if name != slot}
        first = {name: value for name, value in part.fail_inform.items() if name != slot}
        yield replace(part, inform=rest, fail_inform=first)
    for slot in part.request if len(part.request) > 1 or part.book else ():
        yield replace(part, request=tuple(each for each in part.request if each != slot))


def _simpler_values(part: DomainGoal, source: GoalSource) -> Iterator[DomainGoal]:
    shape = source.shape(part.domain)
    for slot, value in part.book.items() if shape is not None and not part.fail_book else ():
        simpler = shape.booked_with.get(slot, ()) if shape is not None else ()
        for other in simpler[: simpler.index(value)] if value in simpler else ():
            yield replace(part, book={**part.book, slot: other})


def _is_sound(part: DomainGoal, source: GoalSource) -> bool:
    """Says whether it can be had, or cannot, as it says, and whatever a bot takes answers it."""
    if source.query is None or source.shape(part.domain) is None:
        return True
    met = source.query(part.domain, part.inform)
    if bool(met) is part.refusal:
        return False
    if part.fail_inform and source.query(part.domain, part.fail_inform):
        return False
    return all(is_value(row.get(slot)) for row in met for slot in part.request)
