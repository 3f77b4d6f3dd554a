"""Refusals of a part of a request are known by what they say, whatever their status."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.errors import ModelRejected, ModelUnavailable
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.refusal import EndpointError, names_sent, refused_part
from pytest_todeval.models.settings import DEVELOPER, NULL_CONTENT, ModelSettings
from pytest_todeval.models.usage import ledger
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status

ASKED = [{"role": "user", "content": "Hello?"}]
SCHEMA = {"title": "greeting", "type": "object", "properties": {}, "additionalProperties": False}
# As llama-cpp-python's server words it, with status 500.
VALIDATION = (
    "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should "
    "be 'text' or 'json_object'\", 'input': 'json_schema'}]"
)
Reply = str | Answer


def client(server: StandInServer, **settings: Any) -> ChatClient:
    return ChatClient(ModelSettings(**{"model": "m", "base_url": server.base_url, **settings}))


def refusing(name: str, refusal: Answer) -> Callable[[ChatRequest], Reply]:
    return lambda request: refusal if name in request.body else "Hi."


def sent(server: StandInServer) -> list[set[str]]:
    return [set(request.body) - {"model", "messages"} for request in server.requests]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ({"role": "user", "content": "Hi"}, set()),
        ({"role": "developer", "content": "Hi"}, {DEVELOPER}),
        ({"role": "assistant", "content": None}, {NULL_CONTENT}),
        ({"role": "assistant"}, set()),
        ("garbage", set()),
    ],
)
def test_what_a_request_has_that_may_be_refused(message: object, parts: set[str]) -> None:
    sent = names_sent({"model": "m", "seed": 1, "messages": [message]})
    assert sent == {"model", "seed", "messages"} | parts


@pytest.mark.parametrize(
    "refusal",
    [
        Answer(error=Status(500, VALIDATION, type="internal_server_error")),
        Answer(error=Status(501, "response_format is not implemented")),
        Answer(error=Status(502, "provider: unsupported parameter response_format")),
        Answer(error=Status(404, "no endpoint: json_schema not supported by this provider")),
        Answer(error=Status(500, body="ValidationError: response_format: extra_forbidden")),
    ],
)
def test_a_refusal_is_known_whatever_its_status_and_not_asked_again(refusal: Answer) -> None:
    with StandInServer(refusing("response_format", refusal)) as server:
        asking = client(server, retries=3)
        for _ in range(2):
            got = asking.complete(ASKED, schema=SCHEMA)
            assert (got.text, got.dropped) == ("Hi.", ("response_format",))
        assert sent(server) == [{"response_format"}, set(), set()]


def test_a_refusal_with_status_500_and_a_cap_that_is_ignored_are_replayed(tmp_path: Path) -> None:
    def answer(request: ChatRequest) -> Reply:
        if "response_format" in request.body:
            return Answer(error=Status(500, VALIDATION))
        return Answer("Hi.", usage=usage(5 if "max_tokens" in request.body else 40))

    def play(asking: ChatClient, mode: str) -> list[tuple[str, ...]]:
        path = tmp_path / "d.todeval.jsonl"
        tape = Tape(path, test="test_it", dialogue="d", modes=modes_from(mode))
        with tape, ledger():
            dropped = []
            for turn in (1, 2):
                with in_lane("d", Lane.USER, turn):
                    dropped.append(asking.complete(ASKED, schema=SCHEMA, seed=turn).dropped)
            tape.finish(keep=True)
        return dropped

    with StandInServer(answer) as server:
        asking = client(server, max_tokens=5)
        recorded = play(asking, "rewrite")
        assert server.hits == 3
    assert recorded == [("response_format", "max_completion_tokens"), ("response_format",)]
    assert play(asking, "replay") == recorded


def test_an_error_in_the_body_of_status_200_may_be_a_refusal() -> None:
    error = EndpointError.of(200, {"error": {"message": "seed is not supported", "code": 400}})
    assert refused_part(error, ["seed"]) == "seed"
    assert refused_part(EndpointError.of(200, {"error": "overloaded"}), ["seed"]) is None


@pytest.mark.parametrize("status", [401, 402, 403, 408, 409, 413, 429])
def test_what_is_about_key_account_size_or_time_is_no_refusal(status: int) -> None:
    assert refused_part(EndpointError(status, "seed is not supported"), ["seed"]) is None


@pytest.mark.parametrize("said", ["the seed was lost", "Internal server error", "", "x" * 10**6])
def test_a_server_out_of_order_that_mentions_a_parameter_refuses_nothing(said: str) -> None:
    assert refused_part(EndpointError.of(500, {"error": {"message": said}}), ["seed"]) is None


def test_an_endpoint_out_of_order_is_still_asked_again() -> None:
    busy = Answer(error=Status(500, "the seed was lost", retry_after=0.01))
    with StandInServer.script([busy, "Hi."]) as server:
        assert client(server, seed=1, retries=1).complete(ASKED).dropped == ()
        assert sent(server) == [{"seed"}, {"seed"}]


@pytest.mark.parametrize(
    ("status", "kind"), [(500, ModelUnavailable), (400, ModelRejected), (422, ModelRejected)]
)
def test_if_nothing_helps_the_message_names_the_setting(status: int, kind: type[Exception]) -> None:
    riddle = Answer(error=Status(status, "bad things happened"))
    with StandInServer(lambda request: riddle) as server:
        asking = client(server, seed=1, max_tokens=5, retries=0)
        with pytest.raises(kind, match=r"seed, max_completion_tokens.*`unsupported`.*models check"):
            asking.complete(ASKED)
        with pytest.raises(kind) as plain:
            client(server, retries=0).complete(ASKED)
    assert "unsupported" not in str(plain.value)


def test_the_role_developer_becomes_system_if_it_is_refused() -> None:
    def answer(request: ChatRequest) -> Reply:
        if any(message["role"] == "developer" for message in request.messages):
            return Answer(error=Status(500, "Input should be 'system', input: 'developer'"))
        return "Hi."

    messages = [{"role": "developer", "content": "Be kind."}, *ASKED]
    with StandInServer(answer) as server:
        asking = client(server)
        for _ in range(2):
            assert asking.complete(messages).text == "Hi."
        client(server, unsupported=("developer",)).complete(messages)
        roles = [request.messages[0]["role"] for request in server.requests]
    assert roles == ["developer", "system", "system", "system"]
    assert messages[0]["role"] == "developer"


CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLING: list[dict[str, Any]] = [
    *ASKED,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "a", "content": "seen"},
]
# As llama-cpp-python 0.3.36 tells it, shortened.
NO_STRING = (
    "2 validation errors: {'type': 'literal_error', 'loc': ('body', 'messages', 1, 'role'), 'msg': "
    "\"Input should be 'system'\"} {'type': 'string_type', 'loc': ('body', 'messages', 1, "
    "'content'), 'msg': 'Input should be a valid string', 'input': None}"
)


def test_a_message_without_text_gets_an_empty_one_if_it_is_refused() -> None:
    def answer(request: ChatRequest) -> Reply:
        if any(message["content"] is None for message in request.messages):
            return Answer(error=Status(500, NO_STRING))
        return "Hi."

    with StandInServer(answer) as server:
        asking = client(server, seed=1)
        for _ in range(2):
            assert asking.complete(CALLING).dropped == ()
        for known in ({"unsupported": ("null_content",)}, {"profile": "llama-cpp-python"}):
            assert client(server, **known).complete(CALLING).text == "Hi."
        told = [request.messages[1]["content"] for request in server.requests]
    assert told == [None, "", "", "", ""]
    assert CALLING[1]["content"] is None


LONG = " ".join(["word"] * 40)


def knowing(name: str) -> Callable[[ChatRequest], Reply]:
    """An endpoint that ignores the cap under any other name."""

    def answer(request: ChatRequest) -> Answer:
        most = request.body.get(name, 40)
        return Answer(" ".join(LONG.split()[:most]), usage=usage(min(most, 40)))

    return answer


def usage(tokens: int) -> Mapping[str, Any]:
    return {"prompt_tokens": 1, "completion_tokens": tokens}


def test_a_cap_that_is_ignored_is_noticed_and_sent_under_its_other_name() -> None:
    def answer(request: ChatRequest) -> Answer:
        known = request.body.get("max_tokens")
        return Answer("word", usage=usage(5 if known else 40))

    with StandInServer(answer) as server, ledger() as asked, in_lane("demo/1#0", Lane.USER):
        asking = client(server, max_tokens=5)
        dropped = [asking.complete(ASKED).dropped for _ in range(3)]
        assert sent(server) == [{"max_completion_tokens"}, {"max_tokens"}, {"max_tokens"}]
    assert dropped == [("max_completion_tokens",), (), ()]
    [advice] = asked.advice
    assert "more tokens than `max_completion_tokens`, which was 5" in advice
    assert "`token_cap: max_tokens`" in advice


def test_an_answer_about_as_long_as_its_cap_kept_to_it() -> None:
    with StandInServer(lambda request: Answer("a", usage=usage(7))) as server, ledger() as asked:
        assert client(server, max_tokens=5).complete(ASKED).dropped == ()
    assert not asked.advice


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_the_settings_may_say_under_which_name_the_cap_is_sent(name: str) -> None:
    with StandInServer(knowing(name)) as server:
        got = client(server, max_tokens=5, token_cap=name).complete(ASKED)
        assert sent(server) == [{name}]
    assert (got.dropped, got.spent.completion_tokens) == ((), 5)


def test_a_name_of_the_cap_that_is_refused_is_replaced_by_the_other_one() -> None:
    said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    with StandInServer(refusing("max_tokens", Answer(error=Status(400, said)))) as server:
        assert client(server, max_tokens=5, token_cap="max_tokens").complete(ASKED).dropped == ()
        assert sent(server) == [{"max_tokens"}, {"max_completion_tokens"}]


TOOL = {
    "type": "function",
    "function": {
        "name": "find_hotel",
        "description": "Find hotels in a part of town, by their stars and by what they cost.",
        "parameters": {"type": "object", "properties": {"area": {"type": "string"}}},
    },
}


@pytest.mark.parametrize(
    ("tokens", "tools", "answer", "told"),
    [
        (5, [TOOL], Answer("Hi."), True),
        (60, [TOOL], Answer("Hi."), False),
        (0, [TOOL], Answer("Hi."), False),  # an endpoint that does not count
        (5, [], Answer("Hi."), False),
        (5, [TOOL], Answer(tool_calls=[("find_hotel", {})]), False),
    ],
)
def test_tools_that_the_prompt_cannot_hold_are_not_shown_to_the_model(
    tokens: int, tools: list[Any], answer: Answer, told: bool
) -> None:
    spent = replace(answer, usage={"prompt_tokens": tokens, "completion_tokens": 1})
    for choice, way in ((None, "`tool_choice: auto`"), ("auto", "its chat format")):
        with StandInServer(lambda request: spent) as server, ledger() as asked:
            client(server, tool_choice=choice).complete(ASKED, tools=tools)
        assert [way in text for text in asked.advice] == [True] * told
