"""Every shape that judges write a score in: the right number, or Unreadable."""

import pytest

from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.reading.score import ScoreReader, ScoreReply

WHY = "\nJustification: It names the hotel."

TEXTS = {
    "Score: 4" + WHY: 4,
    "Score: 5 (Very Good)" + WHY: 5,
    "Score: Very Good (5)" + WHY: 5,
    "Score: Very Bad (1)" + WHY: 1,
    "Score: 2 Bad" + WHY: 2,
    "Score: 2 - Bad" + WHY: 2,
    "Score: 2: Bad" + WHY: 2,
    "Score: Bad - 2" + WHY: 2,
    "**Score: 5**" + WHY: 5,
    "**Score:** 5" + WHY: 5,
    "**Score**: 5" + WHY: 5,
    "**Score: 5 (Very Good)**" + WHY: 5,
    "**Score: 5** (**Very Good**)" + WHY: 5,
    "**Score: 3\nJustification:** It names the hotel.": 3,
    "__Score: 3__\n\n__Justification:__ It names the hotel.": 3,
    "### Score: 3" + WHY: 3,
    "- Score: 3" + WHY: 3,
    "```\nScore: 3" + WHY + "\n```": 3,
    "`Score: 3`" + WHY: 3,
    "Score: 3 Justification: It names the hotel.": 3,
    "Score: 3, Reason: It names the hotel.": 3,
    "Score: 3": 3,
    "SCORE: 3." + WHY: 3,
    "Final score: 3" + WHY: 3,
    "Rating: 3" + WHY: 3,
    "Rating: [[3]]" + WHY: 3,
    "Score = 3" + WHY: 3,
    "Score:\n3" + WHY: 3,
    "**Score:**\n\n3/5\n\n**Reasoning:** It names the hotel.": 3,
    "Score：３" + WHY: 3,
    "Score: ٣" + WHY: 3,
    "Score: ５（Very Good）" + WHY: 5,
    "Score: 4/5" + WHY: 4,
    "Score: 4 / 5 (Good)" + WHY: 4,
    "Score: 4 out of 5" + WHY: 4,
    "Score: Good (4/5)" + WHY: 4,
    "Score: 4.0" + WHY: 4,
    "Score: 4.5" + WHY: 4.5,
    "Score: 4.5 (Very Good)" + WHY: 4.5,
    "Score: Very Good" + WHY: 5,
    "Fair": 3,
    "4": 4,
    "**4/5**": 4,
    "4 (Good)" + WHY: 4,
    "The bot names a hotel that is there.\n\nScore: 4": 4,
    "Justification: It names the hotel.\nScore: 4": 4,
    "<think>\nIt may be Score: 2, or Score: 3?\n</think>\n\nScore: 4" + WHY: 4,
    "Score: 4\nJustification: A score of 5 was possible on 1 of 2 counts.": 4,
    "Score: 4\nJustification: It looked up {name} and {area}.": 4,
    'Score: 4\nJustification: The result is {"stars": "5"}, then {"stars": "3"}.': 4,
    '{"reason": "It names the hotel.", "score": 4}': 4,
    '{"score": 4.5, "reason": "It names the hotel."}': 4.5,
    '{"score": "4", "reason": "It names the hotel."}': 4,
    '{"score": "4/5", "reason": "It names the hotel."}': 4,
    '{"score": "٤", "reason": "It names the hotel."}': 4,
    '{"score": "5 (Very Good)", "reason": ""}': 5,
    '{"score": "very good", "reason": ""}': 5,
    '{"Score": 4, "Justification": "It names the hotel."}': 4,
    '```json\n{"reason": "It names the hotel.", "score": 4}\n```': 4,
    'Here it is: {"reason": "It names the hotel.", "score": 4}': 4,
    'Here it is:\n\n```json\n{"reason": "It names the hotel.", "score": 4}\n```\n': 4,
    '{"reason": "It names the hotel.", "score": 4}\n\nIs there anything else?': 4,
    '<output>{"reason": "It names the hotel.", "score": 4}</output>': 4,
    'Score:\n```json\n{"reason": "It names the hotel.", "score": 4}\n```': 4,
    'Score: 4\n{"reason": "It names the hotel.", "score": 4}': 4,
    "{'reason': \"It's there\", 'score': 4, 'sure': True, 'other': None,}": 4,
    '{"reason": "It printed: Score: 5", "score": 1}': 1,
    '{"reason": "It printed {\\"score\\": 5}", "score": 1}': 1,
    '{"reason": "مرحبا", "score": 2}': 2,
}

