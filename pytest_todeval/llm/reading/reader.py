"""What a reader is."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


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
        """What was asked for, in a sentence a model is told when it is asked again."""
        ...

    def read(self, text: str) -> T_co:
        """The answer. Raises Unreadable, and nothing else, whatever the text is."""
        ...
