"""Chat logs, and exports of tracing tools, as transcripts: what a model was asked, by conversation.

| format | what is read |
| --- | --- |
| `chat` | JSON or JSONL with `messages`, or rows of a chat (JSON, CSV) with a speaker and a text |
| `otel` | spans after OpenTelemetry's conventions for generative AI: OTLP's JSON, or a line each |
| `openinference` | spans after OpenInference, as Phoenix exports them |
| `langfuse` | observations, or traces with their observations |
| `langsmith` | runs |
"""

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.documents import read_json_lines
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.record import data_or_text
from pytest_todeval.research.offline.transcripts.goals import KnownGoals
from pytest_todeval.research.offline.transcripts.messages import (
    ChatMessage,
    joined,
    message_of,
    turns_of,
)
from pytest_todeval.research.offline.transcripts.transcript import Transcript, Transcripts

Record = Mapping[str, Any]
SESSIONS = (
    "gen_ai.conversation.id", "session.id", "sessionId", "session_id", "thread_id",
    "conversation_id", "conversationId", "conversation", "chat_id", "dialogue_id", "dialog_id",
    "trace_id", "traceId", "id",
)  # fmt: skip
"""Where the conversation of a record is named, the surest first."""
TIMES = (
    "start_time",
    "startTime",
    "startTimeUnixNano",
    "start_time_unix_nano",
    "timestamp",
    "created_at",
)


class AskedOnce(NamedTuple):
    """One call of a model, or one message: of which conversation, when, and what was said."""

    conversation: str
    time: str
    messages: Sequence[ChatMessage]


def _reader(name: str, asked: Callable[[Iterable[Record]], Iterator[AskedOnce]]) -> Any:
    def read(path: Path, goals: KnownGoals) -> Transcripts:
        return _transcripts(name, path, asked(_records(path)), goals)

    return read


def _transcripts(
    name: str, path: Path, asked: Iterable[AskedOnce], goals: KnownGoals
) -> Transcripts:
    by_conversation: dict[str, list[AskedOnce]] = defaultdict(list)
    for each in asked:
        by_conversation[each.conversation].append(each)
    found = []
    for id, calls in by_conversation.items():
        ordered = sorted(calls, key=lambda each: each.time)  # stable: without times as they stand
        turns, last = turns_of(joined(each.messages for each in ordered))
        if turns:
            goal = goals.named(id, str(path)) or Goal(id, name, ())
            found.append(Transcript(id, Dialogue(goal, turns, last_words=last)))
    if not found:
        raise InvalidFile(
            f"{path}: no conversation of the format {name} is in it; expected messages of users "
            "and bots (docs/conversations.md). Is the content of messages recorded?"
        )
    return Transcripts(name, tuple(found))


def _records(path: Path) -> Iterator[Record]:
    """The objects of a file: of a JSON list or object, of lines of JSON, or of rows of CSV."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{path}: cannot be read as UTF-8: {error}") from None
    if path.suffix.lower() in (".csv", ".tsv"):
        dialect = "excel-tab" if path.suffix.lower() == ".tsv" else "excel"
        yield from csv.DictReader(text.splitlines(), dialect=dialect)
        return
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):
        values = [
            value for _, value in read_json_lines(path)
        ]  # which says what is wrong, and where
    for value in values:
        yield from _objects(value)


def _objects(value: Any) -> Iterator[Record]:
    if isinstance(value, list):
        if value and all(isinstance(each, Mapping) and "role" in each for each in value):
            yield {"messages": value}
            return
        for each in value:
            yield from _objects(each)
    elif isinstance(value, Mapping):
        inner = value.get("data") or value.get("conversations") or value.get("runs")
        yield from _objects(inner) if isinstance(inner, list) else [value]


def _chats(records: Iterable[Record]) -> Iterator[AskedOnce]:
    """Records with all messages of a chat, or a message each."""
    for number, record in enumerate(records, 1):
        said = record.get("messages")
        if isinstance(said, list):
            yield AskedOnce(_session(record, f"chat-{number}"), "", _messages(said))
        else:
            flat = {str(key).strip().lower(): value for key, value in record.items() if key}
            yield AskedOnce(_session(flat, "chat"), _time(flat), _messages([flat]))


def _otel(records: Iterable[Record]) -> Iterator[AskedOnce]:
    for span in _spans(records):
        attributes = span["attributes"]
        told = [attributes.get(f"gen_ai.{way}.messages") for way in ("input", "output")]
        if not any(told):  # earlier conventions: events of the span
            told = [[_event(each) for each in _all(span, "events")]]
        messages = [m for each in told for m in _messages(_data(each) or ())]
        if messages:
            yield AskedOnce(_session({**span, **attributes}, "trace"), _time(span), messages)


def _event(event: Record) -> Record:
    """Returns a message of an event, as conventions before 1.36 have it: `gen_ai.user.message`."""
    name = str(event.get("name", ""))
    body = {**_attributes(event.get("attributes")), **_mapping(event.get("body"))}
    if name == "gen_ai.choice":
        inner = _data(body.get("message"))
        return {"role": "assistant", **(inner if isinstance(inner, dict) else body)}
    return {"role": name.removeprefix("gen_ai.").removesuffix(".message"), **body}


def _openinference(records: Iterable[Record]) -> Iterator[AskedOnce]:
    for span in _spans(records):
        attributes = span["attributes"]
        nested = _nested(attributes)
        marked = _mapping(_mapping(nested.get("openinference")).get("span"))
        llm = _mapping(nested.get("llm"))
        if marked.get("kind", span.get("span_kind")) not in (None, "LLM"):
            continue
        told = [each for way in ("input", "output") for each in _flat(llm.get(f"{way}_messages"))]
        if messages := _messages(told):
            yield AskedOnce(_session({**span, **attributes}, "trace"), _time(span), messages)


def _langfuse(records: Iterable[Record]) -> Iterator[AskedOnce]:
    for record in records:
        listed = record.get("observations")
        for each in listed if isinstance(listed, list) and listed else [record]:
            if not isinstance(each, Mapping) or str(each.get("type", "GENERATION")) != "GENERATION":
                continue
            given, came = _data(each.get("input")), _data(each.get("output"))
            given = given.get("messages", [given]) if isinstance(given, dict) else given
            came = came if isinstance(came, list) else [came]
            came = [{"role": "assistant", **m} if isinstance(m, dict) else m for m in came]
            said = [{"role": "assistant", "content": m} if isinstance(m, str) else m for m in came]
            if messages := _messages([*(given if isinstance(given, list) else ()), *said]):
                trace = {key: record[key] for key in ("sessionId", "id") if record.get(key)}
                session = _session({**each, **(trace if listed else {})}, "trace")
                yield AskedOnce(session, _time(each), messages)


def _langsmith(records: Iterable[Record]) -> Iterator[AskedOnce]:
    for record in records:
        if record.get("run_type") not in ("llm", "chat_model"):
            continue
        given, came = _mapping(record.get("inputs")), _mapping(record.get("outputs"))
        said, answers = _flat(given.get("messages")), list[Any]()
        for name in ("generations", "choices", "messages"):
            answers = answers or _flat(came.get(name))
        answers = [
            {"role": "assistant", **each} for each in answers or [came] if isinstance(each, Mapping)
        ]
        if messages := _messages([*said, *answers]):
            meta = _mapping(_mapping(record.get("extra")).get("metadata"))
            yield AskedOnce(_session({**record, **meta}, "trace"), _time(record), messages)


def _flat(value: Any) -> list[Any]:
    """Returns a list, or the first of a list of lists: of a batch of one."""
    found = value if isinstance(value, list) else []
    return found[0] if found and isinstance(found[0], list) else found


def _spans(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Spans with plain attributes: of OTLP's JSON, of the SDK's exporters, of Phoenix."""
    for record in records:
        scopes = [
            each for group in _all(record, "resourceSpans") for each in _all(group, "scopeSpans")
        ]
        for span in [span for scope in scopes for span in _all(scope, "spans")] or [record]:
            context = _mapping(span.get("context"))
            dotted = {key.removeprefix("attributes."): value for key, value in span.items()
                      if key.startswith("attributes.")}  # fmt: skip
            attributes = {**_attributes(span.get("attributes")), **dotted}
            yield {
                **span,
                **{f"{key}": value for key, value in context.items()},
                "attributes": attributes,
            }


