"""What was asked, read and checked."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.models.fake_server.check import Rejected, check

MAX_DEPTH = 100
"""Lists and objects within one another in a body."""


@dataclass(frozen=True, slots=True, repr=False)
class ChatRequest:
    """A request for a chat completion."""

    number: int
    """1 for the first that this server could read, in the order of arrival. Many at once arrive in
    any order; answers that shall not depend on it look at the messages."""
    body: Mapping[str, Any]
    """The JSON as it came."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """By name in lower case. May hold a key: not shown in messages."""

    def __repr__(self) -> str:
        return f"<ChatRequest {self.number}, last user message {self.last_user!r:.80}>"

    @property
    def model(self) -> str:
        """Returns the model asked for; the answer names `stand-in` whatever it is."""
        return str(self.body["model"])

    @property
    def messages(self) -> tuple[Mapping[str, Any], ...]:
        """Returns the messages, as they came."""
        return tuple(self.body["messages"])

    @property
    def tools(self) -> tuple[Mapping[str, Any], ...]:
        """Returns the tools offered, as they came; empty if none are."""
        return tuple(self.body.get("tools") or ())

    @property
    def last_user(self) -> str:
        """Returns the text of the last user message; empty if there is none."""
        users = (m for m in reversed(self.messages) if m["role"] == "user")
        return "".join(_texts(next(users, {})))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """Returns the JSON schema that the answer shall fit, if `response_format` holds one."""
        wanted = self.body.get("response_format") or {}
        if wanted.get("type") != "json_schema":
            return None
        schema: Mapping[str, Any] = wanted["json_schema"]["schema"]
        return schema

    @property
    def stream(self) -> bool:
        """Says whether the answer is asked for event by event."""
        return bool(self.body.get("stream"))

    @property
    def n(self) -> int:
        """Returns the choices asked for."""
        return int(self.body.get("n") or 1)

    @property
    def limit(self) -> int | None:
        """The most tokens an answer may have."""
        limit = self.body.get("max_completion_tokens") or self.body.get("max_tokens")
        return None if limit is None else int(limit)

    @property
    def wants_usage(self) -> bool:
        """Says whether a usage count is sent: always, but in a stream only if asked for."""
        options = self.body.get("stream_options") or {}
        return not self.stream or bool(options.get("include_usage"))


def read_body(data: bytes) -> dict[str, Any]:
    """Returns the body of a request for a chat completion; raises Rejected if it is none."""
    try:
        body = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
        if _depth(body) > MAX_DEPTH:
            raise Rejected(f"The body is nested more than {MAX_DEPTH} deep.")
    except (ValueError, RecursionError) as error:
        raise Rejected(f"We could not parse the JSON body of your request: {error}") from None
    return check(body)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _depth(value: object) -> int:
    level, depth = [value], 0
    while level := [inner for outer in level for inner in _inner(outer)]:
        depth += 1
    return depth


def _inner(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _texts(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content") or ""
    if isinstance(content, str):
        yield content
    else:
        yield from (part["text"] for part in content if part.get("type") == "text")
