"""What the user remembers: of each domain what it said, found, was told and got booked."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.core.goal import DomainGoal, Goal
from pytest_todeval.core.steps import Step
from pytest_todeval.nlu.multiwoz_slots import is_multiwoz

VENUE_DOMAINS = frozenset({"restaurant", "hotel", "attraction", "train"})
"""Domains in which a venue or train must be named before it can be asked about or booked."""

UNKNOWN = "unknown"
"""The answer kept if the bot said that it does not know."""
MOST_ASKED_REFERENCE = 2
"""Times the user asks for the reference number of a booking if the goal does not request it."""


@dataclass(slots=True)
class DomainPart:
    """The user's business in one domain."""

    goal: DomainGoal
    inform: dict[str, str]
    """The constraints that hold now."""
    book: dict[str, str]
    """The booking slots that hold now."""
    opened: bool = False
    book_raised: bool = False
    told: dict[str, str] = field(default_factory=dict)
    """Slot -> value, as said to the bot."""
    indifferent: set[str] = field(default_factory=set)
    """Slots of which the user said that they don't matter."""
    asked: Counter[str] = field(default_factory=Counter)
    """How often the bot asked for a slot."""
    venue: str = ""
    """The venue or train accepted; empty while there is none."""
    found: bool = False
    """Whether the bot has found something, though the user may not have caught its name."""
    candidate: str = ""
    """What the bot offered before it knew all constraints."""
    rows: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    """Normalised name or id -> the rows seen in tools' results, the last one last."""
    made: Mapping[str, Any] | None = None
    """What tools' results have told of the last booking."""
    answers: dict[str, str] = field(default_factory=dict)
    """Requested slot -> what the bot told; "unknown" if it said that it does not know."""
    requested: Counter[str] = field(default_factory=Counter)
    """How often the user asked for a slot."""
    asking: tuple[str, ...] = ()
    """Slots the user asked for in its last turn."""
    denied: Counter[str] = field(default_factory=Counter)
    """How often the bot said that it does not know a requested slot."""
    baffled: int = 0
    """How often the bot asked what was not understood."""
    settled: set[str] = field(default_factory=set)
    """What the bot asked besides slots, and was answered: topics, or whole questions."""
    booked: bool = False
    """Whether the bot says that it is booked, and has not taken it back."""
    reference: str = ""
    unheard: str = ""
    """What the bot said when its tools visibly booked this, if the user heard no booking in it."""
    refusals: int = 0
    booking_failures: int = 0
    corrections: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often (slot, wrong value) was corrected."""
    dropped: set[str] = field(default_factory=set)
    """Requests the user no longer makes."""
    kept: str = ""
    """A request that is kept for the end of the dialogue."""
    asked_again: str = ""
    """What was asked once more though the bot had told it."""
    booking_dropped: bool = False
    abandoned: str = ""
    """Why the user gave up this domain."""
    took_refusal: bool = False
    """Whether the bot has said that it cannot be had, which the goal expects."""
    step: Step | None = None
    """The step that it is, of a goal of steps."""
    options: list[Step] = field(default_factory=list)
    """What to take in its place if it is refused, in this order."""
    first_wish: Step | None = None
    """The step that is meant, while the user still asks for something else first."""
    left: str = ""
    """Why the user left the step, though nothing was refused."""
    references: bool = True
    """Whether bookings may have a reference number that the user has not asked for."""

    @classmethod
    def of(cls, goal: DomainGoal) -> "DomainPart":
        """Returns the business at its start: the constraints that are to fail come first."""
        return cls(goal, dict(goal.first_inform), dict(goal.first_book))

    @property
    def domain(self) -> str:
        return self.goal.domain

    @property
    def key(self) -> str:
        """Returns the slot that says which venue or train it is."""
        return "trainID" if self.domain == "train" else "name"

    @property
    def tries_first(self) -> bool:
        """Says whether the constraints that are to fail still hold."""
        first, then = self.goal.fail_inform, self.goal.inform
        return bool(first) and first != then and self.inform == dict(first)

    @property
    def tries_first_book(self) -> bool:
        return bool(self.goal.fail_book) and self.book != dict(self.goal.book)

    @property
    def wants_booking(self) -> bool:
        return self.goal.wants_booking or bool(self.goal.book)

    @property
    def needs_venue(self) -> bool:
        return self.has_venues and not (self.venue or self.found or self.booked)

    @property
    def has_venues(self) -> bool:
        """Says whether it is one of MultiWOZ's domains of venues, with MultiWOZ's slots."""
        slots = (*self.goal.inform, *self.goal.book, *self.goal.request)
        known = self.domain in VENUE_DOMAINS and self.step is None
        return known and is_multiwoz(self.domain, slots)

    @property
    def slots(self) -> dict[str, str]:
        """Everything that holds now: booking slots and constraints."""
        return {**self.book, **self.inform}

    @property
    def untold(self) -> dict[str, str]:
        """Constraints still to be said."""
        return {s: v for s, v in self.inform.items() if self.told.get(s) != v}

    @property
    def untold_booking(self) -> dict[str, str]:
        return {s: v for s, v in self.book.items() if self.told.get(s) != v}

    @property
    def needs_booking(self) -> bool:
        return self.wants_booking and not (self.booked or self.booking_dropped or self.left)

    @property
    def is_unheard(self) -> bool:
        """Says whether tools visibly made a booking that the user has not heard of."""
        return self.wants_booking and not self.booked and bool(self.unheard)

    @property
    def unanswered(self) -> tuple[str, ...]:
        """Returns what the goal requests and the bot has not told, given up or not."""
        return tuple(slot for slot in self.goal.request if slot not in self.answers)

    @property
    def pending(self) -> tuple[str, ...]:
        """Requests to make now. Not every bot has reference numbers: the user does not insist."""
        wanted = [slot for slot in self.unanswered if slot not in (*self.dropped, self.kept)]
        known = self.references and self.booked and self.book
        if known and self.requested["reference"] < MOST_ASKED_REFERENCE:
            wanted += [slot for slot in ("reference",) if slot not in self.answers]
        return tuple(dict.fromkeys(wanted))

    @property
    def spare_questions(self) -> tuple[str, ...]:
        """Requests that the user may come back to later: without them it has something to say."""
        if self.step is None:
            return self.goal.request
        condition = self.step.condition
        asks = tuple(s for s in self.step.asks if condition is None or s != condition.slot)
        return asks if self.wants_booking else asks[1:]

    @property
    def lacks(self) -> list[str]:
        """Returns what the user did not get here, in words."""
        if self.took_refusal:
            return []
        if self.abandoned:
            return [f"{self.domain}: {self.abandoned}"]
        lacks = [f"{self.domain}: never told the {slot}" for slot in self.unanswered]
        if self.wants_booking and not (self.booked or self.left):
            lacks.append(f"{self.domain}: no {self.step.verb if self.step else 'booking'}")
        return lacks

    def take_alternative(self) -> dict[str, str]:
        """Goes over from the constraints that were to fail to the goal's; returns what changes.

        A constraint that is dropped changes to the empty value.
        """
        before, self.inform = self.inform, dict(self.goal.inform)
        self.indifferent.update(before.keys() - self.inform.keys())
        self.forget_venue()
        dropped = {slot: "" for slot in before if slot not in self.inform}
        return {s: v for s, v in self.inform.items() if before.get(s) != v} | dropped

    def take_alternative_booking(self) -> dict[str, str]:
        """Goes over to the goal's booking slots; returns what changes."""
        before, self.book = self.book, dict(self.goal.book)
        return {s: v for s, v in self.book.items() if before.get(s) != v}

    def forget_venue(self) -> None:
        """Drops the venue and what was told about it."""
        self.venue = self.candidate = ""
        self.found = False
        self.answers.clear()
        self.denied.clear()

    def withdraw_booking(self) -> None:
        """Takes note that it is not booked after all."""
        self.booked = False
        self.reference = ""
        self.answers.pop("reference", None)

    def state(self) -> Hashable:
        """Returns what counts as progress if it changes; see also `settled`."""
        return (
            self.opened,
            self.book_raised,
            frozenset(self.told.items()),
            frozenset(self.indifferent),
            (self.venue, self.found),
            (frozenset(self.answers), frozenset(self.denied)),
            frozenset(self.dropped),
            (self.booked, self.booking_dropped, self.reference, bool(self.abandoned)),
            (self.kept, self.asked_again, self.left, len(self.options)),
        )


class GoalMemory:
    """All parts of a goal, and the one the user is at."""

    def __init__(self, goal: Goal, parts: list[DomainPart] | None = None) -> None:
        self.goal = goal
        self.parts = [DomainPart.of(part) for part in goal.domains] if parts is None else parts
        self.index = 0

    @property
    def current(self) -> DomainPart | None:
        """Returns the part the user is at; None when all are done."""
        return self.parts[self.index] if self.index < len(self.parts) else None

    @property
    def lacks(self) -> list[str]:
        """Returns what the user did not get, in words."""
        return [lack for part in self.parts for lack in part.lacks]

    def turn_to(self, part: DomainPart) -> None:
        """Makes a part that is still to come the one the user is at."""
        self.parts.remove(part)
        self.parts.insert(self.index, part)

    def state(self) -> Hashable:
        """Returns what counts as progress if it changes, questions besides the business apart."""
        return (self.index, *(part.state() for part in self.parts))

    @property
    def settled(self) -> int:
        """Returns how many questions besides the business were answered."""
        return sum(len(part.settled) for part in self.parts)
