"""The stand-in model server, asked by the real client."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Literal

import httpx
import openai
import pytest
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from pydantic import BaseModel

from pytest_todeval.errors import UsageError
from pytest_todeval.testing import Answer, Broken, ChatRequest, StandInServer, Status

SEARCH: Any = {
    "type": "function",
    "function": {"name": "find_hotel", "parameters": {"type": "object", "properties": {}}},
}


@pytest.fixture(scope="module")
def shared_client() -> Iterator[openai.OpenAI]:
    """One for all tests: making one takes longer than all that is asked of it here."""
    with openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="none", max_retries=0) as client:
        yield client


class Caller:
    """The client with what the tests always say the same."""

    def __init__(self, client: openai.OpenAI) -> None:
        self.client = client

    def __call__(self, server: StandInServer, text: str = "Hi", **options: Any) -> ChatCompletion:
        answer: ChatCompletion = self.at(server).chat.completions.create(
            model="any", messages=said(text), stream=False, **options
        )
        return answer

    def parsing(self, server: StandInServer) -> Any:
        """The completions that parse what comes; older clients have them in `beta`."""
        client = self.at(server)
        newer = hasattr(client.chat.completions, "parse")
        return client.chat.completions if newer else client.beta.chat.completions

    def stream(self, server: StandInServer, text: str = "Hi", **options: Any) -> list[Any]:
        answer = self.at(server).chat.completions.create(
            model="any", messages=said(text), stream=True, **options
        )
        with answer:
            return list(answer)

    def at(self, server: StandInServer, **options: Any) -> openai.OpenAI:
        return self.client.with_options(base_url=server.base_url, **options)


@pytest.fixture
def ask(shared_client: openai.OpenAI) -> Caller:
    return Caller(shared_client)


def said(text: str) -> list[ChatCompletionMessageParam]:
    return [{"role": "system", "content": "Be brief."}, {"role": "user", "content": text}]


def constantly(answer: Answer) -> StandInServer:
    return StandInServer(lambda request: answer)


def test_a_function_answers_what_it_is_asked(ask: Caller) -> None:
    with StandInServer(lambda request: f"You said: {request.last_user}") as server:
        answer = ask(server, "a hotel in the north")
    assert answer.choices[0].message.content == "You said: a hotel in the north"
    assert answer.choices[0].finish_reason == "stop"
    assert answer.model == "stand-in"
    assert answer.created == 1767225600


def test_what_was_asked_is_kept(ask: Caller) -> None:
    with StandInServer.script(["one", "two"]) as server:
        ask(server, "first", tools=[SEARCH], extra_headers={"X-Trace": "t1"})
        ask(server, "second")
    first, second = server.requests
    assert (first.number, second.number, server.hits) == (1, 2, 2)
    assert (first.model, first.last_user) == ("any", "first")
    assert [message["role"] for message in first.messages] == ["system", "user"]
    assert (first.tools, second.tools) == ((SEARCH,), ())
    assert first.headers["x-trace"] == "t1"
    assert first.headers["authorization"] == "Bearer none"
    assert first.body["model"] == "any"
    assert server.failures == ()


def test_a_request_shown_in_a_message_holds_no_key(ask: Caller) -> None:
    with StandInServer(lambda request: "ok") as server:
        ask(server, extra_headers={"Authorization": "Bearer sesame-4711"})
    assert "sesame" in server.requests[0].headers["authorization"]
    assert "sesame" not in repr(server.requests)


def test_tokens_are_words_and_punctuation_marks(ask: Caller) -> None:
    with StandInServer(lambda request: "Which area, please?") as server:
        usage = ask(server, "A hotel.").usage
    assert usage is not None
    # Be brief . A hotel . -> Which area , please ?
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (6, 5, 11)


def test_usage_can_be_said_or_left_out(ask: Caller) -> None:
    cached = {
        "prompt_tokens": 90,
        "completion_tokens": 10,
        "prompt_tokens_details": {"cached_tokens": 64},
    }
    nonsense = {"prompt_tokens": "many"}
    entries = [Answer("x", usage=usage) for usage in (cached, {}, nonsense)]
    with StandInServer.script(entries) as server:
        usage = ask(server).usage
        assert ask(server).usage is None
        wrong: Any = ask(server).usage
        assert (wrong.prompt_tokens, wrong.total_tokens) == ("many", 0)
    assert server.failures == ()
    assert usage is not None
    assert usage.prompt_tokens_details is not None
    assert (usage.total_tokens, usage.prompt_tokens_details.cached_tokens) == (100, 64)


def test_parallel_tool_calls_and_their_results(ask: Caller) -> None:
    def answer(request: ChatRequest) -> str | Answer:
        if request.messages[-1]["role"] == "tool":
            return "Found " + " and ".join(
                m["content"] for m in request.messages if m["role"] == "tool"
            )
        return Answer(
            tool_calls=[("find_hotel", {"area": "nørth"}), ("find_train", '{"day": unclosed')]
        )

    with StandInServer(answer) as server:
        message = ask(server, tools=[SEARCH]).choices[0]
        assert message.finish_reason == "tool_calls"
        assert message.message.content is None
        calls: Any = message.message.tool_calls
        assert json.loads(calls[0].function.arguments) == {"area": "nørth"}
        assert [c.function.name for c in calls] == ["find_hotel", "find_train"]
        assert calls[1].function.arguments == '{"day": unclosed'
        results: Any = [
            {"role": "tool", "tool_call_id": call.id, "content": call.function.name}
            for call in calls
        ]
        history: Any = [*said("Hi"), message.message.model_dump(exclude_none=True), *results]
        final = ask.at(server).chat.completions.create(model="any", messages=history)
        assert final.choices[0].message.content == "Found find_hotel and find_train"
        with pytest.raises(openai.BadRequestError, match=calls[1].id):
            ask.at(server).chat.completions.create(model="any", messages=history[:-1])
        with pytest.raises(openai.BadRequestError, match="answered already"):
            ask.at(server).chat.completions.create(model="any", messages=[*history, results[0]])


def test_a_stream_gives_the_same_answer_in_pieces(ask: Caller) -> None:
    text = " Which area? \n– North, süd…\n"
    with StandInServer(lambda request: text) as server:
        events = ask.stream(server, stream_options={"include_usage": True})
        whole = ask(server)
    pieces = [e.choices[0].delta.content for e in events if e.choices]
    assert "".join(piece or "" for piece in pieces) == text == whole.choices[0].message.content
    assert len(pieces) > 8
    assert events[0].choices[0].delta.role == "assistant"
    assert [e.choices[0].finish_reason for e in events if e.choices][-2:] == [None, "stop"]
    assert events[-1].choices == []
    assert events[-1].usage == whole.usage
    assert {e.id for e in events} == {events[0].id}


def test_a_stream_tells_usage_only_where_asked(ask: Caller) -> None:
    with StandInServer(lambda request: "ok") as server:
        events = ask.stream(server)
    assert all(event.usage is None and event.choices for event in events)


def test_the_pieces_of_a_stream_can_be_said(ask: Caller) -> None:
    with constantly(Answer(chunks=("Whi", "ch", " area?"))) as server:
        events = ask.stream(server)
        assert ask(server).choices[0].message.content == "Which area?"
    assert [e.choices[0].delta.content for e in events[1:-1]] == ["Whi", "ch", " area?"]


def test_tool_calls_are_streamed_as_deltas(ask: Caller) -> None:
    calls = [("find_hotel", {"area": "north", "stars": 4}), ("find_train", {})]
    with constantly(Answer("One moment.", tool_calls=calls)) as server:
        stream = ask.parsing(server).stream(model="any", messages=said("Hi"), tools=[SEARCH])
        with stream as deltas:
            kinds = [event.type for event in deltas]
            answer = deltas.get_final_completion()
    assert kinds.count("tool_calls.function.arguments.delta") > 5
    assert answer.choices[0].message.content == "One moment."
    assert answer.choices[0].finish_reason == "tool_calls"
    got: Any = answer.choices[0].message.tool_calls
    assert [(c.function.name, json.loads(c.function.arguments)) for c in got] == calls
    assert len({c.id for c in got}) == 2


class Grade(BaseModel):
    score: Literal[1, 2, 3]
    reason: str


def test_structured_output_is_parsed(ask: Caller) -> None:
    def answer(request: ChatRequest) -> dict[str, object]:
        assert request.schema is not None
        assert list(request.schema["properties"]) == ["score", "reason"]
        return {"score": 3, "reason": "all was «asked»"}

    with StandInServer(answer) as server:
        got = ask.parsing(server).parse(model="any", messages=said("Hi"), response_format=Grade)
    assert got.choices[0].message.parsed == Grade(score=3, reason="all was «asked»")
    assert server.failures == ()


def test_refusals_whole_and_streamed(ask: Caller) -> None:
    with constantly(Answer(refusal="I can't help with that.")) as server:
        got = ask.parsing(server).parse(model="any", messages=said("Hi"), response_format=Grade)
        events = ask.stream(server)
    assert got.choices[0].message.parsed is None
    assert got.choices[0].message.content is None
    assert got.choices[0].message.refusal == "I can't help with that."
    assert "".join(e.choices[0].delta.refusal or "" for e in events) == "I can't help with that."


@pytest.mark.parametrize(
    ("finish", "error"),
    [
        ("length", openai.LengthFinishReasonError),
        ("content_filter", openai.ContentFilterFinishReasonError),
    ],
)
def test_stop_reasons_reach_the_client(
    ask: Caller, finish: Literal["length", "content_filter"], error: type[Exception]
) -> None:
    with constantly(Answer('{"score": 3, "rea', finish=finish)) as server:
        assert ask(server).choices[0].finish_reason == finish
        assert ask.stream(server)[-1].choices[0].finish_reason == finish
        with pytest.raises(error):
            ask.parsing(server).parse(model="any", messages=said("Hi"), response_format=Grade)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_the_limit_of_the_request_cuts_the_answer(ask: Caller, name: str) -> None:
    two, five = dict[str, Any]({name: 2}), dict[str, Any]({name: 5})
    with StandInServer(lambda request: "one two three, four") as server:
        cut, whole = ask(server, **two), ask(server, **five)
    assert (cut.choices[0].message.content, cut.choices[0].finish_reason) == ("one two", "length")
    assert cut.usage is not None
    assert cut.usage.completion_tokens == 2
    assert whole.choices[0].message.content == "one two three, four"
    assert whole.choices[0].finish_reason == "stop"


def test_as_many_choices_as_asked_for(ask: Caller) -> None:
    nested = {"d": MappingProxyType({"e": 1})}
    with StandInServer.script([["a", Answer("b c"), nested], "same", ["x", "y"]]) as server:
        three = ask(server, n=3)
        two = ask(server, n=2)
        events = ask.stream(server, n=2)
    assert [c.message.content for c in three.choices] == ["a", "b c", '{"d": {"e": 1}}']
    assert [c.index for c in three.choices] == [0, 1, 2]
    assert [c.message.content for c in two.choices] == ["same", "same"]
    deltas = [(e.choices[0].index, e.choices[0].delta.content) for e in events]
    assert deltas[:4] == [(0, ""), (1, ""), (0, "x"), (1, "y")]


def test_a_list_that_does_not_fit_n_is_a_failure(ask: Caller) -> None:
    with (
        StandInServer(lambda request: ["a", "b"]) as server,
        pytest.raises(openai.InternalServerError, match=r"list of 2 answers.*n=3"),
    ):
        ask(server, n=3)
    assert isinstance(server.failures[0], UsageError)


def test_empty_and_missing_content_differ(ask: Caller) -> None:
    with StandInServer.script(["", Answer()]) as server:
        assert ask(server).choices[0].message.content == ""
        assert ask(server).choices[0].message.content is None
    assert server.failures == ()


@pytest.mark.parametrize("asked", [{}, {"gzip": True}])
@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_answers_are_compressed_if_that_is_asked_for_and_the_client_takes_it(
    asked: dict[str, bool], accepted: str
) -> None:
    servers = (
        StandInServer(lambda _: "Hi.", **asked),
        StandInServer.script(["Hi."], **asked),
        StandInServer.matching({"": "Hi."}, **asked),
    )
    for server in servers:
        with server:
            answer = httpx.post(
                f"{server.base_url}/chat/completions",
                headers={"Accept-Encoding": accepted},
                json={"model": "m", "messages": [{"role": "user", "content": "Hello"}]},
            )
        packed = bool(asked) and accepted == "gzip"
        assert answer.headers.get("content-encoding") == ("gzip" if packed else None)
        assert answer.json()["choices"][0]["message"]["content"] == "Hi."


def test_scripts_go_in_order_and_end_in_a_failure(ask: Caller) -> None:
    entries: list[Any] = ["one", Answer("two"), lambda request: f"three {request.last_user}"]
    with StandInServer.script(entries) as server:
        assert [ask(server, "x").choices[0].message.content for _ in entries] == [
            "one",
            "two",
            "three x",
        ]
        with pytest.raises(openai.InternalServerError, match="answer 3, and this is request 4"):
            ask(server)
    assert len(server.failures) == 1


def test_matching_looks_at_the_last_user_message(ask: Caller) -> None:
    table: dict[str, Any] = {
        "hotel|guesthouse": "Which area?",
        r"\btrain\b": lambda request: request.last_user,
    }
    with StandInServer.matching(table) as server:
        assert ask(server, "A HOTEL").choices[0].message.content == "Which area?"
        assert ask(server, "a train").choices[0].message.content == "a train"
        with pytest.raises(openai.InternalServerError, match="no pattern matches 'a taxi'"):
            ask(server, "a taxi")
    with StandInServer.matching({"hotel": "h", "": "rest"}) as server:
        parts: Any = [{"role": "user", "content": [{"type": "text", "text": "my hotel"}]}]
        of_parts = ask.at(server).chat.completions.create(model="any", messages=parts)
        assert of_parts.choices[0].message.content == "h"
        assert ask(server, "").choices[0].message.content == "rest"


class Trouble(Exception):
    pass


def test_a_raising_function_is_a_failure_that_no_retry_hides(ask: Caller) -> None:
    def answer(request: ChatRequest) -> str:
        raise Trouble("no such hotel")

    with StandInServer(answer) as server:
        client = ask.at(server, max_retries=5)
        with pytest.raises(openai.InternalServerError, match="Trouble: no such hotel") as caught:
            client.chat.completions.create(model="any", messages=said("Hi"), stream=True)
        assert caught.value.code == "answer_failed"
        assert server.hits == 1
    (failure,) = server.failures
    assert isinstance(failure, Trouble)
    assert failure.__traceback__ is not None


def test_a_failed_assertion_of_pytest_is_kept_too(ask: Caller) -> None:
    with (
        StandInServer(lambda request: pytest.fail("asked for too much")) as server,
        pytest.raises(openai.InternalServerError, match="asked for too much"),
    ):
        ask(server)
    assert len(server.failures) == 1


def test_an_exception_that_cannot_be_printed_is_named(ask: Caller) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise Trouble

    def answer(request: ChatRequest) -> str:
        raise Mute

    with (
        StandInServer(answer) as server,
        pytest.raises(openai.InternalServerError, match=r"message 'Hi'\): Mute"),
    ):
        ask(server)
    assert isinstance(server.failures[0], Mute)


def test_what_is_no_answer_is_a_failure(ask: Caller) -> None:
    async def coroutine(request: ChatRequest) -> str:
        return "never"

    for wrong in (lambda request: None, lambda request: 42, lambda request: b"x", coroutine):
        function: Any = wrong
        with (
            StandInServer(function) as server,
            pytest.raises(openai.InternalServerError, match="UsageError: the answer is"),
        ):
            ask(server)
        assert isinstance(server.failures[0], UsageError)


@pytest.mark.parametrize(
    ("status", "error", "code"),
    [
        (400, openai.BadRequestError, None),
        (401, openai.AuthenticationError, "invalid_api_key"),
        (403, openai.PermissionDeniedError, None),
        (404, openai.NotFoundError, None),
        (409, openai.ConflictError, None),
        (422, openai.UnprocessableEntityError, None),
        (429, openai.RateLimitError, "rate_limit_exceeded"),
        (500, openai.InternalServerError, None),
        (529, openai.InternalServerError, None),
    ],
)
def test_error_statuses_have_openai_s_shape(
    ask: Caller, status: int, error: type[openai.APIStatusError], code: str | None
) -> None:
    with constantly(Answer(error=Status(status, "Too bad."))) as server:
        with pytest.raises(error, match="Too bad") as caught:
            ask(server)
        assert caught.value.status_code == status
        assert caught.value.code == code
    assert server.failures == ()


def test_an_error_may_say_its_code_or_be_no_json(ask: Caller) -> None:
    too_long = Status(400, "Too long.", code="context_length_exceeded")
    page = Status(502, body="<h1>Bad Gateway</h1>")
    with StandInServer.script([Answer(error=too_long), Answer(error=page)]) as server:
        with pytest.raises(openai.BadRequestError) as caught:
            ask(server)
        assert caught.value.code == "context_length_exceeded"
        with pytest.raises(openai.InternalServerError) as gateway:
            ask(server)
        assert gateway.value.response.text == "<h1>Bad Gateway</h1>"


def test_the_client_retries_after_the_time_said(ask: Caller) -> None:
    entries: list[Any] = [
        Answer(error=Status(429, retry_after=0.15)),
        Answer(error=Status(503, retry_after=0.01)),
        "at last",
    ]
    with StandInServer.script(entries) as server:
        begun = time.perf_counter()
        got = ask.at(server, max_retries=2).chat.completions.create(model="m", messages=said("Hi"))
        took = time.perf_counter() - begun
    assert got.choices[0].message.content == "at last"
    assert took >= 0.15
    assert [r.headers["x-stainless-retry-count"] for r in server.requests] == ["0", "1", "2"]


def test_headers_go_with_answers_and_errors(ask: Caller) -> None:
    headers = {"x-request-id": "req_1", "set-cookie": "a=b"}
    entries: list[Any] = [
        Answer("x", headers=headers),
        Answer(error=Status(400), headers=headers),
        "x",
    ]
    with StandInServer.script(entries) as server:
        assert ask(server)._request_id == "req_1"
        with pytest.raises(openai.BadRequestError) as caught:
            ask(server)
        assert caught.value.response.headers["set-cookie"] == "a=b"
        assert ask(server)._request_id is None


def test_delay_holds_back_the_first_byte_and_pause_the_events(ask: Caller) -> None:
    with constantly(Answer(chunks=("a", "b"), delay=0.1, pause=0.05)) as server:
        begun = time.perf_counter()
        stream = ask.at(server).chat.completions.create(
            model="any", messages=said("Hi"), stream=True
        )
        times = [time.perf_counter() - begun for _ in stream]
    assert times[0] >= 0.1
    assert len(times) == 4
    assert times[-1] - times[0] >= 0.12


def test_a_hang_is_a_time_out(ask: Caller) -> None:
    with constantly(Answer("never", error=Broken.HANG)) as server:
        with pytest.raises(openai.APITimeoutError):
            ask.at(server, timeout=0.1).chat.completions.create(model="m", messages=said("Hi"))
        assert server.hits == 1


@pytest.mark.parametrize("broken", [Broken.RESET, Broken.CUT])
def test_a_lost_connection_is_a_connection_error(ask: Caller, broken: Broken) -> None:
    with (
        constantly(Answer("a long answer", error=broken)) as server,
        pytest.raises(openai.APIConnectionError),
    ):
        ask(server)
    assert server.failures == ()


def test_a_truncated_stream_ends_in_the_middle(ask: Caller) -> None:
    got: list[str | None] = []
    with constantly(Answer(chunks=list("abcdefgh"), error=Broken.CUT)) as server:
        stream = ask.at(server).chat.completions.create(
            model="any", messages=said("Hi"), stream=True
        )
        # Older clients let the error of their HTTP library through.
        with pytest.raises((openai.APIConnectionError, httpx.RemoteProtocolError)):
            got.extend(event.choices[0].delta.content for event in stream)
    assert got == ["", "a", "b", "c", "d"]


def test_malformed_bodies(ask: Caller) -> None:
    with constantly(Answer("text", error=Broken.MALFORMED)) as server:
        with pytest.raises(json.JSONDecodeError):
            ask(server)
        with pytest.raises(json.JSONDecodeError):
            ask.stream(server)


def test_an_empty_stream_has_no_events(ask: Caller) -> None:
    with constantly(Answer("text", error=Broken.EMPTY)) as server:
        assert ask.stream(server) == []


def test_models(ask: Caller) -> None:
    with StandInServer(lambda request: "x") as server:
        assert [model.id for model in ask.at(server).models.list()] == ["stand-in"]
        assert ask.at(server).models.retrieve("stand-in").owned_by == "pytest-todeval"
        with pytest.raises(openai.NotFoundError, match="only model is 'stand-in'"):
            ask.at(server).models.retrieve("gpt-nine")
    assert (server.requests, server.hits) == ((), 3)


def test_many_at_once_get_each_its_own_answer() -> None:
    together = threading.Barrier(30, timeout=10)

    def answer(request: ChatRequest) -> str:
        together.wait()  # passed only when all thirty are being answered
        return f"re: {request.last_user}"

    async def one(client: openai.AsyncOpenAI, number: int) -> str | None:
        call = client.chat.completions.create
        if number % 2:
            got = await call(model="m", messages=said(str(number)))
            return got.choices[0].message.content
        stream = await call(model="m", messages=said(str(number)), stream=True)
        return "".join([e.choices[0].delta.content or "" async for e in stream])

    async def all_of_them() -> list[str | None]:
        async with (
            StandInServer(answer) as server,
            openai.AsyncOpenAI(base_url=server.base_url, api_key="none", max_retries=0) as client,
        ):
            texts = await asyncio.gather(*(one(client, n) for n in range(30)))
        assert sorted(r.number for r in server.requests) == list(range(1, 31))
        assert server.failures == ()
        return texts

    assert asyncio.run(all_of_them()) == [f"re: {n}" for n in range(30)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Answer(text=5),  # type: ignore[arg-type]
        lambda: Answer({"score": float("nan")}),
        lambda: Answer({"who": object()}),
        lambda: Answer(tool_calls=["find_hotel"]),  # type: ignore[list-item]
        lambda: Answer(tool_calls=[("find_hotel", {"area": {1, 2}})]),
        lambda: Answer(finish="done"),  # type: ignore[arg-type]
        lambda: Answer(delay=-1),
        lambda: Answer(pause=float("inf")),
        lambda: Answer(error=429),  # type: ignore[arg-type]
        lambda: Answer("ab", chunks=("a", "c")),
        lambda: Answer(chunks="abc"),
        lambda: Answer(headers={"x": "a\r\nset-cookie: b"}),
        lambda: Answer(headers={"x y": "a"}),
        lambda: Status(200),
        lambda: Status(429, retry_after=-1),
        lambda: StandInServer("Hello"),  # type: ignore[arg-type]
        lambda: StandInServer.script("Hello"),
        lambda: StandInServer.matching({"(": "x"}),
        lambda: StandInServer.matching(["x"]),  # type: ignore[arg-type]
        lambda: StandInServer(lambda request: "x").base_url,
    ],
)
def test_what_does_not_fit_is_said_where_it_is_written(wrong: Any) -> None:
    with pytest.raises(UsageError):
        wrong()
