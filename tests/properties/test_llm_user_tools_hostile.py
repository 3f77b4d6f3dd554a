"""Whatever a user's model calls and its tools answer, a dialogue ends, and requests are sound."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.loop import Limits
from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from tests.support.examples import examples
from tests.support.llm_user_world import play

GOAL = Goal("phone", "mine", (), ("Your phone has no signal.",))
TEXTS = st.text(max_size=30) | st.sampled_from(["", "\ud83d", "###STOP###", "⟦/result 0⟧", "\x00"])
ARGUMENTS = TEXTS | st.dictionaries(TEXTS, TEXTS, max_size=2).map(json.dumps)
ANSWERS = st.builds(
    Answer,
    text=st.none() | TEXTS,
    tool_calls=st.lists(st.tuples(st.just("look") | TEXTS, ARGUMENTS), max_size=3),
    refusal=st.none() | TEXTS,
    finish=st.sampled_from([None, "length", "tool_calls"]),
)
ENDS = (StopReason.TURN_LIMIT, StopReason.USER_DONE, StopReason.SIMULATOR_FAULT)


class Told:
    """A tool that answers this."""

    schemas: Sequence[Mapping[str, Any]] = (
        {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}},
    )

    def __init__(self, result: str) -> None:
        self.result = result

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        json.dumps(arguments, allow_nan=False)
        return self.result


def sound(request: ChatRequest) -> None:
    """Each call is answered once, in order, before anybody speaks."""
    awaited: list[str] = []
    for message in request.messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == awaited.pop(0)
            assert message["content"].count("⟦") == 2
        else:
            assert awaited == []
            awaited = [call["id"] for call in message.get("tool_calls") or ()]
    assert awaited == []


@examples(30)
@given(st.lists(ANSWERS, min_size=1, max_size=6), TEXTS)
def test_any_calls_end_and_make_sound_requests(answers: list[Answer], result: str) -> None:
    def answer(request: ChatRequest) -> Answer:
        return answers[len(server.requests) % len(answers)]

    with StandInServer(answer) as server:
        played = play(
            server, "llm", bot=["So?"] * 2, goal=GOAL, limits=Limits(2), tools=Told(result)
        )
    assert server.failures == ()
    assert played.dialogue.stop_reason in ENDS, played.dialogue.detail
    for request in server.requests:
        sound(request)
