"""Answers in the words of the chat-completions protocol, whole or event by event.

Nothing here depends on the time, on chance or on what was asked before: the same request with the
same answer gives the same bytes, so that what is recorded from the stand-in is the same each time.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import zip_longest
from typing import Any

from pytest_todeval.models.fake_server.answer import Answer
from pytest_todeval.models.fake_server.request import ChatRequest

TOKEN = re.compile(r"\s*(?:\w+|[^\w\s])|\s+")
"""A word or a punctuation mark, with the blanks before it; blanks at the end are one more."""


def pieces(text: str) -> list[str]:
    """Returns the tokens of a text; joined, they are the text."""
    return TOKEN.findall(text)


def count(text: str | None) -> int:
    """Returns the tokens in a text."""
    return sum(1 for _ in TOKEN.finditer(text or ""))


def cut(text: str, limit: int) -> str:
    """Returns the first `limit` tokens of a text."""
    for number, token in enumerate(TOKEN.finditer(text), 1):
        if number == limit:
            return text[: token.end()]
    return text


def prompt_count(body: Mapping[str, Any]) -> int:
    """The tokens of a request: message texts, names and arguments of tool calls, tools as JSON."""
    said = sum(count(text) for message in body["messages"] for text in _texts(message))
    tools = body.get("tools")
    return said + (count(json.dumps(tools, ensure_ascii=False)) if tools else 0)


def _texts(message: Mapping[str, Any]) -> Iterable[str]:
    content = message.get("content")
    if isinstance(content, str):
        yield content
    else:
        yield from (part["text"] for part in content or () if isinstance(part.get("text"), str))
    for call in message.get("tool_calls") or ():
        yield from (call["function"]["name"], call["function"]["arguments"])


MODEL = "stand-in"
CREATED = 1_767_225_600
"""2026-01-01 00:00 UTC, always."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CompletionChoice:
    """One answer, cut to the request's limit, with its ids."""

    index: int
    text: str | None
    chunks: tuple[str, ...]
    refusal: str | None
    calls: tuple[Json, ...]
    finish: str

    @property
    def tokens(self) -> int:
        called = (text for c in self.calls for text in c["function"].values())
        return sum(count(text) for text in (self.text, self.refusal, *called))


def completion(request: ChatRequest, answers: Sequence[Answer]) -> Json:
    """Returns the whole answer, one choice for each of `answers`."""
    name = _name(request, answers)
    choices = _choices(request, answers, name)
    whole = {
        **_head(name, "chat.completion"),
        "choices": [
            {
                "index": choice.index,
                "message": _message(choice),
                "logprobs": None,
                "finish_reason": choice.finish,
            }
            for choice in choices
        ],
    }
    usage = _usage(request, answers, choices)
    return {**whole, "usage": usage} if usage else whole


def events(request: ChatRequest, answers: Sequence[Answer]) -> Iterator[Json]:
    """The same as events of a stream; choices take turns, the usage comes last if asked for."""
    name = _name(request, answers)
    choices = _choices(request, answers, name)
    usage = _usage(request, answers, choices) if request.wants_usage else None
    head = _head(name, "chat.completion.chunk")
    last = {"usage": None} if usage else {}
    for row in zip_longest(*(_deltas(choice) for choice in choices)):
        for delta in row:
            if delta is not None:
                yield {**head, "choices": [delta], **last}
    if usage:
        yield {**head, "choices": [], "usage": usage}


def models() -> list[Json]:
    """Returns what `/v1/models` lists."""
    return [{"id": MODEL, "object": "model", "created": CREATED, "owned_by": "pytest-todeval"}]


def to_json(value: object) -> bytes:
    """UTF-8; half surrogate pairs, which UTF-8 cannot hold, stay escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def _head(name: str, kind: str) -> Json:
    return {
        "id": f"chatcmpl-standin-{name}",
        "object": kind,
        "created": CREATED,
        "model": MODEL,
        "system_fingerprint": MODEL,
    }


def _name(request: ChatRequest, answers: Iterable[Answer]) -> str:
    said = [[a.content, a.calls, a.refusal, a.finish] for a in answers]
    asked_and_said = json.dumps([request.body, said], sort_keys=True)
    return blake2b(asked_and_said.encode(), digest_size=8).hexdigest()


def _choices(request: ChatRequest, answers: Iterable[Answer], name: str) -> list[CompletionChoice]:
    return [_choice(index, a, request.limit, name) for index, a in enumerate(answers)]


def _choice(index: int, answer: Answer, limit: int | None, name: str) -> CompletionChoice:
    text = answer.content
    if text is not None and limit is not None:
        text = cut(text, limit)
    was_cut = text != answer.content
    calls = tuple(
        {
            "id": f"call_{name}_{index}_{number}",
            "type": "function",
            "function": {"name": tool, "arguments": arguments},
        }
        for number, (tool, arguments) in enumerate(answer.calls)
    )
    default = "tool_calls" if calls else "length" if was_cut else "stop"
    chunks = tuple(answer.chunks) if answer.chunks and not was_cut else tuple(pieces(text or ""))
    return CompletionChoice(index, text, chunks, answer.refusal, calls, answer.finish or default)


def _message(choice: CompletionChoice) -> Json:
    message: Json = {"role": "assistant", "content": choice.text, "refusal": choice.refusal}
    return {**message, "tool_calls": list(choice.calls)} if choice.calls else message


def _deltas(choice: CompletionChoice) -> Iterator[Json]:
    parts = [(delta, None) for delta in _parts(choice)]
    for delta, finish in (*parts, ({}, choice.finish)):
        yield {"index": choice.index, "delta": delta, "logprobs": None, "finish_reason": finish}


def _parts(choice: CompletionChoice) -> Iterator[Json]:
    yield {"role": "assistant", "content": None if choice.text is None else "", "refusal": None}
    for piece in choice.chunks:
        yield {"content": piece}
    for piece in pieces(choice.refusal or ""):
        yield {"refusal": piece}
    for number, call in enumerate(choice.calls):
        begun = {**call["function"], "arguments": ""}
        yield {"tool_calls": [{"index": number, **call, "function": begun}]}
        for piece in pieces(call["function"]["arguments"]):
            yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


def _usage(
    request: ChatRequest, answers: Sequence[Answer], choices: Iterable[CompletionChoice]
) -> Mapping[str, Any] | None:
    said = next((a.usage for a in answers if a.usage is not None), None)
    if said is not None and not said:
        return None
    usage = dict(said) if said else _counted(request, choices)
    parts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    counts = [part for part in parts if isinstance(part, int)]  # a test may send nonsense
    return {"total_tokens": sum(counts), **usage}


def _counted(request: ChatRequest, choices: Iterable[CompletionChoice]) -> Json:
    return {
        "prompt_tokens": prompt_count(request.body),
        "completion_tokens": sum(choice.tokens for choice in choices),
    }
