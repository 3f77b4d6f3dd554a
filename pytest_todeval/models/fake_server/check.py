"""Whether a body is a request for a chat completion."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any


class Rejected(Exception):
    """A request answered with an error status; not a fault of the stand-in or of its script."""

    def __init__(
        self,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        status: int = HTTPStatus.BAD_REQUEST,
    ) -> None:
        super().__init__(message)
        self.status = int(status)
        self.body = error_body(message, "invalid_request_error", param=param, code=code)


def error_body(
    message: str, kind: str, *, param: str | None = None, code: str | None = None
) -> dict[str, Any]:
    """Returns an error in the shape of OpenAI's."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


ROLES = ("system", "developer", "user", "assistant", "tool")
FORMATS = ("text", "json_object", "json_schema")
MOST = {"n": 128, "max_tokens": 2**31, "max_completion_tokens": 2**31}
NOT_SPOKEN = ("logprobs", "audio", "functions", "function_call")
"""Parts of the protocol that the stand-in does not have; silence about them would mislead."""

WORDS: dict[type, str] = {
    bool: "a boolean",
    dict: "an object",
    float: "a number",
    int: "an integer",
    list: "an array",
    str: "a string",
    type(None): "null",
}


def check(body: object) -> dict[str, Any]:
    """Returns the body, if it is sound; raises Rejected naming the first place that is not."""
    if not isinstance(body, dict):
        raise Rejected(f"The body is {WORDS[type(body)]}, expected an object.")
    for name in NOT_SPOKEN:
        if body.get(name):
            raise Rejected(
                f"The stand-in does not speak '{name}'.", param=name, code="unsupported_parameter"
            )
    _expect(body.get("model"), str, "model")
    messages = _expect(body.get("messages"), list, "messages")
    if not messages:
        raise Rejected("'messages' is an empty array, expected at least one.", param="messages")
    for index, message in enumerate(messages):
        _check_message(_expect(message, dict, f"messages[{index}]"), f"messages[{index}]")
    _check_tool_answers(messages)
    _check_tools(body.get("tools"))
    _check_format(body.get("response_format"))
    _check_numbers(body)
    _check_stream(body)
    return body


def _check_message(message: Mapping[str, Any], place: str) -> None:
    role = message.get("role")
    if role not in ROLES:
        raise Rejected(
            f"'{place}.role' is {role!r:.60}, expected one of {', '.join(ROLES)}.",
            param=f"{place}.role",
        )
    calls = message.get("tool_calls")
    if calls is not None:
        _check_calls(calls, place)
    _check_content(message.get("content"), f"{place}.content", optional=role == "assistant")
    if role == "tool":
        _expect(message.get("tool_call_id"), str, f"{place}.tool_call_id")


def _check_content(content: object, place: str, *, optional: bool) -> None:
    if isinstance(content, str) or (optional and content is None):
        return
    if not isinstance(content, list):
        raise Rejected(_got(content, place, "a string or an array of parts"), param=place)
    for index, part in enumerate(content):
        here = f"{place}[{index}]"
        kind = _expect(_expect(part, dict, here).get("type"), str, f"{here}.type")
        if kind == "text":
            _expect(part.get("text"), str, f"{here}.text")


def _check_calls(calls: object, place: str) -> None:
    for index, call in enumerate(_expect(calls, list, f"{place}.tool_calls")):
        here = f"{place}.tool_calls[{index}]"
        _expect(_expect(call, dict, here).get("id"), str, f"{here}.id")
        function = _expect(call.get("function"), dict, f"{here}.function")
        _expect(function.get("name"), str, f"{here}.function.name")
        _expect(function.get("arguments"), str, f"{here}.function.arguments")


def _check_tool_answers(messages: Sequence[Mapping[str, Any]]) -> None:
    """Each tool call is answered right after it, and each tool message answers one."""
    open_calls: list[str] = []
    for index, message in enumerate(messages):
        place = f"messages[{index}]"
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                raise Rejected(
                    f"'{place}' answers tool call {message['tool_call_id']!r:.80}, which the "
                    "assistant message before it did not make, or which is answered already.",
                    param=f"{place}.tool_call_id",
                )
            open_calls.remove(message["tool_call_id"])
            continue
        _check_all_answered(open_calls, f"before '{place}'")
        open_calls = [call["id"] for call in message.get("tool_calls") or ()]
    _check_all_answered(open_calls, "at the end")


def _check_all_answered(open_calls: Sequence[str], place: str) -> None:
    if open_calls:
        raise Rejected(
            f"Tool calls must be answered by tool messages; {place} these were not: "
            f"{', '.join(open_calls):.200}",
            param="messages",
        )


def _check_tools(tools: object) -> None:
    for index, tool in enumerate(_expect(tools, list, "tools") if tools is not None else ()):
        here = f"tools[{index}]"
        if _expect(tool, dict, here).get("type") != "function":
            raise Rejected(
                _got(tool.get("type"), f"{here}.type", "'function'"), param=f"{here}.type"
            )
        function = _expect(tool.get("function"), dict, f"{here}.function")
        _expect(function.get("name"), str, f"{here}.function.name")


def _check_format(wanted: Any) -> None:
    if wanted is None:
        return
    kind = _expect(wanted, dict, "response_format").get("type")
    if kind not in FORMATS:
        raise Rejected(
            f"'response_format.type' is {kind!r:.60}, expected one of {', '.join(FORMATS)}.",
            param="response_format.type",
        )
    if kind == "json_schema":
        inner = _expect(wanted.get("json_schema"), dict, "response_format.json_schema")
        _expect(inner.get("name"), str, "response_format.json_schema.name")
        _expect(inner.get("schema"), dict, "response_format.json_schema.schema")


def _check_numbers(body: Mapping[str, Any]) -> None:
    for name, most in MOST.items():
        value = body.get(name)
        if value is not None and (type(value) is not int or not 1 <= value <= most):
            raise Rejected(_got(value, name, f"an integer from 1 to {most}"), param=name)


def _check_stream(body: Mapping[str, Any]) -> None:
    if body.get("stream") is not None:
        _expect(body["stream"], bool, "stream")
    if body.get("stream_options") is None:
        return
    _expect(body["stream_options"], dict, "stream_options")
    if not body.get("stream"):
        raise Rejected(
            "'stream_options' is only allowed when 'stream' is true.", param="stream_options"
        )


def _expect(value: Any, kind: type, place: str) -> Any:
    if not isinstance(value, kind):
        raise Rejected(_got(value, place, WORDS[kind]), param=place)
    return value


def _got(value: object, place: str, wanted: str) -> str:
    if value is None:
        return f"'{place}' is missing or null, expected {wanted}."
    shown = f" {value!r:.60}" if isinstance(value, str | int | float) else ""
    return f"'{place}' is {WORDS[type(value)]}{shown}, expected {wanted}."
