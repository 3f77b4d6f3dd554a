"""What endpoints can do is found out from six and more kinds of server, and settings fit them."""

import json
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from openai import APITimeoutError

from pytest_todeval.errors import ModelRejected, ModelUnavailable
from pytest_todeval.models.abilities import (
    AT_ONCE,
    CONTEXT,
    COUNT,
    Abilities,
    _listed_context,
    abilities_of,
)
from pytest_todeval.models.endpoint import Endpoint, Failed, Sent
from pytest_todeval.models.inquirer import Inquirer, NotAnswered
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import Answer, ChatRequest, StandInServer, Status

NO_REQUEST: Any = None
NO_RETRY = {"x-should-retry": "false"}
Answering = Callable[[ChatRequest], Answer]


def refused(said: str, status: int = 400) -> Answer:
    return Answer(error=Status(status, said), headers=NO_RETRY)


def most(request: ChatRequest, *caps: str) -> int:
    """The tokens of an answer by a server that knows these caps."""
    length: int = 80 if request.last_user == COUNT else 6
    return min([length, *(int(request.body[name]) for name in caps if name in request.body)])


def sound(request: ChatRequest, *caps: str, shows_tools: bool = True) -> Answer:
    """What a server answers that takes everything and knows these caps."""
    tokens, wanted = most(request, *caps), request.body.get("response_format")
    shown = bool(request.tools) and shows_tools
    usage = {"prompt_tokens": 50 if shown else 10, "completion_tokens": tokens}
    finish: Any = "length" if any(request.body.get(name) == tokens for name in caps) else "stop"
    if shown:
        return Answer(tool_calls=[("note_word", {"word": "hello"})], usage=usage)
    return Answer({"word": "Hi."} if wanted else "Hi.", usage=usage, finish=finish)


def openai(request: ChatRequest) -> Answer:
    if "max_tokens" in request.body:
        return refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    if request.body.get("max_completion_tokens", 0) > 16384:
        return refused("max_completion_tokens is too large. This model supports at most 16384.")
    return sound(request, "max_completion_tokens")


def llama_cpp_python(request: ChatRequest) -> Answer:
    if request.schema is not None:
        return refused("Input should be 'text' or 'json_object'", 500)
    if any(message["role"] == "developer" for message in request.messages):
        return refused("Internal Server Error", 500)
    return sound(request, "max_tokens", shows_tools="tool_choice" in request.body)


def ollama(request: ChatRequest) -> Answer:
    return sound(request, "max_tokens")


def anthropic(request: ChatRequest) -> Answer:
    answer = sound(request, "max_tokens", "max_completion_tokens")
    if answer.tool_calls:
        return answer
    return Answer("Hi.", usage=answer.usage, finish=answer.finish)  # no schema, no JSON mode


def vllm(request: ChatRequest) -> Answer:
    if request.tools:
        return refused('"auto" tool choice requires --enable-auto-tool-choice to be set')
    for name in ("max_tokens", "max_completion_tokens"):
        if request.body.get(name, 0) > 4096:
            return refused("This model's maximum context length is 4,096 tokens. However, you ...")
    return sound(request, "max_tokens", "max_completion_tokens")


def lm_studio(request: ChatRequest) -> Answer:
    """Its error is a text, not an object."""
    if request.body.get("response_format", {}).get("type") == "json_object":
        said = "'response_format.type' must be 'json_schema' or 'text'"
        return Answer(error=Status(400, body=f'{{"error": "{said}"}}'), headers=NO_RETRY)
    return sound(request, "max_tokens")


def tgi(request: ChatRequest) -> Answer:
    """Its errors about the request are plain text."""
    if request.schema is not None:
        said = "Failed to deserialize the JSON body: response_format: missing field `value`"
        return Answer(error=Status(422, body=said), headers=NO_RETRY)
    return sound(request, "max_tokens")


class Shaky:
    """Sound, but whatever it is asked for the first time, it answers with a status."""

    def __init__(self, status: int) -> None:
        self._status, self._known = status, set[str]()

    def __call__(self, request: ChatRequest) -> Answer:
        asked = json.dumps(request.body, sort_keys=True)
        if asked not in self._known:
            self._known.add(asked)
            return Answer(error=Status(self._status, retry_after=0.0))
        return sound(request, "max_tokens", "max_completion_tokens")


def strict(request: ChatRequest) -> Answer:
    """Knows next to nothing, and refuses the rest in words that tell nothing."""
    known = {"model", "messages", "max_tokens", "tools"}
    roles = {message["role"] for message in request.messages}
    if set(request.body) - known or "developer" in roles:
        return refused("Unprocessable.", 422)
    return sound(request, "max_tokens")


def busy(request: ChatRequest) -> Answer:
    """Answers all, but one call at a time."""
    plain = set(request.body) == {"model", "messages"} and len(request.messages) == 1
    if plain and request.number > BEFORE_AT_ONCE + 1:
        return refused("One at a time.", 429)
    return sound(request, "max_tokens", "max_completion_tokens")


