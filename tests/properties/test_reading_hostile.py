"""Mutated and arbitrary replies: no error but Unreadable, and never a number that was not given."""

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_todeval.models.reading.choice import ChoiceReader
from pytest_todeval.models.reading.grade import LABELS
from pytest_todeval.models.reading.objects import find_object
from pytest_todeval.models.reading.reader import Reader, Unreadable
from pytest_todeval.models.reading.rules import RulesReader
from pytest_todeval.models.reading.score import ScoreReader, ScoresReader
from pytest_todeval.models.reading.slots import SlotsReader
from pytest_todeval.models.reading.yes_no import YesNoReader
from tests.support.examples import examples
from tests.support.hostile_replies import HOSTILE
from tests.support.json_values import JSON_VALUES

READERS: tuple[Reader[Any], ...] = (
    ScoreReader(),
    ScoreReader(scale=(0, 100), not_applicable=True),
    ScoresReader({"a": (1, 5), "b": (0, 10)}, frozenset({"b"})),
    YesNoReader(),
    YesNoReader(not_applicable=True),
    ChoiceReader(("A", "B", "Equal")),
    RulesReader(("r1", "r2")),
    SlotsReader("slots"),
)
PIECES = (
    *("Score", "score", "Rating", ":", "：", "=", "\n", " ", "**", "__", "`", "```json\n", "> "),
    *("(", ")", "[[", "]]", "/", "-", ".", ",", "out of", "Very", "Good", "Bad", "fair", "N/A"),
    *("0", "1", "4", "5", "10", "1e999", "NaN", "５", "٤", "½", "²", "\u200b", "\u202e", "\0"),
    *("{", "}", "[", "]", '"', "'", "“", "”", "\\", '"score": ', '"reason": "so", ', "'score': "),
    *('{"reason": "so", "score": 4}', '{"answer": "yes"}', '{"choice": "A"}', '{"slots": {}}'),
    *("<answer>", "</answer>", "YES", "no", "<score1>", "</score1>", "<score2>1</score2>"),
    *("<think>", "</think>", "Justification:", "Reason:", "Answer:", "Choice:", "True", "None"),
)
REPLIES = (
    "Score: {n}\nJustification: The hotel is there.",
    "Score: {n} ({label})\nJustification: The hotel is there.",
    "Score: {label} ({n})\nJustification: The hotel is there.",
    "**Score: {n}**\n\n**Justification:** The hotel is there.",
    "**Score: {n}\nJustification:** The hotel is there.",
    "Score: {n} {label}\nReason: The hotel is there.",
    "The hotel is there.\n\nScore: {n}",
    "{n}",
    '{{"reason": "The hotel is there.", "score": {n}}}',
    '```json\n{{\n  "reason": "The hotel is there.",\n  "score": {n}\n}}\n```',
    "{{'reason': \"It's there.\", 'score': '{n} ({label})'}}",
    'Here it is: {{"score": {n}, "reason": "The hotel is there."}}',
)
NAMES = {value: label.title() for label, value in LABELS.items()}
EXAMPLES = examples(150)

scores = st.integers(1, 5)
no_digits = st.characters(exclude_categories=["Nd"])
texts = st.text(max_size=60) | st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def reply(shape: str, n: int) -> str:
    return shape.format(n=n, label=NAMES[n])


def read(reader: Reader[Any], text: str) -> Any:
    """The answer; None if it is Unreadable. Any other exception fails the test."""
    try:
        return reader.read(text)
    except Unreadable:
        return None


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    """The text with characters put in, taken out, doubled or changed: digits stay as they are."""
    characters = list(text)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(characters) - 1))
        kind = draw(st.sampled_from(("insert", "delete", "double", "case", "piece")))
        here = characters[at]
        if kind == "insert":
            characters[at] = draw(no_digits) + here
        elif kind == "piece":
            piece = draw(st.sampled_from(PIECES))
            characters[at] = re.sub(r"\d", "", piece) + here
        elif not any(map(str.isdigit, here)):
            changed = {"delete": "", "double": here * 2, "case": here.swapcase()}
            characters[at] = changed[kind]
    return "".join(characters)


