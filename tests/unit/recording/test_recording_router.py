"""Each call comes to the tape of its dialogue, whoever starts which thread; the rest is refused."""

import asyncio
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.address import Address
from pytest_todeval.recording.mode import Mode, modes_from
from pytest_todeval.recording.outside import to_bot
from pytest_todeval.recording.refusals import NoDialogue
from pytest_todeval.recording.router import Router
from pytest_todeval.recording.tape import Count, Tape
from tests.support.recording_world import ASYNC, SYNC, Server, by_httpx, by_urllib
from tests.support.threads import run_together


def open_tape(path: Path, dialogue: str, mode: str = "rewrite", bot: str | None = None) -> Tape:
    modes = modes_from(mode)
    tape = Tape(path, test="test_it", dialogue=dialogue, modes=modes)
    tape.bot_address = Address.parse(bot) if bot else None
    return tape


def test_a_plain_thread_belongs_to_the_dialogue_that_starts_it(
    server: Server, tmp_path: Path
) -> None:
    with open_tape(tmp_path / "a", "a") as tape, in_lane("a", Lane.JUDGE, 3):
        run_together([threading.Thread(target=_ask, args=(server, "hello"))])
        assert tape.calls[Lane.JUDGE].recorded == 1


def _ask(server: Server, prompt: str) -> None:
    by_httpx(server.url, "plain", prompt)


def test_a_shared_pool_works_for_whoever_submits(server: Server, tmp_path: Path) -> None:
    """Its threads are started by the first dialogue, and serve the second."""
    with (
        ThreadPoolExecutor(1) as pool,
        open_tape(tmp_path / "a", "a") as first,
        open_tape(tmp_path / "b", "b") as second,
    ):
        for dialogue in ("a", "b", "b"):
            with in_lane(dialogue, Lane.SYSTEM, 1):
                pool.submit(_ask, server, "hello").result()
        with pytest.raises(NoDialogue):
            pool.submit(_ask, server, "hello").result()
        assert first.calls[Lane.SYSTEM].recorded == 1
        assert second.calls[Lane.SYSTEM].recorded == 2


def test_dialogues_in_one_event_loop_do_not_mix(server: Server, tmp_path: Path) -> None:
    async def converse(dialogue: str) -> None:
        with in_lane(dialogue, Lane.SYSTEM, 1):
            async with httpx.AsyncClient(verify=False) as client:
                for number in range(3):
                    content = f"wait {dialogue} {number}"
                    message = {"messages": [{"role": "user", "content": content}]}
                    await client.post(server.url, json=message)

    async def all_of_them() -> None:
        await asyncio.gather(*map(converse, names))

    names = [f"d{i}" for i in range(8)]
    with ExitStack() as stack:
        tapes = [stack.enter_context(open_tape(tmp_path / name, name)) for name in names]
        asyncio.run(all_of_them())
        for tape in tapes:
            tape.finish(keep=True)
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert [other for other in names if f"wait {other} " in text] == [name]


def test_a_call_of_no_dialogue_is_refused_and_told(server: Server, tmp_path: Path) -> None:
    hits = server.hits
    with open_tape(tmp_path / "a", "a") as tape:
        with pytest.raises(NoDialogue, match="belongs to no dialogue") as caught:
            _ask(server, "hello")
        assert "Dialogues under way: a" in str(caught.value)
        assert tape.strays == [str(caught.value)]
    assert server.hits == hits


@pytest.mark.parametrize("cut_off", [False, True])
def test_a_thread_that_outlives_its_dialogue_is_refused(
    server: Server, tmp_path: Path, cut_off: bool
) -> None:
    over, errors = threading.Event(), list[Exception]()

    def late() -> None:
        over.wait(5)
        try:
            _ask(server, "hello")
        except NoDialogue as error:
            errors.append(error)

    thread = threading.Thread(target=late)
    with open_tape(tmp_path / "a", "a") as first, in_lane("a", Lane.SYSTEM, 1):
        thread.start()
        first.cut_off = cut_off
    with open_tape(tmp_path / "b", "b") as second:
        over.set()
        thread.join()
    # a call that a time-out left running is no fault of the dialogue after it
    assert len(second.strays) == (0 if cut_off else 1)
    assert "the dialogue a, in which it was started, is over" in str(errors[0])


