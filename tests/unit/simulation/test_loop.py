"""The loop: every way a dialogue can end has one stop reason and one owner, and nothing is lost."""

import asyncio
import contextvars
import errno
import logging
import os
import socket
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
import urllib.error
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Booking, Dialogue, Reply, ToolCall, Turn, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.lane import here
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import (
    BackendError,
    DataMissing,
    SimulatorFault,
    SystemContractError,
    UsageError,
)
from pytest_todeval.simulation.background import Background
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.simulation.user import Utterance
from tests.conftest import must_end

GOAL = Goal("MUL0148", "multiwoz", ())


class Says:
    """A user who says its lines, then leaves."""

    def __init__(self, *lines: Any) -> None:
        self.lines = list(lines)
        self.turns: list[Turn | None] = []

    def respond(self, turn: Turn | None) -> Utterance:
        self.turns.append(turn)
        if not self.lines:
            return Utterance("bye", StopReason.USER_DONE, "all done")
        line = self.lines.pop(0)
        if isinstance(line, BaseException):
            raise line
        return Utterance(line) if isinstance(line, str) else line


class Tools:
    """A backend with the whole interface."""

    def __init__(self, bookings: Any = (), error: Exception | None = None) -> None:
        self.trace: list[ToolCall] = []
        self.tools: tuple[()] = ()
        self._bookings, self._error = bookings, error

    def call(self, tool: str, **arguments: Any) -> Any:
        self.trace.append(ToolCall(tool, arguments, "ok"))
        return "ok"

    def query(self, domain: str, constraints: Any) -> Any:
        return ()

    def bookings(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._bookings

    def state_hash(self) -> str:
        return ""


def raising(error: BaseException, after: int = 0) -> Callable[..., str]:
    def respond(text: str, history: list[Any]) -> str:
        if len(history) // 2 >= after:
            raise error
        return "yes?"

    return respond


def play(bot: Any, *lines: Any, backend: Any = None, limits: Limits | None = None) -> Dialogue:
    user = Says(*(lines or ("hi", "and then", "more")))
    return run_dialogue(GOAL, user, bot, backend, limits or Limits())


def ended(dialogue: Dialogue) -> tuple[StopReason, Outcome | None]:
    return dialogue.stop_reason, dialogue.fault


FAILED, INFRASTRUCTURE = Outcome.FAILED, Outcome.INFRASTRUCTURE


def test_what_the_user_called_of_its_own_stands_in_its_turn() -> None:
    backend = Tools()
    backend.user_trace = []  # type: ignore[attr-defined]

    class Calls(Says):
        def respond(self, turn: Turn | None) -> Utterance:
            backend.user_trace.append(ToolCall(f"look {len(self.turns)}"))  # type: ignore[attr-defined]
            return super().respond(turn)

    dialogue = run_dialogue(GOAL, Calls("hi", "and then"), lambda text: "yes?", backend)
    assert [[c.name for c in turn.user_calls] for turn in dialogue.turns] == [
        ["look 0"],
        ["look 1"],
    ]
    assert [call.name for call in dialogue.last_calls] == ["look 2"]
    assert dialogue.tool_calls == ()


def test_a_dialogue_from_first_word_to_last() -> None:
    heard: list[Any] = []

    def bot(text: str, history: list[Any], goal_id: str, dialogue_id: str) -> Reply:
        name, _, token = dialogue_id.partition("~")
        assert len(token) == 12
        heard.append((text, [m["content"] for m in history], goal_id, name))
        return Reply(f"{text}!", state={"n": {"turn": len(heard)}}, usage=Usage(1))

    user = Says("hi", "and then")
    dialogue = run_dialogue(GOAL, user, bot, trial=2)
    assert heard == [
        ("hi", [], "multiwoz/MUL0148", "multiwoz/MUL0148#2"),
        ("and then", ["hi", "hi!"], "multiwoz/MUL0148", "multiwoz/MUL0148#2"),
    ]
    assert user.turns == [None, *dialogue.turns]
    assert [(t.index, t.user, t.system) for t in dialogue.turns] == [
        (1, "hi", "hi!"),
        (2, "and then", "and then!"),
    ]
    assert [t.state for t in dialogue.turns] == [{"n": {"turn": 1}}, {"n": {"turn": 2}}]
    assert dialogue.turns[0].usage == Usage(1)
    assert all(0 < t.latency < 5 for t in dialogue.turns)
    assert ended(dialogue) == (StopReason.USER_DONE, None)
    assert (dialogue.detail, dialogue.last_words, dialogue.trial) == ("all done", "bye", 2)
    assert (dialogue.final_bookings, dialogue.backend_known) == ((), False)


def test_user_and_bot_may_both_be_asynchronous() -> None:
    class User(Says):
        async def respond(self, turn: Turn | None) -> Utterance:  # type: ignore[override]
            await asyncio.sleep(0)
            return super().respond(turn)

    async def bot(text: str) -> str:
        await asyncio.sleep(0)
        return "yes?"

    dialogue = run_dialogue(GOAL, User("hi"), bot)
    assert (len(dialogue.turns), dialogue.stop_reason) == (1, StopReason.USER_DONE)


# --- the bot fails -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no such day"), "ValueError: no such day"),
        (AssertionError(), "AssertionError"),
        (StopIteration("end"), "StopIteration"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (GeneratorExit(), "GeneratorExit"),
        (asyncio.CancelledError(), "CancelledError"),
        (ToolRefused("no table is free"), "ToolRefused: no table is free"),
        (FileNotFoundError(errno.ENOENT, "No such file", "menu.txt"), "menu.txt"),
        (SimulatorFault("not the user's"), "SimulatorFault: not the user's"),
        (UsageError("x" * 5000), "UsageError: xxx"),
        (urllib.error.URLError("unknown url type: bot"), "unknown url type"),
        (BaseExceptionGroup("several", [ValueError("one"), KeyboardInterrupt()]), "several"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
@pytest.mark.parametrize("kind", ["function", "async function"])
def test_whatever_a_bot_lets_out_is_its_own(error: BaseException, told: str, kind: str) -> None:
    respond = raising(error, after=1)

    async def respond_async(text: str, history: list[Any]) -> str:
        return respond(text, history)

    dialogue = play(respond if kind == "function" else respond_async)
    assert ended(dialogue) == (StopReason.SYSTEM_ERROR, FAILED)
    assert dialogue.detail.startswith("the bot raised in turn 2: ")
    assert told in dialogue.detail
    assert "\n" not in dialogue.detail
    assert len(dialogue.detail) < 2000
    assert [turn.user for turn in dialogue.turns] == ["hi"]
    assert dialogue.last_words == "and then"


def test_the_origin_of_an_exception_is_told_without_folders() -> None:
    def look_up(day: str) -> str:
        return {"monday": "mon"}[day]

    def bot(text: str) -> str:
        return look_up(text)

    detail = play(bot).detail
    assert "KeyError: 'hi' (at test_loop.py:" in detail
    assert 'in look_up: `return {"monday": "mon"}[day]`, called from test_loop.py:' in detail
    assert detail.endswith("in bot: `return look_up(text)`)")
    assert "worker.py" not in detail
    assert __file__ not in detail


def test_an_exception_that_cannot_be_told_is_still_the_bots() -> None:
    class Unspeakable(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert ended(play(raising(Unspeakable()))) == (StopReason.SYSTEM_ERROR, FAILED)


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_an_empty_reply(text: str) -> None:
    dialogue = play(lambda text_: Reply(text, done=True))
    assert ended(dialogue) == (StopReason.EMPTY_REPLY, FAILED)
    assert dialogue.detail == "the bot answered with nothing in turn 1"


@pytest.mark.parametrize("value", [None, 3, {"text": "hi"}, object()])
def test_a_reply_of_the_wrong_type(value: Any) -> None:
    dialogue = play(lambda text: value)
    assert ended(dialogue) == (StopReason.BAD_REPLY, FAILED)
    assert dialogue.detail.startswith("turn 1: the bot answered with ")
    assert dialogue.last_words == "hi"


def test_a_turn_that_failed_is_kept_where_tools_were_called_in_it() -> None:
    backend = Tools()

    def bot(text: str, backend: Tools) -> str:
        backend.call("book_hotel", name="acorn")
        raise ValueError("after booking")

    dialogue = play(bot, backend=backend)
    assert ended(dialogue) == (StopReason.SYSTEM_ERROR, FAILED)
    (turn,) = dialogue.turns
    assert (turn.user, turn.system) == ("hi", "")
    assert turn.tool_calls == (ToolCall("book_hotel", {"name": "acorn"}, "ok"),)
    assert dialogue.last_words == ""


def test_a_bot_that_cannot_be_made() -> None:
    class Bot:
        def __init__(self) -> None:
            raise OSError("no model file")

        def respond(self, text: str) -> str:
            return text

    dialogue = play(Bot)
    assert ended(dialogue) == (StopReason.SYSTEM_ERROR, FAILED)
    assert "the bot raised in the making of the bot: OSError: no model file" in dialogue.detail
    assert dialogue.turns == ()


def test_errors_of_ours_in_the_making_reach_the_person_who_must_act() -> None:
    def factory() -> Any:
        raise DataMissing("run `todeval data get multiwoz`")

    with pytest.raises(DataMissing, match="todeval data get"):
        play(factory)
    with pytest.raises(SystemContractError, match="which is not a bot"):
        play(None)
    with pytest.raises(UsageError, match="bookings"):
        play(lambda text: "ok", backend=object())
    with pytest.raises(UsageError, match="no method `respond"):
        run_dialogue(GOAL, object(), lambda text: "ok")


# --- nobody's failure ----------------------------------------------------------------------------


def client_error(module: str, *names: str) -> Exception:
    """An exception as a client library defines it, without the library."""
    kind: type[Exception] = Exception
    for name in reversed(names):
        kind = type(name, (kind,), {"__module__": module})
    return kind("down")


@pytest.mark.parametrize(
    "error",
    [
        ConnectionRefusedError("refused"),
        BrokenPipeError(),
        socket.gaierror(-2, "Name or service not known"),
        OSError(errno.ENETUNREACH, "Network is unreachable"),
        urllib.error.URLError(ConnectionRefusedError("refused")),
        client_error("httpx", "ConnectError", "NetworkError", "TransportError"),
        client_error("httpx2", "RemoteProtocolError"),
        client_error("openai", "APIConnectionError", "APIError"),
        client_error("openai", "RateLimitError"),
        client_error("anthropic", "InternalServerError"),
        client_error("requests.exceptions", "ConnectionError"),
        client_error("urllib3.exceptions", "MaxRetryError"),
        client_error(
            "aiohttp.client_exceptions", "ServerDisconnectedError", "ClientConnectionError"
        ),
    ],
    ids=lambda error: f"{type(error).__module__}.{type(error).__name__}",
)
def test_who_is_not_reached_is_infrastructure(error: Exception) -> None:
    dialogue = play(raising(error, after=1))
    assert ended(dialogue) == (StopReason.NETWORK, INFRASTRUCTURE)
    assert dialogue.detail.startswith("not reached in turn 2: ")
    assert len(dialogue.turns) == 1


@pytest.mark.parametrize(
    "error",
    [
        TimeoutError("slow"),
        urllib.error.URLError(TimeoutError("slow")),
        client_error("openai", "APITimeoutError", "APIConnectionError"),
        client_error("httpx", "ReadTimeout", "TimeoutException"),
        client_error("requests.exceptions", "ReadTimeout", "Timeout"),
    ],
    ids=lambda error: f"{type(error).__module__}.{type(error).__name__}",
)
def test_a_bot_that_gave_up_waiting(error: Exception) -> None:
    dialogue = play(raising(error))
    assert ended(dialogue) == (StopReason.TURN_TIMEOUT, INFRASTRUCTURE)


@pytest.mark.parametrize(
    "error",
    [
        client_error("openai", "AuthenticationError"),
        client_error("openai", "BadRequestError"),
        client_error("httpx", "InvalidURL"),
        client_error("mybot", "ConnectionError"),
        client_error("mybot", "TimeoutException"),
    ],
    ids=lambda error: f"{type(error).__module__}.{type(error).__name__}",
)
def test_other_errors_of_clients_are_the_bots(error: Exception) -> None:
    assert ended(play(raising(error))) == (StopReason.SYSTEM_ERROR, FAILED)


def test_a_backend_that_breaks_under_the_bot_or_the_user() -> None:
    dialogue = play(raising(BackendError("disk full"), after=1))
    assert ended(dialogue) == (StopReason.BACKEND_ERROR, INFRASTRUCTURE)
    assert "the backend broke in turn 2: " in dialogue.detail
    assert len(dialogue.turns) == 1
    dialogue = play(lambda text: "ok", "hi", BackendError("disk full"))
    assert ended(dialogue) == (StopReason.BACKEND_ERROR, INFRASTRUCTURE)
    assert len(dialogue.turns) == 1

    def factory() -> Any:
        raise BackendError("disk full")

    assert ended(play(factory)) == (StopReason.BACKEND_ERROR, INFRASTRUCTURE)


# --- the user is the problem ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (SimulatorFault("cannot say it"), "cannot say it (in turn 2)"),
        (ConnectionError("no model"), "raised in turn 2: ConnectionError: no model"),
        (SystemExit(1), "raised in turn 2: SystemExit: 1"),
        (StopIteration(), "raised in turn 2: StopIteration"),
        (Utterance(""), "said nothing in turn 2"),
        (Utterance(" \n"), "said nothing in turn 2"),
        (Utterance(3), "said int 3 instead of text"),  # type: ignore[arg-type]
        (7, "answered with int 7 instead of an `Utterance`"),
        ([], "answered with list instead of an `Utterance`"),
        (Utterance("x", StopReason.NETWORK), "left with StopReason, expected one of user_done"),
        (Utterance("x", "bored"), "left with str 'bored', expected one of"),  # type: ignore[arg-type]
        (Utterance("Error code: 429 - rate limit"), "echoed an error ('Error code: 429"),
        (Utterance("openai.RateLimitError: too many"), "echoed an error"),
        (Utterance("Traceback (most recent call last):\n x"), "echoed an error"),
        (Utterance('{"error": {"message": "x"}}'), "echoed an error"),
        (Utterance("HTTP Error 503: down", StopReason.USER_DONE), "echoed an error"),
        (Utterance("", StopReason.SIMULATOR_FAULT, "I repeat myself"), "I repeat myself"),
    ],
)
def test_the_simulator_is_at_fault(line: Any, told: str) -> None:
    dialogue = play(lambda text: "ok", "hi", line)
    assert ended(dialogue) == (StopReason.SIMULATOR_FAULT, Outcome.SIMULATOR_FAULT)
    assert told in dialogue.detail
    assert len(dialogue.turns) == 1


@pytest.mark.parametrize(
    "text",
    ["There is an error: I said 4 people", "error 404 street", "Exceptional! Book it", "{hotel}"],
)
def test_what_only_looks_like_an_error(text: str) -> None:
    assert play(lambda text: "ok", text).stop_reason is StopReason.USER_DONE


def test_a_user_with_a_wrong_signature_is_at_fault() -> None:
    class User:
        def respond(self) -> Utterance:
            return Utterance("hi")

    class AsyncUser:
        async def respond(self) -> Utterance:
            return Utterance("hi")

    for user in (User(), AsyncUser()):
        assert run_dialogue(GOAL, user, lambda text: "ok").fault is Outcome.SIMULATOR_FAULT


# --- limits --------------------------------------------------------------------------------------


def test_the_turn_limit_counts_replies_and_lets_the_user_leave_after_the_last() -> None:
    limits = Limits(max_turns=2)
    dialogue = play(lambda text: "ok", "a", "b", "c", limits=limits)
    assert ended(dialogue) == (StopReason.TURN_LIMIT, None)
    assert (len(dialogue.turns), dialogue.last_words) == (2, "c")
    assert dialogue.detail == "2 turns were played"
    dialogue = play(lambda text: "ok", "a", "b", limits=limits)
    assert (len(dialogue.turns), dialogue.stop_reason) == (2, StopReason.USER_DONE)


def test_the_bot_may_end_the_dialogue() -> None:
    dialogue = play(lambda text: Reply("bye", done=True))
    assert ended(dialogue) == (StopReason.SYSTEM_DONE, None)
    assert (len(dialogue.turns), dialogue.last_words) == (1, "")


def hangs(text: str, history: list[Any]) -> str:
    if history:
        time.sleep(3)
    return "ok"


async def hangs_async(text: str, history: list[Any]) -> str:
    if history:
        await asyncio.sleep(60)
    return "ok"


async def ignores_cancellation(text: str, history: list[Any]) -> str:
    end = time.monotonic() + 3
    while history and time.monotonic() < end:
        try:
            await asyncio.sleep(0.2)
        except asyncio.CancelledError:
            continue
    return "ok"


async def blocks_the_loop(text: str, history: list[Any]) -> str:
    return hangs(text, history)


@pytest.mark.parametrize("bot", [hangs, hangs_async, ignores_cancellation, blocks_the_loop])
def test_a_bot_that_hangs_is_left_behind(bot: Any) -> None:
    with must_end():
        dialogue = play(bot, limits=Limits(turn_timeout=1.0))
    assert ended(dialogue) == (StopReason.TURN_TIMEOUT, INFRASTRUCTURE)
    assert len(dialogue.turns) == 1
    assert dialogue.last_words == "and then"
    if bot in (hangs, blocks_the_loop):
        assert "in hangs: `time.sleep(3)`" in dialogue.detail
    else:
        assert dialogue.detail.startswith("longer than 1 s while the bot answered in turn 2. ")
    assert logging.getLogger("todeval").filters == []
    assert play(lambda text: "still alive").stop_reason is StopReason.USER_DONE


def test_the_backend_is_looked_into_after_a_bot_hung() -> None:
    booking = Booking("hotel", "A1", {"name": "acorn"})
    dialogue = play(hangs, backend=Tools((booking,)), limits=Limits(turn_timeout=0.3))
    assert dialogue.stop_reason is StopReason.TURN_TIMEOUT
    assert (dialogue.final_bookings, dialogue.backend_known) == ((booking,), True)


def test_the_dialogues_own_limit() -> None:
    def slow(text: str) -> str:
        time.sleep(0.2)
        return "ok"

    limits = Limits(turn_timeout=5, dialogue_timeout=0.5)
    dialogue = play(slow, *("more" for _ in range(9)), limits=limits)
    assert ended(dialogue) == (StopReason.DIALOGUE_TIMEOUT, INFRASTRUCTURE)
    assert "the dialogue took longer than 0.5 s while the bot answered" in dialogue.detail
    assert 1 <= len(dialogue.turns) <= 2


def test_making_the_bot_may_take_longer_than_a_turn() -> None:
    class Slow:
        def __init__(self) -> None:
            time.sleep(1.5)

        def respond(self, text: str) -> str:
            return "ok"

    assert play(Slow, limits=Limits(turn_timeout=1.0)).stop_reason is StopReason.USER_DONE
    dialogue = play(Slow, limits=Limits(dialogue_timeout=0.1))
    assert ended(dialogue) == (StopReason.DIALOGUE_TIMEOUT, INFRASTRUCTURE)
    assert "while the bot was being made" in dialogue.detail


def test_a_user_that_hangs() -> None:
    class User:
        def respond(self, turn: Turn | None) -> Utterance:
            time.sleep(1)
            return Utterance("hi")

    dialogue = run_dialogue(GOAL, User(), lambda text: "ok", limits=Limits(turn_timeout=0.1))
    assert ended(dialogue) == (StopReason.SIMULATOR_FAULT, Outcome.SIMULATOR_FAULT)
    assert "longer than 0.1 s while the user spoke in turn 1" in dialogue.detail


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"max_turns": 0}, "max_turns is 0, expected a number above 0"),
        ({"max_turns": 1.5}, "max_turns is 1.5, expected a whole number"),
        ({"max_turns": True}, "max_turns is True"),
        ({"turn_timeout": -1}, "turn_timeout is -1"),
        ({"turn_timeout": float("nan")}, "turn_timeout is nan"),
        ({"dialogue_timeout": "60"}, "dialogue_timeout is '60'"),
    ],
)
def test_limits_that_are_none(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        Limits(**given)


# --- what the bot did ----------------------------------------------------------------------------


def test_each_turn_holds_its_slice_of_the_trace_and_what_the_reply_adds() -> None:
    class Bot:
        def __init__(self, backend: Tools) -> None:
            backend.call("warm_up")
            self.backend = backend

        def respond(self, text: str) -> Reply:
            self.backend.call("find", text=text)
            extra = ToolCall("elsewhere", {"text": text})
            return Reply("ok", (ToolCall("find", {"text": text}), extra))

    dialogue = play(Bot, "a", "b", backend=Tools())
    names = [[(c.name, c.result) for c in turn.tool_calls] for turn in dialogue.turns]
    assert names == [
        [("warm_up", "ok"), ("find", "ok"), ("elsewhere", None)],
        [("find", "ok"), ("elsewhere", None)],
    ]


def test_a_backend_of_ones_own() -> None:
    class Shop:
        def bookings(self) -> list[dict[str, str]]:
            return [{"domain": "table", "reference": "T1", "seats": "4"}]

    shop = Shop()

    def bot(text: str, backend: Shop) -> str:
        assert backend is shop
        return "booked"

    dialogue = play(bot, backend=shop)
    assert dialogue.stop_reason is StopReason.USER_DONE
    assert dialogue.final_bookings == (Booking("table", "T1", {"seats": "4"}),)
    assert dialogue.backend_known


def test_a_backend_that_cannot_say_what_stands_booked() -> None:
    dialogue = play(lambda text: "ok", backend=Tools(error=sqlite3.OperationalError("locked")))
    assert ended(dialogue) == (StopReason.BACKEND_ERROR, INFRASTRUCTURE)
    assert dialogue.detail == (
        "the backend could not tell what stands: Tools.bookings() raised OperationalError: locked"
    )
    assert (len(dialogue.turns), dialogue.last_words) == (3, "bye")
    assert not dialogue.backend_known


def test_the_first_fault_stands_and_the_second_is_told() -> None:
    dialogue = play(raising(ValueError("crash")), backend=Tools(error=ValueError("locked")))
    assert ended(dialogue) == (StopReason.SYSTEM_ERROR, FAILED)
    assert "ValueError: crash" in dialogue.detail
    assert dialogue.detail.endswith(
        "besides, the backend could not tell what stands: "
        "Tools.bookings() raised ValueError: locked"
    )


def test_a_backend_that_hangs_at_the_end() -> None:
    class Stuck:
        def bookings(self) -> list[Any]:
            time.sleep(1)
            return []

    dialogue = play(lambda text: "ok", backend=Stuck(), limits=Limits(turn_timeout=0.3))
    assert ended(dialogue) == (StopReason.BACKEND_ERROR, INFRASTRUCTURE)
    assert "no answer in time" in dialogue.detail


# --- many at once, and the process ---------------------------------------------------------------


def test_dialogues_at_once_share_one_loop_and_keep_apart() -> None:
    lane: contextvars.ContextVar[int] = contextvars.ContextVar("lane")
    loops: set[int] = set()
    meeting = threading.Barrier(4)

    class Bot:
        def __init__(self) -> None:
            self.said = 0

        async def respond(self, text: str) -> str:
            loops.add(threading.get_ident())
            await asyncio.to_thread(meeting.wait, 10)
            self.said += 1
            return f"{lane.get()} {text} {self.said}"

    def one(number: int) -> list[str]:
        lane.set(number)
        return [turn.system for turn in play(Bot, "a", "b").turns]

    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(one, range(4)))
    assert said == [[f"{number} a 1", f"{number} b 2"] for number in range(4)]
    assert len(loops) == 1


