"""The chat client against a server on this machine: whose fault is what, and what is sent."""

import json
import re
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import ModelRejected, ModelUnavailable, TodevalError, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion, RequestedCall, read_completion
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.usage import ledger
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.testing import Answer, Broken, ChatRequest, StandInServer, Status

ASKED = [{"role": "user", "content": "Hello?"}]
SCHEMA = {"title": "greeting", "type": "object", "properties": {}, "additionalProperties": False}
KEY = "sk-a-very-secret-one"
GATEWAY = "<html><body>502 Bad Gateway</body></html>"
Reply = str | Answer


def client(server: StandInServer, **settings: Any) -> ChatClient:
    options = {"model": "m", "base_url": server.base_url, "retries": 0, **settings}
    return ChatClient(ModelSettings(**options))


def failure(reply: Reply, **settings: Any) -> TodevalError:
    with StandInServer(lambda request: reply) as server, pytest.raises(TodevalError) as caught:
        client(server, **settings).complete(ASKED)
    return caught.value


def test_a_request_holds_what_was_asked_and_nothing_else() -> None:
    with StandInServer(lambda request: "Hi.") as server:
        client(server).complete(ASKED)
        client(server, temperature=0, top_p=0.5, seed=3, max_tokens=9).complete(
            ASKED, schema=SCHEMA, seed=4, temperature=1.0
        )
        plain, full = (dict(request.body) for request in server.requests)
    assert plain == {"model": "m", "messages": ASKED}
    named = {"name": "greeting", "schema": SCHEMA, "strict": True}
    assert full == plain | {
        "temperature": 1.0,
        "top_p": 0.5,
        "seed": 4,
        "max_completion_tokens": 9,
        "response_format": {"type": "json_schema", "json_schema": named},
    }


def test_the_answer_with_its_calls_and_what_it_took() -> None:
    answer = Answer(
        "Wait.",
        tool_calls=[("find", {"area": "north"})],
        usage={
            "prompt_tokens": 7,
            "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 5},
        },
    )
    with StandInServer(lambda request: answer) as server:
        got = client(server).complete(ASKED)
    assert (got.text, got.finish, got.refusal) == ("Wait.", "tool_calls", None)
    [call] = got.tool_calls
    assert (call.name, json.loads(call.arguments)) == ("find", {"area": "north"})
    spent = got.spent
    assert (spent.prompt_tokens, spent.completion_tokens, spent.cached_tokens) == (7, 2, 5)
    assert spent.latency > 0


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (Status(401), ModelUnavailable, "THE_KEY was refused"),
        (Status(403), ModelUnavailable, "THE_KEY was refused"),
        (Status(402), ModelUnavailable, "THE_KEY has no credit"),
        (Status(429, code="insufficient_quota"), ModelUnavailable, "THE_KEY has no credit"),
        (Status(404), ModelUnavailable, "--todeval-model.*--todeval-base-url"),
        (Status(405), ModelUnavailable, "--todeval-base-url"),
        (Status(429), ModelUnavailable, "tried once.*per_minute"),
        (Status(500), ModelUnavailable, "tried once.*later"),
        (Status(503, body=GATEWAY), ModelUnavailable, "503.*Bad Gateway.*later"),
        (Status(400, "The model x does not exist"), ModelUnavailable, "--todeval-model"),
        (Status(400, code="model_not_found"), ModelUnavailable, "--todeval-model"),
        (Status(400, "Invalid model name passed in model=x."), ModelUnavailable, "--todeval-model"),
        (Status(400, "Model Not Exist"), ModelUnavailable, "--todeval-model"),
        (Status(400, "No models loaded. Please load one."), ModelUnavailable, "--todeval-model"),
        (Status(400, "No connected db."), ModelUnavailable, "`key` in the models file"),
        (Status(400, "API key not valid"), ModelUnavailable, "THE_KEY was refused"),
        (Status(400, "no", code="context_length_exceeded"), ModelRejected, "too long.*--todeval"),
        (Status(400, "This model's maximum context length is 9"), ModelRejected, "too long"),
        (Status(413), ModelRejected, "too long"),
        (Status(400, "'messages' is wrong"), ModelRejected, "'messages' is wrong"),
        (Status(422, body="<p>no</p>"), ModelRejected, "does not take the request"),
        (Broken.MALFORMED, ModelUnavailable, "status 200.*not JSON.*--todeval-base-url.*/v1"),
        (Broken.EMPTY, ModelUnavailable, "status 200.*not JSON"),
        (Broken.CUT, ModelUnavailable, "not reached, tried once.*--todeval-base-url"),
        (Broken.RESET, ModelUnavailable, "not reached"),
    ],
)
def test_what_goes_wrong_has_an_owner_and_a_next_step(
    monkeypatch: pytest.MonkeyPatch,
    error: Status | Broken,
    kind: type[TodevalError],
    said: str,
) -> None:
    monkeypatch.setenv("THE_KEY", KEY)
    raised = failure(Answer("Hi.", error=error), key="THE_KEY")
    assert type(raised) is kind
    assert raised.__cause__ is None
    assert "model m at http://127.0.0.1" in str(raised)
    assert re.search(said, str(raised), re.DOTALL)


