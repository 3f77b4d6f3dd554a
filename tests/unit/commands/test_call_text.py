"""Recorded calls as people read them: what was asked, with what, and what came back."""

import json

import pytest

from pytest_todeval.commands.call_text import answers, messages, parameters, title
from pytest_todeval.commands.cassette_difference import differences
from pytest_todeval.core.lane import Lane
from pytest_todeval.recording.call import Call, RaisedError, Request, Response

JSON = "application/json"


def asked(body: object, query: str = "", media: str = JSON) -> Request:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Request(Lane.SYSTEM, "POST", "/v1/x", query, media, raw)


def call(body: object, outcome: Response | RaisedError, key: str = "k", turn: int = 2) -> Call:
    return Call(key, asked(body), outcome, turn, "d")


def came(body: object, media: str = JSON) -> Response:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Response(200, (("content-type", media),), raw)


def test_a_call_has_a_title() -> None:
    assert title(call({"model": "m"}, came({}), turn=3)) == (
        "system, turn 3: POST /v1/x (m) -> 200"
    )
    failed = Call("k", asked(b"", "a=1"), RaisedError("timeout", "too late"), 0, "d")
    assert title(failed) == "system, turn 0: POST /v1/x?a=1 -> timeout error"


def said(request: Request) -> list[tuple[str, str]]:
    return [(each.who, each.text) for each in messages(request)]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (
            {
                "model": "m",
                "system": "Be kind.",
                "messages": [
                    {"role": "user", "content": "Hi."},
                    {"role": "user", "content": [{"text": "One."}, {"text": "Two."}]},
                    {"role": "user", "content": [{"text": "One."}, {"image": 1}]},
                    {"role": "assistant", "content": None, "tool_calls": [
                        {"function": {"name": "find", "arguments": '{"a": 1}'}}, {"id": 7}, 3]},
                    {"type": "output", "id": "c1", "empty": []},
                    {"content": "x", "name": "kim", "tool_calls": "none"},
                    "bare",
                ],
            },
            [
                ("system", "Be kind."),
                ("user", "Hi."),
                ("user", "One.\nTwo."),
                ("user", '[{"text": "One."}, {"image": 1}]'),
                ("assistant", 'calls find({"a": 1})\ncalls {"id": 7}\ncalls 3'),
                ("output", '{"type": "output", "id": "c1"}'),
                ("message", 'x\n{"name": "kim"}'),
                ("user", "bare"),
            ],
        ),
        ({"input": "Hi.", "instructions": "Be brief."}, [
            ("system", "Be brief."), ("input", "Hi.")]),
        ([1, 2], [("body", "[1, 2]")]),
        (b"", []),
        (b"\xff\x00", [("body", "<2 bytes of application/json>")]),
    ],
)  # fmt: skip
def test_the_dialogue_that_a_request_carries(body: object, shown: list[tuple[str, str]]) -> None:
    assert said(asked(body)) == shown


def test_parameters_are_all_but_the_dialogue() -> None:
    body = {"model": "m", "temperature": 0.5, "tools": [{"a": 1}], "messages": [], "system": "x"}
    assert parameters(asked(body)) == {
        "call": "POST /v1/x", "model": "m", "temperature": "0.5", "tools": '[{"a": 1}]',
    }  # fmt: skip
    assert parameters(asked([], "q=1")) == {"call": "POST /v1/x?q=1"}


def event(*choices: object) -> bytes:
    return f"data: {json.dumps({'choices': choices})}\n\n".encode()


def answered(outcome: Response | RaisedError) -> list[tuple[str, str]]:
    return [(each.who, each.text) for each in answers(outcome)]


def test_what_came_back() -> None:
    message = {"role": "assistant", "content": "Hello."}
    assert answered(came({"choices": [{"message": message}, {"message": None}, 3]})) == [
        ("assistant", "Hello.")
    ]
    assert answered(came({"choices": 1})) == [("answer", '{"choices": 1}')]
    assert answered(came("fine")) == [("answer", "fine")]
    assert answered(came(b"plain text", "text/plain")) == [("body", "plain text")]
    assert answered(came(b"\xff", "")) == [("body", "<1 bytes of unknown type>")]
    assert answered(RaisedError("timeout", "too late")) == [("timeout error", "too late")]
    calls = [{"function": {"name": "find", "arguments": '{"a"'}}, {"function": 1}, 2]
    events = (
        event({"index": 0, "delta": {"content": "Hel"}}, {"index": 1, "delta": {"content": "Yes"}}),
        event({"index": 0, "delta": {"content": "lo."}}, {"delta": 3}, 4),
        event({"index": 1, "delta": {"tool_calls": calls}}),
        event({"index": 1, "delta": {"tool_calls": [{"function": {"arguments": ": 1}"}}]}}),
        b"data: [DONE]\n\n",
    )
    streamed = Response(200, (("content-type", "text/event-stream"),), b"".join(events), events)
    assert answered(streamed) == [
        ("assistant (streamed)", "Hello."),
        ("assistant (streamed)", 'Yes\ncalls find {"a": 1}'),
    ]
    other = Response(200, (("content-type", "text/event-stream"),), b"data: 1\n\n", (b"data: 1",))
    assert answered(other) == [("body", "data: 1\n\n")]


def test_calls_are_compared_one_by_one() -> None:
    def chat(text: str, reply: str, key: str, **more: object) -> Call:
        body = {"messages": [{"role": "user", "content": text}], **more}
        answer = {"choices": [{"message": {"role": "assistant", "content": reply}}]}
        return call(body, came(answer), key)

    one, two = chat("Hi.", "Hello.", "1"), chat("Bye.", "Bye.", "2", model="m")
    assert list(differences([one, two], [one, two])) == []
    assert list(differences([one], [one, two])) == [
        "+ call 2  system, turn 2: POST /v1/x (m) -> 200"
    ]
    assert list(differences([one, two], [one])) == [
        "- call 2  system, turn 2: POST /v1/x (m) -> 200"
    ]
    other = chat("Hi.", "Good day.", "1")
    head, line = differences([one], [other])
    assert head == "~ call 1  system, turn 2: POST /v1/x -> 200"
    assert line.startswith("    answer 1 (assistant): ")
    new = chat("Bye.", "Bye.", "3", model="n", top_p=1)
    changed = list(differences([two], [new]))
    assert changed[0].startswith("~ call 1  ")
    assert [each.strip().split(":")[0] for each in changed[1:]] == ["model", "top_p"]
    more = call({"messages": [{"role": "user", "content": "Bye."}, {"role": "tool"}], "model": "n",
                 "top_p": 1}, new.outcome, "4")  # fmt: skip
    assert list(differences([new], [more]))[1:] == ["    message 2 + tool: "]
    assert list(differences([more], [new]))[1:] == ["    message 2 - tool: "]
