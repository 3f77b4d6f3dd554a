"""Whatever an employee types and whatever a tool of the service desk is given, nothing breaks."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.systems import DeskBot
from pytest_todeval.worlds.service_desk.domain import service_desk
from tests.support.examples import examples

DOMAIN = service_desk()
SOME_WORDS = """
I forgot my password swap laptop monitor D202 D999 T316 T9999 close ticket lost phone yes no bye
please Inkwell Draw Granite Database licence broken wi-fi badge 7734 ruben.aalto@larkfield.example
person talk colleague which tickets his account thanks ? . ! unlock E101 open new
"""
WORDS = st.sampled_from(SOME_WORDS.split())
TURNS = st.lists(WORDS, max_size=12).map(" ".join) | st.text(max_size=60)
ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.lists(st.text())
    | st.sampled_from(["E102", "D202", "T316", "L01", "solved", "network", "asked"])
)


@examples(60)
@given(st.lists(TURNS, max_size=6), st.booleans())
def test_any_words_get_an_answer(texts: list[str], identified: bool) -> None:
    backend = ToolBackend(DOMAIN)
    bot = DeskBot(backend)
    if identified:
        bot.respond("ruben.aalto@larkfield.example, badge 7734")
    for text in texts:
        assert bot.respond(text).text.strip()
        if bot.done:
            break


@examples(60)
@given(st.lists(TURNS.filter(lambda text: "7734" not in text), max_size=6))
def test_nothing_changes_for_who_is_not_identified(texts: list[str]) -> None:
    backend = ToolBackend(DOMAIN)
    bot = DeskBot(backend)
    for text in texts:
        bot.respond(text)
    assert backend.changes() == {}


NAMES = "email employee_id device_id ticket_id licence_id subject resolution reason data self"


@examples(100)
@given(
    st.sampled_from(sorted(DOMAIN.tools)),
    st.dictionaries(st.sampled_from(NAMES.split()), ANYTHING, max_size=4),
)
def test_any_arguments_get_json_or_a_refusal(tool: str, arguments: dict[str, Any]) -> None:
    backend = ToolBackend(DOMAIN)
    try:
        json.loads(backend.call(tool, **arguments))
    except ToolRefused as refused:
        assert str(refused).startswith("Error: ")  # noqa: PT017 - both ends are fine
        assert backend.changes() == {}


def test_very_long_words_take_no_time() -> None:
    bot = DeskBot(ToolBackend(DOMAIN))
    for text in (
        "a@" * 50_000,
        "password " * 50_000,
        "lost " * 50_000,
        "x" * 500_000,
        "7734 " * 9_000,
    ):
        assert bot.respond(text).text