def test_an_answer_that_takes_too_long() -> None:
    raised = failure(Answer("Hi.", error=Broken.HANG), timeout=0.2)
    assert isinstance(raised, ModelUnavailable)
    assert "no answer within 0.2 s" in str(raised)
    assert "`timeout` in the models file" in str(raised)


def test_nobody_there() -> None:
    with StandInServer(lambda request: "Hi.") as server:
        gone = client(server)
    with pytest.raises(ModelUnavailable, match=r"not reached.*Is it running"):
        gone.complete(ASKED)


@pytest.mark.parametrize(
    "fault", [Answer(error=Status(429, retry_after=0.01)), Answer(error=Broken.RESET)]
)
def test_it_is_tried_again_as_often_as_the_settings_say(fault: Answer) -> None:
    with StandInServer.script([fault, fault, "Hi."]) as server:
        assert client(server, retries=2).complete(ASKED).text == "Hi."
        assert server.hits == 3


def test_an_error_says_how_often_it_was_really_tried() -> None:
    raised = failure(Answer(error=Status(503, retry_after=0.01)), retries=2)
    assert "tried 3 times" in str(raised)
    headers = {"x-should-retry": "false"}
    raised = failure(Answer(error=Status(503), headers=headers), retries=2)
    assert "tried once" in str(raised)


def test_the_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THE_KEY", raising=False)
    raised = failure(Answer(error=Status(401)), key="THE_KEY")
    assert "set the environment variable THE_KEY" in str(raised)


def test_at_openai_it_is_named_even_where_nothing_was_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # no test leaves this machine
    with pytest.raises(ModelUnavailable, match="set the environment variable OPENAI_API_KEY"):
        ChatClient(ModelSettings("m", retries=0)).complete(ASKED)


def test_the_default_endpoint_is_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with StandInServer(lambda request: "Hi.") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert ChatClient("m").complete(ASKED).text == "Hi."


@pytest.mark.parametrize("secret", [KEY, "another-kind-of-secret"])
@pytest.mark.parametrize("shape", ["{}", "{}\nx", "{}\u2019", " {} "])
@pytest.mark.parametrize(
    "answer",
    [
        Answer(error=Status(401, "Incorrect API key provided: {}.")),
        Answer(error=Status(500, body="<p>{}</p>")),
        Answer(error=Status(400, "what is {}?")),
        Answer(error=Broken.RESET),
    ],
)
def test_a_key_is_never_shown(
    monkeypatch: pytest.MonkeyPatch, secret: str, shape: str, answer: Answer
) -> None:
    monkeypatch.setenv("THE_KEY", shape.format(secret))

    def echo(request: ChatRequest) -> Answer:
        error, sent = answer.error, request.headers["authorization"]
        if not isinstance(error, Status):
            return answer
        body = None if error.body is None else error.body.format(sent)
        return Answer(error=replace(error, message=error.message.format(sent), body=body))

    with StandInServer(echo) as server:
        asking = client(server, key="THE_KEY")
        with pytest.raises(TodevalError) as caught:
            asking.complete(ASKED)
        assert not server.failures
    shown = "".join(traceback.format_exception(caught.value))
    for text in (shown, repr(asking), repr(asking.settings), str(asking.endpoint)):
        assert secret not in text


def test_nor_is_what_an_endpoint_shows_of_it() -> None:
    said = "Incorrect API key provided: sk-a-ver*******-one."
    assert "sk-a" not in str(failure(Answer(error=Status(401, said))))


def test_the_key_is_sent_and_read_anew_for_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with StandInServer(lambda request: "Hi.") as server:
        asking = client(server, key="THE_KEY")
        for key in ("one", "two"):
            monkeypatch.setenv("THE_KEY", key)
            asking.complete(ASKED)
        assert [r.headers["authorization"] for r in server.requests] == ["Bearer one", "Bearer two"]


