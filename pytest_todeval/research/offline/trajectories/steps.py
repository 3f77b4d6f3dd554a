"""The messages of a trajectory as steps: what the user said, and the bot's calls and replies.

Two forms. Tool-calling: a message's calls stand in `tool_calls`, what comes back in messages of
role `tool`; a message with a call and text is the call, and only its first call was made. ReAct
(and Act): the call is JSON after the last "Action:" of the text, what comes back is a user message
that starts with "API output: ". In both a call of `respond` is a reply. Text after "Action:" that
is not such JSON is the reply, as tau-bench has it (`tau_bench/agents/chat_react_agent.py`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.evaluate.metrics.reward import RESPOND
from pytest_todeval.research.offline.trajectories.reading import Message

API_OUTPUT = "API output: "
ACTION = "Action:"


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply of the bot."""

    text: str


@dataclass(frozen=True, slots=True)
class SaidStep:
    """What the user said."""

    text: str


@dataclass(frozen=True, slots=True)
class StoredCall:
    """A call of a tool."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    """Why it cannot be made: its arguments are not readable."""
    stored: str | None = None
    """What came back when the file was made; None if the file does not say."""


Step = StoredCall | SaidStep | Spoken


def steps(messages: Sequence[Message]) -> Iterator[Step]:
    """The steps in order. Never raises: what is unreadable is text, or a call with a problem."""
    react = _is_react(messages)
    for place, message in enumerate(messages):
        role = message["role"]
        if role == "user" and not (react and _answers_call(messages, place)):
            yield SaidStep(_text(message))
        elif role == "assistant":
            following = messages[place + 1] if place + 1 < len(messages) else None
            yield _react(message, following) if react else _tool_calling(message, following)


def _text(message: Message) -> str:
    """Returns the content: text, or a list of parts of which some hold text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, Mapping)]
    return "".join(text for text in texts if isinstance(text, str))


def _is_react(messages: Sequence[Message]) -> bool:
    """Whether calls stand in the text: none stands elsewhere, and the bot was told to, or did."""
    if any(message["role"] == "tool" or message.get("tool_calls") for message in messages):
        return False
    told = any(m["role"] == "system" and ACTION in _text(m) for m in messages)
    spoken = [m for m in messages if m["role"] == "assistant"]
    return told or any(_action(_text(message)) is not None for message in spoken)


def _tool_calling(message: Message, following: Message | None) -> Step:
    calls = message.get("tool_calls")
    first = calls[0] if isinstance(calls, list) and calls else None
    function = first.get("function") if isinstance(first, Mapping) else None
    if not isinstance(function, Mapping):
        return Spoken(_text(message))
    stored = _text(following) if following and following["role"] == "tool" else None
    name = str(function.get("name"))
    arguments = _arguments(function.get("arguments"))
    if arguments is None:
        return StoredCall(name, problem="its arguments are not a JSON object", stored=stored)
    return _step(name, arguments, stored)


def _step(name: str, arguments: Mapping[str, Any], stored: str | None) -> StoredCall | Spoken:
    """Returns a call, or the reply that one of `respond` is, whichever way it was written."""
    if name != RESPOND:
        return StoredCall(name, arguments, stored=stored)
    content = arguments.get("content", "")
    return Spoken(content if isinstance(content, str) else json.dumps(content))


def _arguments(value: object) -> Mapping[str, Any] | None:
    found = _json(value) if isinstance(value, str) else value
    return found if isinstance(found, dict) else None


def _react(message: Message, following: Message | None) -> Step:
    text = _text(message)
    action = _action(text)
    if action is None:
        return Spoken(_after_action(text))
    name, arguments = action
    back = _text(following) if following and following["role"] == "user" else ""
    stored = back.removeprefix(API_OUTPUT) if back.startswith(API_OUTPUT) else None
    return _step(name, arguments, stored)


def _answers_call(messages: Sequence[Message], place: int) -> bool:
    """Says whether a ReAct user message is what a tool answered, not what the user said."""
    before = messages[place - 1] if place else None
    if before is None or before["role"] != "assistant":
        return False
    action = _action(_text(before))
    return action is not None and action[0] != RESPOND


def _after_action(text: str) -> str:
    return text.rpartition(ACTION)[2].strip()


def _action(text: str) -> tuple[str, Mapping[str, Any]] | None:
    found = _json(_after_action(text))
    if not isinstance(found, dict):
        return None
    name, arguments = found.get("name"), found.get("arguments")
    return (name, arguments) if isinstance(name, str) and isinstance(arguments, dict) else None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