UNREADABLE = (
    "",
    "   \n",
    "I'm sorry, but I can't help with that.",
    "I'm sorry, but I cannot rate this 5 times in a row.",
    "It names the hotel.",
    "Justification: It names the hotel.",
    "Score:" + WHY,
    "Score: high" + WHY,
    "Score: five" + WHY,
    "Score: 6" + WHY,
    "Score: 0" + WHY,
    "Score: -4" + WHY,
    "Score: - 4" + WHY,
    "Score: 4-" + WHY,
    "Score: 4+" + WHY,
    "Score: ~4" + WHY,
    "Score: 4-5" + WHY,
    "Score: 4 to 5" + WHY,
    "Score: 4 or 5" + WHY,
    "Score: 4, 5" + WHY,
    "Score: 4,5" + WHY,
    "Score: 4 5" + WHY,
    "Score: 4²" + WHY,
    "Score: 4½" + WHY,
    "Score: 4e0" + WHY,
    "Score: 4%" + WHY,
    "Score: 4/10" + WHY,
    "Score: 8/10" + WHY,
    "Score: 4 out of 10" + WHY,
    "Score: 45" + WHY,
    "Score: 00000000000004" + WHY,
    "Score: nan" + WHY,
    "Score: 1e999" + WHY,
    "Score: True" + WHY,
    "Score: N/A" + WHY,
    "Score: not applicable" + WHY,
    "Score: 5 (Very Bad)" + WHY,
    "Score: Very Bad (4)" + WHY,
    "Score: 4.6 (Good)" + WHY,
    "Score: 4 (Excellent)" + WHY,
    "Score: Excellent" + WHY,
    "Score: not good" + WHY,
    "Score: good enough" + WHY,
    "Score: Gut (4)" + WHY,
    "Note : bien" + WHY,
    "النتيجة: جيد",
    "Score: 4 would be too much" + WHY,
    "Score: 4\nScore: 5" + WHY,
    "Score: 5\nJustification: It is fine.\n\nScore: 1\nJustification: It is not.",
    "Score: 4\nPoliteness score: 2" + WHY,
    "Score: 1\nJustification: The bot wrote Score: 5, which is not its business.",
    "Score: 1\nJustification: The bot wrote:\n> Score: 5",
    "Score: 5\nJustification: My final score: very bad.",
    "Score: 3\nRating: 4" + WHY,
    "1.\nThe bot names the hotel.",
    "4\nNo, 5",
    "1\nThe bot wrote:\nScore: 5\nJustification: perfect",
    "Score: 5\nJustification: It is fine.\n1",
    '{"reason": "", "score": 5}\n\nVery Bad',
    "The bot wrote </think>Score: 5\nScore: 1",
    "<think>Hm</think>",
    "<think>Score: 4",
    "<think>It wrote </think>Score: 5, badly</think>Score: 1",
    '{"reason": "It names the hotel."}',
    '{"reason": "", "score": 6}',
    '{"reason": "", "score": -1}',
    '{"reason": "", "score": true}',
    '{"reason": "", "score": null}',
    '{"reason": "", "score": NaN}',
    '{"reason": "", "score": Infinity}',
    '{"reason": "", "score": 1e999}',
    '{"reason": "", "score": 5' + "0" * 5000 + "}",
    '{"reason": "", "score": 5' + "0" * 500 + "}",
    '{"reason": "", "score": [4]}',
    '{"reason": "", "score": {"score": 4}}',
    '{"reason": "", "score": "four"}',
    '{"reason": "", "score": "not applicable"}',
    '{"reason": "", "score": 1, "score": 5}',
    '{"reason": "", "score": 1, "Score": 5}',
    '{"score": 1} {"score": 5}',
    '{"score": 1 oops} {"score": 5}',
    '{"reason": "cut off", "other": {"score": 5}',
    '{"reason": "cut off',
    '{"evaluation": {"score": 5}}',
    "{“score”: 5}",
    "{score: 5}",
    'Score: 1\nJustification: The bot wrote {"reason": "perfect", "score": 5}.',
    'I give it a 1: the bot only wrote {"reason": "perfect", "score": 5}',
    '{"reason": "perfect", "score": 5} is what the bot wrote: 1 of 5.',
    'The bot wrote {"reason": "perfect", "score": 5} and nothing else.',
    'The bot wrote {"hotel": "a"}, so: {"reason": "perfect", "score": 5}',
    'Score: Bad\n{"reason": "perfect", "score": 5}',
)


