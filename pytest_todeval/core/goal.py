"""What the simulated user wants."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from pytest_todeval.core.example import Example
from pytest_todeval.core.steps import Expected, Records, Step

if TYPE_CHECKING:
    from pytest_todeval.core.dialogue import Turn


@dataclass(frozen=True, slots=True)
class SlotForm:
    """What a goal file declares of a slot besides its name."""

    kind: str = ""
    """What sort of value it has, by name (`amount`, `code`, ...); else it is inferred."""
    description: str = ""
    """What else it is called: "price per day"."""


@dataclass(frozen=True, slots=True)
class DomainGoal:
    """What the user wants of one domain (restaurant, train, ... or a domain of one's own).

    Slots and values are the goal's own: nothing here depends on an ontology. In MultiWOZ, `inform`
    is `info`, `fail_inform` is `fail_info`, `request` is `reqt`.
    """

    domain: str
    inform: Mapping[str, str] = field(default_factory=dict)
    """Constraints the venue, train or journey must meet."""
    fail_inform: Mapping[str, str] = field(default_factory=dict)
    """Constraints to try first, which nothing meets; empty if the goal does not mention any.
    It replaces `inform` as a whole."""
    book: Mapping[str, str] = field(default_factory=dict)
    """Slots of the booking to make."""
    fail_book: Mapping[str, str] = field(default_factory=dict)
    """Only the slots that differ in a first booking, which the backend must refuse."""
    request: tuple[str, ...] = ()
    """Slots whose value the user wants to be told."""
    wants_booking: bool = cast("bool", None)
    """Whether a booking must stand in the backend at the end. If nobody says so: whether there are
    `book` slots (some bookings take none, e.g. of taxis)."""

    refusal: bool = False
    """Whether nothing meets it, so that the right answer is to say so and to book nothing."""
    forms: Mapping[str, SlotForm] = field(default_factory=dict, hash=False, repr=False)
    """Slot -> what is declared of it."""

    @classmethod
    def of_step(cls, step: Step) -> "DomainGoal":
        """Returns what the user has to say for a step, and wants to be told."""
        slots, asks = _said_of(step), step.asks
        if step.condition is not None:
            asks = tuple(dict.fromkeys((step.condition.slot, *asks)))
        forms = {"id": SlotForm("code", f"{_words(step.kind)} number")} if "id" in slots else {}
        if step.verb == "ask":
            return cls(step.kind, slots, request=asks, forms=forms)
        refusal = step.refusal is not None
        return cls(
            step.kind, book=slots, request=asks, wants_booking=True, refusal=refusal, forms=forms
        )

    def __post_init__(self) -> None:
        if self.wants_booking is None:
            object.__setattr__(self, "wants_booking", bool(self.book))

    @property
    def first_inform(self) -> Mapping[str, str]:
        """Returns the constraints the user starts with."""
        return self.fail_inform or self.inform

    @property
    def first_book(self) -> Mapping[str, str]:
        """Returns the booking slots the user starts with."""
        return {**self.book, **self.fail_book}


CURRENT = "current "
"""Before the name of a slot that a step changes, for the value by which the record is picked."""
_SEVERAL = ("none", "one", "two", "three", "four", "five", "six")


def _said_of(step: Step) -> dict[str, str]:
    current = {f"{CURRENT}{s}" if s in step.to else s: v for s, v in step.target.items()}
    which = [f"the one with the {how} {_words(slot)}" for slot, how in step.choose.items()]
    if step.count is not None:
        count = _SEVERAL[step.count] if step.count < len(_SEVERAL) else str(step.count)
        which.append(f"only {count} of them")
    chosen = {"choice": " and ".join(which)} if which else {}
    return {**current, **step.to, **step.details, **chosen}


def _words(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


class _Unread:
    """Of a goal that is still to be read: its record, and what reads it.

    Ten thousand goals are collected in each process, which then plays a few of them; and Python's
    garbage collector walks over every object that is there, again and again.
    """

    __slots__ = ("_read", "_record")

    if not TYPE_CHECKING:  # for whom a goal has its fields and nothing else

        def __getattr__(self, name: str) -> Any:
            """A field that is not there yet: the goal is read, and all its fields filled in."""
            if name not in Goal.__slots__:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            goal = self._read(self._record)
            for each in Goal.__slots__:
                object.__setattr__(self, each, getattr(goal, each))
            return getattr(goal, name)


@dataclass(frozen=True, slots=True, repr=False)
class Goal(_Unread):
    """A goal over one or more domains, from a data set or a file of one's own."""

    id: str
    """Unique within its source, e.g. `MUL0148`."""
    source: str
    """The goal set: `multiwoz`, `demo`, `tau_bench/retail`, or the stem of a file."""
    domains: tuple[DomainGoal, ...]
    """In the order in which the user raises them."""
    message: tuple[str, ...] = ()
    """The goal in sentences, as its authors wrote it (may hold HTML emphasis)."""
    solution: str = ""
    """What solves the user's problem, if the goal is one of troubleshooting. Only a checker sees
    it, never the user simulator (AutoEval-ToD's oracle)."""
    opening: "tuple[Turn, ...]" = ()
    """Turns that were before: the dialogue goes on from them. Whatever indices they come with, the
    last has 0, the one before it -1; each has a text of the bot, which counts as told and
    is not judged."""
    raw: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The record as it stood in its file, untouched: nothing of the source is lost."""
    published: bool = False
    """Whether it comes from a published data set, which its user cannot mend."""
    user: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Who the user is, for questions that the domains do not settle: `name`, `phone`, `email`, or
    facts under names of one's own. What is not here the agenda user invents, from its seed."""
    labels: tuple[str, ...] = ()
    """Names of one's own by which goals are chosen, gated and summed up. Nobody who plays or judges
    is shown them."""
    hearing: tuple[Example, ...] = ()
    """How its bot speaks: sentences of its own, with what they mean."""
    steps: tuple[Step, ...] = ()
    """What the user wants done, in this order; such a goal may have no domains."""
    given: Records = field(default_factory=dict, hash=False)
    """The records that stand before the dialogue."""
    expect: Expected | None = None
    """What the records are to be in the end; None for what the steps come to."""
    references: bool = True
    """Whether bookings have reference numbers, so that the user asks for them."""

    def __post_init__(self) -> None:
        numbered = enumerate(self.opening, 1 - len(self.opening))
        opening = tuple(replace(turn, index=at) for at, turn in numbered)
        object.__setattr__(self, "opening", opening)

    @classmethod
    def unread(cls, id: str, source: str, record: bytes, read: "Callable[[bytes], Goal]") -> "Goal":
        """A goal that `read` makes of its record as soon as more than its name is asked for."""
        goal = object.__new__(cls)
        for name, value in (("id", id), ("source", source), ("_record", record), ("_read", read)):
            object.__setattr__(goal, name, value)
        return goal

    def __repr__(self) -> str:
        wanted = [part.domain for part in self.domains]
        wanted += [f"{step.verb} {step.kind}" for step in self.steps]
        return f"<Goal {self.name}: {', '.join(wanted)}>"

    @property
    def name(self) -> str:
        """`source/id`, as it stands in test ids and results files."""
        return f"{self.source}/{self.id}"

    @property
    def parts(self) -> tuple[DomainGoal, ...]:
        """What the user has to say and wants to be told, domain by domain or step by step."""
        return (*self.domains, *map(DomainGoal.of_step, self.steps))

    def domain(self, name: str) -> DomainGoal | None:
        """Returns the goal's part in one domain, or None."""
        return next((part for part in self.domains if part.domain == name), None)
