"""A reply that is streamed as server-sent events: read to one reply, or told whose fault it is."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiohttp import web

from pytest_todeval.core.dialogue import Dialogue, Reply, ToolCall, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.simulation.http import HttpSystem
from pytest_todeval.simulation.loop import run_dialogue
from tests.support.http_world import Says, Server


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def streams(server: Server, *blocks: str | bytes, then: Callable[[Any], None] | None = None) -> str:
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        response.enable_chunked_encoding()
        await response.prepare(request)
        for block in blocks:
            await response.write(block if isinstance(block, bytes) else block.encode())
            await asyncio.sleep(0)
        if then is not None:
            then(request)
        return response

    server.handlers["chat"] = handler
    return f"{server.url}/chat"


def ask(url: str, **options: Any) -> Reply:
    return HttpSystem(url, **options).respond("hi", [], "demo/1#0", "demo/1")


def play(url: str, **options: Any) -> Dialogue:
    return run_dialogue(Goal("1", "demo", ()), Says("hi"), HttpSystem(url, **options))


@pytest.mark.parametrize(
    ("blocks", "reply"),
    [
        (("data: Which\n\n", "data:  area?\n\n", "data: [DONE]\n\n"), Reply("Which area?")),
        (("data: Which\n\ndata:  area?\n\n",), Reply("Which area?")),
        (('data: "Which"\n\ndata: " area?"\n\n',), Reply("Which area?")),
        (('data: {"delta":"Which"}\n\n', 'data: {"delta":" area?"}\n\n'), Reply("Which area?")),
        (('data: {"delta":{"content":"a"}}\n\ndata: {"delta":{"text":"b"}}\n\n',), Reply("ab")),
        (
            (
                'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n',
                'data: {"choices":[{"delta":{"content":"Which area?"}}]}\n\n',
                'data: {"choices":[],"usage":{"prompt_tokens":3,"total_tokens":9}}\n\n',
                "data: [DONE]\n\n",
            ),
            Reply("Which area?", usage=Usage(3)),
        ),
        (
            (
                "data: Whi\n\n",
                'data: {"text": "Which area?", "tool_calls": [{"name": "find"}], "done": true}\n\n',
            ),
            Reply("Which area?", (ToolCall("find"),), done=True),
        ),
        (
            ('data: {"delta":"Which"}\n\n', 'data: {"state": {"hotel": {}}}\n\ndata: [DONE]\n\n'),
            Reply("Which", state={"hotel": {}}),
        ),
        # The format: comments, other fields, ends of lines, split anywhere, lines of one event.
        ((": ping\n\nid: 1\nretry: 5\ndata: a\n\nevent: ping\ndata: x\n\n",), Reply("a")),
        (
            (b"\xef\xbb\xbfdata: caf\xc3", b"\xa9\r", b"\n\r", b"\nda", b"ta:b\r\rdata\n\n"),
            Reply("caféb"),
        ),
        (("data: a\ndata: b\n\ndata: 42\n\n",), Reply("a\nb42")),
        (('data: "Hi," he said\n\n',), Reply('"Hi," he said')),
        (
            ("data: the end\n", "\ndata:  ends it"),
            Reply("the end ends it"),
        ),
        (("data: [DONE]\n\n", "data: after the end\n\n"), None),
    ],
)
def test_events_become_one_reply(
    server: Server, blocks: tuple[str, ...], reply: Reply | None
) -> None:
    url = streams(server, *blocks)
    if reply is not None:
        assert ask(url) == reply
    else:
        assert play(url).stop_reason is StopReason.BAD_REPLY


@pytest.mark.parametrize("kind", ["application/x-ndjson", "application/jsonl; charset=utf-8"])
def test_lines_of_json_are_read_like_events(server: Server, kind: str) -> None:
    body = b'{"delta": "Which"}\r\n\n{"delta": " area?", "n": 1}\n{"done": true}'
    server.answers(lambda: web.Response(body=body, headers={"Content-Type": kind}))
    assert ask(f"{server.url}/chat") == Reply("Which area?", done=True)
    lines = ask(f"{server.url}/chat", reply=lambda lines: f"{len(lines)}, {lines[1]['n']}")
    assert lines.text == "3, 1"


def test_what_comes_after_done_is_not_waited_for(server: Server) -> None:
    waited: list[str] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b"data: yes?\n\ndata: [DONE]\n\n")
        try:
            await asyncio.sleep(3600)
        finally:
            waited.append("hung up")
        return response

    server.handlers["chat"] = handler
    assert ask(f"{server.url}/chat").text == "yes?"


def test_a_reply_of_ones_own_gets_the_events(server: Server) -> None:
    url = streams(server, 'data: {"w": "Which"}\n\ndata: {"w": " area?"}\n\ndata: [DONE]\n\n')
    assert ask(url, reply=lambda events: "".join(e["w"] for e in events)).text == "Which area?"
    dialogue = play(url, reply=lambda events: events["w"])
    assert dialogue.stop_reason is StopReason.BAD_REPLY
    assert "`reply` could not read it (TypeError" in dialogue.detail
    assert "[{'w': 'Which'}" in dialogue.detail


@pytest.mark.parametrize(
    ("block", "stop", "told"),
    [
        ('data: {"delta": \n\n', StopReason.BAD_REPLY, "event 1 is no JSON (Expecting value"),
        ("data: [DONE]\n\n", StopReason.BAD_REPLY, "it has no event: expected"),
        (
            'data: {"t": "x"}\n\n',
            StopReason.BAD_REPLY,
            "1 events has text (dict with the keys 't'): expected",
        ),
        (
            'data: {"text": "Which"}\n\ndata: {"text": " area?"}\n\n',
            StopReason.BAD_REPLY,
            "2 of its 2 events have a `text`: a piece of the reply is to be",
        ),
        ('data: {"text": 3}\n\n', StopReason.BAD_REPLY, "`Reply.text` is int 3"),
        ('data: "a"\n\ndata: {"tool_calls": 1}\n\n', StopReason.BAD_REPLY, "`tool_calls` is int 1"),
        ('data: {"error": "out of memory"}\n\n', StopReason.SYSTEM_ERROR, "out of memory"),
        (
            "event: error\ndata: no area\n\n",
            StopReason.SYSTEM_ERROR,
            "streamed an error: 'no area'",
        ),
        ('data: ""\n\n', StopReason.EMPTY_REPLY, "nothing"),
    ],
)
def test_what_makes_no_reply_is_the_bots(
    server: Server, block: str, stop: StopReason, told: str
) -> None:
    dialogue = play(streams(server, block))
    assert (dialogue.stop_reason, dialogue.fault) == (stop, Outcome.FAILED)
    assert told in dialogue.detail


def test_a_stream_that_breaks_off_is_the_networks(server: Server) -> None:
    def cut(request: Any) -> None:
        request.transport.close()

    dialogue = play(streams(server, 'data: {"delta": "Which"}\n\n', then=cut))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert "/chat broke off: the connection ended in the middle of its answer" in dialogue.detail


def raw(server: Server, answer: bytes) -> str:
    """An answer as these bytes, after which the connection ends."""

    async def handler(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.write(answer)
        request.transport.close()
        return web.Response()

    server.handlers["chat"] = handler
    return f"{server.url}/chat"


HEAD = b"HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


def test_a_stream_whose_end_nothing_tells_may_be_cut(server: Server) -> None:
    dialogue = play(raw(server, HEAD + b"data: Which\n\n"))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.NETWORK, Outcome.INFRASTRUCTURE)
    assert "ended after 1 events without `data: [DONE]`" in dialogue.detail
    dialogue = play(raw(server, HEAD + b'data: {"delta": "Which"}\n\ndata: {"delta":'))
    assert dialogue.fault is Outcome.INFRASTRUCTURE
    assert ask(raw(server, HEAD + b"data: Which\n\ndata: [DONE]\n\n")).text == "Which"
    assert ask(raw(server, HEAD + b'data: Whi\n\ndata: {"text": "Which"}\n\n')).text == "Which"


def test_an_endless_stream_is_cut(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_todeval.simulation.http_answer.MAX_BODY", 1000)
    dialogue = play(streams(server, "data: " + "x" * 3000))
    assert dialogue.stop_reason is StopReason.BAD_REPLY
    assert "is longer than 1000 bytes" in dialogue.detail
