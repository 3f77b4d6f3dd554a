"""Mutations of requests: which are answered by what is recorded, which are not, and why each."""

import copy
import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.core.lane import Lane
from pytest_todeval.errors import UsageError
from pytest_todeval.recording.call import Call, Request, Response
from pytest_todeval.recording.difference import differences
from pytest_todeval.recording.key import call_key
from pytest_todeval.recording.matching import matching_from
from pytest_todeval.recording.store import read_cassette, write_cassette
from tests.support.recorded_calls import HEADER, JSON

RESULT = {"hotels": [{"name": "Alpha", "price": 70.5, "stars": 3}], "of": 1}
CHAT: dict[str, Any] = {
    "model": "m-1",
    "temperature": 0.5,
    "seed": 7,
    "max_tokens": 300,
    "tools": [
        {"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}},
        {"type": "function", "function": {"name": "book", "parameters": {"type": "object"}}},
    ],
    "messages": [
        {"role": "system", "content": "You book hotels.\nBe brief."},
        {"role": "user", "content": "Two hotels, please."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "find", "arguments": '{"area": "north"}'},
                },
                {
                    "id": "call_2",
                    "type": "function",
                    "function": {"name": "find", "arguments": '{"area": "south"}'},
                },
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": json.dumps(RESULT)},
        {"role": "tool", "tool_call_id": "call_2", "content": "none"},
        {"role": "user", "content": "Book it."},
    ],
}
PATH = "/v1/chat/completions"

Mutation = Callable[[dict[str, Any]], Any]


def asked(body: Any, path: str = PATH, query: str = "", kind: str = JSON) -> Request:
    return Request(Lane.SYSTEM, "POST", path, query, kind, json.dumps(body).encode())


def chat(change: Mutation) -> tuple[Request, Request]:
    body = copy.deepcopy(CHAT)
    change(body)
    return asked(CHAT), asked(body)


def sets(**members: Any) -> tuple[Request, Request]:
    return chat(lambda body: body.update(members))


def message(number: int, **members: Any) -> tuple[Request, Request]:
    return chat(lambda body: body["messages"][number].update(members))


def renamed(body: dict[str, Any], names: Mapping[str, str]) -> None:
    calls = body["messages"][2]["tool_calls"]
    for item, member in ((c, "id") for c in calls):
        item[member] = names[item[member]]
    for item in body["messages"][3:5]:
        item["tool_call_id"] = names[item["tool_call_id"]]


def other_limit(body: dict[str, Any]) -> None:
    body["max_completion_tokens"] = body.pop("max_tokens")


def another_limit(body: dict[str, Any]) -> None:
    body["max_completion_tokens"] = body.pop("max_tokens") + 1


def indexed(body: dict[str, Any]) -> None:
    for number, call in enumerate(body["messages"][2]["tool_calls"]):
        call["index"] = number


def cached(body: dict[str, Any]) -> None:
    text = body["messages"][0]["content"]
    part = {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}
    body["messages"][0]["content"] = [part]


def swapped(body: dict[str, Any]) -> None:
    """Each result now belongs to the other call."""
    one, two = body["messages"][3:5]
    one["tool_call_id"], two["tool_call_id"] = two["tool_call_id"], one["tool_call_id"]


def sent(**changed: Any) -> tuple[Request, Request]:
    return asked(CHAT), replace(asked(CHAT), **changed)


def responses(**members: Any) -> tuple[Request, Request]:
    body = {"model": "m-1", "input": "A hotel, please."}
    return asked(body, "/v1/responses"), asked({**body, **members}, "/v1/responses")


