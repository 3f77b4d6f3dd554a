"""What all entries of a goal file are made of. Imported only when a goal file is read."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, StringConstraints


def _text(value: Any) -> Any:
    """Returns a value as text: 2 is "2", true is "yes". No decimals: `3.50` would lose its zero."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        raise ValueError("a decimal number; put it in quotes, so that it stays as written")
    if value is None:
        raise ValueError("no value; expected text or a number")
    return str(value) if isinstance(value, int) else value


def _empty_mapping(value: Any) -> Any:
    return {} if value is None else value


def listed(value: Any) -> Any:
    """One text is short for a list of it."""
    return [] if value is None else [value] if isinstance(value, str) else value


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


class FileEntry(BaseModel):
    """A mapping with known keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)
