"""Recorded calls for tests: dialogues of a user, a bot and a judge, as chat completions."""

import json
from collections.abc import Sequence
from typing import Any

from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Call, Header, RaisedError, Request, Response
from pytest_todeval.recording.intake import Intake
from pytest_todeval.recording.key import call_key

JSON = "application/json"
HEADER = Header("tests/test_hotel.py::test_books[demo/1]", "2025-03-01T12:00:00+00:00", 7)
PATH = "/v1/chat/completions"


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


def ask(value: object, lane: Lane = Lane.SYSTEM, *, query: str = "", path: str = PATH) -> Request:
    return Request(lane, "POST", path, query, JSON, encoded(value))


def answered(
    request: Request,
    value: object,
    *,
    status: int = 200,
    turn: int = 1,
    headers: Sequence[tuple[str, str]] = (),
) -> Call:
    response = Response(status, (("content-type", JSON), *headers), encoded(value))
    return Call(call_key(request), request, response, turn, "demo/1#0")


def streamed(request: Request, events: Sequence[bytes], turn: int = 1) -> Call:
    headers = (("content-type", "text/event-stream"),)
    response = Response(200, headers, b"".join(events), tuple(events))
    return Call(call_key(request), request, response, turn, "demo/1#0")


def chat(text: str, *, model: str = "stand-in", lane: Lane = Lane.SYSTEM, turn: int = 1) -> Call:
    """One call with one message."""
    messages = [{"role": "user", "content": text}]
    request = ask({"model": model, "messages": messages}, lane)
    return answered(request, reply(f"re {text}"), turn=turn)


def reply(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "stand-in",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def tools(count: int = 3) -> list[dict[str, Any]]:
    properties = {"area": {"type": "string"}, "stars": {"type": "number"}}
    schema = {"type": "object", "properties": properties, "required": ["area"]}
    return [
        {"type": "function", "function": {"name": f"find_{number}", "parameters": schema}}
        for number in range(count)
    ]


def dialogue(
    turns: int, *, name: str = "0", system: str = "You book hotels. " * 40, words: int = 30
) -> list[Call]:
    """A growing dialogue: each turn asks user, bot and judge, with all that was said."""
    prompts = {
        Lane.USER: f"You want a hotel. Dialogue {name}. " * 10,
        Lane.SYSTEM: system,
        Lane.JUDGE: "You judge each turn. " * 20,
    }
    said: list[tuple[str, str]] = []
    calls = []
    for turn in range(1, turns + 1):
        for lane, role in ((Lane.USER, "user"), (Lane.SYSTEM, "assistant"), (Lane.JUDGE, "")):
            messages = [{"role": "system", "content": prompts[lane]}]
            flip = {"user": "assistant", "assistant": "user"} if lane is Lane.USER else {}
            messages += [{"role": flip.get(who, who), "content": text} for who, text in said]
            body: dict[str, Any] = {"model": "stand-in", "temperature": 0, "messages": messages}
            if lane is Lane.SYSTEM:
                body["tools"] = tools()
            text = " ".join(f"{lane}{name}w{turn * number % 97}" for number in range(words))
            calls.append(answered(ask(body, lane), reply(text), turn=turn))
            if role:
                said.append((role, text))
    return calls


class Told:
    """What a recording is told of an answer."""

    def __init__(self) -> None:
        self.intake: Intake | None = None
        self.answers: list[Response] = []

    def began(self, intake: Intake) -> None:
        self.intake = intake

    def answered(self, response: Response) -> None:
        self.answers.append(response)

    def failed(self, raised: RaisedError) -> None:
        raise AssertionError

    def abandoned(self, why: str = "", todo: str = "") -> None:
        raise AssertionError