BEFORE_AT_ONCE = 17
"""Calls before those that are made together, of a server that tells no context."""

YES = "yes"
REFUSED_BY_STRICT = (
    *("schema", "JSON mode", "tool_choice", "streaming", "seed", "role developer"),
    "max_completion_tokens",
)
ALL = {
    **dict.fromkeys(("schema", "JSON mode", "tools", "tool_choice", "streaming", "seed"), YES),
    **dict.fromkeys(("max_completion_tokens", "max_tokens", "role system", "role developer"), YES),
    "context": "not told",
    "at once": f"{AT_ONCE} of {AT_ONCE}",
}
KINDS: dict[str, tuple[Answering, dict[str, str], dict[str, Any]]] = {
    "openai": (openai, {"max_tokens": "refused"}, {"unsupported": ("max_tokens",)}),
    "llama-cpp-python": (
        llama_cpp_python,
        {
            "schema": "refused",
            "role developer": "refused",
            "max_completion_tokens": "ignored",
            "tools": "not shown",
        },
        {
            "unsupported": ("response_format", "developer"),
            "token_cap": "max_tokens",
            "tool_choice": "auto",
        },
    ),
    "ollama": (ollama, {"max_completion_tokens": "ignored"}, {"token_cap": "max_tokens"}),
    "anthropic": (anthropic, {"schema": "ignored", "JSON mode": "ignored"}, {}),
    "vllm": (
        vllm,
        {"tools": "refused", "tool_choice": "refused", "context": "4096 tokens"},
        {},
    ),
    "lm-studio": (
        lm_studio,
        {"JSON mode": "refused", "max_completion_tokens": "ignored"},
        {"token_cap": "max_tokens"},
    ),
    "text-generation-inference": (
        tgi,
        {"schema": "refused", "max_completion_tokens": "ignored"},
        {"unsupported": ("response_format",), "token_cap": "max_tokens"},
    ),
    "strict": (
        strict,
        dict.fromkeys(REFUSED_BY_STRICT, "refused"),
        {
            "unsupported": (
                *("response_format", "seed", "temperature", "top_p"),
                *("max_completion_tokens", "tool_choice", "developer"),
            ),
            "token_cap": "max_tokens",
        },
    ),
    "busy": (busy, {"at once": f"1 of {AT_ONCE}"}, {"concurrency": 1}),
}


def found(answer: Answering, **settings: Any) -> tuple[Abilities, StandInServer]:
    with StandInServer(answer) as server:
        asked = ModelSettings("m", server.base_url, **settings)
        return abilities_of(asked), server


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_kind_of_server_can_do_is_found_out_and_settings_fit_it(kind: str) -> None:
    answer, differs, suited = KINDS[kind]
    got, server = found(answer)
    assert not server.failures
    assert {name: got.found(name) for name in ALL} == {**ALL, **differs}
    base_url = got.settings.base_url
    assert got.settings == ModelSettings("m", base_url, **suited)
    assert got.found("speed").endswith(" tokens/s")
    assert len(server.requests) <= BEFORE_AT_ONCE + AT_ONCE


def test_what_the_endpoint_said_stands_beside_its_refusal() -> None:
    got, _ = found(vllm)
    [row] = [row for row in got.rows if row.name == "tools"]
    assert "--enable-auto-tool-choice" in row.said
    assert row.said.startswith("status 400: ")


@pytest.mark.parametrize("status", [500, 503])
def test_an_endpoint_that_is_out_of_order_for_a_moment_refuses_nothing(status: int) -> None:
    got, server = found(Shaky(status), retries=0)
    assert not server.failures
    assert {name: got.found(name) for name in ALL} == ALL
    assert got.settings == ModelSettings("m", got.settings.base_url, retries=0)


def test_nor_does_one_that_goes_out_of_service_on_the_way() -> None:
    def answer(request: ChatRequest) -> Answer:
        if "seed" in request.body:
            return Answer(error=Status(503, "Come back later.", retry_after=0.0))
        return sound(request, "max_tokens", "max_completion_tokens")

    got, _ = found(answer, retries=0)
    [row] = [row for row in got.rows if row.name == "seed"]
    assert (row.found, row.said) == ("cannot tell", "status 503: Come back later.")
    assert got.settings.unsupported == ()


def test_a_fault_without_words_that_comes_each_time_is_a_refusal() -> None:
    def answer(request: ChatRequest) -> Answer:
        if "seed" in request.body:
            return Answer(error=Status(500, retry_after=0.0))
        return sound(request, "max_tokens", "max_completion_tokens")

    got, _ = found(answer, retries=0)
    assert got.found("seed") == "refused"
    assert got.settings.unsupported == ("seed",)


def test_why_several_at_once_are_not_answered_is_told() -> None:
    got, _ = found(busy)
    assert got.rows[-1].found == f"1 of {AT_ONCE}"
    assert "status 429" in got.rows[-1].said


