"""The shape of a goal file, as pydantic models. Imported only when a goal file is read."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints


def _text(value: Any) -> Any:
    """A value as text: 2 is "2", true is "yes". No decimals: `3.50` would lose its zero."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        raise ValueError("a decimal number; put it in quotes, so that it stays as written")
    if value is None:
        raise ValueError("no value; expected text or a number")
    return str(value) if isinstance(value, int) else value


def _empty_mapping(value: Any) -> Any:
    return {} if value is None else value


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


def _listed(value: Any) -> Any:
    return [] if value is None else [value] if isinstance(value, str) else value


Kind = Literal[
    "name", "choice", "text", "yes/no", "count", "amount", "quantity", "date", "time", "duration",
    "phone", "email", "address", "postcode", "code", "url",
]  # fmt: skip
"""The names of `nlu.slots.KINDS`."""
Stripped = StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)
# pydantic strips after it has counted if constraints come after a validator.
Text = Annotated[str, Stripped, BeforeValidator(_text)]
Name = Annotated[str, Stripped]
Passage = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), BeforeValidator(_text)
]
Slots = Annotated[dict[Name, Text], BeforeValidator(_empty_mapping)]
Id = Annotated[
    str, BeforeValidator(_text), StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")
]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SlotEntry(_Entry):
    """What there is to know of a slot."""

    kind: Kind | None = None
    """What sort of value it has; else inferred from its name and values."""
    description: str = Field(default="", max_length=200)
    """What else people call it."""
    values: list[Text] | None = None
    """The values it takes; any if left out."""


class DomainEntry(_Entry):
    """What the user wants of one domain; the fields are those of `core.goal.DomainGoal`."""

    inform: Slots = Field(default_factory=dict)
    fail_inform: Slots = Field(default_factory=dict)
    book: Slots = Field(default_factory=dict)
    fail_book: Slots = Field(default_factory=dict)
    request: Annotated[list[Name], BeforeValidator(_listed)] = Field(default_factory=list)
    wants_booking: bool | None = None
    """Default: if `book` has slots; always for a taxi."""
    refusal: bool = False
    """Nothing meets it, so that the right answer is to say so."""


class TurnEntry(_Entry):
    """A turn that was before the dialogue."""

    user: Passage = ""
    """May be left out in the first turn, if the bot spoke first."""
    system: Passage


class GoalEntry(_Entry):
    """One goal."""

    id: Id
    message: Annotated[list[str], BeforeValidator(_listed)] = Field(default_factory=list)
    solution: Passage = ""
    """What solves the problem that the message tells of; only a checker is shown it."""
    opening: list[TurnEntry] = Field(default_factory=list)
    """What was said before; the dialogue goes on from there."""
    domains: dict[Name, DomainEntry] = Field(default_factory=dict)
    """May be left out if there is a message and a solution."""
    user: Slots = Field(default_factory=dict)
    """Facts about the user, on top of those of the file."""
    labels: Annotated[list[Id], BeforeValidator(_listed)] = Field(default_factory=list)
    """By which goals are chosen, gated and summed up; of the form of an id."""


class GoalFile(_Entry):
    """A goal file whose top level is a mapping; a list at the top level is its `goals`.

    Each goal is a `GoalEntry`, checked one at a time.
    """

    name: Id | None = None
    """What the goals are called by, in place of the file's stem: `NAME/ID`."""
    database: str | None = None
    slots: dict[
        Name,
        Annotated[Mapping[Name, SlotEntry], BeforeValidator(_slot_values)],
    ] = {}
    user: Slots = Field(default_factory=dict)
    """Facts about the user of every goal."""
    hearing: Any = None
    """How the bot speaks; read by `evidence.examples`."""
    goals: list[Any]
