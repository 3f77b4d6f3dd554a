"""What `tod_system` may be, and what is said if it is something else."""

import asyncio
import contextvars
import functools
import gc
import inspect
import re
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.deadline import Deadline
from pytest_todeval.core.dialogue import Reply, ToolCall, Usage
from pytest_todeval.errors import SystemContractError
from pytest_todeval.simulation.reply import checked, described
from pytest_todeval.simulation.system import System, adapt
from pytest_todeval.simulation.worker import Raised, TimedOut, Worker, within

HISTORY = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
BACKEND = object()


def made(tod_system: Any) -> System:
    return asyncio.run(adapted(tod_system))


async def adapted(tod_system: Any) -> System:
    return await adapt(tod_system, backend=BACKEND, goal_id="demo/1", dialogue_id="demo/1#0")


def answer(tod_system: Any, text: str = "a room") -> Reply:
    async def turn() -> Reply:
        return await (await adapted(tod_system)).respond(text, HISTORY)

    return asyncio.run(turn())


def only_text(text: str) -> str:
    return f"{text}?"


def with_history(text: str, history: list[dict[str, str]]) -> str:
    return f"{text} after {len(history)}"


def with_all(text: str, *, backend: Any, goal_id: str, dialogue_id: str, style: str = "x") -> str:
    assert backend is BACKEND
    return f"{text} {goal_id} {dialogue_id} {style}"


async def asynchronous(text: str, history: list[dict[str, str]]) -> str:
    await asyncio.sleep(0)
    return f"{text} after {len(history)}"


class Bot:
    def respond(self, text: str) -> str:
        return f"{text}!"


class AsyncBot:
    async def respond(self, text: str, goal_id: str) -> str:
        return f"{text} for {goal_id}"


class NeedsBackend:
    def __init__(self, backend: Any, dialogue_id: str, verbose: bool = False) -> None:
        assert backend is BACKEND
        assert not verbose
        self.dialogue_id = dialogue_id

    def respond(self, text: str) -> str:
        return f"{text} in {self.dialogue_id}"


class Called:
    def __call__(self, text: str) -> str:
        return f"{text}."


class AsyncCalled:
    async def __call__(self, text: str) -> str:
        return f"{text}..."


def factory(backend: Any) -> Any:
    assert backend is BACKEND
    return only_text


async def async_factory() -> Bot:
    await asyncio.sleep(0)
    return Bot()


MODULE = types.ModuleType("bot")
MODULE.respond = only_text  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (only_text, "a room?"),
        (with_history, "a room after 2"),
        (with_all, "a room demo/1 demo/1#0 x"),
        (asynchronous, "a room after 2"),
        (lambda text: asynchronous(text, []), "a room after 0"),
        (lambda *words: words[0], "a room"),
        (lambda text, **rest: text + str(rest), "a room{}"),
        (functools.partial(with_all, style="y"), "a room demo/1 demo/1#0 y"),
        (str.upper, "A ROOM"),
        (Bot(), "a room!"),
        (Bot().respond, "a room!"),
        (Bot, "a room!"),
        (AsyncBot(), "a room for demo/1"),
        (AsyncBot, "a room for demo/1"),
        (NeedsBackend, "a room in demo/1#0"),
        (Called(), "a room."),
        (Called, "a room."),
        (AsyncCalled(), "a room..."),
        (factory, "a room?"),
        (lambda: Bot, "a room!"),
        (lambda goal_id, history: lambda text: text + goal_id + str(history), "a roomdemo/1[]"),
        (async_factory, "a room!"),
        (MODULE, "a room?"),
        (max, "r"),  # a builtin that does not tell its parameters
    ],
)
def test_accepted_shapes(bot: Any, said: str) -> None:
    assert answer(bot) == Reply(said)


def test_a_class_and_a_factory_are_called_once_per_dialogue() -> None:
    calls: list[str] = []

    class Counted(Bot):
        def __init__(self) -> None:
            calls.append("made")

    async def three_turns() -> None:
        system = await adapted(Counted)
        for _ in range(3):
            await system.respond("x", [])

    asyncio.run(three_turns())
    assert calls == ["made"]


def test_the_history_is_the_bots_own_to_change() -> None:
    def greedy(text: str, history: list[dict[str, str]]) -> str:
        history[0]["content"] = "changed"
        history.clear()
        return "ok"

    answer(greedy)
    assert HISTORY[0]["content"] == "hi"
    assert len(HISTORY) == 2