def test_speed_is_not_that_of_the_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits for the connection and for what is imported: here, ten seconds."""
    clock, real = SimpleNamespace(now=0.0), Endpoint.post

    def post(endpoint: Endpoint, body: Mapping[str, Any]) -> Sent:
        clock.now += 1.0 if clock.now else 10.0
        return Sent(real(endpoint, body).value, 0.0)

    monkeypatch.setattr(Endpoint, "post", post)
    timer = SimpleNamespace(perf_counter=lambda: clock.now)
    monkeypatch.setattr("pytest_todeval.models.inquirer.time", timer)
    got, _ = found(lambda request: Answer("Hi.", usage={"completion_tokens": 6}))
    assert got.found("speed") == "6 tokens/s"


def test_what_was_set_before_stays() -> None:
    got, _ = found(ollama, unsupported=("top_p",), key="OWN_KEY", temperature=0.5)
    assert got.settings.unsupported == ("top_p",)
    assert (got.settings.key, got.settings.temperature) == ("OWN_KEY", 0.5)


@pytest.mark.parametrize("status", [401, 429, 500])
def test_an_endpoint_that_answers_nothing_plain_has_no_abilities(status: int) -> None:
    with StandInServer(lambda request: refused("no", status)) as server:
        with pytest.raises(ModelUnavailable, match=f"status {status}"):
            abilities_of(ModelSettings("m", server.base_url))
        assert server.hits == 1


def test_a_model_that_does_not_stop_is_no_reason_to_stop_asking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = Endpoint.post

    def post(endpoint: Endpoint, body: Mapping[str, Any]) -> Sent:
        if body["messages"][-1]["content"] == COUNT and "max_tokens" not in body:
            raise Failed(APITimeoutError(NO_REQUEST), 2)
        return real(endpoint, body)

    monkeypatch.setattr(Endpoint, "post", post)
    got, _ = found(ollama)
    assert got.found("max_completion_tokens") == "no answer"
    assert got.settings.token_cap == "max_tokens"
    assert got.settings.unsupported == ()


def test_nor_does_a_first_question_without_an_answer_tell_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def post(endpoint: Endpoint, body: Mapping[str, Any]) -> Sent:
        raise Failed(APITimeoutError(NO_REQUEST), 2)

    monkeypatch.setattr(Endpoint, "post", post)
    with pytest.raises(ModelUnavailable, match="none within 60 s"):
        abilities_of(ModelSettings("m", "http://localhost:9/v1"))


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ({"data": [{"id": "m", "max_model_len": 4096}]}, 4096),
        ({"data": [{"id": "x", "context_length": 1}, {"id": "m", "context_length": 2}]}, 2),
        ({"data": [{"id": "other", "meta": {"n_ctx": 512}}]}, 512),
        ({"data": [{"id": "m", "context_length": "much"}]}, None),
        ({"data": [{"id": "m", "context_length": True}]}, None),
        ({"data": [None, 5]}, None),
        ({"data": {}}, None),
        (None, None),
        ([], None),
        ("x", None),
        ({}, None),
    ],
)
def test_the_context_that_a_list_of_models_tells(listed: object, expected: int | None) -> None:
    assert _listed_context(listed, "m") == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("This model's maximum context length is 8192 tokens", "8192"),
        ("exceeds the available context size (n_ctx 2048)", "2048"),
        ("context window of 32,768", "32,768"),
        ("max_tokens is too large: 10000000", None),
        ("context length " * 10_000, None),
    ],
)
def test_the_context_that_an_error_tells(said: str, expected: str | None) -> None:
    match = CONTEXT.search(said)
    assert (match and match[1]) == expected


def answering(status: int) -> Callable[[ChatRequest], Answer]:
    return lambda request: Answer(error=Status(status, "not now"))


@pytest.mark.parametrize("status", [401, 402, 403, 408, 409, 429])
def test_a_refusal_of_key_account_or_time_says_nothing_of_a_part(status: int) -> None:
    with StandInServer(answering(status)) as server:
        asking = Inquirer(ModelSettings(model="m", base_url=server.base_url, retries=0))
        with pytest.raises((ModelUnavailable, ModelRejected)):
            asking.ask("Hi", {"seed": 1})


@pytest.mark.parametrize(("status", "hits"), [(400, 1), (404, 1), (422, 1), (500, 3)])
def test_a_part_is_refused_at_once_and_out_of_order_if_asked_three_times(
    status: int, hits: int
) -> None:
    with StandInServer(answering(status)) as server:
        asking = Inquirer(ModelSettings(model="m", base_url=server.base_url, retries=0))
        refused = asking.ask("Hi", {"seed": 1})
        assert isinstance(refused, NotAnswered)
        assert (refused.status, refused.said) == (status, "not now")
        assert server.hits == hits
        with pytest.raises((ModelUnavailable, ModelRejected)):
            asking.ask("Hi")  # without any part it is the endpoint that does not answer
