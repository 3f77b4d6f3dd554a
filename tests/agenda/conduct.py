"""The conduct of a user in a whole dialogue, and what would be wrong about it."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.agenda.acts import ActKind, Say
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.user import Utterance
from pytest_todeval.systems import RuleSystem

BOOKING = frozenset({ActKind.BOOK, ActKind.BOOK_AGAIN, ActKind.YES})
ASKING = frozenset({ActKind.REQUEST, ActKind.REQUEST_AGAIN})
TELLING = frozenset(
    {
        ActKind.OPEN,
        ActKind.INFORM,
        ActKind.ANSWER,
        ActKind.BOOK,
        ActKind.BOOK_AGAIN,
        ActKind.RESTATE,
        ActKind.CHANGE,
        ActKind.CHANGE_MIND,
        ActKind.CORRECT,
        ActKind.CORRECT_BOOKING,
    }
)
TAXI_PLACES = frozenset({"departure", "destination"})


@dataclass(frozen=True)
class Step:
    """One thing that the user said, and what it knew when it said it."""

    text: str
    acts: tuple[Say, ...]
    stop: StopReason | None
    told: dict[str, frozenset[str]]
    """Domain -> the requested slots that the bot has told."""


@dataclass
class Watched:
    """A user whose steps are kept."""

    user: AgendaUser
    steps: list[Step] = field(default_factory=list)

    def respond(self, turn: Turn | None) -> Utterance:
        said = self.user.respond(turn)
        told = {part.domain: frozenset(part.answers) for part in self.user._memory.parts}
        self.steps.append(Step(said.text, self.user._agenda.last, said.stop, told))
        return said


def watch(goal: Goal, user: AgendaUser, database: MultiwozDatabase) -> tuple[list[Step], Dialogue]:
    """The steps of a user with the reference bot."""
    watched = Watched(user)
    backend = MultiwozBackend(database, goal)
    dialogue = run_dialogue(goal, watched, RuleSystem, backend=backend)
    return watched.steps, dialogue


def breaches(goal: Goal, steps: list[Step], dialogue: Dialogue) -> set[str]:
    """What is wrong with the user's conduct; empty if nothing is."""
    return {what for what, found in RULES.items() if any(found(goal, steps, dialogue))}


def _acts(steps: list[Step], kinds: frozenset[ActKind], domain: str = "") -> Iterator[Say]:
    for step in steps:
        yield from (a for a in step.acts if a.kind in kinds and domain in ("", a.domain))


def _said(steps: list[Step], domain: str) -> dict[str, str]:
    """Slot -> the value that was said last."""
    return {s: v for act in _acts(steps, TELLING, domain) for s, v in act.slots.items()}


def asks_what_it_was_told(goal: Goal, steps: list[Step], dialogue: Dialogue) -> Iterator[bool]:
    for step in steps:
        for act in step.acts:
            if act.kind in ASKING:
                yield bool(act.slots.keys() & step.told[act.domain])


def asks_what_it_does_not_want(goal: Goal, steps: list[Step], dialogue: Dialogue) -> Iterator[bool]:
    for act in _acts(steps, ASKING):
        yield bool(act.slots.keys() - {*_part(goal, act).request, "reference"})


def books_before_it_says_what(goal: Goal, steps: list[Step], dialogue: Dialogue) -> Iterator[bool]:
    for number, step in enumerate(steps, 1):
        for act in step.acts:
            if act.kind in BOOKING:
                yield bool(
                    _part(goal, act).inform.keys() - _said(steps[:number], act.domain).keys()
                )


def books_what_it_does_not_want(
    goal: Goal, steps: list[Step], dialogue: Dialogue
) -> Iterator[bool]:
    for act in _acts(steps, BOOKING):
        yield not _part(goal, act).wants_booking


def says_what_is_not_in_its_goal(
    goal: Goal, steps: list[Step], dialogue: Dialogue
) -> Iterator[bool]:
    for act in _acts(steps, TELLING):
        part = _part(goal, act)
        groups = (part.inform, part.fail_inform, part.book, part.fail_book)
        for slot, value in act.slots.items():
            from_elsewhere = part.domain == "taxi" and slot in TAXI_PLACES
            yield not from_elsewhere and value not in [group.get(slot) for group in groups]


def says_the_same_again_and_again(
    goal: Goal, steps: list[Step], dialogue: Dialogue
) -> Iterator[bool]:
    yield max(Counter(step.text for step in steps).values()) > 2


def jumps_between_its_domains(goal: Goal, steps: list[Step], dialogue: Dialogue) -> Iterator[bool]:
    order = [part.domain for part in goal.domains]
    places = [order.index(act.domain) for step in steps for act in step.acts]
    yield places != sorted(places)


def ends_with_the_wish_that_was_to_fail(
    goal: Goal, steps: list[Step], dialogue: Dialogue
) -> Iterator[bool]:
    for part in goal.domains:
        for slot, value in _said(steps, part.domain).items():
            last = {**part.inform, **part.book}.get(slot)
            yield last is not None and value != last


def leaves_content_without_its_booking(
    goal: Goal, steps: list[Step], dialogue: Dialogue
) -> Iterator[bool]:
    booked = {booking.domain for booking in dialogue.final_bookings}
    wanted = {part.domain for part in goal.domains if part.wants_booking}
    yield dialogue.stop_reason is StopReason.USER_DONE and not wanted <= booked


def leaves_content_without_an_answer(
    goal: Goal, steps: list[Step], dialogue: Dialogue
) -> Iterator[bool]:
    for part in goal.domains:
        lacks = bool(set(part.request) - steps[-1].told[part.domain])
        yield dialogue.stop_reason is StopReason.USER_DONE and lacks


def gives_up_what_can_be_had(goal: Goal, steps: list[Step], dialogue: Dialogue) -> Iterator[bool]:
    yield dialogue.stop_reason is not StopReason.USER_DONE


def _part(goal: Goal, act: Say) -> DomainGoal:
    return next(part for part in goal.domains if part.domain == act.domain)


Rule = Callable[[Goal, list[Step], Dialogue], Iterator[bool]]
RULES: dict[str, Rule] = {
    rule.__name__.replace("_", " "): rule
    for rule in (
        asks_what_it_was_told,
        asks_what_it_does_not_want,
        books_before_it_says_what,
        books_what_it_does_not_want,
        says_what_is_not_in_its_goal,
        says_the_same_again_and_again,
        jumps_between_its_domains,
        ends_with_the_wish_that_was_to_fail,
        leaves_content_without_its_booking,
        leaves_content_without_an_answer,
        gives_up_what_can_be_had,
    )
}
"""What would be wrong, in words -> whether it happened, once for each chance."""