def test_plain_functions_share_one_thread_with_the_callers_context() -> None:
    lane: contextvars.ContextVar[str] = contextvars.ContextVar("lane")
    seen: list[tuple[int, str]] = []

    def noting(text: str) -> str:
        seen.append((threading.get_ident(), lane.get()))
        return "ok"

    async def turns() -> None:
        system = await adapted(noting)
        for name in ("one", "two"):
            lane.set(name)
            await system.respond("x", [])

    asyncio.run(turns())
    assert [name for _, name in seen] == ["one", "two"]
    assert len({thread for thread, _ in seen}) == 1
    assert seen[0][0] != threading.get_ident()


def test_a_coroutine_runs_on_the_loop_itself() -> None:
    async def where(text: str) -> str:
        return str(threading.get_ident())

    assert answer(where).text == str(threading.get_ident())


class NeedsMore:
    def __init__(self, model: str) -> None:
        self.model = model

    def respond(self, text: str) -> str:
        return text


def two_texts(text: str, language: str) -> str:
    return text


def positional(text: str, history: list[Any], /) -> str:
    return text


class NoText:
    def respond(self) -> str:
        return "hello"


class KeywordText:
    def respond(self, *, text: str) -> str:
        return text


def endless() -> Callable[[], Any]:
    return endless


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        (None, "`tod_system` is None, which is not a bot"),
        (42, "`tod_system` is int 42"),
        ("hotelbot", "`tod_system` is str 'hotelbot'"),
        ("ftp://bot", "`tod_system` is str 'ftp://bot'"),
        ({"respond": only_text}, "`tod_system` is dict with the keys 'respond'"),
        (object(), "`tod_system` is object"),
        (NeedsMore, "`NeedsMore(model)` needs 'model', which nobody passes"),
        (two_texts, "`two_texts(text, language)` needs 'language'"),
        (positional, "`positional(text, history)` needs 'history'"),
        (NoText(), "does not take the text of the user as its first argument"),
        (KeywordText(), "does not take the text of the user as its first argument"),
        (lambda: "hello", "`tod_system` is str 'hello', made by the factory `"),
        (lambda backend: None, "`tod_system` is None, made by the factory `"),
        (endless, "a factory of factories: after 3 calls"),
    ],
)
def test_wrong_shapes_say_what_came_and_what_to_paste(bot: Any, told: str) -> None:
    with pytest.raises(SystemContractError) as caught:
        made(bot)
    message = str(caught.value)
    assert told in message
    assert "def tod_system():" in message
    assert "def respond(text, history):" in message
    assert " at 0x" not in message


def test_the_lines_to_paste_are_sound() -> None:
    with pytest.raises(SystemContractError) as caught:
        made(None)
    lines = str(caught.value).split("conftest.py:\n")[1].split("\n`respond` takes")[0]
    space: dict[str, Any] = {"pytest": pytest, "MyBot": Bot}
    found = []
    for block in inspect.cleandoc("\n" + lines).split("@pytest.fixture")[1:]:
        exec(block.split("\n", 1)[1], space)
        found.append(space["tod_system"]())
    assert [type(bot) for bot in found] == [type, types.FunctionType, str]
    assert answer(found[0]) == Reply("a room!")
    assert answer(found[1]) == Reply("Which area?")


