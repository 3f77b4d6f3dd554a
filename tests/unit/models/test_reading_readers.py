"""What holds for every reader: schemas for strict mode, bounded work, a title and a sentence."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pytest_todeval.models.reading.answer_text import LONGEST
from pytest_todeval.models.reading.choice import ChoiceReader
from pytest_todeval.models.reading.in_text import FlagsReader, ResultReader, RowReader, TagReader
from pytest_todeval.models.reading.reader import Reader, Unreadable
from pytest_todeval.models.reading.rules import RulesReader
from pytest_todeval.models.reading.score import ScoreReader, ScoresReader
from pytest_todeval.models.reading.slots import SlotsReader
from pytest_todeval.models.reading.yes_no import YesNoReader
from tests.conftest import must_end

READERS: Mapping[str, Reader[Any]] = {
    "score": ScoreReader(),
    "score or none": ScoreReader(not_applicable=True),
    "scores": ScoresReader({"a": (1, 5), "b": (0, 10)}, frozenset({"b"})),
    "yes or no": YesNoReader(),
    "yes, no or none": YesNoReader(not_applicable=True),
    "choice": ChoiceReader(("A", "B", "Equal")),
    "rules": RulesReader(("r1", "r2")),
    "slots": SlotsReader("missed_domain_slots"),
}
IN_TEXT: Mapping[str, Reader[Any]] = {
    "row": RowReader({"a": (0, 1), "b": (1, 5)}),
    "tag": TagReader(),
    "result": ResultReader(),
    "flags": FlagsReader(3),
}

STRICT = {"type", "properties", "required", "additionalProperties", "enum", "anyOf", "items"}
"""The keywords that endpoints take in strict mode, of those of JSON schema that are used."""

LONG = (
    "Score: 5" + " " * (LONGEST + 1),
    "{" * LONGEST,
    '{"a":' * (LONGEST // 5),
    "[" * (LONGEST // 2),
    '{"' + '\\"' * (LONGEST // 2 - 2),
    "{ '" + "\\'" * (LONGEST // 2 - 4),
    "{" + "'" * (LONGEST - 2),
    "{x}" * (LONGEST // 3),
    '"' * LONGEST,
    "“" * LONGEST,
    "Score:" * (LONGEST // 6),
    "Score:\n" * (LONGEST // 7),
    "Score:" + " " * (LONGEST - 10) + "x",
    ("Score: " + "a" * 60 + "\n") * (LONGEST // 68),
    " " * (LONGEST - 1) + "x",
    "\n" * (LONGEST - 1) + "x",
    "- > " * (LONGEST // 4),
    "<think>" * (LONGEST // 7),
    "</think>" * (LONGEST // 8),
    '{"a": ' + "-" * (LONGEST - 10) + "}",
    '{"a": 1' + "," * (LONGEST - 10) + "}",
    '{"a": 1' + ", " * (LONGEST // 2 - 10) + "}",
    "reason" * (LONGEST // 6),
    "<answer>" * (LONGEST // 8),
    "<score1>" * (LONGEST // 8),
    "<score1>" + "0" * (LONGEST - 8),
    "[[" * (LONGEST // 2),
    "[[A" * (LONGEST // 3),
    "Answer:\n" * (LONGEST // 8),
    "c\n" * (LONGEST // 2),
    "Answer: " + "yes " * (LONGEST // 4 - 2),
    "<answer>" + " " * (LONGEST - 8),
    "[RESULT]" * (LONGEST // 8),
    "[RESULT]" + " " * (LONGEST - 8),
    "[RESULT] " + "1" * (LONGEST - 9),
    "[1" + ", 1" * (LONGEST // 3 - 1),
    "[1, " * (LONGEST // 4),
    "Yes," * (LONGEST // 4),
    "Yes,5,5\n" * (LONGEST // 8),
)

reader_of = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
every_reader = pytest.mark.parametrize(
    "reader", [*READERS.values(), *IN_TEXT.values()], ids=[*READERS, *IN_TEXT]
)


def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The schema and all schemas in it."""
    yield schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for part in [*inner, *([schema["items"]] if "items" in schema else ())]:
        yield from parts(part)


@reader_of
def test_schemas_are_taken_in_strict_mode(reader: Reader[Any]) -> None:
    assert reader.schema is not None
    schema = dict(reader.schema)
    assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", schema.pop("title"))
    assert schema["type"] == "object"
    for part in parts(schema):
        assert part.keys() <= STRICT
        assert "anyOf" in part or "type" in part
        if part.get("type") == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


@reader_of
def test_schema_and_sentence_are_the_same_each_time(reader: Reader[Any]) -> None:
    assert repr(reader.schema) == repr(reader.schema)
    assert reader.expected == reader.expected
    assert reader.expected.startswith("Answer with one JSON object")
    assert reader.expected.endswith(".")


@reader_of
def test_each_key_is_named_when_asked_again(reader: Reader[Any]) -> None:
    assert reader.schema is not None
    assert [key for key in reader.schema["properties"] if f'"{key}"' not in reader.expected] == []


@every_reader
@pytest.mark.parametrize("text", LONG, ids=lambda text: repr(text[:12]))
def test_long_replies_end_in_unreadable(reader: Reader[Any], text: str) -> None:
    with must_end(20), pytest.raises(Unreadable):
        reader.read(text)


@every_reader
@pytest.mark.parametrize("text", ["", " ", "I'm sorry, but I can't help with that.", "None"])
def test_refusals_and_nothing_are_unreadable(reader: Reader[Any], text: str) -> None:
    with pytest.raises(Unreadable):
        reader.read(text)


def test_a_reply_that_is_too_long_is_not_looked_at() -> None:
    with pytest.raises(Unreadable, match="characters long"):
        ScoreReader().read("Score: 4\nJustification: " + "so " * 400_000)
