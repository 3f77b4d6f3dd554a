"""The answers in text that papers ask for: tags, results, lists of flags, rows."""

from typing import Any

import pytest

from pytest_todeval.models.reading.in_text import FlagsReader, ResultReader, RowReader, TagReader
from pytest_todeval.models.reading.reader import Reader, Unreadable

TAGS, RESULT, FLAGS = TagReader(), ResultReader(), FlagsReader(3)
ROW = RowReader({"done": (0, 1), "ease": (1, 5), "pace": (1, 5)})
LONG_ROW = RowReader(ROW.scales, more=True)
SINGLE = RowReader({"ease": (1, 5)})


@pytest.mark.parametrize(
    ("reader", "text", "value", "reason"),
    [
        (TAGS, "It asks.\n<answer>YES</answer>\nSo it is.", True, "It asks.\nSo it is."),
        (TAGS, "<answer>NO</answer>", False, ""),
        (TAGS, "<answer>NO</answer> or rather <answer> no </answer>", False,
         "or rather <answer> no </answer>"),
        (RESULT, "Feedback: all done. [RESULT] 1", 1.0, "all done."),
        (RESULT, "It is not. [result]: (0)", 0.0, "It is not."),
        (RESULT, "[RESULT] 1 [RESULT] 1", 1.0, ""),
        (ResultReader((1, 5)), "So. [RESULT] 5", 5.0, "So."),
        (ResultReader((1, 5)), "So. [RESULT] 1", 1.0, "So."),
        (FLAGS, "Both. [1, 0, 1] as I said", (True, False, True), "Both."),
        (FLAGS, "[1] then [0,0,1,]", (False, False, True), ""),
        (FLAGS, "a [0, 0, 0] b [0,0,0]", (False, False, False), "a"),
    ],
)  # fmt: skip
def test_what_is_read(reader: Reader[Any], text: str, value: object, reason: str) -> None:
    found = reader.read(text)
    assert (found.values if reader is FLAGS else found.value) == value
    assert found.reason == reason


@pytest.mark.parametrize(
    ("reader", "text", "values"),
    [
        (ROW, "Here it is:\nYes,5,3\n", [1, 5, 3]),
        (ROW, "`no, 1.5, 2`", [0, 1.5, 2]),
        (ROW, "(1, 5, 1)\nYES,5,1", None),
        (ROW, "Yes,5,3\nyes, 5, 3.", [1, 5, 3]),
        (LONG_ROW, "Yes,5,3,4,Yes", [1, 5, 3]),
        (SINGLE, "4", [4]),
        (SINGLE, "It is a 3, I think.\n2", [2]),
    ],
)
def test_rows(reader: RowReader, text: str, values: list[float] | None) -> None:
    if values is None:
        with pytest.raises(Unreadable, match="2 different rows"):
            reader.read(text)
        return
    found = reader.read(text)
    assert {name: each.value for name, each in found.items()} == dict(
        zip(reader.scales, values, strict=True)
    )
    assert not any(each.reason for each in found.values())


@pytest.mark.parametrize(
    ("reader", "text", "why"),
    [
        (TAGS, "Yes.", "there is no <answer> in the reply"),
        (TAGS, "<answer>YES</answer><answer>NO</answer>", "there are several answers"),
        (RESULT, "Done: 1", "there is no [RESULT] in the reply"),
        (RESULT, "[RESULT] 1 [RESULT] 0", "there is 2 different results in the reply"),
        (RESULT, "[RESULT] 1 and [RESULT] none", "there is no number behind a [RESULT]"),
        (RESULT, "[RESULT] 2", "the result is 2, expected a number from 0 to 1"),
        (RESULT, "[RESULT] -1", "the result is -1, expected a number from 0 to 1"),
        (FLAGS, "All.", "expected one (lengths of the lists there are: none)"),
        (FLAGS, "[1, 0] [1]", "expected one (lengths of the lists there are: 2, 1)"),
        (FLAGS, "[1, 0, 1] [1, 0, 0]", "there are 2 different lists of 3 flags"),
        (ROW, "fine", "there are 0 different rows in the reply, expected one"),
        (ROW, "Yes,5", "the row has 2 values, expected 3"),
        (ROW, "Yes,5,3,4", "the row has 4 values, expected 3"),
        (ROW, "Yes,6,3", "ease is '6', expected a number from 1 to 5"),
        (ROW, "Yes,5,0", "pace is '0', expected a number from 1 to 5"),
        (ROW, "Yes,Yes,3", "ease is 'yes', expected a number from 1 to 5"),
        (ROW, "2,5,3", "done is '2', expected a number from 0 to 1"),
        (ROW, f"Yes,5,3{' ' * 200}", "there are 0 different rows"),
        (ROW, "Yes,5,300000000", "there are 0 different rows"),
    ],
)
def test_what_cannot_be_read(reader: Reader[Any], text: str, why: str) -> None:
    with pytest.raises(Unreadable) as raised:
        reader.read(text)
    assert why in str(raised.value)


@pytest.mark.parametrize(
    ("reader", "asked"),
    [
        (TAGS, "<answer>YES</answer> or <answer>NO</answer>"),
        (RESULT, "[RESULT] N\", with a whole number from 0 to 1"),
        (FLAGS, "a list of 3 numbers, each 1 or 0"),
        (ROW, "between them: done (Yes or No), ease (1 to 5), pace (1 to 5)."),
    ],
)  # fmt: skip
def test_what_a_model_is_told_that_is_asked_again(reader: Reader[Any], asked: str) -> None:
    assert asked in reader.expected
    assert reader.schema is None
