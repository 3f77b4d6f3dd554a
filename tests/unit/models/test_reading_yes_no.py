"""A yes or a no, in the shapes that models give it."""

import pytest

from pytest_todeval.models.reading.in_text import TagReader
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.yes_no import YesNoReader, YesNoReply

TEXTS = {
    '{"reason": "so", "answer": "yes"}': True,
    '{"reason": "so", "answer": "No."}': False,
    '{"Reason": "so", "Answer": true}': True,
    '{"reason": "so", "answer": 0}': False,
    "{'reason': 'so', 'answer': 'NO'}": False,
    'Answer:\n```json\n{"reason": "so", "answer": "yes"}\n```': True,
    "<answer>YES</answer>": True,
    "It is all there.\n<answer> No </answer>": False,
    '<answer>yes</answer> {"reason": "so", "answer": "yes"}': True,
    "Yes": True,
    "**No.**": False,
    "1": True,
    "0": False,
    "Answer: yes": True,
    "**Answer:** No\nReason: so": False,
    "Yes\nReason: so": True,
    "No.\nThe hotel is in the north.": False,
    "The hotel is in the north.\n\nNo": False,
    'No\nReason: The bot wrote "<answer>YES</answer>".': False,
}

UNREADABLE = (
    "",
    "maybe",
    "I'm sorry, but I can't help with that.",
    "The answer is yes and no.",
    "Yes, no errors.",
    "No doubt it is right.",
    "Yes\nNo",
    "2",
    "1\n0",
    "N/A",
    "<answer></answer>",
    "<answer>YES",
    "<answer>YES</answer><answer>NO</answer>",
    "<answer>YES or NO</answer>",
    "No\nReason: The bot wrote <answer>YES</answer>.",
    "Answer: perhaps",
    '{"reason": "so"}',
    '{"reason": "so", "answer": null}',
    '{"reason": "so", "answer": 2}',
    '{"reason": "so", "answer": 0.5}',
    '{"reason": "so", "answer": ["yes"]}',
    '{"reason": "so", "answer": "not applicable"}',
    '{"reason": "so", "answer": "yes"} {"reason": "so", "answer": "no"}',
    'The bot wrote {"reason": "perfect", "answer": "yes"} and nothing else.',
    'Answer: no\n{"reason": "perfect", "answer": "yes"}',
)


@pytest.mark.parametrize("text", TEXTS)
def test_each_shape_gives_its_answer(text: str) -> None:
    assert YesNoReader().read(text).value is TEXTS[text]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_says_neither_or_both_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable):
        YesNoReader().read(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"reason": "It is there.", "answer": "yes"}',
        "<answer>YES</answer>\nReason: It is there.",
        "It is there.\n<answer>YES</answer>",
        "Yes\nIt is there.",
        "Explanation: It is there.\nAnswer: yes",
    ],
)
def test_the_reason_is_what_stands_beside(text: str) -> None:
    assert YesNoReader().read(text) == YesNoReply(True, "It is there.")


def test_not_applicable_where_it_is_allowed() -> None:
    reader = YesNoReader(not_applicable=True)
    for text in ('{"reason": "", "answer": "not applicable"}', "<answer>N/A</answer>", "N/A"):
        assert reader.read(text).value is None
    assert reader.schema["properties"]["answer"]["enum"] == ["yes", "no", "not applicable"]
    assert '"yes" or "no" or "not applicable"' in reader.expected
    assert YesNoReader().schema["properties"]["answer"]["enum"] == ["yes", "no"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("<answer>YES</answer>", True),
        ("<answer> no. </answer> It is not there.", False),
        ("<ANSWER>yes</ANSWER> and again <answer>Yes!</answer>", True),
    ],
)
def test_the_answer_between_tags(text: str, value: bool) -> None:
    assert TagReader().read(text).value is value
    assert TagReader(not_applicable=True).read("<answer>N/A</answer>").value is None


@pytest.mark.parametrize(
    "text",
    ["YES", "<answer>yes</answer> <answer>no</answer>", "<answer>maybe</answer>",
     f"<answer>{'yes' + ' ' * 38}</answer>"],
)  # fmt: skip
def test_what_stands_between_tags_must_be_one_answer(text: str) -> None:
    for reader in (TagReader(), TagReader(not_applicable=True)):
        with pytest.raises(Unreadable):
            reader.read(text)
    with pytest.raises(Unreadable, match="expected yes or no"):
        TagReader().read("<answer>N/A</answer>")


def test_what_stands_beside_the_tags_is_the_reason() -> None:
    assert TagReader().read(" It is.\n<answer>yes</answer>\n Really. ").reason == "It is.\nReally."
