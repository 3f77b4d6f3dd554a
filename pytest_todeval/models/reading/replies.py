"""The reader of a document's replies: JSON by a schema, or text in the format that its head names.

Each function is for one kind of answer, and raises UsageError if replies in the document's format
cannot give that kind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pytest_todeval.errors import UsageError
from pytest_todeval.models.prompt import Prompt
from pytest_todeval.models.reading.choice import ChoiceReader, ChoiceReply
from pytest_todeval.models.reading.in_text import (
    FlagsReader,
    FlagsReply,
    InText,
    ResultReader,
    RowReader,
    TagReader,
)
from pytest_todeval.models.reading.reader import Reader, Unreadable
from pytest_todeval.models.reading.rules import RuleReply, RulesReader
from pytest_todeval.models.reading.score import ScoreReader, ScoreReply, ScoresReader
from pytest_todeval.models.reading.yes_no import YesNoReader, YesNoReply

S = TypeVar("S")
T = TypeVar("T")

YES_NO = (0, 1)


def yes_no_reader(prompt: Prompt, *, not_applicable: bool = False) -> Reader[YesNoReply]:
    """For a yes or a no: `json`, `tag`, `result` (1 or 0), `row` (its first value)."""
    in_json = YesNoReader(not_applicable)
    said = "Answer with Yes or No, and nothing else on that line."
    row = RowReader({"answer": YES_NO}, more=True)
    return _chosen(
        prompt,
        json=in_json,
        text=InText(in_json, said),
        tag=TagReader(not_applicable),
        result=_Turned(ResultReader(YES_NO), _decided),
        row=_Turned(row, lambda values: _decided(values["answer"])),
    )


def score_reader(
    prompt: Prompt, scale: tuple[int, int] = (1, 5), *, not_applicable: bool = False
) -> Reader[ScoreReply]:
    """For one score: `json`, `score`, `result`; for 1 or 0 also `tag`."""
    in_json = ScoreReader(scale, not_applicable=not_applicable)
    headed = _headed(in_json)
    known: dict[str, Reader[ScoreReply]] = {
        "json": in_json,
        "text": headed,
        "score": headed,
        "result": ResultReader(scale),
    }
    if scale == YES_NO:
        known["tag"] = _Turned(TagReader(not_applicable), _scored)
    return _chosen(prompt, **known)


def scores_reader(
    prompt: Prompt,
    scales: Mapping[str, tuple[int, int]],
    *,
    not_applicable: frozenset[str] = frozenset(),
) -> Reader[dict[str, ScoreReply]]:
    """For several scores: `json`, `row` (in the order of `scales`).

    For a single one, also what `score_reader` reads.
    """
    if len(scales) == 1 and prompt.reply not in ("json", "row"):
        ((name, scale),) = scales.items()
        one = score_reader(prompt, scale, not_applicable=name in not_applicable)
        return _Turned(one, lambda reply: {name: reply})
    row = RowReader(scales)
    return _chosen(prompt, json=ScoresReader(scales, not_applicable), text=row, row=row)


def choice_reader(prompt: Prompt, options: tuple[str, ...]) -> Reader[ChoiceReply]:
    """For one of several options: `json`, `choice`."""
    in_json = ChoiceReader(options)
    said = f"Answer with one of these and nothing else: {', '.join(options)}."
    in_text = InText(in_json, said)
    return _chosen(prompt, json=in_json, text=in_text, choice=in_text)


def rules_reader(prompt: Prompt, ids: tuple[str, ...]) -> Reader[dict[str, RuleReply]]:
    """For how each rule fared: `json`, `xml` (numbered from 1 in the order of `ids`)."""
    in_json = RulesReader(ids)
    said = (
        f"Answer with <score1>, <reason1> and so on up to <score{len(ids)}>, <reason{len(ids)}>: "
        "1 complied with, 0 broken, -1 not applicable."
    )
    in_text = InText(in_json, said)
    return _chosen(prompt, json=in_json, text=in_text, xml=in_text)


def flags_reader(prompt: Prompt, count: int) -> Reader[FlagsReply]:
    """For a 1 or a 0 of each of several things: `flags`. A document in JSON has no such reader."""
    return _chosen(prompt, text=FlagsReader(count), flags=FlagsReader(count))


@dataclass(frozen=True)
class _Turned(Generic[S, T]):
    """Reads another kind of answer, and turns it into this one."""

    reader: Reader[S]
    turn: Callable[[S], T]

    @property
    def schema(self) -> Mapping[str, Any] | None:
        return self.reader.schema

    @property
    def expected(self) -> str:
        return self.reader.expected

    def read(self, text: str) -> T:
        return self.turn(self.reader.read(text))


def _chosen(prompt: Prompt, **readers: Reader[T]) -> Reader[T]:
    if prompt.reply not in readers:
        known = ", ".join(readers)
        raise UsageError(
            f"prompt {prompt.name}: its replies are `{prompt.reply}`, which does not answer its "
            f"question; expected one of {known}"
        )
    return readers[prompt.reply]


def _headed(reader: ScoreReader) -> InText[ScoreReply]:
    grade = f"a number from {reader.scale[0]} to {reader.scale[1]}"
    idle = ', or "not applicable"' if reader.not_applicable else ""
    return InText(
        reader,
        f'Answer with a line "Score: N", {grade}{idle}, and a line "Justification: ...", a text.',
    )


def _decided(reply: ScoreReply) -> YesNoReply:
    if reply.value not in (0, 1):
        raise Unreadable(f"the result is {reply.value}, expected 1 or 0")
    return YesNoReply(reply.value == 1, reply.reason)


def _scored(reply: YesNoReply) -> ScoreReply:
    return ScoreReply(None if reply.value is None else float(reply.value), reply.reason)
