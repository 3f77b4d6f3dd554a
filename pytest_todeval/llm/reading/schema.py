"""JSON schemas in the part that endpoints accept in strict mode.

Every key is required, no other is allowed, and numbers are listed (`enum`), since `minimum` and
`maximum` are not supported everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Any

NOT_APPLICABLE = "not applicable"
TEXT: Mapping[str, Any] = {"type": "string"}


def strict(properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """An object with exactly these keys."""
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
    """One of these words."""
    return {"type": "string", "enum": list(words)}


def number(scale: tuple[int, int], not_applicable: bool) -> dict[str, Any]:
    """A whole number on the scale, or, if allowed, the words `not applicable`."""
    whole = {"type": "integer", "enum": list(range(scale[0], scale[1] + 1))}
    return {"anyOf": [whole, one_of([NOT_APPLICABLE])]} if not_applicable else whole
