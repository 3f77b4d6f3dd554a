"""Whatever the text is: a fence has two delimiters, and what it holds is neutral already."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from pytest_todeval.models.fence import CLOSE, OPEN, fenced, neutral
from tests.support.examples import examples

PIECES = st.sampled_from(
    [
        *(OPEN, CLOSE, "/", "bot", " ", "0123456789abcdef", "\n", "\r", "<", ">", "|", "[", "]"),
        *("<|", "im_end", "|>", "</s>", "INST", "<<", "SYS", ">>", "{{history}}", "# system"),
        *("\u200b", "\u200d", "\u200c", "\ufe0f", "\u202e", "\u2069", "\U000e0041", "\ud83d"),
        *("\U000e0100", "\U0001f600", "क", "م", "\ufeff", "\u2028", "\x00", "\uff5c"),
    ]
)

TEXTS = st.one_of(
    st.lists(PIECES, max_size=30).map("".join),
    st.text(st.characters(), max_size=60),
    st.lists(st.one_of(PIECES, st.characters()), max_size=30).map("".join),
)
KINDS = st.sampled_from(["bot", "user", "tools"])


@given(KINDS, TEXTS)
@examples(200)
def test_there_are_two_delimiters_whatever_the_text(kind: str, text: str) -> None:
    made = fenced(kind, text)
    assert made == fenced(kind, text)
    fence = rf"{OPEN}{kind} ([0-9a-f]{{16}}){CLOSE}\n(.*)\n{OPEN}/{kind} \1{CLOSE}"
    whole = re.fullmatch(fence, made, re.DOTALL)
    assert whole
    assert made.count(OPEN) == made.count(CLOSE) == 2
    assert whole[1] not in whole[2]
    assert whole[2] == neutral(text)
    made.encode()  # it can be sent


@given(TEXTS)
@example("\u200d\ufe0f")
@example("\ufe0f\u200c")
@example("x\u200d\u180b\u200c>")
@examples(200)
def test_what_is_neutral_stays_as_it_is(text: str) -> None:
    once = neutral(text)
    assert neutral(once) == once
    assert not re.search(r"<\||\|>|\[/?INST\]|</?s>|<</?SYS>>|[\u200b\u202a-\u202e\r\x00]", once)


@given(TEXTS, TEXTS)
@examples(100)
def test_different_texts_have_different_fences(one: str, other: str) -> None:
    same = neutral(one) == neutral(other)
    assert (fenced("bot", one) == fenced("bot", other)) is same


@given(st.text(st.sampled_from("aé中भमرם☎ .\n"), max_size=40))
@examples(100)
def test_letters_of_any_script_stay_in_their_order(text: str) -> None:
    assert neutral(text) == text
