"""OpenTelemetry's spans of a bot, read as what it reports on the logger `todeval` (see `log`).

A bot that traces with OpenTelemetry's SDK needs no line of ours: while a dialogue is played, ended
spans after the semantic conventions for generative AI (`gen_ai.*`, still in development; here as of
1.41, and the older names of tokens) become the turn's tool calls, usage, retrieved items and timed
parts. Tools' arguments and results, and retrieved documents, are only there if the instrumentation
records content (`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`). The SDK is never imported
here before a bot has done so. OpenInference's attributes are read as the conventions' of the same
meaning, where a span has none of these.
"""

import json
import logging
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from pytest_todeval import log
from pytest_todeval.core.lane import Lane, here
from pytest_todeval.core.tool_calls import handoff

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor  # type: ignore[import-not-found,unused-ignore]

__all__ = ["MOST_OPEN", "SpanReader", "attend", "span_processor"]

SDK = "opentelemetry.sdk.trace"
MOST_OPEN = 1000
"""Spans around calls of models that are remembered until they end."""
ASKS_A_MODEL = frozenset({"chat", "generate_content", "text_completion"})
OPERATION, TOOL = "gen_ai.operation.name", "gen_ai.tool.name"
ARGUMENTS, RESULT = "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"
DOCUMENTS, QUERY = "gen_ai.retrieval.documents", "gen_ai.retrieval.query.text"
PROMPT = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
COMPLETION = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
MODEL = ("gen_ai.response.model", "gen_ai.request.model")
AGENT = "gen_ai.agent.name"
KIND = "openinference.span.kind"
OPENINFERENCE = {
    "TOOL": ("execute_tool", {TOOL: "tool.name", ARGUMENTS: "input.value", RESULT: "output.value"}),
    "LLM": (
        "chat",
        {
            PROMPT[0]: "llm.token_count.prompt",
            COMPLETION[0]: "llm.token_count.completion",
            MODEL[0]: "llm.model_name",
        },
    ),
    "RETRIEVER": ("retrieval", {QUERY: "input.value"}),
    "AGENT": ("invoke_agent", {AGENT: "agent.name"}),
}
"""By the kind of a span: the operation, and under which names the conventions' values stand."""
HANDED_OVER = "handoff to "
"""How OpenInference names the spans of hand-offs of the OpenAI Agents SDK."""

_LOGGER = logging.getLogger(log.LOGGER_NAME)
_ATTENDED: WeakSet[Any] = WeakSet()


def attend() -> None:
    """Reads the spans of the process's tracer provider, if it is one of the SDK's; once each."""
    sdk, api = sys.modules.get(SDK), sys.modules.get("opentelemetry.trace")
    if sdk is None or api is None:
        return
    provider = api.get_tracer_provider()
    if isinstance(provider, sdk.TracerProvider) and provider not in _ATTENDED:
        _ATTENDED.add(provider)
        provider.add_span_processor(span_processor())


def span_processor() -> "SpanProcessor":
    """Returns what reads the spans of a tracer provider that is not the process's own.

        provider.add_span_processor(span_processor())

    Raises ImportError, saying what to install, without OpenTelemetry's SDK.
    """
    try:
        from opentelemetry.sdk.trace import SpanProcessor
    except ImportError:
        raise ImportError(
            "OpenTelemetry's SDK is not installed: pip install 'pytest-todeval[otel]'"
        ) from None
    reader = SpanReader()

    class Reading(SpanProcessor):  # type: ignore[misc,unused-ignore]
        def on_start(self, span: Any, parent_context: Any = None) -> None:
            reader.begin(span)

        def on_end(self, span: Any) -> None:
            reader.read(span)

    return Reading()


