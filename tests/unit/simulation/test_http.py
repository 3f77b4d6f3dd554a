"""A bot behind HTTP, against a real server in a thread of the test."""

import asyncio
import gzip
import json
import socket
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from aiohttp import web

from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import SystemContractError, UsageError
from pytest_todeval.simulation.http import HttpSystem
from pytest_todeval.simulation.http_errors import HttpStatusError
from pytest_todeval.simulation.loop import Limits, run_dialogue
from tests.support.http_world import Says, Server


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


@pytest.fixture
def server(running: Server) -> Server:
    running.seen.clear()
    running.headers.clear()
    return running


def ask(system: HttpSystem) -> Reply:
    history = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    return system.respond("a room", history, "demo/1#0", "demo/1", session="demo-1-0")


def play(bot: Any, *texts: str, goal: str = "1") -> Dialogue:
    return run_dialogue(Goal(goal, "demo", ()), Says(*(texts or ("hi",))), bot)


def test_posts_what_it_promises_and_reads_all_of_the_answer(server: Server) -> None:
    url = server.answers(
        lambda: web.json_response(
            {
                "text": "The acorn?",
                "tool_calls": [
                    {"name": "find", "arguments": {"n": 1}, "result": [1]},
                    {"name": "book", "error": "full"},
                ],
                "state": {"hotel": {"area": "north"}},
                "turn_state": {"hotel": {}},
                "retrieved": ["acorn"],
                "usage": {"prompt_tokens": 3, "cost": 0.5, "cached": 1, "model": "m"},
                "done": True,
                "unknown": 1,
            }
        )
    )
    assert ask(HttpSystem(url, headers={"Authorization": "Bearer x"})) == Reply(
        "The acorn?",
        (ToolCall("find", {"n": 1}, [1]), ToolCall("book", error="full")),
        {"hotel": {"area": "north"}},
        ("acorn",),
        Usage(3, 0, 0.5, "m"),
        True,
        turn_state={"hotel": {}},
    )
    assert server.seen == [
        {
            "text": "a room",
            "history": [
                {"role": "user", "content": "hi"},
                {"role": "assistant", "content": "hello"},
            ],
            "dialogue_id": "demo/1#0",
            "goal_id": "demo/1",
        }
    ]
    assert server.headers[0]["Content-Type"] == "application/json"
    assert server.headers[0]["Authorization"] == "Bearer x"
    sent = {name.lower(): value for name, value in server.headers[0].items()}
    assert sent["x-todeval-dialogue"] == "demo%2F1%230"
    assert sent["x-todeval-session"] == "demo-1-0"


@pytest.mark.parametrize(
    ("response", "text"),
    [
        (lambda: web.Response(text="Which area?"), "Which area?"),
        (lambda: web.Response(text="42"), "42"),
        (lambda: web.Response(text='{"text": "mislabelled"}'), "mislabelled"),
        (lambda: web.json_response("just text"), "just text"),
        (lambda: web.json_response({"text": "x", "tool_calls": None, "state": None}), "x"),
        (lambda: web.Response(body=b"caf\xc3\xa9"), "café"),
        (lambda: web.Response(text=""), ""),
    ],
)
def test_plain_text_and_short_json(
    server: Server, response: Callable[[], web.Response], text: str
) -> None:
    assert ask(HttpSystem(server.answers(response))) == Reply(text)