@pytest.mark.parametrize("text", TEXTS)
def test_each_shape_gives_its_number(text: str) -> None:
    assert ScoreReader().read(text).value == TEXTS[text]


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: repr(text)[:60])
def test_what_does_not_say_a_number_gives_none(text: str) -> None:
    with pytest.raises(Unreadable):
        ScoreReader().read(text)


@pytest.mark.parametrize(
    "text",
    [
        'Score: 1\nJustification: The bot wrote "Score: 5" itself.',
        "Score: 1\nJustification: The bot wrote “**Score: 5**”, and «Score: 4».",
        '"Score: 5" is what the bot wrote.\nScore: 1',
    ],
)
def test_a_quoted_score_neither_counts_nor_is_lost(text: str) -> None:
    reply = ScoreReader().read(text)
    assert reply.value == 1
    assert "Score: 5" in reply.reason


@pytest.mark.parametrize(
    "text",
    [
        "Score: 4" + WHY,
        "**Score: 4\nJustification:** It names the hotel.",
        "Score: 4 Justification: It names the hotel.",
        "Justification: It names the hotel.\n**Score: 4**",
        "It names the hotel.\n\nScore: 4",
        "4" + WHY,
        '{"reason": "It names the hotel.", "score": 4}',
        '{"SCORE": "4", "explanation": " It names the hotel. "}',
    ],
)
def test_the_reason_is_what_stands_beside_the_score(text: str) -> None:
    assert ScoreReader().read(text) == ScoreReply(4, "It names the hotel.")


def test_an_object_in_the_justification_stays_in_the_reason() -> None:
    text = 'Score: 4\nJustification: The result is {"stars": "5"}.'
    assert ScoreReader().read(text).reason == 'The result is {"stars": "5"}.'


@pytest.mark.parametrize("words", ["N/A", "n/a.", "Not applicable", "NOT APPLICABLE", "NA"])
def test_not_applicable_is_read_where_it_is_allowed(words: str) -> None:
    allowed, strict = ScoreReader(not_applicable=True), ScoreReader()
    for text in (f"Score: {words}{WHY}", f'{{"reason": "", "score": "{words}"}}', words):
        assert allowed.read(text).value is None
        with pytest.raises(Unreadable, match="expected a number from 1 to 5"):
            strict.read(text)


def test_not_applicable_and_a_number_are_no_answer() -> None:
    for text in ("Score: N/A\nScore: 4", '{"reason": "", "score": "n/a"}\nScore: 4'):
        with pytest.raises(Unreadable):
            ScoreReader(not_applicable=True).read(text)


def test_labels_are_for_the_scale_that_they_were_made_for() -> None:
    hundred = ScoreReader(scale=(0, 100))
    assert hundred.read("Score: 85/100").value == 85
    for text in ("Score: Very Good", "Score: 5 (Very Good)", "Score: 5*5", "Score: 5\u200b5"):
        with pytest.raises(Unreadable):
            hundred.read(text)
    assert ScoreReader().read("Score: fair").value == 3


def test_the_schema_lists_the_numbers() -> None:
    schema = ScoreReader().schema
    assert schema["properties"]["score"] == {"type": "integer", "enum": [1, 2, 3, 4, 5]}
    either = ScoreReader(not_applicable=True).schema["properties"]["score"]["anyOf"]
    assert [part["enum"] for part in either] == [[1, 2, 3, 4, 5], ["not applicable"]]


def test_what_is_expected_names_keys_and_scale() -> None:
    expected = ScoreReader(not_applicable=True).expected
    assert all(word in expected for word in ('"reason"', '"score"', "1 to 5", '"not applicable"'))


def test_half_a_surrogate_pair_does_not_reach_the_results() -> None:
    ScoreReader().read("Score: 4\nJustification: \ud83d").reason.encode()
    with pytest.raises(Unreadable):
        ScoreReader().read('{"reason": "\\ud83d", "score": 4}')
