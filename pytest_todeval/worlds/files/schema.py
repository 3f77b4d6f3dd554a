"""The shape of a goal file, as pydantic models. Imported only when a goal file is read."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from pytest_todeval.worlds.files.entry import FileEntry, Id, Name, Passage, Slots, Text, listed
from pytest_todeval.worlds.files.step_entries import Expectation, StepShape, VerbEntry


def _slot_values(value: Any) -> Any:
    """`[area, stars]` is short for `{area: , stars: }`: slots that take any value; `[massage]` of a
    slot is short for `{values: [massage]}`.
    """
    if isinstance(value, list):
        for name in value:
            if not isinstance(name, str):
                raise ValueError(f"{name!r}; expected the name of a slot")
        return {name: {} for name in value}
    if not isinstance(value, dict):
        return {} if value is None else value
    return {name: _slot(entry) for name, entry in value.items()}


def _slot(entry: Any) -> Any:
    return {"values": entry} if isinstance(entry, list) else {} if entry is None else entry


Kind = Literal[
    "name", "choice", "text", "yes/no", "count", "amount", "quantity", "date", "time", "duration",
    "phone", "email", "address", "postcode", "code", "url",
]  # fmt: skip
"""The names of `nlu.slots.KINDS`."""


class SlotEntry(FileEntry):
    """What there is to know of a slot."""

    kind: Kind | None = None
    """What sort of value it has; else inferred from its name and values."""
    description: str = Field(default="", max_length=200)
    """What else people call it."""
    values: list[Text] | None = None
    """The values it takes; any if left out."""


class DomainEntry(FileEntry):
    """What the user wants of one domain; the fields are those of `core.goal.DomainGoal`."""

    inform: Slots = Field(default_factory=dict)
    fail_inform: Slots = Field(default_factory=dict)
    book: Slots = Field(default_factory=dict)
    fail_book: Slots = Field(default_factory=dict)
    request: Annotated[list[Name], BeforeValidator(listed)] = Field(default_factory=list)
    wants_booking: bool | None = None
    """Default: if `book` has slots; always for a taxi."""
    refusal: bool = False
    """Nothing meets it, so that the right answer is to say so."""


class TurnEntry(FileEntry):
    """A turn that was before the dialogue."""

    user: Passage = ""
    """May be left out in the first turn, if the bot spoke first."""
    system: Passage


class GoalEntry(FileEntry):
    """One goal."""

    id: Id
    message: Annotated[list[str], BeforeValidator(listed)] = Field(default_factory=list)
    solution: Passage = ""
    """What solves the problem that the message tells of; only a checker is shown it."""
    opening: list[TurnEntry] = Field(default_factory=list)
    """What was said before; the dialogue goes on from there."""
    domains: dict[Name, DomainEntry] = Field(default_factory=dict)
    """May be left out if there is a message and a solution."""
    user: Slots = Field(default_factory=dict)
    """Facts about the user, on top of those of the file."""
    labels: Annotated[list[Id], BeforeValidator(listed)] = Field(default_factory=list)
    """By which goals are chosen, gated and summed up; of the form of an id."""
    steps: list[StepShape] = Field(default_factory=list)
    """What is to be done, in this order."""
    given: dict[Name, list[dict[str, Any]]] = Field(default_factory=dict)
    """Kind -> the records that stand before the dialogue."""
    expect: Expectation | None = None
    """What the records are to be in the end; left out: what the steps come to."""
    reference: Literal["none"] | None = None
    """`none`: bookings get no reference number, so nobody asks for one."""


class GoalFile(FileEntry):
    """A goal file whose top level is a mapping; a list at the top level is its `goals`.

    Each goal is a `GoalEntry`, checked one at a time.
    """

    name: Id | None = None
    """What the goals are called by, in place of the file's stem: `NAME/ID`."""
    database: str | None = None
    slots: dict[
        Name,
        Annotated[Mapping[Name, SlotEntry], BeforeValidator(_slot_values)],
    ] = Field(default_factory=dict)
    user: Slots = Field(default_factory=dict)
    """Facts about the user of every goal."""
    verbs: dict[Name, VerbEntry] = Field(default_factory=dict)
    """Verbs of one's own."""
    hearing: Any = None
    """How the bot speaks; read by `evidence.examples`."""
    goals: list[Any]
