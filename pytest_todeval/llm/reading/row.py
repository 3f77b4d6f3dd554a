"""`Yes,5,3,3,1,2`: values in a fixed order with commas between them (clem:todd, A.7.4)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_todeval.llm.reading.answer_text import answer_text
from pytest_todeval.llm.reading.reader import Unreadable
from pytest_todeval.llm.reading.score import ScoreReply

__all__ = ["RowReader"]

WORDS = {"yes": 1.0, "no": 0.0}
_EDGES = " \t`*'\"()[].\u2018\u2019\u201c\u201d"
_LONGEST = 200
_SHOWN = 80


@dataclass(frozen=True)
class RowReader:
    """Reads the line that has one value for each name: a number, or Yes or No for 1 or 0.

    Lines that are no row are passed over. Several rows must be the same. With `more` a row may go
    on behind the values that are asked for.
    """

    scales: Mapping[str, tuple[int, int]]
    """Name -> lowest and highest value, in the order of the row; `(0, 1)` is Yes or No."""
    more: bool = False

    @property
    def schema(self) -> None:
        """None: the reply is text."""
        return None

    @property
    def expected(self) -> str:
        """What a model is told that is asked again."""
        values = ", ".join(
            f"{name} (Yes or No)" if scale == (0, 1) else f"{name} ({scale[0]} to {scale[1]})"
            for name, scale in self.scales.items()
        )
        return f"Answer with one line that has these values, with commas between them: {values}."

    def read(self, text: str) -> dict[str, ScoreReply]:
        """The values by name. Raises Unreadable."""
        fewest = min(2, len(self.scales))
        lines = answer_text(text).splitlines()
        rows = {row for line in lines if len(row := _row(line)) >= fewest}
        if len(rows) != 1:
            raise Unreadable(f"there are {len(rows)} different rows in the reply, expected one")
        row = rows.pop()
        if len(row) < len(self.scales) or (len(row) > len(self.scales) and not self.more):
            raise Unreadable(f"the row has {len(row)} values, expected {len(self.scales)}")
        return dict(self._values(row))

    def _values(self, row: tuple[str, ...]) -> Iterator[tuple[str, ScoreReply]]:
        for (name, (low, high)), cell in zip(self.scales.items(), row, strict=False):
            word = (low, high) == (0, 1) and WORDS.get(cell)
            value = word if isinstance(word, float) else _number(cell)
            if value is None or not low <= value <= high:
                raise Unreadable(
                    f"{name} is {cell[:_SHOWN]!r}, expected a number from {low} to {high}"
                )
            yield name, ScoreReply(value, "")


def _row(line: str) -> tuple[str, ...]:
    """The cells of a line, if it is a row: each a number, Yes or No."""
    if len(line) > _LONGEST:
        return ()
    cells = tuple(cell.strip(_EDGES).casefold() for cell in line.strip(_EDGES + ",").split(","))
    return cells if all(cell in WORDS or _number(cell) is not None for cell in cells) else ()


def _number(cell: str) -> float | None:
    digits = cell.removeprefix("-").replace(".", "", 1)
    return float(cell) if digits.isascii() and digits.isdigit() and len(cell) < 9 else None
