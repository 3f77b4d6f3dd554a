"""Whatever a bot and a user do, one dialogue comes back with one stop reason and nothing lost."""

import asyncio
import logging
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_todeval import log
from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import BackendError, SimulatorFault, SystemContractError
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.user import Utterance
from tests.support.examples import examples

LIMIT = 6
OWNERS = {
    None: {
        StopReason.USER_DONE,
        StopReason.USER_GAVE_UP,
        StopReason.SYSTEM_DONE,
        StopReason.TURN_LIMIT,
    },
    Outcome.FAILED: {StopReason.SYSTEM_ERROR, StopReason.EMPTY_REPLY, StopReason.BAD_REPLY},
    Outcome.SIMULATOR_FAULT: {StopReason.SIMULATOR_FAULT},
    Outcome.INFRASTRUCTURE: {
        StopReason.NETWORK,
        StopReason.TURN_TIMEOUT,
        StopReason.BACKEND_ERROR,
    },
}

sound_texts = st.text(min_size=1, max_size=8).filter(str.strip)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
errors = st.sampled_from(
    [
        ValueError("x"),
        KeyError("\ud800"),
        SystemExit(1),
        KeyboardInterrupt(),
        GeneratorExit(),
        StopIteration(),
        StopAsyncIteration(),
        asyncio.CancelledError(),
        ConnectionError(),
        TimeoutError(),
        RecursionError(),
        MemoryError(),
        BackendError("x"),
        SimulatorFault("x"),
        SystemContractError("x"),
        ExceptionGroup("x", [ValueError()]),
    ]
)
hostile_replies = st.builds(
    Reply, anything, tool_calls=anything, state=anything, retrieved=anything, done=anything
)
bot_steps = sound_texts | anything | hostile_replies | errors
user_steps = (
    st.builds(Utterance, sound_texts)
    | st.builds(Utterance, anything, st.sampled_from([None, *StopReason]))
    | anything
    | errors
)


def do(step: Any) -> Any:
    if isinstance(step, BaseException):
        raise step
    return step


class Bot:
    """Does its steps, each after reporting a tool call."""

    def __init__(self, steps: list[Any]) -> None:
        self.steps = list(steps)
        self.calls = 0

    def respond(self, text: str, history: list[Any]) -> Any:
        assert len(history) == 2 * self.calls
        self.calls += 1
        log.tool_call("step", {"n": self.calls})
        return do(self.steps.pop(0)) if self.steps else "more?"


class AsyncBot(Bot):
    async def respond(self, text: str, history: list[Any]) -> Any:
        return super().respond(text, history)


class User:
    def __init__(self, steps: list[Any]) -> None:
        self.steps = list(steps)
        self.turns: list[Turn] = []

    def respond(self, turn: Turn | None) -> Any:
        if turn is not None:
            self.turns.append(turn)
        return do(self.steps.pop(0)) if self.steps else Utterance("more")


def check(dialogue: Dialogue, user: User, bot: Bot) -> None:
    assert isinstance(dialogue, Dialogue)
    assert dialogue.stop_reason in OWNERS[dialogue.fault]
    assert isinstance(dialogue.detail, str)
    if dialogue.fault is not None and dialogue.stop_reason is not StopReason.SIMULATOR_FAULT:
        assert dialogue.detail
    # Each time the bot was asked there is a turn with what it did, also where it failed.
    assert [turn.index for turn in dialogue.turns] == list(range(1, bot.calls + 1))
    for turn in dialogue.turns:
        assert ToolCall("step", {"n": turn.index}) in turn.tool_calls
    assert tuple(user.turns) == dialogue.turns[: len(user.turns)]
    assert len(dialogue.turns) <= LIMIT


@examples(150)
@given(
    bot_kind=st.sampled_from([Bot, AsyncBot]),
    bot_steps=st.lists(bot_steps, max_size=4),
    user_steps=st.just([]) | st.lists(user_steps, max_size=4),
)
def test_one_dialogue_with_one_stop_reason(
    bot_kind: type[Bot], bot_steps: list[Any], user_steps: list[Any]
) -> None:
    user, bot = User(user_steps), bot_kind(bot_steps)
    dialogue = run_dialogue(Goal("1", "x", ()), user, bot, limits=Limits(max_turns=LIMIT))
    check(dialogue, user, bot)


@examples(50)
@given(
    st.lists(
        st.tuples(st.sampled_from(["tool_call", "state", "retrieval", "span", "x"]), anything),
        max_size=5,
    )
)
@pytest.mark.filterwarnings("ignore:a record on the logger")
def test_hostile_records_never_reach_the_bot(records: list[tuple[str, Any]]) -> None:
    def bot(text: str) -> str:
        for kind, value in records:
            fields = ("tool", "arguments", "error", "items", "state", "span", "seconds")
            logging.getLogger("todeval").info(kind, extra=dict.fromkeys(fields, value))
        return "unharmed"

    user = User([Utterance("hi"), Utterance("bye", StopReason.USER_DONE)])
    dialogue = run_dialogue(Goal("1", "x", ()), user, bot)
    assert [turn.system for turn in dialogue.turns] == ["unharmed"]
    assert dialogue.stop_reason is StopReason.USER_DONE


def test_no_thread_is_left_over() -> None:
    def loops() -> int:
        return [thread.name for thread in threading.enumerate()].count("todeval-loop")

    run_dialogue(Goal("1", "x", ()), User([]), Bot([]), limits=Limits(max_turns=1))
    before = loops()
    for _ in range(20):
        run_dialogue(Goal("1", "x", ()), User([]), AsyncBot([]), limits=Limits(max_turns=1))
    assert loops() == before
