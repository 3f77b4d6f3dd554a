"""Chat logs and exports of tracing tools are read as the same dialogue, whatever their shape."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.goals_from_conversations import WRITERS
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.transcripts.messages import joined, message_of, turns_of
from pytest_todeval.research.offline.transcripts.reading import read_transcripts

CALLED = {"id": "c1", "type": "function",
          "function": {"name": "book_table", "arguments": '{"day": "friday"}'}}  # fmt: skip
CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "You book tables."},
    {"role": "user", "content": "A table, please."},
    {"role": "assistant", "content": "Which day?"},
    {"role": "user", "content": "Friday"},
    {"role": "assistant", "content": None, "tool_calls": [CALLED]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"reference": "AB12"}'},
    {"role": "assistant", "content": "Booked."},
]


def told(path: Path) -> list[Any]:
    """The one dialogue of a file: id, words, and calls."""
    (one,) = read_transcripts(path).found
    return [
        one.id,
        *((turn.user, turn.system) for turn in one.dialogue.turns),
        *((call.name, dict(call.arguments), call.result) for call in one.dialogue.tool_calls),
    ]


EXPECTED = [
    "talk", ("A table, please.", "Which day?"), ("Friday", "Booked."),
    ("book_table", {"day": "friday"}, {"reference": "AB12"}),
]  # fmt: skip


def written(path: Path, rows: Any) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


@pytest.mark.parametrize("format", WRITERS)
def test_an_export_is_read_by_what_it_shows(format: str, tmp_path: Path) -> None:
    path = written(tmp_path / "traces.jsonl", WRITERS[format]("talk", CHAT[1:]))
    assert read_transcripts(path).format == format
    assert told(path) == EXPECTED


def test_a_chat_log_is_read(tmp_path: Path) -> None:
    assert told(written(tmp_path / "a.jsonl", [{"id": "talk", "messages": CHAT}])) == EXPECTED
    whole = tmp_path / "b.json"
    whole.write_text(json.dumps([{"id": "talk", "messages": CHAT}], indent=1))
    assert told(whole) == EXPECTED


def test_otlp_is_read(tmp_path: Path) -> None:
    spans = [
        {
            "traceId": "t",
            "startTimeUnixNano": row["start_time"],
            "attributes": [
                {"key": key, "value": {"stringValue": value}}
                for key, value in row["attributes"].items()
            ],
        }
        for row in WRITERS["otel"]("talk", CHAT[1:])
    ]
    path = tmp_path / "otlp.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))
    assert told(path) == EXPECTED


def test_rows_are_a_chat_each(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text(
        "conversation_id,role,message\n"
        'a,customer,"A table, please."\na,agent,Which day?\n'
        "b,customer,Hi\na,customer,Friday\nb,bot,Hello\n"
    )
    first, second = read_transcripts(path).found
    assert first.id == "a"
    assert [(turn.user, turn.system) for turn in first.dialogue.turns] == [
        ("A table, please.", "Which day?")
    ]
    assert first.dialogue.last_words == "Friday"
    assert second.dialogue.turns[0].system == "Hello"


ANTHROPIC: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": "Friday"}]},
    {"role": "assistant", "content": [
        {"type": "tool_use", "id": "x", "name": "book", "input": {"day": "friday"}}]},
    {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "x", "content": "full", "is_error": True}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Friday is full."}]},
]  # fmt: skip


def test_results_that_stand_under_the_user_are_the_tools() -> None:
    turns, last = turns_of(filter(None, map(message_of, ANTHROPIC)))
    assert [(turn.user, turn.system) for turn in turns] == [("Friday", "Friday is full.")]
    assert turns[0].tool_calls[0].error == "full"
    assert last == ""


def test_calls_of_a_model_that_repeat_the_history_are_one_chat() -> None:
    said = [message for message in map(message_of, CHAT) if message is not None]
    again = [*said, *said[:1]]  # the user says the same once more
    assert joined([said[:2], said, again]) == again
    assert joined([said[:2], said[2:]]) == said


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "[[[]]]", '{"messages": 3}', '{"messages": [1, null, {"role": 4}]}',
             '{"run_type": "llm", "inputs": [], "outputs": 3}', '{"resourceSpans": 7}', "not json",
             '{"attributes": {"llm.input_messages.x.y": 1}}', '{"traceId": "a", "input": 1}'],
)  # fmt: skip
@pytest.mark.parametrize("format", ["chat", "otel", "openinference", "langfuse", "langsmith"])
def test_what_holds_no_conversation_is_refused(format: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(text)
    with pytest.raises(InvalidFile, match=r"export\.json"):
        read_transcripts(path, format)


values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["role", "content", "type", "text", "tool_calls", "function", "name", "arguments",
                 "parts", "message", "kwargs", "id", "data", "input", "output"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@given(values)
def test_any_value_is_a_message_or_none(value: Any) -> None:
    found = message_of(value)
    assert found is None or isinstance(found.text, str)


def test_a_span_without_content_says_what_to_ask(tmp_path: Path) -> None:
    span: Mapping[str, Any] = {"name": "chat", "attributes": {"gen_ai.operation.name": "chat"}}
    path = written(tmp_path / "spans.jsonl", [span])
    with pytest.raises(InvalidFile, match="Is the content of messages recorded"):
        read_transcripts(path)