def test_what_a_factory_raises_is_marked_as_the_bots() -> None:
    def broken() -> Any:
        raise ValueError("no model")

    with pytest.raises(Raised) as caught:
        made(broken)
    assert isinstance(caught.value.error, ValueError)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "answered with None, expected text or a `Reply`"),
        (42, "answered with int 42"),
        (b"hi", "answered with bytes"),
        (["hi"], "answered with list"),
        ({"text": "hi"}, "dict with the keys 'text', expected text or a `Reply`"),
        ({"text": "hi"}, "a dict is not taken: write `Reply(**answer)`"),
        (Reply, "answered with the class Reply"),
        ((word for word in "hi"), "answered with generator"),
        (Reply(None), "`Reply.text` is None, expected text"),  # type: ignore[arg-type]
        (Reply("x", done="yes"), "`Reply.done` is str 'yes'"),  # type: ignore[arg-type]
        (Reply("x", "calls"), "`Reply.tool_calls` is str 'calls'"),  # type: ignore[arg-type]
        (Reply("x", ({"name": "t"},)), "`tool_calls[0]` is dict"),  # type: ignore[arg-type]
        (Reply("x", (ToolCall(1),)), "`tool_calls[0]`: the tool's name is int 1"),  # type: ignore[arg-type]
        (Reply("x", (ToolCall("t", [1]),)), "`arguments` is list"),  # type: ignore[arg-type]
        (Reply("x", (ToolCall("t", error=1),)), "`error` is int 1"),  # type: ignore[arg-type]
        (Reply("x", state="north"), "`Reply.state` is str 'north'"),  # type: ignore[arg-type]
        (Reply("x", turn_state=1), "`Reply.turn_state` is int 1"),  # type: ignore[arg-type]
        (Reply("x", retrieved=7), "`Reply.retrieved` is int 7"),  # type: ignore[arg-type]
        (Reply("x", usage={}), "`Reply.usage` is dict, expected a `Usage`"),  # type: ignore[arg-type]
        (Reply("x", usage=Usage("1")), "prompt_tokens is str '1'"),  # type: ignore[arg-type]
        (Reply("x", usage=Usage(-1)), "prompt_tokens is -1, expected a number >= 0"),
        (Reply("x", usage=Usage(cost=float("nan"))), "cost is nan"),
        (Reply("x", usage=Usage(True)), "prompt_tokens is True"),
        (Reply("x", usage=Usage(model=7)), "model is int 7, expected a model's name"),  # type: ignore[arg-type]
    ],
)
def test_a_reply_of_the_wrong_type_names_type_and_turn(value: Any, told: str) -> None:
    with pytest.raises(SystemContractError) as caught:
        answer(lambda text: value)
    assert str(caught.value).startswith("turn 2: ")
    assert told in str(caught.value)


def test_a_sound_reply_is_kept_whole_and_copied() -> None:
    state = {"hotel": {"area": "north"}}
    items = [{"name": "acorn"}]
    reply = Reply("x", [ToolCall("t", {"n": 1}, items)], state, items, Usage(1, 2, 0.5), True)  # type: ignore[arg-type]
    copy = checked(reply, "turn 1")
    state["hotel"]["area"] = "south"
    items[0]["name"] = "bridge"
    assert copy == Reply(
        "x",
        (ToolCall("t", {"n": 1}, [{"name": "acorn"}]),),
        {"hotel": {"area": "north"}},
        ({"name": "acorn"},),
        Usage(1, 2, 0.5),
        True,
    )


def test_a_state_that_holds_itself_is_copied() -> None:
    state: dict[str, Any] = {}
    state["self"] = state
    copy = checked(Reply("x", state=state), "turn 1").state
    assert copy is not None
    assert copy is not state
    assert copy["self"] is copy


def test_what_came_is_described_without_addresses() -> None:
    assert described(object()) == "object"
    assert described("x" * 500) == "str 'xxxxxxxxxxxx...xxxxxxxxxxxxx'"
    assert described({1: 2}) == "dict"


DOCS = Path(__file__).resolve().parents[3] / "docs" / "bots.md"
EXAMPLES = [
    code
    for code in re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    if "ChatSystem" not in code  # they answer with a model
    and "todeval_" not in code  # the examples of servers and sessions run in examples/
    and "records_of" not in code  # so do those of records
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_the_examples_of_the_documentation_run(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "of-the-shop-1")
    space: dict[str, Any] = {}
    exec(code, space)
    bot = next(space[name] for name in ("HotelBot", "respond", "bot") if name in space)
    if "HttpSystem" in space:  # nobody listens there
        assert repr(bot).startswith("HttpSystem('http://localhost:8000/")
    else:
        assert answer(bot, "in the north").text.startswith("The Acorn")


def test_worker_thread_ends_when_closed() -> None:
    async def once() -> Worker:
        worker = Worker("test worker")
        assert await worker.call(lambda: 1) == 1
        assert worker.idle
        assert worker.frame is None
        worker.close()
        return worker

    asyncio.run(once())
    for thread in threading.enumerate():
        if thread.name == "test worker":
            thread.join(5)
            assert not thread.is_alive()


def test_an_answer_that_comes_too_late_is_dropped_quietly() -> None:
    async def words() -> str:
        return "late"

    def slow(text: str) -> Any:
        time.sleep(0.15)
        return words()

    async def turn() -> None:
        system = await adapted(slow)
        with pytest.raises(TimedOut):
            await within(Deadline(0.05), system.respond("x", []))
        await asyncio.sleep(0.2)

    asyncio.run(turn())
    gc.collect()  # a coroutine never awaited would warn here
