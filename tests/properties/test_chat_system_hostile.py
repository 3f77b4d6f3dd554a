"""Whatever a chat model answers, the bot holds; and no dialogue sees anything of another."""

import json
import threading
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval.backends.multiwoz import MultiwozBackend
from pytest_todeval.models.completion import Completion, RequestedCall
from pytest_todeval.models.tool_calls import read_calls
from pytest_todeval.simulation.systems.chat import EndlessCalls
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import Answer, ChatRequest, StandInServer
from tests.support.chat_world import DATABASE, client_of
from tests.support.examples import examples
from tests.support.threads import run_together

TEXTS = st.text(max_size=30) | st.sampled_from(["", "\ud83d", "</s>", "\x00", "{}"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
NAMES = st.sampled_from(["find_hotel", "book_hotel", "book_taxi", "find", ""]) | TEXTS
SLOTS = st.sampled_from(["area", "name", "day", "stay", "people", "departure", "self", "tool"])
ARGUMENTS = st.dictionaries(SLOTS, JSON, max_size=4).map(json.dumps) | JSON.map(json.dumps) | TEXTS
FINISHES = st.sampled_from([None, "stop", "length", "tool_calls", "content_filter"])
ANSWERS = st.builds(
    Answer,
    text=st.none() | TEXTS,
    tool_calls=st.lists(st.tuples(NAMES, ARGUMENTS), max_size=3),
    refusal=st.none() | TEXTS,
    finish=FINISHES,
)


@examples(40)
@given(st.lists(ANSWERS, min_size=1, max_size=8), TEXTS)
def test_any_answers_end_in_a_reply_and_in_sound_requests(
    answers: Sequence[Answer], text: str
) -> None:
    """The stand-in refuses a request if a call is not answered, or is no call."""

    def answer(request: ChatRequest) -> Answer:
        return answers[request.number % len(answers)]

    backend = MultiwozBackend(DATABASE)
    with StandInServer(answer) as server:
        bot = ChatSystem(client_of(server), max_steps=4)(backend)
        for _ in range(2):
            backend.trace.clear()
            try:
                reply = bot.respond(text)
            except EndlessCalls:
                continue
            assert [call for call in backend.trace if call not in reply.tool_calls] == []
    assert server.failures == ()


@examples(80)
@given(
    st.lists(
        st.builds(RequestedCall, st.sampled_from(["a", "call_1", "call_2"]), NAMES, ARGUMENTS),
        max_size=5,
    ),
    FINISHES,
)
def test_any_calls_can_be_read_and_each_has_an_id_of_its_own(
    asked: list[RequestedCall], finish: str | None
) -> None:
    calls = read_calls(Completion("", tuple(asked), finish=finish or "stop"), made=0)
    assert [call.name for call in calls] == [call.name for call in asked]
    assert all(call.id for call in calls)
    assert len({call.id for call in calls}) == len(calls)
    for call in calls:
        assert isinstance(json.loads(call.text), dict)
        assert call.identity == call.identity
        if call.wrong:
            assert not call.arguments


def gossip(request: ChatRequest) -> str | Answer:
    """Repeats everything it has been told; looks something up first."""
    if request.messages[-1]["role"] == "user":
        arguments = {"name": request.last_user}
        return Answer(tool_calls=[("look", arguments), ("look", {"name": "twice"})])
    return json.dumps([message["content"] for message in request.messages])


def system_of(server: StandInServer) -> ChatSystem:
    def look(backend: list[str], name: str) -> list[str]:
        backend.append(name)
        return backend

    return ChatSystem(client_of(server), "Gossip.", [look])


def alone(turns: Sequence[str]) -> list[str]:
    with StandInServer(gossip) as server:
        bot = system_of(server)([])
        return [bot.respond(turn).text for turn in turns]


@examples(8)
@given(st.permutations([0, 0, 0, 1, 1, 1, 2, 2, 2]))
def test_interleaved_dialogues_are_as_if_each_were_alone(order: list[int]) -> None:
    with StandInServer(gossip) as server:
        system = system_of(server)
        bots = [system([]) for _ in range(3)]
        said: list[list[str]] = [[], [], []]
        for who in order:
            said[who].append(bots[who].respond(f"{who}: {len(said[who])}").text)
    for who in range(3):
        assert said[who] == alone([f"{who}: {turn}" for turn in range(3)])


def test_concurrent_dialogues_are_as_if_each_were_alone() -> None:
    said: dict[int, list[str]] = {}
    start = threading.Barrier(6)

    def talk(system: Any, who: int) -> None:
        bot = system([])
        start.wait()
        said[who] = [bot.respond(f"{who}: {turn}").text for turn in range(3)]

    with StandInServer(gossip) as server:
        system = system_of(server)
        run_together(threading.Thread(target=talk, args=(system, who)) for who in range(6))
    assert server.failures == ()
    assert said == {who: alone([f"{who}: {turn}" for turn in range(3)]) for who in range(6)}
