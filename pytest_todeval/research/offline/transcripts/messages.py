"""Messages of chats, in the shapes in which logs and traces keep them, as the turns of a dialogue.

Known are those of OpenAI's and Anthropic's APIs, of LangChain (plain and serialised), of
OpenInference, and of OpenTelemetry's conventions for generative AI.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.research.offline.record import data_or_text

ROLES = {
    "user": "user", "human": "user", "customer": "user", "client": "user", "humanmessage": "user",
    "visitor": "user", "caller": "user",
    "assistant": "bot", "ai": "bot", "model": "bot", "bot": "bot", "agent": "bot",
    "aimessage": "bot", "aimessagechunk": "bot", "system_bot": "bot",
    "tool": "tool", "function": "tool", "toolmessage": "tool",
}  # fmt: skip
"""What logs call a speaker -> who it is. Instructions (`system`, `developer`) are left out."""
Call = tuple[str, str, Any]
"""Id, name and arguments."""
MOST_TURNS = 1000
GIVEN = ("arguments", "function.arguments", "args", "input")
"""What a call's arguments are called."""
TEXTS = ("text", "content", "message", "body", "utterance", "input_text", "output_text")


@dataclass(frozen=True)
class ChatMessage:
    """One message: words, calls, or results of calls."""

    who: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[tuple[str, Any, bool], ...] = ()
    """Id, result, and whether it is an error."""

    @property
    def key(self) -> str:
        """Returns what is equal in two copies of one message."""
        return json.dumps([self.who, self.text, self.calls, self.results], default=str)


def message_of(raw: Any) -> ChatMessage | None:
    """A message in any of the known shapes; None for instructions and what is no message."""
    raw = _opened(raw)
    role = raw.get("role") or raw.get("type") or raw.get("speaker") or raw.get("author") or ""
    who = ROLES.get(str(role).lower().rpartition(".")[2])
    if who is None:
        return None
    parts = [*_parts(raw)]
    text = "\n".join(text for kind, text in parts if kind == "text" and text).strip()
    results = [result for kind, result in parts if kind == "result"]
    calls = [*_calls(raw, [call for kind, call in parts if kind == "call"])]
    if who == "tool" and not results:
        id = str(raw.get("tool_call_id") or raw.get("id") or raw.get("name") or "")
        results, text = [(id, data_or_text(text), raw.get("status") == "error")], ""
    if results and not text and not calls:
        who = "tool"
    return ChatMessage(who, text, tuple(calls), tuple(results))


def _calls(raw: Mapping[str, Any], in_parts: Sequence[Call]) -> Iterator[Call]:
    """The calls of a message, whether they stand in its content or beside it."""
    yield from in_parts
    for each in (*(raw.get("tool_calls") or ()), raw.get("function_call")):
        if (call := _call(each)) is not None:
            yield call


def _opened(raw: Any) -> dict[str, Any]:
    """Returns a message without its wrapping: OpenInference's `message.`, LangChain's `kwargs`."""
    if not isinstance(raw, Mapping):
        return {}
    if isinstance(raw.get("message"), Mapping):
        return _opened(raw["message"])
    if isinstance(raw.get("kwargs"), Mapping):
        names = raw.get("id") or ["?"]
        return {**raw["kwargs"], "role": str(names[-1] if isinstance(names, list) else names)}
    if isinstance(raw.get("data"), Mapping) and "type" in raw:
        return {**raw["data"], "role": raw["type"]}
    return {str(key).removeprefix("message."): value for key, value in raw.items()}


def _parts(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Texts, calls and results in a message's content."""
    content = raw.get("parts", raw.get("content", raw.get("contents")))
    if content is None:
        content = next((raw[name] for name in TEXTS if isinstance(raw.get(name), str)), None)
    if isinstance(content, str):
        yield "text", content
        return
    for part in content if isinstance(content, Sequence) else ():
        yield from _part({"text": part} if isinstance(part, str) else _opened(part))


def _part(part: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    part = {str(key).removeprefix("message_content."): value for key, value in part.items()}
    kind = str(part.get("type", "text"))
    if kind in ("tool_use", "tool_call", "function_call"):
        if (call := _call(part)) is not None:
            yield "call", call
    elif kind in ("tool_result", "tool_call_response", "function_call_output"):
        id = str(part.get("tool_use_id") or part.get("call_id") or part.get("id") or "")
        result = next(
            (part[n] for n in ("content", "response", "result", "output") if n in part), ""
        )
        if isinstance(result, list):
            result = "\n".join(str(each.get("text", each)) for each in result if each)
        found = data_or_text(result) if isinstance(result, str) else result
        yield "result", (id, found, bool(part.get("is_error")))
    else:
        text = next((part[name] for name in TEXTS if isinstance(part.get(name), str)), "")
        yield "text", text


def _call(raw: Any) -> Call | None:
    raw = raw.get("tool_call", raw) if isinstance(raw, Mapping) else {}
    raw = {str(key).removeprefix("tool_call."): value for key, value in raw.items()}
    inner = raw.get("function")
    function = inner if isinstance(inner, Mapping) else {}
    name = function.get("name") or raw.get("function.name") or raw.get("name")
    named = [each[key] for each in (function, raw) for key in GIVEN if key in each]
    given = named[0] if named else {}
    arguments = data_or_text(given) if isinstance(given, str) else given
    if not isinstance(name, str) or not name:
        return None
    id = raw.get("id") or raw.get("call_id") or ""
    return str(id), name, arguments if isinstance(arguments, Mapping) else {"arguments": arguments}


def turns_of(messages: Iterable[ChatMessage]) -> tuple[tuple[Turn, ...], str]:
    """Returns the turns of a chat, and what the user said last without an answer.

    A turn ends where the user speaks again; what the bot says in several messages is one reply.
    """
    found: list[Turn] = []
    user: list[str] = []
    bot: list[str] = []
    calls: list[tuple[str, ToolCall]] = []
    for message in (*messages, ChatMessage("user")):
        if message.who == "user" and (bot or calls):
            made = tuple(call for _, call in calls)
            found.append(Turn(len(found) + 1, "\n".join(user), "\n".join(bot), made))
            user, bot, calls = [], [], []
        if message.who == "tool":
            _answer(calls, message)
            continue
        if message.text:
            (user if message.who == "user" else bot).append(message.text)
        calls += [(id, ToolCall(name, arguments)) for id, name, arguments in message.calls]
    return tuple(found[:MOST_TURNS]), "\n".join(user)


def _answer(calls: list[tuple[str, ToolCall]], message: ChatMessage) -> None:
    """Give calls their results, by id, else in order."""
    for id, result, failed in message.results:
        open_ = [at for at, (_, call) in enumerate(calls) if call.result is None and not call.error]
        named = [at for at in open_ if id and id in (calls[at][0], calls[at][1].name)]
        for at in (named or open_)[:1]:
            call = calls[at][1]
            error = str(result) if failed else None
            answered = ToolCall(call.name, call.arguments, None if failed else result, error)
            calls[at] = (calls[at][0], answered)


def joined(asked: Iterable[Sequence[ChatMessage]]) -> list[ChatMessage]:
    """Returns one chat of what a model was asked and answered, call by call, each message once.

    Most calls hold all that was said before; a call that begins otherwise goes on from there.
    """
    found: list[ChatMessage] = []
    for messages in asked:
        goes_on = bool(found and messages) and messages[0].key != found[0].key
        seen = Counter() if goes_on else Counter(each.key for each in found)
        for message in messages:
            if seen[message.key]:
                seen[message.key] -= 1
            else:
                found.append(message)
    return found