class SpanReader:
    """Reads ended spans, inner ones first, and reports what they tell."""

    def __init__(self) -> None:
        self.enclosing: dict[int, None] = {}
        """Ids of open spans within which a model was asked, and counted."""
        self.agents: dict[int, str] = {}
        """By the id of an open span, the agent at work; empty for one that a tool called."""

    def begin(self, span: Any) -> None:
        """Reports a hand-off: an agent that begins within the work of another, not as its tool."""
        if not self._listens():
            return
        try:
            attributes = _after_the_conventions(span)
            inherited = "" if span.parent is None else self.agents.get(span.parent.span_id, "")
            operation, agent = attributes.get(OPERATION), attributes.get(AGENT)
            if operation == "invoke_agent" and isinstance(agent, str) and agent:
                if inherited not in ("", agent):
                    _handed_over(agent)
                inherited = agent
            self.agents[span.context.span_id] = "" if operation == "execute_tool" else inherited
            _forget_oldest(self.agents)
        except Exception as error:
            _LOGGER.info(f"a span that cannot be read: {type(error).__name__}: {error}")

    @staticmethod
    def _listens() -> bool:
        return _LOGGER.isEnabledFor(logging.INFO) and _is_of_the_bot()

    def read(self, span: Any) -> None:
        """Reports what a span tells, if somebody listens; never raises: a bot is at work."""
        if not self._listens():
            return
        try:
            self.agents.pop(span.context.span_id, None)
            self._read(span)
        except Exception as error:
            _LOGGER.info(f"a span that cannot be read: {type(error).__name__}: {error}")

    def _read(self, span: Any) -> None:
        attributes = _after_the_conventions(span)
        operation = attributes.get(OPERATION)
        asked = self._counts(span, operation in ASKS_A_MODEL)
        if not isinstance(operation, str):
            return
        if operation == "execute_tool":
            _tool_call(span, attributes)
        elif operation == "retrieval":
            _retrieval(attributes)
        elif asked:
            _usage(attributes)
        seconds = (span.end_time - span.start_time) / 1e9
        _LOGGER.info("span", extra={"span": span.name, "seconds": seconds})

    def _counts(self, span: Any, asks: bool) -> bool:
        """Says whether a span asks a model and encloses no other that does.

        Two instrumented libraries, one over the other, tell of one call twice.
        """
        encloses = span.context.span_id in self.enclosing
        self.enclosing.pop(span.context.span_id, None)
        if (asks or encloses) and span.parent is not None:
            self.enclosing[span.parent.span_id] = None
            _forget_oldest(self.enclosing)
        return asks and not encloses


def _forget_oldest(spans: dict[int, Any]) -> None:
    """Spans that never end are not kept for ever."""
    if len(spans) > MOST_OPEN:
        spans.pop(next(iter(spans)), None)


def _after_the_conventions(span: Any) -> Mapping[str, Any]:
    """Returns the attributes of a span, under the names of the conventions."""
    attributes: Mapping[str, Any] = span.attributes or {}
    known = OPENINFERENCE.get(str(attributes.get(KIND)))
    if known is None or OPERATION in attributes:
        return attributes
    operation, names = known
    found = {name: attributes[theirs] for name, theirs in names.items() if theirs in attributes}
    if operation == "retrieval":
        found[DOCUMENTS] = _listed(attributes, "retrieval.documents.", "document.")
    return {OPERATION: operation, **found}


def _listed(attributes: Mapping[str, Any], before: str, member: str) -> list[dict[str, Any]]:
    """Returns the objects that stand as `BEFORE.0.MEMBER.name`, `BEFORE.1.MEMBER.name`, ..."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in attributes.items():
        number, _, rest = name.removeprefix(before).partition(".")
        if name.startswith(before) and number.isdecimal() and rest.startswith(member):
            found.setdefault(int(number), {})[rest.removeprefix(member)] = _plain(value)
    return [found[number] for number in sorted(found)]


def _handed_over(agent: str) -> None:
    call = handoff(agent)
    log.tool_call(call.name, call.arguments)


def _is_of_the_bot() -> bool:
    """Users and judges of ours ask models, too, by clients that may be traced."""
    place = here()
    return place is None or place.lane is Lane.SYSTEM


def _tool_call(span: Any, attributes: Mapping[str, Any]) -> None:
    """A call of which nothing is recorded but the name would count beside the one that was seen."""
    if TOOL not in attributes and span.name.startswith(HANDED_OVER):
        _handed_over(str(attributes.get(RESULT) or span.name.removeprefix(HANDED_OVER)))
        return
    if ARGUMENTS not in attributes and RESULT not in attributes:
        return
    arguments = _plain(attributes.get(ARGUMENTS, {}))
    failed = span.status.status_code.name == "ERROR"
    error = span.status.description or attributes.get("error.type") or "failed"
    log.tool_call(
        str(attributes.get(TOOL) or span.name),
        arguments if isinstance(arguments, Mapping) else {"arguments": arguments},
        result=None if failed else _plain(attributes.get(RESULT)),
        error=str(error) if failed else None,
    )


def _retrieval(attributes: Mapping[str, Any]) -> None:
    documents = _plain(attributes.get(DOCUMENTS))
    if isinstance(documents, Sequence) and not isinstance(documents, str):
        log.retrieval(documents, query=attributes.get(QUERY))


def _usage(attributes: Mapping[str, Any]) -> None:
    prompt, completion = _tokens(attributes, PROMPT), _tokens(attributes, COMPLETION)
    if prompt or completion:
        model = next((str(attributes[name]) for name in MODEL if attributes.get(name)), "")
        log.usage(prompt, completion, model=model)


def _tokens(attributes: Mapping[str, Any], names: Sequence[str]) -> int:
    found = (attributes.get(name) for name in names)
    return next((each for each in found if type(each) is int and each >= 0), 0)


def _plain(value: Any) -> Any:
    """Structured values stand in spans as JSON; other text is itself."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
