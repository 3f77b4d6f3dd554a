"""Turns that were before the dialogue, as the messages that a chat model is sent of them."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.llm.completion import sendable
from pytest_todeval.llm.tool_calls import ReadCall, assistant_message
from pytest_todeval.systems.chat.observation import observed

__all__ = ["remembered"]


def remembered(opening: Sequence[Turn]) -> list[dict[str, Any]]:
    """The messages of user, bot and tools, as if the model had been there.

    The ids of the calls are ours, and the same in every run: cassettes match by them.
    """
    return [message for turn in opening for message in _messages(turn)]


def _messages(turn: Turn) -> Iterator[dict[str, Any]]:
    if turn.user:
        yield {"role": "user", "content": sendable(turn.user)}
    for number, call in enumerate(turn.tool_calls, 1):
        made = _call(call, f"before_{-turn.index}_{number}")
        yield assistant_message("", [made])
        told = observed(call.result)[1] if call.error is None else call.error
        yield {"role": "tool", "tool_call_id": made.id, "content": sendable(told)}
    yield {"role": "assistant", "content": sendable(turn.system)}


def _call(call: ToolCall, id: str) -> ReadCall:
    return ReadCall(id, call.name, call.arguments, json.dumps(dict(call.arguments)))
