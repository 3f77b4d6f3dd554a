"""What the summary says of calls outside of dialogues, and of what was recorded where."""

from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.integration import calls_outside
from pytest_todeval.integration.calls_outside import told, told_lines
from pytest_todeval.integration.case import OUTSIDE
from pytest_todeval.recording.process import PROCESS_FILE

ROOT = Path("/shop")


def lines(*told: dict[str, Any]) -> list[str]:
    nothing: dict[str, Any] = {"recorded": {}, "made": {}, "failures": [], "notices": []}
    return list(told_lines([{**nothing, **each} for each in told], ROOT))


def test_nothing_to_tell() -> None:
    assert lines({}) == []


def test_recorded_calls_are_counted_by_folder_and_the_process_by_itself() -> None:
    a, b = "/shop/cassettes/a/1.jsonl", "/shop/cassettes/a/2.jsonl"
    other, process = "/shop/cassettes/b/1.jsonl", f"/shop/cassettes/{PROCESS_FILE}"
    assert lines({"recorded": {a: 1}}) == ["  cassettes: recorded 1 call of 1 test in cassettes/a"]
    found = lines({"recorded": {other: 1, a: 2}}, {"recorded": {b: 3, process: 1}})
    assert found == [
        f"  cassettes: recorded 1 call of the process in cassettes/{PROCESS_FILE}, "
        "5 calls of 2 tests in cassettes/a, 1 call of 1 test in cassettes/b"
    ]


def test_calls_really_made_are_told_the_most_frequent_first() -> None:
    three = {"GET http://a": 1, "GET http://b": 3, "GET http://c": 1}
    (line,) = lines({"made": three}, {"made": {"GET http://c": 1}})
    assert line.startswith(
        "  network: outside of dialogues, 6 calls really made: GET http://b (3 x), "
        "GET http://c (2 x), GET http://a (1 x); --todeval-record=missing"
    )
    (line,) = lines({"made": {**three, "GET http://d": 1}})
    assert "GET http://c (1 x), ...; " in line
    assert "GET http://d" not in line
    assert "1 call really made: x (1 x);" in lines({"made": {"x": 1}})[0]


def test_a_failure_is_told_once() -> None:
    found = lines({"failures": ["a", "b"]}, {"failures": ["a\x1b[0m"]}, {"failures": ["a"]})
    assert found == [
        "  cassettes: outside of dialogues: a",
        "  cassettes: outside of dialogues: b",
        "  cassettes: outside of dialogues: a\\x1b[0m",
    ]


def test_what_was_made_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_outside, "late", lambda: ["a call after its dialogue"])
    nothing: dict[str, Any] = {"recorded": {}, "made": {}, "failures": [], "notices": []}
    nothing["late"] = ["a call after its dialogue"]
    outside = SimpleNamespace(settle=lambda: None, made=Counter(a=2), failures=[ValueError("no")])
    config = SimpleNamespace(stash={OUTSIDE: outside})
    item: Any = SimpleNamespace(config=config, stash={})
    assert told(item) == {**nothing, "made": {"a": 2}, "failures": ["no"]}
    assert told(item) == nothing
    config.stash.clear()
    assert told(item) == nothing
