"""Whatever is sent to the stand-in model server, it answers, and says 400 if it must."""

import copy
import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from pytest_todeval.models.fake_server.answer import Answer
from pytest_todeval.models.fake_server.completion import completion, count, cut, events, pieces
from pytest_todeval.testing import ChatRequest, StandInServer
from tests.support.examples import examples

TOOL = {"type": "function", "function": {"name": "f", "parameters": {}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
SOUND: dict[str, Any] = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
        {"role": "user", "content": "and now?"},
    ],
    "tools": [TOOL],
    "n": 2,
    "max_tokens": 3,
    "max_completion_tokens": 4,
    "stream": True,
    "stream_options": {"include_usage": True},
    "response_format": {"type": "json_schema", "json_schema": {"name": "s", "schema": {}}},
    "logprobs": False,
}
texts = st.text(max_size=8) | st.sampled_from(["user", "tool", "assistant", "text", "c1", "hi"])
scalars = st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False) | texts
junk = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


@st.composite
def bodies(draw: st.DrawFn) -> Any:
    """A sound body of which up to three places were replaced or left out."""
    body = copy.deepcopy(SOUND)
    for _ in range(draw(st.integers(0, 3))):
        if found := list(places(body)):
            container, key = found[draw(st.integers(0, len(found) - 1))]
            if draw(st.booleans()):
                del container[key]
            else:
                container[key] = draw(junk)
    return body


@pytest.fixture(scope="module")
def server() -> Iterator[StandInServer]:
    with StandInServer(lambda request: f"{request.last_user}, {request.schema}") as server:
        yield server


def send(server: StandInServer, body: bytes) -> tuple[int, bytes]:
    parts = urlsplit(server.base_url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    try:
        connection.request("POST", "/v1/chat/completions", body)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@examples(150, suppress_health_check=list(HealthCheck))
@given(body=bodies() | junk)
def test_any_json_is_answered_or_rejected(server: StandInServer, body: Any) -> None:
    status, answer = send(server, json.dumps(body).encode())
    assert server.failures == ()
    assert status in (200, 400), answer
    if status == 400:
        assert json.loads(answer)["error"]["message"]


@examples(50, suppress_health_check=list(HealthCheck))
@given(body=st.binary(max_size=40))
def test_any_bytes_are_rejected(server: StandInServer, body: bytes) -> None:
    assert send(server, body)[0] == 400
    assert server.failures == ()


@examples(100)
@given(text=st.text(alphabet=st.sampled_from("ab1_.,?é \n\t…😀")), limit=st.integers(1, 5))
def test_tokens_lose_nothing(text: str, limit: int) -> None:
    assert "".join(pieces(text)) == text
    assert count(text) == len(pieces(text))
    assert cut(text, limit) == "".join(pieces(text)[:limit])


def asked(stream: bool, limit: int | None) -> ChatRequest:
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "stream": stream}
    options = {"stream_options": {"include_usage": True}} if stream else {}
    return ChatRequest(1, {**body, **options, "max_tokens": limit}, {})


@examples(60)
@given(
    text=st.none() | st.text(max_size=20),
    tools=st.lists(st.tuples(st.text(max_size=5), st.text(max_size=20)), max_size=2),
    refusal=st.none() | st.text(min_size=1, max_size=9),
    limit=st.none() | st.integers(1, 9),
)
def test_a_stream_says_what_the_whole_answer_says(
    text: str | None, tools: list[tuple[str, str]], refusal: str | None, limit: int | None
) -> None:
    answer = Answer(text, tool_calls=tools, refusal=refusal)
    whole = completion(asked(False, limit), [answer, answer])
    streamed = list(events(asked(True, limit), [answer, answer]))
    assert streamed[-1]["usage"] == whole["usage"]
    for choice in whole["choices"]:
        parts = [c for e in streamed for c in e["choices"] if c["index"] == choice["index"]]
        deltas = [part["delta"] for part in parts]
        assert joined(deltas, "content") == choice["message"]["content"]
        assert joined(deltas, "refusal") == choice["message"]["refusal"]
        called = [call for delta in deltas for call in delta.get("tool_calls", ())]
        arguments = ["" for _ in tools]
        for call in called:
            arguments[call["index"]] += call["function"]["arguments"]
        assert arguments == [arguments for _, arguments in tools]
        assert [call["function"]["name"] for call in called if "id" in call] == [
            n for n, _ in tools
        ]
        assert [p["finish_reason"] for p in parts if p["finish_reason"]] == [
            choice["finish_reason"]
        ]


def joined(deltas: list[dict[str, Any]], name: str) -> str | None:
    said = [delta[name] for delta in deltas if delta.get(name) is not None]
    return "".join(said) if said else None