MESSAGE = {"role": "assistant", "content": "Hi."}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "the answer is null"),
        ("<html>", "the answer is"),
        ([MESSAGE], "the answer is"),
        ({}, "no choice"),
        ({"choices": None}, "no choice"),
        ({"choices": {}}, "no choice"),
        ({"choices": []}, "no choice"),
        ({"choices": ["Hi."]}, "the choice is"),
        ({"choices": [{}]}, "the message is null"),
        ({"choices": [{"message": None}]}, "the message is null"),
        ({"choices": [{"message": "Hi."}]}, "the message is"),
        ({"choices": [{"message": {"content": 5}}]}, "the content is 5"),
        ({"choices": [{"message": {"content": {"a": 1}}}]}, "the content is"),
        ({"choices": [{"message": {"content": ["Hi."]}}]}, "a part of the content is"),
        ({"choices": [{"message": MESSAGE | {"refusal": 1}}]}, "the refusal is 1"),
        ({"choices": [{"message": MESSAGE, "finish_reason": 1}]}, "the finish reason is 1"),
        ({"choices": [{"message": {"tool_calls": "find"}}]}, "no list"),
        ({"choices": [{"message": {"tool_calls": ["find"]}}]}, "a tool call is"),
        ({"choices": [{"message": {"tool_calls": [{"function": {}}]}}]}, "name of a function"),
        ({"error": {"message": "overloaded"}}, "overloaded"),
    ],
)
def test_what_is_no_completion_is_unavailable(value: object, said: str) -> None:
    with pytest.raises(ModelUnavailable, match=said):
        read_completion(value)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": None}, Completion("")),
        ({}, Completion("")),
        ({"content": [{"type": "text", "text": "H"}, {"text": "i."}]}, Completion("Hi.")),
        ({"content": None, "refusal": "No."}, Completion("", refusal="No.")),
        ({"content": "\ud83d!"}, Completion("\ufffd!")),
        (
            {"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
            Completion("", (RequestedCall("call_0", "f", '{"a": 1}'),)),
        ),
        (
            {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": None}}]},
            Completion("", (RequestedCall("c", "f", ""),)),
        ),
        ({"tool_calls": [{"id": "c", "type": "custom", "custom": {}}]}, Completion("")),
    ],
)
def test_what_endpoints_answer_besides(message: object, expected: Completion) -> None:
    assert read_completion({"choices": [{"message": message}]}) == expected


@pytest.mark.parametrize("usage", [None, "many", [], {"prompt_tokens": "7"}, {"prompt_tokens": -1}])
def test_a_usage_that_says_nothing_is_zero(usage: object) -> None:
    got = read_completion({"choices": [{"message": MESSAGE}], "usage": usage})
    assert got == Completion("Hi.")


def test_a_request_that_cannot_be_written_is_rejected() -> None:
    with StandInServer(lambda request: "Hi.") as server:
        with pytest.raises(ModelRejected, match="cannot be written"):
            client(server).complete([{"role": "user", "content": "\ud83d"}])
        assert server.hits == 0


def refusing(*names: str, param: bool = False) -> Callable[[ChatRequest], Reply]:
    """An endpoint that does not know these parameters."""

    def answer(request: ChatRequest) -> Reply:
        found = next((name for name in names if name in request.body), None)
        if found is None:
            return "Hi."
        return Answer(error=Status(400, f"Unrecognized request argument supplied: {found}"))

    return answer


def sent(server: StandInServer) -> list[set[str]]:
    return [set(request.body) - {"model", "messages"} for request in server.requests]


ALL: Mapping[str, Any] = {"temperature": 0, "top_p": 1, "seed": 1, "max_tokens": 5}


@pytest.mark.parametrize("name", ["response_format", "seed", "temperature", "top_p"])
def test_a_parameter_that_is_not_known_is_dropped_at_once_and_for_good(name: str) -> None:
    full = {"response_format", "seed", "temperature", "top_p", "max_completion_tokens"}
    with StandInServer(refusing(name)) as server:
        asking = client(server, **ALL, retries=5)
        first, second = (asking.complete(ASKED, schema=SCHEMA) for _ in range(2))
        assert sent(server) == [full, full - {name}, full - {name}]
    assert first.text == "Hi."
    assert first.dropped == second.dropped == (name,)


def test_the_limit_of_tokens_has_an_older_name() -> None:
    with StandInServer(refusing("max_completion_tokens")) as server:
        got = client(server, max_tokens=5).complete(ASKED)
        assert server.requests[1].body["max_tokens"] == 5
    assert got.dropped == ()
    with StandInServer(refusing("max_completion_tokens", "max_tokens")) as server:
        assert client(server, max_tokens=5).complete(ASKED).dropped == ("max_completion_tokens",)
        assert server.hits == 3