def test_dialogues_can_be_gathered_on_a_loop_of_ones_own() -> None:
    async def several() -> list[Dialogue]:
        return await asyncio.gather(
            *(
                asyncio.to_thread(run_dialogue, GOAL, Says("a"), raising(ValueError()), trial=n)
                for n in range(3)
            )
        )

    dialogues = asyncio.run(several())
    assert [(d.trial, d.stop_reason) for d in dialogues] == [
        (n, StopReason.SYSTEM_ERROR) for n in range(3)
    ]


def test_an_asynchronous_bot_can_play_a_dialogue_in_a_thread() -> None:
    async def bot(text: str) -> str:
        inner = await asyncio.to_thread(run_dialogue, GOAL, Says("hi"), lambda text: "inside")
        return inner.turns[0].system

    assert play(bot).turns[0].system == "inside"


def test_a_dialogue_within_a_bot_on_the_same_loop_is_refused_rather_than_waited_for() -> None:
    async def bot(text: str) -> str:
        return run_dialogue(GOAL, Says(), lambda text: "x").detail

    dialogue = play(bot)
    assert dialogue.stop_reason is StopReason.SYSTEM_ERROR
    assert "write `await asyncio.to_thread(run_dialogue, ...)`" in dialogue.detail


def test_threads_end_with_their_dialogue() -> None:
    run_dialogue(Goal("1", "threads", ()), Says("hi"), lambda text: "ok")
    end = time.monotonic() + 5
    while any(t.name.startswith("todeval threads/1") for t in threading.enumerate()):
        time.sleep(0.01)
        assert time.monotonic() < end or pytest.fail("a dialogue left its thread behind")