def claude(content: Any, **members: Any) -> tuple[Request, Request]:
    body = {"model": "c", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
    other = {**body, **members, "messages": [{"role": "user", "content": content}]}
    return asked(body, "/v1/messages"), asked(other, "/v1/messages")


def form(text: str) -> Request:
    kind = "application/x-www-form-urlencoded"
    return Request(Lane.SYSTEM, "POST", "/search", "", kind, text.encode())


SQUEEZED = json.dumps(CHAT).encode()

SAME: Mapping[str, tuple[Request, Request]] = {
    "stream: false is what leaving it out means": sets(stream=False),
    "n: 1 is the default": sets(n=1),
    "stop: [] stops nowhere": sets(stop=[]),
    "logprobs: false is the default": sets(logprobs=False),
    "penalties of 0 punish nothing": sets(presence_penalty=0, frequency_penalty=0.0),
    "tool_choice: auto is the default": sets(tool_choice="auto"),
    "parallel_tool_calls: true is the default": sets(parallel_tool_calls=True),
    "response_format: text is the default": sets(response_format={"type": "text"}),
    "null is absent": sets(top_p=None),
    "user is said to the provider, not to the model": sets(user="7f3a"),
    "metadata is too": sets(metadata={"run": "2c1d"}),
    "so is where a prompt is cached": sets(prompt_cache_key="k-1"),
    "max_tokens has another name now": chat(other_limit),
    'no content is null or ""': message(2, content=""),
    "annotations: [] annotate nothing": message(2, annotations=[], refusal=None),
    "a text is a list of one text": message(
        1, content=[{"type": "text", "text": CHAT["messages"][1]["content"]}]
    ),
    "caching changes no text": chat(cached),
    "a tool's JSON may be spaced otherwise": message(3, content=json.dumps(RESULT, indent=2)),
    "a tool's JSON has no order of names": message(
        3, content=json.dumps(dict(reversed(RESULT.items())))
    ),
    "arguments may be spaced otherwise": chat(
        lambda body: body["messages"][2]["tool_calls"][0]["function"].update(
            arguments='{"area":"north"}'
        )
    ),
    "ids of calls are drawn anew": chat(lambda b: renamed(b, {"call_1": "x9", "call_2": "y8"})),
    "the index of a call is its place": chat(indexed),
    "Windows ends its lines otherwise": message(0, content="You book hotels.\r\nBe brief."),
    "a version in the path is none of the question": sent(path="/api/v1/chat/completions"),
    "nor is its absence": sent(path="/chat/completions"),
    "nor is api-version": sent(query="api-version=2025-01-01"),
    "whoever has another key asks the same": (
        replace(asked(CHAT), query="api_key=abc&a=b"),
        replace(asked(CHAT), query="a=b&api_key=def"),
    ),
    "a client may forget the content type": sent(content_type=""),
    "a compressed body says the same": sent(body=gzip.compress(SQUEEZED, mtime=5)),
    "the fields of a form have no order": (form("a=1&b=2"), form("b=2&a=1")),
    "input may be a text or a message": responses(
        input=[{"type": "message", "role": "user", "content": "A hotel, please."}]
    ),
    "store and truncation, by default": responses(store=True, truncation="disabled"),
    "content blocks of one text": claude([{"type": "text", "text": "Hi"}], stop_sequences=[]),
}
OTHER: Mapping[str, tuple[Request, Request]] = {
    "a word of the prompt": message(0, content="You book hotels.\nBe very brief."),
    "a space in the prompt": message(0, content="You book hotels. \nBe brief."),
    "the case of a letter": message(1, content="two hotels, please."),
    "stream: true is answered otherwise": sets(stream=True),
    "n: 2 asks for two answers": sets(n=2),
    "another model": sets(model="m-2"),
    "another temperature": sets(temperature=0.6),
    "another seed": sets(seed=8),
    "another limit": sets(max_tokens=301),
    "another name and another limit": chat(another_limit),
    "tools must be called": sets(tool_choice="required"),
    "the order of tools": chat(lambda body: body["tools"].reverse()),
    "the description of a tool": chat(
        lambda body: body["tools"][0]["function"].update(description="Finds")
    ),
    "a strict tool": chat(lambda body: body["tools"][0]["function"].update(strict=True)),
    "what a tool gave": message(3, content=json.dumps({**RESULT, "of": 2})),
    "results of the other call": chat(swapped),
    "both results of one call": message(4, tool_call_id="call_1"),
    "arguments of a call": chat(
        lambda body: body["messages"][2]["tool_calls"][0]["function"].update(
            arguments='{"area": "east"}'
        )
    ),
    "two texts are not one": message(
        1, content=[{"type": "text", "text": "Two hotels,"}, {"type": "text", "text": " please."}]
    ),
    "a user's JSON is words": (
        message(1, content='{"a": 1}')[1],
        message(1, content='{"a":1}')[1],
    ),
    "who said it": message(1, role="assistant"),
    "the order of what was said": chat(lambda body: body["messages"].reverse()),
    "an end that is missing": chat(lambda body: body["messages"].pop()),
    "another deployment": sent(path="/openai/deployments/m-2/chat/completions"),
    "another provider behind a gateway": sent(path="/acme/v1/chat/completions"),
    "the same value under another name": (form("a=1&b=2"), form("a=2&b=1")),
    "an earlier answer that is referred to": responses(previous_response_id="resp_1"),
    "an item that is referred to": (
        asked({"input": [{"type": "item_reference", "id": "a"}]}, "/v1/responses"),
        asked({"input": [{"type": "item_reference", "id": "b"}]}, "/v1/responses"),
    ),
    "an error of a tool": claude([{"type": "tool_result", "tool_use_id": "t", "is_error": True}]),
    "a default of another service": (
        asked({"stream": False}, "/v1/jobs"),
        asked({}, "/v1/jobs"),
    ),
}


@pytest.mark.parametrize("why", SAME)
def test_means_the_same(why: str) -> None:
    one, other = SAME[why]
    assert one != other
    assert call_key(one) == call_key(other)
    assert list(differences(one, other)) == []


@pytest.mark.parametrize("why", OTHER)
def test_means_something_else(why: str) -> None:
    one, other = OTHER[why]
    assert call_key(one) != call_key(other)
    found = list(differences(one, other))
    assert found
    assert all(difference.recorded != difference.now for difference in found)


@pytest.mark.parametrize("why", [*SAME, *OTHER])
def test_a_cassette_gives_back_the_same_keys(tmp_path: Path, why: str) -> None:
    """Keys are put together of its lines, without the bodies."""
    requests = {**SAME, **OTHER}[why]
    calls = [Call(call_key(one), one, Response(200, (), b""), 1, "d") for one in requests]
    write_cassette(tmp_path / "a.todeval.jsonl", HEADER, calls)
    read = read_cassette(tmp_path / "a.todeval.jsonl").calls
    assert [call.key for call in read] == [call.key for call in calls]


def test_at_least_forty_mutations() -> None:
    assert len(SAME) + len(OTHER) >= 40


def matched(match: list[str], one: Request, other: Request, masks: list[str] | None = None) -> bool:
    rules = matching_from(masks or [], match)
    assert call_key(one) != call_key(other)
    return call_key(one, rules) == call_key(other, rules)


def traced(trace: Any, when: Any, text: str = "hi") -> Request:
    messages = [{"role": "user", "content": text, "meta": {"at": when}}]
    return asked({"model": "m", "extra": {"trace": trace}, "messages": messages})


def test_members_may_be_ignored() -> None:
    one, other = traced("a", 1), traced("b", 2)
    assert matched(["$.extra.trace", "$.messages[*].meta"], one, other)
    assert matched(["$..trace", "$..at"], one, other)
    assert not matched(["$.extra.trace"], one, other)
    assert not matched(["$..trace", "$..at"], one, traced("b", 2, "bye"))


def test_ignored_members_are_ignored_in_what_was_recorded(tmp_path: Path) -> None:
    rules = matching_from([], ["$.extra", "$.messages[*].meta"])
    one = traced("a" * 100, 1)
    path = tmp_path / "a.todeval.jsonl"
    write_cassette(path, HEADER, [Call("", one, Response(200, (), b""), 1, "d")])
    assert read_cassette(path, rules).calls[0].key == call_key(traced("b", 2), rules)
    assert list(differences(one, traced("b", 2), rules)) == []


def test_parameters_of_a_query_may_be_ignored() -> None:
    one = replace(traced("a", 1), query="q=a&at=1")
    assert matched(["query: at"], one, replace(one, query="at=2&q=a"))
    assert not matched(["query: at"], one, replace(one, query="at=2&q=b"))


def test_numbers_are_masked_whole() -> None:
    masks = [r"\d{10}(\.\d+)?"]
    assert matched([], traced("a", 1795296135.46), traced("a", 1795296140), masks)
    assert not matched([], traced("a", 1795296135), traced("a", 17952961350), masks)
    assert not matched([], traced("a", 12), traced("a", 13), masks)


ID = "0f8fad5b-d9cb-469f-a165-7086772895{}"


def test_ids_of_ones_own_count_by_their_place() -> None:
    def booked(*ids: str) -> Request:
        texts = [f"booking {ID.format(each)}" for each in ids]
        return asked({"messages": [{"role": "user", "content": text} for text in texts]})

    assert matched(["id: uuid"], booked("01", "02", "01"), booked("11", "12", "11"))
    assert not matched(["id: uuid"], booked("01", "02", "01"), booked("11", "12", "12"))


def test_an_id_in_a_path_counts_by_its_place() -> None:
    one = asked({"text": ID.format("01")}, f"/threads/{ID.format('01')}/say")
    assert matched(
        ["id: uuid"], one, asked({"text": ID.format("02")}, f"/threads/{ID.format('03')}/say")
    )


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["$.a["], "is not a path into JSON"),
        (["$"], "is not a path into JSON"),
        (["$" + ".a" * 21], "at most 20 steps"),
        (["id: ["], "is not a regular expression"),
        (["header: x"], "Known:"),
        (["query"], "query"),
    ],
)
def test_lines_that_cannot_be_read_are_named(lines: list[str], message: str) -> None:
    with pytest.raises(UsageError, match="todeval_match") as raised:
        matching_from([], lines)
    assert message in str(raised.value)


def test_each_list_has_its_own_key() -> None:
    """The body of a batch, or of an embedding, is a list: another one is another request."""
    bodies: list[Any] = [[], [1], [2], [1, 2], [2, 1], [[1]], ["1"], [{"a": 1}], [{"a": 2}]]
    keys = {call_key(asked(body, "/v1/batch")) for body in bodies}
    assert len(keys) == len(bodies)
    assert call_key(asked([1, {"a": 2}])) == call_key(replace(asked([]), body=b'[1.0, {"a":2}]'))
