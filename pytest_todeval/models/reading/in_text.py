"""Readers of replies in text, which a sentence asks for, not a schema: the formats of papers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pytest_todeval.models.reading.answer_text import answer_text, said
from pytest_todeval.models.reading.reader import Reader, Unreadable
from pytest_todeval.models.reading.score import ScoreReply
from pytest_todeval.models.reading.yes_no import TAG, YesNoReader, YesNoReply

T = TypeVar("T")


@dataclass(frozen=True)
class InText(Generic[T]):
    """Reads what `reader` reads, from a model that is shown no schema."""

    reader: Reader[T]
    expected: str
    schema = None

    def read(self, text: str) -> T:
        return self.reader.read(text)


@dataclass(frozen=True)
class TagReader:
    """`<answer>YES</answer>` (AutoEval-ToD, prompts H.2, J.1 to J.6); the rest is the reason.

    All tags must say the same, those that a judge quotes apart.
    """

    not_applicable: bool = False
    schema = None
    expected = "Answer with <answer>YES</answer> or <answer>NO</answer>."

    def read(self, text: str) -> YesNoReply:
        original = answer_text(text)
        found = list(TAG.finditer(said(original)))
        value_of = YesNoReader(self.not_applicable).value_of
        values = {value_of(original[slice(*each.span("value"))]) for each in found}
        if len(values) != 1:
            raise Unreadable(
                "there is no <answer> in the reply" if not values else "there are several answers"
            )
        first = found[0]
        rest = (original[: first.start()], original[first.end() :])
        return YesNoReply(values.pop(), "\n".join(part for each in rest if (part := each.strip())))


_RESULT = re.compile(
    r"\[RESULT\]\s*+[:=]?+\s*+[\[(]?+[ \t]*+(?P<value>-?\d{1,4}+(?:\.\d{1,4}+)?+)(?!\.?\d)",
    re.IGNORECASE,
)
_ANY = re.compile(r"\[RESULT\]", re.IGNORECASE)
_HEAD = re.compile(r"\s{0,9}feedback[ \t]*:", re.IGNORECASE)


@dataclass(frozen=True)
class ResultReader:
    """`Feedback: ... [RESULT] 1` (LLM user agents, task completion)."""

    scale: tuple[int, int] = (0, 1)
    schema = None

    @property
    def expected(self) -> str:
        low, high = self.scale
        return f'Answer as "Feedback: ... [RESULT] N", with a whole number from {low} to {high}.'

    def read(self, text: str) -> ScoreReply:
        """Returns the number and the feedback. Raises Unreadable."""
        original = answer_text(text)
        spoken = said(original)
        found = list(_RESULT.finditer(spoken))
        values = {float(each["value"]) for each in found}
        if len(found) < len(_ANY.findall(spoken)):
            raise Unreadable("there is no number behind a [RESULT] in the reply")
        if len(values) != 1:
            said_so = "no [RESULT]" if not values else f"{len(values)} different results"
            raise Unreadable(f"there is {said_so} in the reply")
        value, (low, high) = values.pop(), self.scale
        if not low <= value <= high:
            raise Unreadable(f"the result is {value:g}, expected a number from {low} to {high}")
        before = original[: found[0].start()]
        head = _HEAD.match(before)
        return ScoreReply(value, (before[head.end() :] if head else before).strip())


_LIST = re.compile(
    r"\[(?P<flags>[ \t\n]{0,9}[01](?:[ \t\n]{0,9},[ \t\n]{0,9}[01]){0,999}),?\s{0,9}\]"
)


@dataclass(frozen=True, slots=True)
class FlagsReply:
    """What holds, in the order asked about, and what the model says beside it."""

    values: tuple[bool, ...]
    reason: str


@dataclass(frozen=True)
class FlagsReader:
    """`[1, 1, 0]`, a flag for each thing asked about (LLM user agents, coverage of keywords).

    Lists of other lengths are no answer.

    Several such lists must be the same.
    """

    count: int
    schema = None

    @property
    def expected(self) -> str:
        return f"Answer with a list of {self.count} numbers, each 1 or 0, such as [1, 0]."

    def read(self, text: str) -> FlagsReply:
        original = answer_text(text)
        found = list(_LIST.finditer(said(original)))
        lists = [tuple(flag == "1" for flag in re.findall("[01]", each["flags"])) for each in found]
        fitting = {each for each in lists if len(each) == self.count}
        if len(fitting) != 1:
            lengths = ", ".join(str(len(each)) for each in lists) or "none"
            raise Unreadable(
                f"there are {len(fitting)} different lists of {self.count} flags in the reply, "
                f"expected one (lengths of the lists there are: {lengths[:80]})"
            )
        reason = original[: found[0].start()].strip()
        return FlagsReply(fitting.pop(), reason)


_CELLS = {"yes": 1.0, "no": 0.0}
_CELL_EDGES = " \t`*'\"()[].\u2018\u2019\u201c\u201d"
_LONGEST_ROW = 200
_SHOWN = 80


@dataclass(frozen=True)
class RowReader:
    """`Yes,5,3,3,1,2`, a value for each name: a number, or Yes or No for 1 or 0 (clem:todd, A.7.4).

    Lines that are no row are passed over. Several rows must be the same. With `more` a row may go
    on behind the values that are asked for.
    """

    scales: Mapping[str, tuple[int, int]]
    """Name -> lowest and highest value, in the order of the row; `(0, 1)` is Yes or No."""
    more: bool = False
    schema = None

    @property
    def expected(self) -> str:
        values = ", ".join(
            f"{name} (Yes or No)" if scale == (0, 1) else f"{name} ({scale[0]} to {scale[1]})"
            for name, scale in self.scales.items()
        )
        return f"Answer with one line that has these values, with commas between them: {values}."

    def read(self, text: str) -> dict[str, ScoreReply]:
        """Returns the values by name. Raises Unreadable."""
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
            word = (low, high) == (0, 1) and _CELLS.get(cell)
            value = word if isinstance(word, float) else _number(cell)
            if value is None or not low <= value <= high:
                raise Unreadable(
                    f"{name} is {cell[:_SHOWN]!r}, expected a number from {low} to {high}"
                )
            yield name, ScoreReply(value, "")


def _row(line: str) -> tuple[str, ...]:
    """Returns the cells of a line, if it is a row: each a number, Yes or No."""
    if len(line) > _LONGEST_ROW:
        return ()
    row = line.strip(_CELL_EDGES + ",").casefold()
    cells = tuple(cell.strip(_CELL_EDGES) for cell in row.split(","))
    return cells if all(cell in _CELLS or _number(cell) is not None for cell in cells) else ()


def _number(cell: str) -> float | None:
    digits = cell.removeprefix("-").replace(".", "", 1)
    return float(cell) if digits.isascii() and digits.isdigit() and len(cell) < 9 else None
