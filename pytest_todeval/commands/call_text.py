"""Recorded calls as text for people: what was asked, what was answered, where two differ."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval.recording.bodies import UNREADABLE, parse
from pytest_todeval.recording.call import Call, RaisedError, Request, Response
from pytest_todeval.recording.meaning import MESSAGE_LISTS

STREAM_END = b"[DONE]"


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """One message."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class ToldCall:
    """A call with the messages that its lane's last call did not have."""

    number: int
    title: str
    known: int
    """How many messages were there before."""
    said: Sequence[SaidMessage]
    came: Sequence[SaidMessage]


def told_calls(calls: Iterable[Call]) -> Iterator[ToldCall]:
    """The calls of a cassette, as a dialogue."""
    last: dict[str, list[SaidMessage]] = {}
    for number, call in enumerate(calls, 1):
        said, before = messages(call.request), last.get(call.request.lane, [])
        known = next((n for n, (a, b) in enumerate(zip(said, before)) if a != b), len(before))  # noqa: B905
        known = min(known, len(said))
        last[call.request.lane] = said
        yield ToldCall(number, title(call), known, said[known:], answers(call.outcome))


def title(call: Call) -> str:
    """`system, turn 3: POST /v1/chat/completions (stand-in) -> 200`."""
    request, outcome = call.request, call.outcome
    model = _body(request).get("model")
    query = f"?{request.query}" if request.query else ""
    asked = f"{request.method} {request.path}{query}" + (f" ({model})" if model else "")
    came = f"{outcome.kind} error" if isinstance(outcome, RaisedError) else str(outcome.status)
    return f"{request.lane}, turn {call.turn}: {asked} -> {came}"


def messages(request: Request) -> list[SaidMessage]:
    """Returns the dialogue a request carries; one message without a name for other bodies."""
    body = _body(request)
    if not body:
        raw = _raw(request.content_type, request.body)
        return [SaidMessage("body", raw)] if request.body else []
    found = [
        SaidMessage("system", _content(body[n])) for n in ("system", "instructions") if body.get(n)
    ]
    for name in sorted(MESSAGE_LISTS.intersection(body)):
        value = body[name]
        found += (
            map(_said, value) if isinstance(value, list) else [SaidMessage(name, _content(value))]
        )
    return found


def parameters(request: Request) -> dict[str, str]:
    """Returns what else a request asks for, by name: model, tools, temperature, path, ..."""
    shown = {*MESSAGE_LISTS, "system", "instructions"}
    found = {name: _content(value) for name, value in _body(request).items() if name not in shown}
    query = f"?{request.query}" if request.query else ""
    return {"call": f"{request.method} {request.path}{query}", **found}


def answers(outcome: Response | RaisedError) -> list[SaidMessage]:
    """Returns what came back: the choices of a chat completion, streamed or not; else the body."""
    if isinstance(outcome, RaisedError):
        return [SaidMessage(f"{outcome.kind} error", outcome.message)]
    media = dict(outcome.headers).get("content-type", "")
    found = _streamed(outcome.events) if outcome.events else _choices(parse(media, outcome.body))
    return found or [SaidMessage("body", _raw(media, outcome.body))]


def _body(request: Request) -> Mapping[str, Any]:
    value = parse(request.content_type, request.body)
    return value if isinstance(value, dict) else {}


def _raw(media: str, body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return f"<{len(body)} bytes of {media or 'unknown type'}>"


def _said(message: object) -> SaidMessage:
    if not isinstance(message, dict):
        return SaidMessage("user", _content(message))
    who = str(message.get("role") or message.get("type") or "message")
    shown = [_content(message["content"])] if message.get("content") else []
    shown += _tool_calls(message.get("tool_calls"))
    known = {"role", "content", "tool_calls"}
    rest = {n: v for n, v in message.items() if n not in known and v not in (None, [], {})}
    return SaidMessage(who, "\n".join(shown + ([_content(rest)] if rest else [])))


def _tool_calls(calls: object) -> list[str]:
    if not isinstance(calls, list):
        return []
    functions = (call.get("function") if isinstance(call, dict) else None for call in calls)
    return [
        f"calls {function.get('name')}({_content(function.get('arguments'))})"
        if isinstance(function, dict)
        else f"calls {_content(call)}"
        for call, function in zip(calls, functions, strict=True)
    ]


def _content(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(_text_part(item) for item in value):
        return "\n".join(str(_text_part(item)) for item in value)
    return json.dumps(value, ensure_ascii=False)


def _text_part(part: object) -> str | None:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def _choices(value: object) -> list[SaidMessage]:
    choices = value.get("choices") if isinstance(value, dict) else None
    if not isinstance(choices, list):
        return [] if value is UNREADABLE else [SaidMessage("answer", _content(value))]
    found = (choice.get("message") for choice in choices if isinstance(choice, dict))
    return [_said(message) for message in found if message is not None]


def _streamed(events: Iterable[bytes]) -> list[SaidMessage]:
    """Returns the texts of a streamed chat completion, by choice; nothing for other streams."""
    texts: dict[object, list[str]] = {}
    for event in events:
        for choice in _deltas(event):
            delta = choice.get("delta")
            if isinstance(delta, dict):
                texts.setdefault(str(choice.get("index")), []).extend(_delta_texts(delta))
    return [SaidMessage("assistant (streamed)", "".join(parts)) for parts in texts.values()]


def _deltas(event: bytes) -> Iterator[Mapping[str, Any]]:
    data = event.strip().removeprefix(b"data:").strip()
    value = None if data == STREAM_END else parse("application/json", data)
    choices = value.get("choices") if isinstance(value, dict) else None
    if isinstance(choices, list):
        yield from (choice for choice in choices if isinstance(choice, dict))


def _delta_texts(delta: Mapping[str, Any]) -> Iterator[str]:
    if isinstance(delta.get("content"), str):
        yield delta["content"]
    calls = delta.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield f"\ncalls {function['name']} " if function.get("name") else ""
            yield str(function.get("arguments") or "")
