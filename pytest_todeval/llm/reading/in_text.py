"""A reader of a reply in text: it is asked for by a sentence, not by a schema."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pytest_todeval.llm.reading.reader import Reader

__all__ = ["InText"]

T = TypeVar("T")


@dataclass(frozen=True)
class InText(Generic[T]):
    """Reads what `reader` reads, from a model that is shown no schema."""

    reader: Reader[T]
    expected: str
    """What a model is told that is asked again."""

    @property
    def schema(self) -> None:
        """None: the document says how to answer."""
        return None

    def read(self, text: str) -> T:
        """The answer. Raises Unreadable."""
        return self.reader.read(text)