def test_without_a_tape_calls_are_simply_made(server: Server) -> None:
    hits = server.hits
    _ask(server, "hello")
    assert server.hits == hits + 1
    assert Router.of_process().idle


@pytest.mark.parametrize("client", [*SYNC, *ASYNC])
def test_without_a_tape_no_client_sees_its_adapter(server: Server, client: str) -> None:
    assert Router.of_process().idle
    hits = server.hits
    if client in SYNC:
        answer = SYNC[client](server.url, "plain", "hello")
    else:
        answer = asyncio.run(ASYNC[client](server.url, "plain", "hello"))  # type: ignore[arg-type]
    assert "raised" not in str(answer)
    assert server.hits == hits + 1


def test_a_dialogue_has_one_tape(tmp_path: Path) -> None:
    with (
        open_tape(tmp_path / "a", "a"),
        pytest.raises(UsageError, match="a are already being recorded or replayed"),
    ):
        open_tape(tmp_path / "b", "a").__enter__()


class Bot(ThreadingHTTPServer):
    """A bot's server in this process: its threads are no dialogue's."""

    def __init__(self, model: Server) -> None:
        super().__init__(("127.0.0.1", 0), BotHandler)
        self.model, self.runs = model, 0


class BotHandler(BaseHTTPRequestHandler):
    server: Bot

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.server.runs += 1
        try:
            answer = by_urllib(self.server.model.url, "plain", "asked by the bot")
        except NoDialogue:
            answer = "sorry"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer.encode())


@pytest.fixture
def bot(server: Server) -> Iterator[Bot]:
    bot = Bot(server)
    thread = threading.Thread(target=bot.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield bot
    bot.shutdown()
    bot.server_close()


def ask_bot(bot: Bot) -> str:
    url = f"http://127.0.0.1:{bot.server_address[1]}/"
    with urllib.request.urlopen(url, b"{}", timeout=5) as answer:
        return str(answer.read().decode())


def test_the_bot_is_really_called_and_its_calls_are_played(
    server: Server, bot: Bot, tmp_path: Path
) -> None:
    address = f"localhost:{bot.server_address[1]}"
    answers = []
    for mode in (Mode.REWRITE, Mode.REPLAY):
        hits = server.hits
        with open_tape(tmp_path / "a", "a", mode, address) as tape:
            with in_lane("a", Lane.SYSTEM, 2):
                answers.append(ask_bot(bot))
            tape.finish(keep=True)
            assert not tape.misses
    assert bot.runs == 2
    assert server.hits == hits
    assert answers[0] == answers[1]
    assert "asked by the bot" in answers[0]
    assert str(bot.server_address[1]) not in (tmp_path / "a").read_text(encoding="utf-8")


def test_two_dialogues_at_a_bot_in_this_process_cannot_be_told_apart(
    bot: Bot, tmp_path: Path
) -> None:
    address = f"127.0.0.1:{bot.server_address[1]}"
    router = Router.of_process()
    port = bot.server_address[1]
    with (
        open_tape(tmp_path / "a", "a", bot=address) as tape,
        open_tape(tmp_path / "b", "b", bot=address),
        in_lane("a", Lane.SYSTEM, 1),
        router.asking("127.0.0.1", port),
        in_lane("b", Lane.SYSTEM, 1),
    ):
        assert ask_bot(bot) == "sorry"
        assert "one dialogue at a time" in tape.strays[0]


@pytest.mark.parametrize("mode", ["replay", "rewrite"])
def test_a_bot_whose_address_its_factory_knows_is_really_called(
    server: Server, tmp_path: Path, mode: str
) -> None:
    with open_tape(tmp_path / "a", "a", mode) as tape, in_lane("a", Lane.SYSTEM, 1):
        with to_bot():
            by_httpx(server.url, "plain", "hello")
        assert str(tape.bot_address) in server.url
        assert tape.calls[Lane.SYSTEM] == Count(0, 0)
        assert (tape.misses, tape.refusals) == ([], [])
