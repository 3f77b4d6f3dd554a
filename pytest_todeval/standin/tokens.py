"""How the stand-in counts: plainly, so that a test can tell the number by looking."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["count", "cut", "pieces", "prompt_count"]

TOKEN = re.compile(r"\s*(?:\w+|[^\w\s])|\s+")
"""A word or a punctuation mark, with the blanks before it; blanks at the end are one more."""


def pieces(text: str) -> list[str]:
    """The tokens of a text; joined, they are the text."""
    return TOKEN.findall(text)


def count(text: str | None) -> int:
    """The tokens in a text."""
    return sum(1 for _ in TOKEN.finditer(text or ""))


def cut(text: str, limit: int) -> str:
    """The first `limit` tokens of a text."""
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