@pytest.mark.parametrize(
    ("response", "told"),
    [
        (lambda: web.json_response({"answer": "x"}), "is dict with the keys 'answer', expected an"),
        (lambda: web.json_response([1]), "is list, expected an object"),
        (lambda: web.Response(body=b"caf\xc3\xa9 \xff"), "is not utf-8: byte 6 is 0xff (its"),
        (lambda: web.json_response({"text": 3}), "`Reply.text` is int 3"),
        (lambda: web.json_response({"text": None}), "`Reply.text` is None"),
        (lambda: web.json_response({"text": "x", "done": "no"}), "`Reply.done` is str 'no'"),
        (lambda: web.json_response({"text": "x", "tool_calls": 1}), "`tool_calls` is int 1"),
        (lambda: web.json_response({"text": "x", "tool_calls": ["t"]}), "`tool_calls[0]` is str"),
        (
            lambda: web.json_response({"text": "x", "tool_calls": [{"name": 1}]}),
            "the tool's name is int 1",
        ),
        (lambda: web.json_response({"text": "x", "usage": 3}), "`usage` is int 3"),
        (lambda: web.json_response({"text": "x", "usage": {"cost": "a"}}), "cost is str 'a'"),
        (
            lambda: web.Response(text='{"text": ', content_type="application/json"),
            "claims to be JSON and is not (Expecting value: line 1 column 10 (char 9)): "
            "'{\"text\":'",
        ),
        (
            lambda: web.Response(text="<html>Log in</html>", content_type="text/html"),
            "is a web page, expected JSON or plain text; is the URL that of the bot? '<html>Log",
        ),
        (
            lambda: web.Response(text="[" * 100_000, content_type="application/json"),
            "claims to be JSON and is not",
        ),
    ],
)
def test_an_answer_of_the_wrong_shape_is_a_bad_reply(
    server: Server, response: Callable[[], web.Response], told: str
) -> None:
    dialogue = play(server.answers(response))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.BAD_REPLY, Outcome.FAILED)
    assert told in dialogue.detail
    assert "/chat in turn 1" in dialogue.detail
    assert dialogue.last_words == "hi"


@pytest.mark.parametrize("status", [400, 404, 409, 500, 501])
def test_a_failing_status_is_the_bots_failure(server: Server, status: int) -> None:
    url = server.answers(lambda: web.Response(status=status, text="KeyError: 'area'\n" + "x" * 999))
    dialogue = play(HttpSystem(url + "?key=secret"))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.SYSTEM_ERROR, Outcome.FAILED)
    assert f"/chat answered {status} " in dialogue.detail
    assert "KeyError: 'area' xxx" in dialogue.detail
    assert "secret" not in dialogue.detail
    assert len(dialogue.detail) < 1000


@pytest.mark.parametrize("status", [401, 403, 407, 429, 502, 503, 504])
def test_a_status_of_whoever_stands_before_the_bot_is_not_its_failure(
    server: Server, status: int
) -> None:
    url = server.answers(lambda: web.Response(status=status, text="come back later"))
    dialogue = play(HttpSystem(url))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert dialogue.detail.startswith(f"the bot could not be asked in turn 1: {url} answered")
    assert "'come back later'" in dialogue.detail
    assert ("headers={" in dialogue.detail) is (status < 410)


@pytest.mark.parametrize(
    ("status", "url", "told"),
    [
        (404, "/no", "(is that the bot's URL?)"),
        (405, "/no", "(is that the bot's URL?)"),
        (404, "/no/{dialogue_id}", "take {session} in a path)"),
        (422, "/no", "(HttpSystem(url, request=...) makes the body that it expects)"),
    ],
)
def test_a_status_says_what_to_do(server: Server, status: int, url: str, told: str) -> None:
    class Any_(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            return answer

    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=status)

    before, server.handlers = server.handlers, Any_()
    dialogue = play(HttpSystem(server.url + url))
    server.handlers = before
    assert told in dialogue.detail


def test_a_redirect_to_a_path_says_the_whole_address(server: Server) -> None:
    url = server.answers(lambda: web.Response(status=307, headers={"Location": "/elsewhere?a=b"}))
    with pytest.raises(HttpStatusError) as caught:
        ask(HttpSystem(url))
    assert f"(it sends to {server.url}/elsewhere: give that URL)" in str(caught.value)


def test_a_body_that_is_compressed_unasked_is_unpacked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = b'{"text": "Which area?"}'
    raw_deflate = zlib.compressobj(wbits=-15)
    for encoding, body in (
        ("gzip", gzip.compress(said)),
        ("deflate", zlib.compress(said)),
        ("deflate", raw_deflate.compress(said) + raw_deflate.flush()),
    ):
        assert ask(packed(server, encoding, body)).text == "Which area?"
    with pytest.raises(SystemContractError, match="is encoded as br; nobody asked for that"):
        ask(packed(server, "br", b"x"))
    with pytest.raises(SystemContractError, match="says that it is gzip, and is not"):
        ask(packed(server, "gzip", b"x"))
    monkeypatch.setattr("pytest_todeval.simulation.http_answer.MAX_BODY", 1000)
    with pytest.raises(SystemContractError, match="longer than 1000 bytes"):
        ask(packed(server, "gzip", gzip.compress(b"x" * 100_000)))


