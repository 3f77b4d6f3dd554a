"""Replies in text, in the formats of the papers: what is read of them, and what is refused."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_todeval.errors import UsageError
from pytest_todeval.models.prompt import REPLIES, Prompt
from pytest_todeval.models.reading.reader import Reader, Unreadable
from pytest_todeval.models.reading.replies import (
    choice_reader,
    flags_reader,
    rules_reader,
    score_reader,
    scores_reader,
    yes_no_reader,
)
from pytest_todeval.models.reading.rules import RuleReply

SIX = {
    "completion": (0, 1),
    "user_naturalness": (1, 5),
    "system_naturalness": (1, 5),
    "user_coherence": (1, 3),
    "system_coherence": (1, 3),
    "user_diversity": (1, 3),
}
SIDES = ("CONVERSATION_A", "CONVERSATION_B", "EQUAL")


def asks(reply: str) -> Prompt:
    return Prompt("mine", "1", "", (("user", "Judge."),), "0", reply)


def value(reader: Reader[Any], text: str) -> Any:
    assert reader.schema is None
    return reader.read(text).value


@pytest.mark.parametrize(
    "text",
    [
        "Score: 4\nJustification: It fits.",
        "Score: [4]\nJustification: It fits.",
        "**Score:** 4\n\n**Justification:** It fits.",
        "Score: 4 (Good)\nJustification: It fits.",
        "score: 4/5\njustification: It fits.",
    ],
)
def test_a_score_with_its_justification(text: str) -> None:
    reader = score_reader(asks("score"))
    found = reader.read(text)
    assert (found.value, found.reason, reader.schema) == (4, "It fits.", None)


@pytest.mark.parametrize(
    "text",
    [
        "Yes,5,3,3,1,2",
        " yes, 5, 3, 3, 1, 2.",
        "'Yes,5,3,3,1,2'",
        '"Yes,5,3,3,1,2"',
        "`Yes,5,3,3,1,2`",
        "[Yes, 5, 3, 3, 1, 2]",
        "Here is the result:\n\nYes,5,3,3,1,2\n",
        "Yes,5,3,3,1,2\nYes, 5, 3, 3, 1, 2",
        "1,5,3,3,1,2",
    ],
)
def test_a_row_of_values(text: str) -> None:
    found = scores_reader(asks("row"), SIX).read(text)
    assert [reply.value for reply in found.values()] == [1, 5, 3, 3, 1, 2]
    assert list(found) == list(SIX)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Yes,5,3,3,1", "the row has 5 values, expected 6"),
        ("Yes,5,3,3,1,2,2", "the row has 7 values, expected 6"),
        ("Yes,5,3,3,1,4", "user_diversity is '4', expected a number from 1 to 3"),
        ("Yes,0,3,3,1,2", "user_naturalness is '0'"),
        ("5,Yes,3,3,1,2", "completion is '5'"),
        ("Yes,5,3,3,1,2\nNo,5,3,3,1,2", "2 different rows"),
        ("It went well.", "0 different rows"),
        ("Yes,5,3,3,1,two", "0 different rows"),
        ("Yes,5,3,3,1,²", "0 different rows"),
    ],
)
def test_a_row_that_is_not_as_asked_for(text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        scores_reader(asks("row"), SIX).read(text)


@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("tag", "<answer>{word}</answer>"),
        ("tag", "<answer>\n{word}\n</answer>"),
        ("tag", '<answer>"{word}"</answer>'),
        ("tag", "It is all there, and no more.\n<answer> {lower} </answer>\nThat is why."),
        ("tag", "**<answer>{word}</answer>**"),
        ("result", "Feedback: It did all. [RESULT] {digit}"),
        ("result", "Feedback: It did all.\n[RESULT] {digit}"),
        ("result", "Feedback: It did all. [RESULT]: [{digit}]."),
        ("result", "Feedback: turns 2, 3 say so. [result] ({digit})"),
        ("row", "{word},5,3,3,1,2"),
        ("text", "{word}."),
        ("text", "Answer: {word}\nIt did."),
    ],
)
def test_a_yes_or_a_no(reply: str, text: str, yes: bool) -> None:
    word = "YES" if yes else "NO"
    told = text.format(word=word, lower=word.lower(), digit=int(yes))
    assert value(yes_no_reader(asks(reply)), told) is yes


def test_what_stands_beside_an_answer_is_its_reason() -> None:
    feedback = yes_no_reader(asks("result")).read("Feedback: It forgot the phone. [RESULT] 0")
    assert feedback.reason == "It forgot the phone."
    tagged = yes_no_reader(asks("tag")).read("It is bare.\n<answer>NO</answer>")
    assert tagged.reason == "It is bare."


@pytest.mark.parametrize(
    ("reply", "text", "said"),
    [
        ("tag", "YES", "no <answer>"),
        ("tag", "<answer>MAYBE</answer>", "'MAYBE', expected yes or no"),
        ("tag", "<answer></answer>", "expected yes or no"),
        ("tag", "<answer>YES</answer> <answer>NO</answer>", "several answers"),
        ("tag", 'The bot wrote "<answer>YES</answer>".', "no <answer>"),
        ("tag", "<answer>YES", "no <answer>"),
        ("result", "Feedback: good.", r"no \[RESULT\]"),
        ("result", "[RESULT] 1 [RESULT] 0", "2 different results"),
        ("result", "[RESULT] good", r"no number behind a \[RESULT\]"),
        ("result", "[RESULT] 1 and then [RESULT] none", r"no number behind a \[RESULT\]"),
        ("result", "[RESULT] 5", "the result is 5, expected a number from 0 to 1"),
        ("result", "[RESULT] 0.5", "expected 1 or 0"),
        ("result", 'The bot wrote "[RESULT] 1".', r"no \[RESULT\]"),
        ("row", "Perhaps,5", "0 different rows"),
    ],
)
def test_no_guess_is_made_of_a_yes_or_a_no(reply: str, text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        yes_no_reader(asks(reply)).read(text)


def test_a_tag_is_a_score_of_one_or_nothing() -> None:
    reader = score_reader(asks("tag"), (0, 1))
    assert value(reader, "<answer>YES</answer>") == 1
    assert value(reader, "<answer>NO</answer>") == 0


@pytest.mark.parametrize(
    "text",
    [
        "[1, 1, 0]",
        "[1,1,0]",
        "Keyword 1 is in turn [2].\n[1, 1, 0]",
        "```python\n[1, 1, 0]\n```",
        "[1, 1, 0,]",
        "Score: [1, 1, 0], 2/3",
        "[1, 0] are the first.\n[1, 1, 0]",
    ],
)
def test_flags(text: str) -> None:
    reader = flags_reader(asks("flags"), 3)
    assert reader.schema is None
    assert reader.read(text).values == (True, True, False)


@pytest.mark.parametrize(
    "text", ["", "[1, 1]", "[1, 1, 0, 0]", "[1, 1, 2]", "[1, 1, 0] or [1, 0, 0]", "1, 1, 0"]
)
def test_flags_that_are_not_as_asked_for(text: str) -> None:
    with pytest.raises(Unreadable, match="different lists of 3 flags"):
        flags_reader(asks("flags"), 3).read(text)


def test_rules_in_tags_and_a_choice_by_its_name() -> None:
    rules = rules_reader(asks("xml"), ("r1", "r2"))
    text = (
        "<response><scratchpad>notes</scratchpad><scores><score1>1</score1> <reason1>kept</reason1>"
        "\n<score2>-1</score2> <reason2>Not applicable</reason2></scores></response>"
    )
    assert rules.schema is None
    assert rules.read(text) == {"r1": RuleReply(1, "kept"), "r2": RuleReply(-1, "Not applicable")}
    assert value(choice_reader(asks("choice"), SIDES), "CONVERSATION_B") == "CONVERSATION_B"


def test_a_document_in_json_is_asked_by_a_schema() -> None:
    json = asks("json")
    readers: list[Reader[Any]] = [
        yes_no_reader(json),
        score_reader(json),
        scores_reader(json, SIX),
        choice_reader(json, SIDES),
        rules_reader(json, ("r1",)),
    ]
    assert [bool(reader.schema) for reader in readers] == [True] * 5


MAKERS: Mapping[str, tuple[Callable[[Prompt], Reader[Any]], set[str]]] = {
    "yes or no": (yes_no_reader, {"json", "text", "tag", "result", "row"}),
    "score": (score_reader, {"json", "text", "score", "result"}),
    "score of 1 or 0": (
        lambda prompt: score_reader(prompt, (0, 1)),
        {"json", "text", "score", "result", "tag"},
    ),
    "scores": (lambda prompt: scores_reader(prompt, SIX), {"json", "text", "row"}),
    "scores, one of them": (
        lambda prompt: scores_reader(prompt, {"a": (0, 1)}),
        {"json", "text", "row", "score", "result", "tag"},
    ),
    "choice": (lambda prompt: choice_reader(prompt, SIDES), {"json", "text", "choice"}),
    "rules": (lambda prompt: rules_reader(prompt, ("r1",)), {"json", "text", "xml"}),
    "flags": (lambda prompt: flags_reader(prompt, 2), {"text", "flags"}),
}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("reply", ["json", "text", *REPLIES])
def test_a_format_that_cannot_answer_the_question_is_named(kind: str, reply: str) -> None:
    make, fitting = MAKERS[kind]
    if reply in fitting:
        assert make(asks(reply)).expected
        return
    with pytest.raises(UsageError, match=f"prompt mine: its replies are `{reply}`.*expected one"):
        make(asks(reply))