def test_an_interrupt_reaches_the_caller_and_stops_the_dialogue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cancelled = threading.Event()

    async def bot(text: str) -> str:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return "late"

    def interrupt(self: Background, future: Any, patience: float) -> None:
        time.sleep(0.1)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Background, "_watch", interrupt)
        with pytest.raises(KeyboardInterrupt):
            play(bot)
    assert cancelled.wait(5)


SCRIPT = """
    import os, sys, time, asyncio
    from pytest_todeval.core.goal import Goal
    from pytest_todeval.core.outcome import StopReason
    from pytest_todeval.simulation.loop import Limits, run_dialogue
    from pytest_todeval.simulation.user import Utterance

    class User:
        said = False
        def respond(self, turn):
            stop = StopReason.USER_DONE if self.said else None
            self.said = True
            return Utterance("hi", stop)

    def play(bot):
        limits = Limits(turn_timeout=0.5)
        return str(run_dialogue(Goal("1", "x", ()), User(), bot, limits=limits).stop_reason)

    def answers(text): return "ok"
    async def answers_async(text): return "ok"
    def hangs(text): time.sleep(60)
    async def hangs_async(text): await asyncio.sleep(60)
    async def blocks(text): time.sleep(60)
"""


def run_script(body: str) -> tuple[str, str]:
    code = textwrap.dedent(SCRIPT) + textwrap.dedent(body)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-X", "dev", "-c", code],
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    return done.stdout, done.stderr