def packed(server: Server, encoding: str, body: bytes) -> HttpSystem:
    headers = {"Content-Encoding": encoding, "Content-Type": "application/json"}

    return HttpSystem(server.answers(lambda: web.Response(body=body, headers=headers), "packed"))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"text": "Grüß Gott"}'.encode("latin-1"), "application/json; charset=iso-8859-1"),
        ('{"text": "Grüß Gott"}'.encode("utf-8-sig"), "application/json"),
        ('{"text": "Grüß Gott"}'.encode("utf-8-sig"), "application/json; charset=utf-8"),
        ('{"text": "Grüß Gott"}'.encode("utf-16"), "application/json"),
        ("Grüß Gott".encode("latin-1"), "text/plain; charset=latin1"),
        ("Grüß Gott".encode(), "text/plain; charset=no-such"),
    ],
)
def test_a_body_is_read_by_its_charset(server: Server, body: bytes, kind: str) -> None:
    url = server.answers(lambda: web.Response(body=body, headers={"Content-Type": kind}))
    assert ask(HttpSystem(url)).text == "Grüß Gott"


def test_an_empty_body_and_a_mapping_to_nothing_are_told(server: Server) -> None:
    url = server.answers(lambda: web.Response(content_type="application/json"))
    with pytest.raises(SystemContractError, match="in turn 2 is empty, expected JSON"):
        ask(HttpSystem(url))
    url = server.answers(lambda: web.json_response({"text": "x"}))
    with pytest.raises(
        SystemContractError, match="`reply` returned None, expected text, a `Reply`"
    ):
        ask(HttpSystem(url, reply=lambda theirs: None))


def test_a_redirect_says_where_to(server: Server) -> None:
    url = server.answers(
        lambda: web.Response(status=302, headers={"Location": "http://localhost/login?next=x"})
    )
    with pytest.raises(HttpStatusError, match=r"302 .*sends to http://localhost/login: give that"):
        ask(HttpSystem(url))


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def test_a_server_that_is_not_there_is_infrastructure() -> None:
    dialogue = play(f"http://127.0.0.1:{free_port()}/chat")
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert "/chat is not reached" in dialogue.detail
    assert "refused" in dialogue.detail


def test_a_server_that_breaks_off_is_infrastructure(server: Server) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b"begun")
        assert request.transport is not None
        request.transport.close()
        return response

    server.handlers["cut"] = handler
    dialogue = play(f"{server.url}/cut")
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert "broke off" in dialogue.detail


def test_a_failing_status_whose_body_breaks_off(server: Server) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=500)
        response.enable_chunked_encoding()
        await response.prepare(request)
        await response.write(b"begun")
        assert request.transport is not None
        request.transport.close()
        return response

    server.handlers["cut"] = handler
    with pytest.raises(HttpStatusError, match="answered 500"):
        ask(HttpSystem(f"{server.url}/cut"))


def test_a_server_that_takes_no_connection_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*args: Any, **kwargs: Any) -> socket.socket:
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", never)
    dialogue = play(HttpSystem("http://127.0.0.1:9/chat", timeout=20))
    assert dialogue.stop_reason is StopReason.TURN_TIMEOUT
    assert "gave no answer within 20 s" in dialogue.detail