@EXAMPLES
@given(texts)
def test_nothing_but_unreadable_is_raised(text: str) -> None:
    for reader in READERS:
        answer = read(reader, text)
        if answer is not None:
            json.dumps(answer, default=str, ensure_ascii=False).encode()


@EXAMPLES
@given(texts)
def test_a_score_was_written_somewhere(text: str) -> None:
    answer = read(ScoreReader(), text)
    if answer is not None:
        numbers = {float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e\d+)?", text)}
        words = " ".join(text.translate(str.maketrans("*`_", "   ")).casefold().split())
        named = {value for label, value in LABELS.items() if label in words}
        assert answer.value in numbers | named


@EXAMPLES
@given(st.text(st.characters(exclude_categories=("Nd", "No", "Nl")), max_size=80))
def test_without_digit_or_label_there_is_no_score(text: str) -> None:
    assume(not any(label in text.casefold() for label in LABELS))
    assert read(ScoreReader(), text) is None


@EXAMPLES
@given(st.data(), st.sampled_from(REPLIES), scores)
def test_a_mutated_reply_gives_its_number_or_none(data: st.DataObject, shape: str, n: int) -> None:
    text = reply(shape, n)
    assert ScoreReader().read(text).value == n
    changed = data.draw(mutated(text))
    answer = read(ScoreReader(), changed)
    assert answer is None or answer.value == n


@EXAMPLES
@given(st.sampled_from(REPLIES), scores, st.sampled_from(REPLIES), scores)
def test_two_replies_in_one_agree_or_are_unreadable(one: str, n: int, other: str, m: int) -> None:
    answer = read(ScoreReader(), f"{reply(one, n)}\n{reply(other, m)}")
    assert answer is None or (n == m and answer.value == n)


@EXAMPLES
@given(st.data(), st.sampled_from(REPLIES), scores, scores)
def test_another_score_put_in_anywhere_never_wins(
    data: st.DataObject, shape: str, n: int, m: int
) -> None:
    assume(n != m)
    text = reply(shape, n)
    later = st.integers(text.rindex(str(n)) + 1, len(text))
    at = data.draw(later)
    planted = data.draw(
        st.sampled_from(
            (f"Score: {m}", f"\nScore: {m}\n", f'"Score: {m}"', f"\n{m}/5\n", f"({NAMES[m]})")
        )
    )
    answer = read(ScoreReader(), text[:at] + planted + text[at:])
    assert answer is None or answer.value == n


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_a_bot_wrote_never_wins_in_a_reason(hostile: str) -> None:
    inside = json.dumps({"reason": hostile, "score": 1}, ensure_ascii=False)
    assert ScoreReader().read(inside).value == 1
    for text in (
        f"Score: 1\nJustification: It wrote: {hostile}",
        f"It wrote: {hostile}\nScore: 1",
        f'Score: 1\nJustification: "{hostile}"',
        f"{hostile}\n{inside}",
        f"{inside}\n{hostile}",
    ):
        answer = read(ScoreReader(), text)
        assert answer is None or answer.value == 1


@EXAMPLES
@given(JSON_VALUES)
def test_a_json_score_is_the_number_given_or_none(value: object) -> None:
    answer = read(ScoreReader(scale=(0, 100)), json.dumps({"reason": "", "score": value}))
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100:
        assert answer is not None
        assert answer.value == value
    elif not isinstance(value, str):
        assert answer is None


@EXAMPLES
@given(
    st.dictionaries(st.text(max_size=8), JSON_VALUES, min_size=1, max_size=4),
    st.text(st.characters(exclude_characters="{}<"), max_size=20),
    st.sampled_from((json.dumps, repr)),
)
def test_an_object_is_found_as_it_was_written(
    value: Mapping[str, object], around: str, write: Any
) -> None:
    assume(all(unicodedata.category(each) != "Cs" for each in around + repr(value)))
    assert find_object(f"{around}\n{write(value)}\n{around}") == value


@EXAMPLES
@given(texts)
def test_a_yes_was_said(text: str) -> None:
    answer = read(YesNoReader(), text)
    if answer is not None:
        words = {True: ("yes", "true", "1"), False: ("no", "false", "0")}
        assert any(word in text.casefold() for word in words[answer.value])
