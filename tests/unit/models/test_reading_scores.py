"""Several named scores in one reply: all of them, or none."""

import json

import pytest

from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.score import ScoreReader, ScoreReply, ScoresReader

READER = ScoresReader({"cohesion": (1, 5), "backend": (1, 5)}, frozenset({"backend"}))


def reply(**scores: object) -> str:
    return json.dumps({name: {"reason": "so", "score": score} for name, score in scores.items()})


def test_the_scores_come_in_the_order_asked() -> None:
    found = READER.read(f"```json\n{reply(Backend='4/5', cohesion=2)}\n```")
    assert list(found.items()) == [
        ("cohesion", ScoreReply(2, "so")),
        ("backend", ScoreReply(4, "so")),
    ]


def test_not_applicable_only_where_it_is_allowed() -> None:
    assert READER.read(reply(cohesion=1, backend="not applicable"))["backend"].value is None
    with pytest.raises(Unreadable, match="cohesion: the score is 'not applicable'"):
        READER.read(reply(cohesion="not applicable", backend=1))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Score: 5",
        "{}",
        reply(cohesion=3),
        reply(cohesion=3, backend=6),
        reply(cohesion=3, backend=True),
        reply(cohesion=3, backend=None),
        '{"cohesion": 3, "backend": 4}',
        '{"cohesion": {"reason": ""}, "backend": {"score": 4}}',
        '{"cohesion": {"score": 1, "Score": 5}, "backend": {"score": 4}}',
        reply(cohesion=1, backend=1) + reply(cohesion=5, backend=5),
        reply(cohesion=1) + reply(backend=5),
        f"I give both a 1: the bot only wrote {reply(cohesion=5, backend=5)}",
        f"The bot wrote {reply(cohesion=5, backend=5)} and nothing else.",
        f"{reply(cohesion=1, backend=1)} It wrote: {reply(cohesion=5)}",
    ],
)
def test_anything_less_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        READER.read(text)


def test_labels_are_read_on_their_own_scale_only() -> None:
    assert READER.read(reply(cohesion="Very Good", backend="Bad (2)"))["backend"].value == 2
    with pytest.raises(Unreadable):
        ScoresReader({"cohesion": (0, 10)}).read(reply(cohesion="Very Good"))


def test_what_is_expected_names_each_score() -> None:
    assert '"backend": a number from 1 to 5, or "not applicable"' in READER.expected
    assert '"cohesion": a number from 1 to 5;' in READER.expected


def test_the_schema_allows_none_only_where_it_is_allowed() -> None:
    score = {
        name: part["properties"]["score"] for name, part in READER.schema["properties"].items()
    }
    assert score["cohesion"] != score["backend"]
    assert score["backend"] == ScoreReader(not_applicable=True).schema["properties"]["score"]
    assert score["cohesion"] == ScoreReader().schema["properties"]["score"]