async def sleeps(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(2)
    return web.Response(text="late")


def test_a_late_answer_is_a_time_out(server: Server) -> None:
    server.handlers["slow"] = sleeps
    dialogue = play(HttpSystem(f"{server.url}/slow", timeout=0.1))
    assert (dialogue.stop_reason, dialogue.fault) == (
        StopReason.TURN_TIMEOUT,
        Outcome.INFRASTRUCTURE,
    )
    assert "gave no answer within 0.1 s" in dialogue.detail


def test_the_turns_own_limit_holds_too(server: Server) -> None:
    server.handlers["slow"] = sleeps
    limits = Limits(turn_timeout=0.1)
    bot = HttpSystem(f"{server.url}/slow")
    dialogue = run_dialogue(Goal("1", "demo", ()), Says("hi"), bot, limits=limits)
    assert dialogue.stop_reason is StopReason.TURN_TIMEOUT
    assert f"0.1 s while the bot at {server.url}/slow answered in turn 1. The" in dialogue.detail


def test_a_json_of_ones_own_is_mapped_both_ways(server: Server) -> None:
    url = server.answers(lambda: web.json_response({"messages": [{"content": "Which area?"}]}))
    bot = HttpSystem(
        url,
        request=lambda ours: {"message": ours["text"], "session": ours["dialogue_id"]},
        reply=lambda theirs: theirs["messages"][-1]["content"],
    )
    assert ask(bot) == Reply("Which area?")
    assert server.seen == [{"message": "a room", "session": "demo/1#0"}]
    assert ask(HttpSystem(url, reply=lambda theirs: Reply("own", done=True))).done


def test_a_mapping_that_does_not_fit_says_what_came(server: Server) -> None:
    url = server.answers(lambda: web.json_response({"error": "busy"}))
    with pytest.raises(SystemContractError) as caught:
        ask(HttpSystem(url, reply=lambda theirs: theirs["text"]))
    assert "`reply` could not read it (KeyError: 'text')" in str(caught.value)
    assert '{"error": "busy"}' in str(caught.value)


def test_an_endless_answer_is_cut(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_todeval.simulation.http_answer.MAX_BODY", 1000)
    with pytest.raises(SystemContractError, match="longer than 1000 bytes"):
        ask(HttpSystem(server.answers(lambda: web.Response(text="x" * 5000))))


async def counts(request: web.Request) -> web.StreamResponse:
    asked = json.loads(await request.read())
    await asyncio.sleep(0.02)
    said = len(asked["history"]) // 2 + 1
    dialogue = asked["dialogue_id"].partition("~")[0]
    return web.json_response({"text": f"{dialogue} {asked['text']} {said}"})


def expected(number: int) -> list[str]:
    return [f"demo/{number}#0 {text} {turn}" for turn, text in enumerate("abc", start=1)]


def test_five_dialogues_at_once_from_threads(server: Server) -> None:
    server.handlers["count"] = counts
    bot = HttpSystem(f"{server.url}/count")
    with ThreadPoolExecutor(5) as pool:
        dialogues = list(pool.map(lambda n: play(bot, "a", "b", "c", goal=str(n)), range(5)))
    assert [[turn.system for turn in d.turns] for d in dialogues] == [expected(n) for n in range(5)]


def test_five_dialogues_at_once_on_one_loop(server: Server) -> None:
    server.handlers["count"] = counts
    bot = HttpSystem(f"{server.url}/count")

    async def all_five() -> list[Dialogue]:
        goals = [Goal(str(number), "demo", ()) for number in range(5)]
        playing = (
            asyncio.to_thread(run_dialogue, goal, Says("a", "b", "c"), bot) for goal in goals
        )
        return await asyncio.gather(*playing)

    dialogues = asyncio.run(all_five())
    assert [[turn.system for turn in d.turns] for d in dialogues] == [expected(n) for n in range(5)]


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("localhost:8000/chat", "expected one like `http://localhost:8000/chat`"),
        ("ftp://host/x", "the bot's URL is 'ftp://host/x'"),
        ("http://", "the bot's URL is"),
        ("http://host:port/", "cannot be read"),
        ("http://host:0/", "the bot's URL is"),
        ("file:///etc/passwd", "the bot's URL is"),
        (None, "expected one like"),
        ("http://me:secret@host/", "holds a name or password for host; pass it in a header"),
    ],
)
def test_a_url_that_is_none_is_a_usage_error(url: Any, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        HttpSystem(url)
    assert told in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_proxy_of_the_environment_does_not_stand_before_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    assert ask(HttpSystem(server.answers(lambda: web.Response(text="direct")))).text == "direct"


def test_its_repr_shows_neither_query_nor_headers() -> None:
    bot = HttpSystem("https://host/chat?key=secret", headers={"Authorization": "secret"})
    assert repr(bot) == "HttpSystem('https://host/chat')"
