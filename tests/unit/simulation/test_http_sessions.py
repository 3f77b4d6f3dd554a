"""Sessions of a bot behind HTTP: opened, used, closed; and what the environment puts in headers."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.redaction.redactor import Redactor
from pytest_todeval.simulation.http import HttpSystem
from pytest_todeval.simulation.loop import run_dialogue
from tests.support.http_world import Says, Server

OPEN, CLOSE = "POST /sessions", "DELETE /sessions/{session}"


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.answers(lambda: web.json_response({"id": "s 1/x"}, status=201), "POST sessions")
    server.answers(lambda: web.Response(text="yes?"), "POST sessions/s 1/x/chat")
    server.answers(lambda: web.Response(text="yes?"), "POST chat")
    server.answers(lambda: web.Response(status=204), "DELETE sessions/s 1/x")
    yield server
    server.close()


def play(bot: Any, *texts: str) -> Dialogue:
    return run_dialogue(Goal("1", "demo", ()), Says(*(texts or ("hi",))), bot)


def test_the_servers_id_stands_in_urls_and_bodies_and_is_closed(server: Server) -> None:
    bot = HttpSystem(f"{server.url}/sessions/{{session}}/chat", open=OPEN, close=CLOSE)
    assert play(bot, "a", "b").fault is None
    assert server.asked == [
        "POST /sessions",
        "POST /sessions/s%201%2Fx/chat",
        "POST /sessions/s%201%2Fx/chat",
        "DELETE /sessions/s%201%2Fx",
    ]
    opened, first, second = server.seen
    assert opened.keys() == {"dialogue_id", "goal_id"}
    assert (first["session"], second["session"]) == ("s 1/x", "s 1/x")
    assert first["dialogue_id"] == opened["dialogue_id"]


def test_a_request_of_ones_own_has_the_session(server: Server) -> None:
    body = {"request": lambda ours: {"to": ours["session"], "says": ours["text"]}}
    play(HttpSystem(f"{server.url}/chat", open=OPEN, **body))  # type: ignore[arg-type]
    assert server.seen[-1] == {"to": "s 1/x", "says": "hi"}
    play(HttpSystem(f"{server.url}/chat", **body))  # type: ignore[arg-type]
    assert server.seen[-1]["to"].startswith("demo-1-0-")


def test_functions_open_and_close(server: Server) -> None:
    happened: list[str] = []

    async def open(dialogue_id: str) -> str:
        happened.append(dialogue_id.partition("~")[0])
        return "mine"

    bot = HttpSystem(f"{server.url}/chat", open=open, close=happened.append)
    assert play(bot).fault is None
    assert happened == ["demo/1#0", "mine"]
    assert server.seen[0]["session"] == "mine"


def test_the_id_of_the_dialogue_stands_in_a_template(server: Server) -> None:
    server.handlers["POST new/demo/1#0"] = server.handlers["POST sessions"]
    seen: list[str] = []

    async def opened(request: web.Request) -> web.Response:
        seen.append(request.raw_path)
        return web.Response(text="s 1/x")

    bot = HttpSystem(f"{server.url}/chat", open="GET /new?of={dialogue_id}&goal={goal_id}")
    server.handlers["GET new"] = opened
    assert play(bot).fault is None
    assert seen[0].startswith("/new?of=demo%2F1%230~")
    assert seen[0].endswith("&goal=demo%2F1")


def test_an_id_of_our_own_stands_in_a_path_as_it_is(server: Server) -> None:
    async def any_of(request: web.Request) -> web.Response:
        return web.Response(text="yes?")

    class AnyPath(dict[str, Any]):
        def get(self, key: str, default: Any = None) -> Any:
            return any_of

    server.handlers = AnyPath()
    bot = HttpSystem(
        f"{server.url}/s/{{session}}", open="PUT /s/{session}", close="DELETE /s/{session}"
    )
    assert play(bot).fault is None
    paths = [line.partition(" ") for line in server.asked]
    assert [method for method, *_ in paths] == ["PUT", "POST", "DELETE"]
    assert len({path for *_, path in paths}) == 1
    assert re.fullmatch(r"/s/demo-1-0-[0-9a-f]{12}", paths[0][2])
    assert {body["session"] for body in server.seen} == {paths[0][2][3:]}


def test_headers_name_the_session(server: Server) -> None:
    headers = {"Cookie": "talk={session}", "X-Of": "{goal_id} {other}"}
    play(HttpSystem(f"{server.url}/chat", open=OPEN, headers=headers))
    assert [each["Cookie"] for each in server.headers][1] == "talk=s 1/x"
    assert server.headers[1]["X-Of"] == "demo/1 {other}"


@pytest.mark.parametrize("body", ["From=me&Body=hi", b"From=me&Body=hi"])
def test_a_body_of_ones_own_is_sent_as_it_is(server: Server, body: Any) -> None:
    seen: list[tuple[str, bytes]] = []

    async def form(request: web.Request) -> web.Response:
        seen.append((request.content_type, await request.read()))
        return web.Response(text="yes?")

    server.reads_json = False
    server.handlers["POST form"] = form
    kind = "application/x-www-form-urlencoded"
    bot = HttpSystem(
        f"{server.url}/form", request=lambda ours: body, headers={"Content-Type": kind}
    )
    assert play(bot).fault is None
    assert seen == [(kind, b"From=me&Body=hi")]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"id": 7, "session_id": "other"}, "other"),
        ({"id": 7}, "7"),
        ({"conversationId": "c"}, "c"),
        ("plain", "plain"),
    ],
)
def test_forms_in_which_a_server_tells_the_id(server: Server, answer: Any, told: str) -> None:
    server.answers(lambda: web.json_response(answer), "POST sessions")
    play(HttpSystem(f"{server.url}/chat", open=OPEN))
    assert server.seen[-1]["session"] == told


def test_an_id_within_an_object_says_how_to_get_it(server: Server) -> None:
    server.answers(lambda: web.json_response({"session": {"id": "x"}}), "POST sessions")
    dialogue = play(HttpSystem(f"{server.url}/chat", open=OPEN))
    assert "`session` in the answer of POST" in dialogue.detail
    assert "is dict with the keys 'id', expected the session's id" in dialogue.detail
    assert "pass a function `open(dialogue_id)`" in dialogue.detail


def test_an_answer_without_an_id_says_what_came(server: Server) -> None:
    server.answers(lambda: web.json_response({"ok": True}), "POST sessions")
    dialogue = play(HttpSystem(f"{server.url}/chat", open=OPEN))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.BAD_REPLY, Outcome.FAILED)
    assert f"the answer of POST {server.url}/sessions is dict with the keys 'ok'" in dialogue.detail
    assert "pass a function `open(dialogue_id)`" in dialogue.detail
    assert '{"ok": true}' in dialogue.detail


@pytest.mark.parametrize("status", [404, 410])
def test_a_session_that_was_gone_already_is_noted(server: Server, status: int) -> None:
    server.answers(lambda: web.Response(status=status), "DELETE sessions/s 1/x")
    with pytest.warns(UserWarning, match="gone before it was closed"):
        dialogue = play(HttpSystem(f"{server.url}/chat", open=OPEN, close=CLOSE))
    assert dialogue.fault is None
    [note] = dialogue.notes
    assert note == (
        "the bot's session was gone before it was closed: "
        f"DELETE {server.url}/sessions/{{session}} gave {status}"
    )


def test_a_session_that_cannot_be_closed_is_infrastructure(server: Server) -> None:
    server.answers(lambda: web.Response(status=500, text="disk full"), "DELETE sessions/s 1/x")
    dialogue = play(HttpSystem(f"{server.url}/chat", open=OPEN, close=CLOSE))
    assert dialogue.fault is Outcome.INFRASTRUCTURE
    assert "session s 1/x could not be closed" in dialogue.detail
    assert "/sessions/{session} answered 500" in dialogue.detail
    assert "disk full" in dialogue.detail


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"open": "/sessions"}, "HttpSystem(open='/sessions'): expected a method and a path"),
        ({"open": "POST http://other/x"}, "such as 'POST /sessions'"),
        ({"close": "delete /x"}, "such as 'DELETE /sessions/{session}'"),
        ({"close": "DELETE /x/{sesion}"}, "has {sesion}; did you mean 'session'?"),
    ],
)
def test_a_template_that_is_none_is_a_usage_error(given: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        HttpSystem("http://h/chat", **given)  # type: ignore[arg-type]
    assert told in str(caught.value)


def test_an_unknown_place_in_the_url_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"the bot's URL has \{id\}; .*Known: dialogue_id, goal"):
        HttpSystem("http://h/{id}/chat")


SECRET = "correct-horse-battery"


def test_headers_take_values_from_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_AUTH", SECRET)
    headers = {"Authorization": "Bearer ${SHOP_AUTH}", "X-Price": "$${5}"}
    assert play(HttpSystem(f"{server.url}/chat", headers=headers, open=OPEN)).fault is None
    sent = [(each["Authorization"], each["X-Price"]) for each in server.headers]
    assert sent == [(f"Bearer {SECRET}", "${5}")] * 2


@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_variable_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("SHOP_AUTH", raising=False)
    if value is not None:
        monkeypatch.setenv("SHOP_AUTH", value)
    with pytest.raises(UsageError) as caught:
        HttpSystem("http://h/chat", headers={"Authorization": "Bearer ${SHOP_AUTH}"})
    state = "is not set" if value is None else "is empty"
    assert (
        f"header Authorization of the bot takes the environment variable SHOP_AUTH, which {state}"
        in str(caught.value)
    )
    assert "`export SHOP_AUTH=...`" in str(caught.value)


@pytest.mark.parametrize("value", ["${SHOP", "${}", "${a-b}"])
def test_a_variable_without_a_name_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="expected the name of an environment variable"):
        HttpSystem("http://h/chat", headers={"X-A": value})


def test_a_variable_with_a_line_break_is_named_and_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SHOP_AUTH", SECRET + "\n")
    with pytest.raises(UsageError) as caught:
        HttpSystem("http://h/chat", headers={"Authorization": "${SHOP_AUTH}"})
    assert "SHOP_AUTH holds a line break" in str(caught.value)
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: web.Response(status=500, text=f"Traceback: bad token {SECRET}"),
        lambda: web.json_response({"echo": SECRET}),
        lambda: web.Response(
            text=f"event: error\ndata: {SECRET}\n\n", content_type="text/event-stream"
        ),
    ],
)
def test_what_a_server_tells_of_its_headers_is_hidden(
    server: Server, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    monkeypatch.setenv("SHOP_AUTH", SECRET)
    server.answers(answer, "POST chat")
    bot = HttpSystem(f"{server.url}/chat", headers={"Authorization": "Bearer ${SHOP_AUTH}"})
    dialogue = play(bot)
    assert dialogue.fault is Outcome.FAILED
    assert SECRET not in dialogue.detail
    assert "***" in dialogue.detail


def test_what_was_sent_as_a_credential_is_redacted_from_then_on() -> None:
    redactor = Redactor(environ={})
    assert redactor.text("pass swordfish") == "pass swordfish"
    HttpSystem("http://h/chat", headers={"Authorization": "Basic swordfish", "X-Tenant": "hotels"})
    assert "swordfish" not in redactor.text("pass swordfish to hotels")
    assert "hotels" in redactor.text("pass swordfish to hotels")
