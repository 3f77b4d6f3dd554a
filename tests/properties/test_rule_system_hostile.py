"""Whatever the user types and whatever a tool is given, nothing breaks."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import pytest_todeval
from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.systems import RuleSystem
from tests.support.examples import examples

DATABASE = MultiwozDatabase.load(Path(pytest_todeval.__file__).parent / "worlds" / "demo" / "data")
SOME_WORDS = """
book restaurant hotel train taxi from to the museum @0 @7 called nr. 7 salt & smoke marlwick
at 18:00 25:99 friday same area as phone number yes no another 3 nights 4 people dontcare ? . not
cheap centre any leave arrive by between and two places guest house wifi
"""
WORDS = st.sampled_from(SOME_WORDS.split())
ANYTHING = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())


@examples(60)
@given(st.lists(st.lists(WORDS, max_size=14).map(" ".join) | st.text(max_size=60), max_size=5))
def test_any_words_get_an_answer(texts: list[str]) -> None:
    bot = RuleSystem(MultiwozBackend(DATABASE))
    for text in texts:
        assert bot.respond(text).text.strip()


@examples(80)
@given(
    st.sampled_from([tool["function"]["name"] for tool in MultiwozBackend(DATABASE).tools]),
    st.dictionaries(
        st.sampled_from(
            ["name", "day", "people", "time", "stay", "area", "trainID", "tool", "self"]
        )
        | st.text(min_size=1, max_size=8),
        ANYTHING,
        max_size=5,
    ),
)
def test_any_arguments_get_a_result_or_a_refusal(tool: str, arguments: dict[str, Any]) -> None:
    backend = MultiwozBackend(DATABASE)
    try:
        backend.call(tool, **arguments)
    except ToolRefused:
        assert backend.trace[0].error
    assert len(backend.trace) == 1


def test_very_long_words_take_no_time() -> None:
    bot = RuleSystem(MultiwozBackend(DATABASE))
    for text in ("a restaurant " * 50_000, "from " * 50_000, "x" * 500_000, "'" * 100_000):
        assert bot.respond(text).text