@pytest.mark.parametrize(
    "body",
    [
        '{"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}',
        '{"error": {"message": "Unsupported value", "param": "seed"}}',
        '{"error": "unknown field `seed`"}',
        "unknown field: seed",
    ],
)
def test_it_is_found_in_whatever_shape_the_endpoint_names_it(body: str) -> None:
    def answer(request: ChatRequest) -> Reply:
        return Answer(error=Status(422, body=body)) if "seed" in request.body else "Hi."

    with StandInServer(answer) as server:
        assert client(server, seed=1).complete(ASKED).dropped == ("seed",)


def test_structured_output_under_another_name() -> None:
    def answer(request: ChatRequest) -> Reply:
        if "response_format" in request.body:
            return Answer(error=Status(400, "This model has no Structured Outputs"))
        return "Hi."

    with StandInServer(answer) as server:
        assert client(server).complete(ASKED, schema=SCHEMA).dropped == ("response_format",)


def test_a_wrong_guess_is_not_remembered() -> None:
    replies = [Answer(error=Status(400, "a seed of doubt"))] * 2
    with StandInServer.script([*replies, "Hi."]) as server:
        asking = client(server, seed=1)
        with pytest.raises(ModelRejected, match="a seed of doubt"):
            asking.complete(ASKED)
        assert asking.complete(ASKED).dropped == ()
        assert sent(server) == [{"seed"}, set(), {"seed"}]


def test_too_long_is_not_taken_for_an_unknown_parameter() -> None:
    error = Status(400, "maximum context length is 9, lower max_completion_tokens")
    with StandInServer(lambda request: Answer(error=error)) as server:
        with pytest.raises(ModelRejected, match="too long"):
            client(server, max_tokens=5).complete(ASKED)
        assert server.hits == 1


def test_named_in_the_settings_it_is_never_sent() -> None:
    with StandInServer(refusing("seed")) as server:
        client(
            server, seed=1, unsupported=("seed", "max_completion_tokens"), max_tokens=2
        ).complete(ASKED)
        assert sent(server) == [{"max_tokens"}]


@pytest.mark.parametrize(
    ("lane", "hits"), [(Lane.USER, [2, 1, 2]), (Lane.SYSTEM, [2, 1, 2]), (Lane.JUDGE, [2, 2, 2])]
)
def test_a_dialogue_learns_for_itself_so_that_each_can_be_replayed_alone(
    lane: Lane, hits: list[int]
) -> None:
    made: list[int] = []
    with StandInServer(refusing("seed")) as server:
        asking = client(server, seed=1)
        asking.complete(ASKED)  # outside of any dialogue
        for calls in (2, 1):
            with ledger(), in_lane("demo/1#0", lane):
                for _ in range(calls):
                    before = server.hits
                    asking.complete(ASKED)
                    made.append(server.hits - before)
    assert made == hits


def test_a_dialogue_replays_alone_what_another_one_learned_before_it(tmp_path: Path) -> None:
    def play(asking: ChatClient, name: str, mode: str) -> None:
        path = tmp_path / f"{name}.todeval.jsonl"
        tape = Tape(path, test="test_it", dialogue=name, modes=modes_from(mode))
        with tape, ledger():
            for turn in (1, 2):
                for lane in Lane:
                    with in_lane(name, lane, turn):
                        assert asking.complete(ASKED, seed=turn).dropped == ("seed",)
            tape.finish(keep=True)

    with StandInServer(refusing("seed")) as server:
        asking = client(server)
        for name in ("first", "second"):
            play(asking, name, "rewrite")
        # Each time a refusal for user and bot, and one for each call of the judge;
        # the ear is in a lane of its own.
        assert server.hits == 2 * (3 + 3 + 3 + 4)
        play(client(server), "second", "replay")
        assert server.hits == 26


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("model", ""),
        ("model", None),
        ("base_url", "localhost:1"),
        ("base_url", "ftp://h/v1"),
        ("base_url", "https://me:hunter2@h/v1"),
        ("base_url", "http://[::1/v1"),
        ("base_url", 5),
        ("key", KEY),
        ("key", "gsk_lowercase"),
        ("key", ""),
        ("temperature", -1),
        ("temperature", float("nan")),
        ("temperature", "0"),
        *(("top_p", value) for value in (0, -1, 1.1, True, "1", float("nan"))),
        ("seed", 1.5),
        ("seed", True),
        ("timeout", 0),
        ("timeout", float("inf")),
        ("retries", -1),
        ("per_minute", 0),
        ("concurrency", 2.5),
        ("max_tokens", "9"),
        ("unsupported", "seed"),
        ("unsupported", ("messages",)),
    ],
)
def test_settings_that_cannot_be_meant(field: str, value: object) -> None:
    options: dict[str, Any] = {"model": "m", field: value}
    with pytest.raises(UsageError, match=field) as caught:
        ModelSettings(**options)
    assert KEY not in str(caught.value)
    assert "hunter2" not in str(caught.value)
