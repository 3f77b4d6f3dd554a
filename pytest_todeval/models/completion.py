"""What a model answered, read from the JSON of a chat completion."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pytest_todeval.errors import ModelUnavailable
from pytest_todeval.models.usage import Spent

SHOWN = 200


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """A tool call that a model asks for."""

    id: str
    name: str
    arguments: str
    """JSON, if the model kept to it."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered."""

    text: str
    """Empty if it said nothing."""
    tool_calls: tuple[RequestedCall, ...] = ()
    refusal: str | None = None
    """What it says if it refuses by the protocol."""
    finish: str = "stop"
    """`stop`, `length` (cut off), `tool_calls`, `content_filter`, ..."""
    spent: Spent = field(default_factory=Spent)
    dropped: tuple[str, ...] = ()
    """Parameters that the endpoint did not know: the answer came without them."""


def read_completion(value: object, *, latency: float = 0.0) -> Completion:
    """Returns the first choice of a chat completion.

    Raises ModelUnavailable, saying what is wrong, if it is none: gateways answer with errors of
    their own in the body of a status 200.
    """
    answer = _mapping(value, "the answer")
    if answer.get("error"):
        raise _no_answer(f"an error in place of an answer: {_json(answer['error'])}")
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices:
        raise _no_answer("no choice")
    choice = _mapping(choices[0], "the choice")
    message = _mapping(choice.get("message"), "the message")
    return Completion(
        text=_text(message.get("content")),
        tool_calls=_calls(message.get("tool_calls")),
        refusal=_optional_text(message.get("refusal"), "the refusal"),
        finish=_optional_text(choice.get("finish_reason"), "the finish reason") or "stop",
        spent=Spent.of(answer.get("usage"), latency),
    )


def _text(content: object) -> str:
    """Returns the content, which some endpoints give in parts."""
    if isinstance(content, list):
        parts = [_mapping(part, "a part of the content") for part in content]
        return "".join(_optional_text(part.get("text"), "a part's text") or "" for part in parts)
    return _optional_text(content, "the content") or ""


def _calls(calls: object) -> tuple[RequestedCall, ...]:
    if calls is None:
        return ()
    if not isinstance(calls, list):
        raise _no_answer(f"tool calls that are no list: {_json(calls)}")
    asked = [_mapping(call, "a tool call") for call in calls]
    functions = [(n, call) for n, call in enumerate(asked) if call.get("function") is not None]
    return tuple(_call(number, call) for number, call in functions)


def _call(number: int, call: Mapping[str, object]) -> RequestedCall:
    function = _mapping(call["function"], "a tool call's function")
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(name, str):
        raise _no_answer(f"a tool call without the name of a function: {_json(call)}")
    if not isinstance(arguments, str):  # Ollama and others give the object itself
        arguments = "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
    named = _optional_text(call.get("id"), "a tool call's id") or f"call_{number}"
    return RequestedCall(named, sendable(name), sendable(arguments))


def _mapping(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _no_answer(f"{what} is {_json(value)}, expected an object")
    return value


def _optional_text(value: object, what: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _no_answer(f"{what} is {_json(value)}, expected text")
    return sendable(value)


def sendable(text: str) -> str:
    """Returns the text without halves of surrogate pairs, which can be neither sent nor written."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _json(value: object) -> str:
    return f"{json.dumps(value, ensure_ascii=False):.{SHOWN}}"


def _no_answer(what: str) -> ModelUnavailable:
    return ModelUnavailable(f"status 200, but {what}")
