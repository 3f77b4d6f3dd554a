"""The calls that a model asks for: read, refused if they cannot be run, sent back as they came."""

import pytest

from pytest_todeval.models.completion import Completion, RequestedCall
from pytest_todeval.models.tool_calls import LONGEST, assistant_message, read_calls


def asked(*texts: str, finish: str = "tool_calls", ids: str = "abcdef") -> Completion:
    calls = tuple(RequestedCall(own, "look", text) for own, text in zip(ids, texts, strict=False))
    return Completion("", tool_calls=calls, finish=finish)


def test_calls_are_read_in_order() -> None:
    first, last = read_calls(asked('{"a": 1}', ""), 0)
    assert (first.id, first.name, first.arguments, first.text) == (
        "a",
        "look",
        {"a": 1},
        '{"a": 1}',
    )
    assert (last.id, last.arguments, last.text, last.wrong) == ("b", {}, "{}", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1]", "it is list"), ("{", "Expecting"), ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": 1e999}', "JSON compliant"), ('{"a": "\\ud800"}', "surrogates"),
        (f'{{"a": "{"x" * LONGEST}"}}', f"longer than {LONGEST} characters"),
        ("[" * 10**5, "it is"),
    ],
)  # fmt: skip
def test_arguments_that_are_no_json_object_are_not_run(text: str, why: str) -> None:
    (call,) = read_calls(asked(text), 0)
    assert "must be a JSON object" in call.wrong
    assert why in call.wrong
    assert (call.arguments, call.text) == ({}, "{}")


def test_arguments_of_the_greatest_length_are_read() -> None:
    text = '{"a": "' + "x" * (LONGEST - 9) + '"}'
    assert len(text) == LONGEST
    assert read_calls(asked(text), 0)[0].wrong == ""


def test_the_last_call_of_an_answer_that_was_cut_off_is_not_run() -> None:
    first, last = read_calls(asked("{}", "{}", finish="length"), 0)
    assert first.wrong == ""
    assert "cut off" in last.wrong


def test_ids_that_come_twice_are_replaced_by_the_number_of_the_call() -> None:
    assert [call.id for call in read_calls(asked("", "", "", ids="aaa"), 4)] == [
        "a", "call_6", "call_7",
    ]  # fmt: skip
    taken = Completion(
        "",
        tool_calls=(RequestedCall("call_2", "x", ""), RequestedCall("call_2", "x", "")),
        finish="",
    )
    assert [call.id for call in read_calls(taken, 0)] == ["call_2", "call_3"]


def test_calls_are_the_same_if_they_ask_for_the_same() -> None:
    one, other, third = read_calls(asked('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', '{"a": 1}'), 0)
    assert one.identity == other.identity != third.identity
    assert read_calls(asked("["), 0)[0].identity != read_calls(asked("{}"), 0)[0].identity


def test_an_answer_is_sent_back_with_names_that_a_tool_may_have() -> None:
    calls = read_calls(
        Completion("", tool_calls=(
            RequestedCall("a", "find hotel!" + "x" * 80, "{}"), RequestedCall("b", "", "{}"),
        ), finish=""),
        0,
    )  # fmt: skip
    message = assistant_message("", calls)
    assert (message["role"], message["content"]) == ("assistant", None)
    assert assistant_message("Hi", [])["content"] == "Hi"
    functions = [call["function"] for call in message["tool_calls"]]
    assert functions[0]["name"] == ("find_hotel_" + "x" * 80)[:64]
    assert functions[1] == {"name": "_", "arguments": "{}"}
    assert [call["id"] for call in message["tool_calls"]] == ["a", "b"]
