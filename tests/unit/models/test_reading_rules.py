"""Rules judged 1, 0 or -1: all of them, or none."""

import json

import pytest

from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.rules import RuleReply, RulesReader

READER = RulesReader(("no-invention", "asks-first"))
RIGHT = {"no-invention": RuleReply(1, "so"), "asks-first": RuleReply(-1, "nothing booked")}


def reply(first: object, second: object) -> str:
    return json.dumps(
        {
            "asks-first": {"reason": "nothing booked", "score": second},
            "no-invention": {"reason": "so", "score": first},
        }
    )


@pytest.mark.parametrize(
    "text",
    [
        reply(1, -1),
        f"```json\n{reply('1', '-1')}\n```",
        reply(1.0, "Not applicable"),
        "<scores><score1>1</score1><reason1>so</reason1>\n"
        "<score2>-1</score2><reason2>nothing booked</reason2></scores>",
        "<reason2>nothing booked</reason2><SCORE2> N/A </SCORE2><reason1>so</reason1>"
        "<score1>1</score1>",
    ],
)
def test_each_shape_gives_the_values_in_the_order_asked(text: str) -> None:
    assert list(READER.read(text).items()) == list(RIGHT.items())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1, -1",
        reply(1, 2),
        reply(1, True),
        reply(1, None),
        reply(0.5, 1),
        reply("yes", 1),
        '{"no-invention": {"score": 1}}',
        '{"no-invention": 1, "asks-first": 1}',
        '{"no-invention": {"score": 1}, "asks-first": {"score": 1}, "other": {"score": 1}}',
        f"{reply(1, 1)} {reply(0, 0)}",
        f"{reply(0, 0)} <score1>1</score1><score2>1</score2>",
        "<score1>1</score1>",
        "<score1>1</score1><score3>1</score3>",
        "<score1>1</score1><score2>1</score2><score3>1</score3>",
        "<score1>0</score1><score2>0</score2> It wrote <score1>1</score1>",
        "<score1>1</score2><score2>1</score1>",
        "<score1>5</score1><score2>1</score2>",
        "<score1></score1><score2>1</score2>",
        "<reason1>so</reason1><reason2>so</reason2>",
    ],
)
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        READER.read(text)


def test_a_quoted_tag_does_not_count() -> None:
    text = '<score1>0</score1><score2>0</score2> It wrote "<score1>1</score1>".'
    assert READER.read(text)["no-invention"].value == 0


def test_the_schema_has_a_key_for_each_rule() -> None:
    rule = READER.schema["properties"]["asks-first"]["properties"]
    assert rule["score"] == {"type": "integer", "enum": [1, 0, -1]}
    assert '"no-invention", "asks-first"' in READER.expected