def _attributes(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return dict(given)
    found = {}
    for each in given if isinstance(given, list) else ():
        if isinstance(each, Mapping):
            value = each.get("value")
            plain = next(iter(value.values()), None) if isinstance(value, Mapping) else value
            found[str(each.get("key"))] = plain
    return found


def _nested(attributes: Record) -> dict[str, Any]:
    """Attributes with dots as nested mappings, and numbers among them as lists."""
    found: dict[str, Any] = {}
    for name, value in attributes.items():
        *path, last = name.split(".")
        place = found
        for key in path:
            place = place.setdefault(key, {}) if isinstance(place.get(key, {}), dict) else {}
        if not (isinstance(value, Mapping) and isinstance(place.get(last), dict)):
            place[last] = _nested(value) if isinstance(value, Mapping) else value
    return {key: _listed(value) for key, value in found.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    plain = {key: _listed(each) for key, each in value.items()}
    if plain and all(key.isdigit() for key in plain):
        return [plain[key] for key in sorted(plain, key=int)]
    return plain


def _messages(raw: Any) -> list[ChatMessage]:
    found = [message_of(each) for each in raw] if isinstance(raw, list | tuple) else []
    return [each for each in found if each is not None]


def _mapping(value: Any) -> Record:
    found = _data(value)
    return found if isinstance(found, Mapping) else {}


def _all(record: Record, name: str) -> list[Record]:
    """Returns the objects of a list in a record."""
    found = record.get(name)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _data(value: Any) -> Any:
    return data_or_text(value)


def _session(record: Record, default: str) -> str:
    return next((str(record[name]) for name in SESSIONS if record.get(name)), default)


def _time(record: Record) -> str:
    """Returns when it was, to be compared as text: numbers with as many digits."""
    found = next((str(record[name]) for name in TIMES if record.get(name)), "")
    return found.rjust(30, "0") if found.isdigit() else found


EXPORTS: Mapping[str, Callable[[Path, KnownGoals], Transcripts]] = {
    "chat": _reader("chat", _chats),
    "otel": _reader("otel", _otel),
    "openinference": _reader("openinference", _openinference),
    "langfuse": _reader("langfuse", _langfuse),
    "langsmith": _reader("langsmith", _langsmith),
}


def export_of(first: Record) -> str | None:
    """Returns the format that the first object of a file shows."""
    text = " ".join(map(str, first))
    attributes = (
        " ".join(_attributes(first.get("attributes"))) + json.dumps(first, default=str)[:20_000]
    )
    if "resourceSpans" in first or "attributes" in text:
        inferred = "openinference" in attributes or "llm.input_messages" in attributes
        return "openinference" if inferred else "otel"
    if "run_type" in first:
        return "langsmith"
    if "observations" in first or "traceId" in first:
        return "langfuse"
    speaks = first.keys() & {"role", "speaker", "author"}
    return "chat" if isinstance(first.get("messages"), list) or speaks else None