def test_the_process_exits_whatever_still_hangs_and_without_a_warning() -> None:
    out, err = run_script(
        "for bot in (answers, answers_async, hangs, hangs_async, blocks, answers): print(play(bot))"
    )
    assert out.split() == ["user_done"] * 2 + ["turn_timeout"] * 3 + ["user_done"]
    assert err == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_has_a_loop_of_its_own() -> None:
    out, err = run_script(
        """
        import warnings
        print(play(answers), flush=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 warns of threads; here they are the point
            child = os.fork()
        print(play(answers_async), flush=True)
        if child:
            assert os.waitpid(child, 0)[1] == 0
            print(play(answers), flush=True)
        """
    )
    assert out.count("user_done") == 4  # two processes write at once: lines may run together
    assert err == ""


def test_each_player_acts_in_its_own_lane() -> None:
    seen: list[tuple[str, str, str, int]] = []

    def note(who: str) -> None:
        place = here()
        assert place is not None
        seen.append((who, place.lane, place.dialogue, place.turn))

    class Bot:
        def __init__(self) -> None:
            note("made")

        async def respond(self, text: str) -> str:
            await asyncio.sleep(0)
            note("bot")
            return "Yes?"

    def says(turn: Turn | None) -> str:
        note("user")
        return "Hello?"

    dialogue = run_dialogue(GOAL, ScriptedUser([says, says]), Bot)
    name = f"{GOAL.name}#0"
    assert seen == [
        ("made", "system", name, 0),
        ("user", "user", name, 1),
        ("bot", "system", name, 1),
        ("user", "user", name, 2),
        ("bot", "system", name, 2),
    ]
    assert len(dialogue.turns) == 2
    assert here() is None


@pytest.mark.parametrize(
    ("asks_model", "expected"),
    [
        (False, (StopReason.SIMULATOR_FAULT, Outcome.SIMULATOR_FAULT)),
        (True, (StopReason.TURN_TIMEOUT, INFRASTRUCTURE)),
    ],
)
def test_a_user_that_waits_for_an_endpoint_is_not_at_fault_itself(
    asks_model: bool, expected: tuple[StopReason, Outcome]
) -> None:
    class Waits(Says):
        def respond(self, turn: Turn | None) -> Utterance:
            time.sleep(3)
            return super().respond(turn)

    user = Waits("hi")
    user.asks_model = asks_model  # type: ignore[attr-defined]
    assert ended(run_dialogue(GOAL, user, hangs, limits=Limits(turn_timeout=0.05))) == expected
