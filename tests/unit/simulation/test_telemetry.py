"""Spans of OpenTelemetry's GenAI conventions, read as a bot's reports."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval import handoff, telemetry
from pytest_todeval.core.dialogue import Dialogue, ToolCall, Turn, Usage
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.user import Utterance

FIND = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "find_hotel",
    "gen_ai.tool.call.arguments": '{"area": "north"}',
    "gen_ai.tool.call.result": '[{"name": "acorn"}]',
}
CHAT = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.response.model": "gpt-4o-mini-2024",
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 20,
}
RETRIEVAL = {
    "gen_ai.operation.name": "retrieval",
    "gen_ai.retrieval.query.text": "breakfast",
    "gen_ai.retrieval.documents": '[{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.5}]',
}


class Once:
    def __init__(self) -> None:
        self.said = False

    def respond(self, turn: Turn | None) -> Utterance:
        if turn is not None:
            return Utterance("", StopReason.USER_DONE)
        return Utterance("Hello.")


def span(
    attributes: Any,
    *,
    name: str = "a span",
    id: int = 1,
    parent: int | None = None,
    error: str | None = None,
) -> Any:
    """An ended span, as the SDK hands it to processors."""
    code = SimpleNamespace(name="OK" if error is None else "ERROR")
    return SimpleNamespace(
        name=name,
        attributes=attributes,
        context=SimpleNamespace(span_id=id),
        parent=None if parent is None else SimpleNamespace(span_id=parent),
        status=SimpleNamespace(status_code=code, description=error),
        start_time=1_000_000_000,
        end_time=1_500_000_000,
    )


def played(*spans: Any) -> Turn:
    reader = telemetry.SpanReader()

    def respond(text: str) -> str:
        for each in spans:
            reader.read(each)
        return "The Acorn."

    (turn,) = run_dialogue(Goal("1", "test", ()), Once(), respond).turns
    return turn


def test_tool_calls_models_and_retrieval_become_the_turns() -> None:
    turn = played(span(FIND, name="execute_tool find_hotel"), span(CHAT), span(RETRIEVAL))
    assert turn.tool_calls == (ToolCall("find_hotel", {"area": "north"}, [{"name": "acorn"}]),)
    assert turn.usage == Usage(100, 20, 0.0, "gpt-4o-mini-2024")
    assert turn.retrieved == ({"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.5})
    assert turn.spans[0] == ("execute_tool find_hotel", 0.5)


def test_a_tool_that_failed_is_told_with_its_error() -> None:
    (call,) = played(span(FIND, error="no rooms")).tool_calls
    assert call.error == "no rooms"
    (call,) = played(span({**FIND, "error.type": "Timeout"}, error="")).tool_calls
    assert call.error == "Timeout"


def test_what_was_not_recorded_of_a_call_is_not_invented() -> None:
    """A call without arguments would count beside the same call that the backend saw."""
    bare = {k: v for k, v in FIND.items() if not k.startswith("gen_ai.tool.call")}
    turn = played(span(bare, name="execute_tool find_hotel"))
    assert turn.tool_calls == ()
    assert turn.spans == (("execute_tool find_hotel", 0.5),)


@pytest.mark.parametrize(
    ("told", "arguments"),
    [('{"area": "north"}', {"area": "north"}), ({"area": "north"}, {"area": "north"})],
)
def test_structured_values_are_taken_as_they_are(told: Any, arguments: Any) -> None:
    (call,) = played(span({**FIND, "gen_ai.tool.call.arguments": told})).tool_calls
    assert call.arguments == arguments


@pytest.mark.parametrize("broken", ['{"area": ', "[1, 2]", "north", 3, "[" * 100_000])
def test_arguments_that_are_no_object_are_kept_under_one_name(broken: Any) -> None:
    (call,) = played(span({**FIND, "gen_ai.tool.call.arguments": broken})).tool_calls
    assert list(call.arguments) == ["arguments"]


def test_a_result_that_is_no_json_is_its_text() -> None:
    (call,) = played(span({**FIND, "gen_ai.tool.call.result": "full"})).tool_calls
    assert call.result == "full"


def test_a_model_asked_through_two_instrumented_libraries_counts_once() -> None:
    inner = span(CHAT, id=3, parent=2)
    between = span({}, id=2, parent=1)
    outer = span({**CHAT, "gen_ai.usage.input_tokens": 100}, id=1)
    assert played(inner, between, outer).usage == Usage(100, 20, 0.0, "gpt-4o-mini-2024")
    agent = span({**CHAT, "gen_ai.operation.name": "invoke_agent"}, id=1)
    both = played(span(CHAT, id=2, parent=1), span(CHAT, id=3, parent=1), agent)
    assert both.usage == Usage(200, 40, 0.0, "gpt-4o-mini-2024")


def test_older_names_of_tokens_are_read() -> None:
    old = {"gen_ai.usage.prompt_tokens": 7, "gen_ai.usage.completion_tokens": 3}
    chat = {k: v for k, v in CHAT.items() if "usage" not in k}
    assert played(span({**chat, **old})).usage == Usage(7, 3, 0.0, "gpt-4o-mini-2024")


@pytest.mark.parametrize(
    "attributes",
    [
        None,
        {},
        {"http.method": "GET"},
        {"gen_ai.operation.name": 3},
        {"gen_ai.operation.name": "embeddings", "gen_ai.usage.input_tokens": 5},
        {**CHAT, "gen_ai.usage.input_tokens": "many", "gen_ai.usage.output_tokens": True},
        {**RETRIEVAL, "gen_ai.retrieval.documents": "no list"},
    ],
)
def test_other_spans_and_broken_ones_tell_nothing(attributes: Any) -> None:
    turn = played(span(attributes))
    assert (turn.tool_calls, turn.usage, turn.retrieved) == ((), None, ())


def test_outside_a_dialogue_spans_are_not_looked_at() -> None:
    class Untouched:
        def __getattr__(self, name: str) -> Any:
            raise AssertionError(f"{name} was asked for")

    telemetry.SpanReader().read(Untouched())


def test_spans_that_never_end_are_not_kept_for_ever() -> None:
    reader = telemetry.SpanReader()
    logger = logging.getLogger("todeval")
    level = logger.level
    logger.setLevel(logging.INFO)
    try:
        for at in range(3 * telemetry.MOST_OPEN):
            reader.read(span(CHAT, id=2 * at + 1, parent=2 * at + 2))
    finally:
        logger.setLevel(level)
    assert len(reader.enclosing) <= telemetry.MOST_OPEN


@pytest.fixture
def sdk() -> Iterator[Any]:
    kit = pytest.importorskip("opentelemetry.sdk.trace")
    trace = pytest.importorskip("opentelemetry.trace")
    before = trace._TRACER_PROVIDER
    trace._TRACER_PROVIDER = kit.TracerProvider(shutdown_on_exit=False)
    yield trace
    trace._TRACER_PROVIDER.shutdown()
    trace._TRACER_PROVIDER = before


def by_sdk(sdk: Any, respond: Callable[[str], Any]) -> Dialogue:
    return run_dialogue(Goal("1", "test", ()), Once(), respond)


def test_a_bot_that_traces_with_the_sdk_is_read_without_a_line_of_its_own(sdk: Any) -> None:
    def respond(text: str) -> str:
        tracer = sdk.get_tracer("bot")
        with tracer.start_as_current_span("chat gpt-4o-mini") as chat:
            chat.set_attributes(CHAT)
            with tracer.start_as_current_span("execute_tool find_hotel") as tool:
                tool.set_attributes(FIND)
        with tracer.start_as_current_span("retrieval docs") as found:
            found.set_attributes(RETRIEVAL)
        return "The Acorn."

    for _ in range(2):  # read once each, though two dialogues have attended to the provider
        (turn,) = by_sdk(sdk, respond).turns
        assert turn.tool_calls == (ToolCall("find_hotel", {"area": "north"}, [{"name": "acorn"}]),)
        assert turn.usage == Usage(100, 20, 0.0, "gpt-4o-mini-2024")
        assert [name for name, _ in turn.spans] == [
            "execute_tool find_hotel",
            "chat gpt-4o-mini",
            "retrieval docs",
        ]


def test_a_provider_that_is_not_the_processs_is_read_by_a_processor_of_its_own(
    sdk: Any,
) -> None:
    provider = type(sdk.get_tracer_provider())(shutdown_on_exit=False)
    provider.add_span_processor(telemetry.span_processor())

    def respond(text: str) -> str:
        with provider.get_tracer("bot").start_as_current_span("execute_tool find_hotel") as tool:
            tool.set_attributes(FIND)
        return "The Acorn."

    (turn,) = by_sdk(sdk, respond).turns
    provider.shutdown()
    assert [call.name for call in turn.tool_calls] == ["find_hotel"]


def test_a_processor_needs_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ImportError, match=r"pip install 'pytest-todeval\[otel\]'"):
        telemetry.span_processor()


def test_models_that_the_user_asks_are_no_usage_of_the_bot() -> None:
    reader = telemetry.SpanReader()

    class Asks(Once):
        def respond(self, turn: Turn | None) -> Utterance:
            reader.read(span(CHAT))
            return super().respond(turn)

    (turn,) = run_dialogue(Goal("1", "test", ()), Asks(), lambda text: "The Acorn.").turns
    assert turn.usage is None
    assert turn.spans == ()


OPENINFERENCE: list[dict[str, Any]] = [
    {
        "openinference.span.kind": "TOOL",
        "tool.name": "find_hotel",
        "input.value": '{"area": "north"}',
        "output.value": '[{"name": "acorn"}]',
    },
    {
        "openinference.span.kind": "LLM",
        "llm.model_name": "gpt-4o-mini",
        "llm.token_count.prompt": 100,
        "llm.token_count.completion": 20,
    },
    {
        "openinference.span.kind": "RETRIEVER",
        "input.value": "breakfast",
        "retrieval.documents.1.document.id": "d2",
        "retrieval.documents.0.document.id": "d1",
        "retrieval.documents.0.document.score": 0.9,
        "retrieval.documents.x.document.id": "no number",
    },
]


def test_openinferences_names_are_read_where_the_conventions_are_not_kept() -> None:
    turn = played(*map(span, OPENINFERENCE))
    assert turn.tool_calls == (ToolCall("find_hotel", {"area": "north"}, [{"name": "acorn"}]),)
    assert turn.usage == Usage(100, 20, 0.0, "gpt-4o-mini")
    assert turn.retrieved == ({"id": "d1", "score": 0.9}, {"id": "d2"})
    both = span({**OPENINFERENCE[0], **FIND, "tool.name": "another"})
    assert [call.name for call in played(both).tool_calls] == ["find_hotel"], "once, by the newer"


def test_a_span_of_a_hand_off_is_one() -> None:
    over = {"openinference.span.kind": "TOOL", "input.value": "desk", "output.value": "Billing"}
    turn = played(span(over, name="handoff to Billing"))
    assert [call.name for call in turn.tool_calls] == [handoff("Billing").name]


def agents(sdk: Any, *levels: dict[str, Any]) -> Callable[[str], str]:
    """A bot whose spans lie in each other, with a call of a tool in the innermost."""

    def respond(text: str) -> str:
        with contextlib.ExitStack() as stack:
            for level in (*levels, FIND):
                tracer = sdk.get_tracer("bot")
                stack.enter_context(tracer.start_as_current_span("span", attributes=level))
        return "The Acorn."

    return respond


def agent(name: str) -> dict[str, Any]:
    return {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}


@pytest.mark.parametrize(
    ("levels", "names"),
    [
        ((agent("desk"), agent("billing")), ["transfer_to_billing", "find_hotel"]),
        ((agent("desk"), CHAT, agent("billing")), ["transfer_to_billing", "find_hotel"]),
        ((agent("desk"), agent("desk")), ["find_hotel"]),
        ((agent("desk"),), ["find_hotel"]),
        ((agent("desk"), FIND, agent("billing")), ["find_hotel", "find_hotel"]),
    ],
    ids=["within", "deeper", "itself", "alone", "a tool"],
)
def test_an_agent_within_the_work_of_another_was_handed_over_to(
    sdk: Any, levels: tuple[dict[str, Any], ...], names: list[str]
) -> None:
    (turn,) = by_sdk(sdk, agents(sdk, *levels)).turns
    assert [call.name for call in turn.tool_calls] == names


def test_pydantic_ai_is_read_by_its_own_spans(sdk: Any) -> None:
    kit: Any = pytest.importorskip("pydantic_ai")
    parts: Any = pytest.importorskip("pydantic_ai.messages")
    models: Any = pytest.importorskip("pydantic_ai.models.function")

    def model(messages: list[Any], info: Any) -> Any:
        said = parts.TextPart("The Acorn.") if len(messages) > 1 else None
        call = parts.ToolCallPart("find_hotel", {"area": "north"})
        return parts.ModelResponse(parts=[said or call])

    def find_hotel(area: str) -> list[dict[str, str]]:
        return [{"name": "acorn", "area": area}]

    async def respond(text: str) -> str:
        return str((await desk.run(text)).output)

    desk = kit.Agent(models.FunctionModel(model), tools=[find_hotel])
    settings = kit.InstrumentationSettings(tracer_provider=sdk.get_tracer_provider())
    kit.Agent.instrument_all(settings)
    try:
        (turn,) = by_sdk(sdk, respond).turns
    finally:
        kit.Agent.instrument_all(False)
    found = [{"name": "acorn", "area": "north"}]
    assert turn.tool_calls == (ToolCall("find_hotel", {"area": "north"}, found),)
    assert turn.usage is not None
    assert turn.usage.prompt_tokens > 0


def test_openai_agents_are_read_by_openinferences_spans(
    sdk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    openinference: Any = pytest.importorskip("openinference.instrumentation.openai_agents")
    monkeypatch.setenv("OPENAI_API_KEY", "no-key-needed")
    kit: Any = pytest.importorskip("agents")
    items: Any = pytest.importorskip("openai.types.responses")

    def call(name: str, arguments: str) -> Any:
        return items.ResponseFunctionToolCall(
            arguments=arguments, call_id=name, name=name, type="function_call"
        )

    text = items.ResponseOutputText(text="The Acorn.", type="output_text", annotations=[])
    said = items.ResponseOutputMessage(
        id="3", role="assistant", status="completed", type="message", content=[text]
    )
    script = [call("find_hotel", '{"area": "north"}'), call("transfer_to_billing", "{}"), said]

    async def next_of_script(*_: Any, **__: Any) -> Any:
        return kit.ModelResponse(output=[script.pop(0)], usage=kit.Usage(), response_id=None)

    members = {"get_response": next_of_script, "stream_response": None}
    model = type("Scripted", (kit.Model,), members)()

    def find_hotel(area: str) -> str:
        return f"The Acorn is in the {area}."

    billing = kit.Agent("billing", model=model)
    tools = [kit.function_tool(find_hotel)]
    desk = kit.Agent("desk", model=model, tools=tools, handoffs=[billing])

    async def respond(said: str) -> str:
        return str((await kit.Runner.run(desk, said)).final_output)

    instrumentor = openinference.OpenAIAgentsInstrumentor()
    instrumentor.instrument(tracer_provider=sdk.get_tracer_provider())
    try:
        (turn,) = by_sdk(sdk, respond).turns
    finally:
        instrumentor.uninstrument()
    assert [call.name for call in turn.tool_calls] == ["find_hotel", "transfer_to_billing"]
    assert turn.tool_calls[0].result == "The Acorn is in the north."
