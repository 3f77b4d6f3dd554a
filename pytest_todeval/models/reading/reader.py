"""What a reader is, and the JSON schemas of what it reads, as endpoints accept them in strict mode.

In these every key is required, no other is allowed, and numbers are listed (`enum`), since
`minimum` and `maximum` are not supported everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)

NOT_APPLICABLE = "not applicable"
TEXT: Mapping[str, Any] = {"type": "string"}


class Unreadable(ValueError):
    """A reply that does not say what was asked; its message says what was found and expected."""


class Reader(Protocol[T_co]):
    """Reads one kind of answer."""

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema of the answer, for endpoints with structured output; has a `title`.

        None if the answer is text.
        """
        ...

    @property
    def expected(self) -> str:
        """Returns what was asked for, in a sentence a model is told when it is asked again."""
        ...

    def read(self, text: str) -> T_co:
        """Returns the answer. Raises Unreadable, and nothing else, whatever the text is."""
        ...


def strict(properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Returns an object with exactly these keys."""
    return {
        "type": "object",
        "properties": {key: dict(value) for key, value in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def titled(title: str, properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The object that is the answer; its title (letters, `_`) names the schema in the request."""
    return {"title": title, **strict(properties)}


def one_of(words: Sequence[str]) -> dict[str, Any]:
    """Returns one of these words."""
    return {"type": "string", "enum": list(words)}


def number(scale: tuple[int, int], not_applicable: bool) -> dict[str, Any]:
    """Returns a whole number on the scale, or, if allowed, the words `not applicable`."""
    whole = {"type": "integer", "enum": list(range(scale[0], scale[1] + 1))}
    return {"anyOf": [whole, one_of([NOT_APPLICABLE])]} if not_applicable else whole
