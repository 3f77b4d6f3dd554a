"""The backend of a task over tools and tables: tau-bench's rules for calls."""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_todeval.backends.own import as_backend
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.state_hash import base_hash, consistent_hash
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.errors import BackendError

TABLES = {"tickets": {"T1": {"open": True, "notes": []}, "T2": {"open": False, "notes": []}}}


@dataclass(frozen=True)
class Function:
    name: str
    function: Callable[..., Any]

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "function", "function": {"name": self.name, "parameters": {}}}

    def invoke(self, data: Any, **arguments: Any) -> str:
        answer: str = self.function(data, **arguments)
        return answer


def close(data: Any, ticket: str) -> str:
    data["tickets"][ticket]["open"] = False
    return json.dumps(data["tickets"][ticket])


def note(data: Any, ticket: str, notes: list[Any]) -> str:
    data["tickets"][ticket]["notes"] = notes
    notes.append("seen")
    return "Error: the printer is on fire"


TOOLS: dict[str, Callable[..., Any]] = {
    "close": close,
    "note": note,
    "nothing": lambda data: None,
    "hand_over": lambda data: "ok",
}


@pytest.fixture
def domain() -> ToolDomain:
    tools = {name: Function(name, function) for name, function in TOOLS.items()}
    return ToolDomain("desk", copy.deepcopy(TABLES), tools, "", frozenset({"hand_over"}))


@pytest.fixture
def backend(domain: ToolDomain) -> ToolBackend:
    return ToolBackend(domain)


def test_it_is_a_backend(backend: ToolBackend) -> None:
    assert as_backend(backend) is backend
    assert [tool["function"]["name"] for tool in backend.tools] == list(TOOLS)
    assert (backend.bookings(), backend.query("tickets", {"open": "yes"})) == ((), ())


def test_calls_and_refusals_are_traced(backend: ToolBackend) -> None:
    assert backend.call("close", ticket="T1") == '{"open": false, "notes": []}'
    for arguments in ({"ticket": "T9"}, {"tickets": "T1"}, {"self": 1}, {"data": 1, "tool": 2}):
        with pytest.raises(ToolRefused, match=r"^Error: "):
            backend.call("close", **arguments)
    with pytest.raises(ToolRefused, match=r"^Unknown action explode$"):
        backend.call("explode", ticket="T1")
    assert backend.trace[0] == ToolCall("close", {"ticket": "T1"}, '{"open": false, "notes": []}')
    assert backend.trace[1] == ToolCall("close", {"ticket": "T9"}, error="Error: 'T9'")
    assert [call.error is None for call in backend.trace] == [True] + [False] * 5


def test_an_error_the_tool_answers_is_its_result(backend: ToolBackend) -> None:
    assert backend.call("note", ticket="T1", notes=[]) == "Error: the printer is on fire"
    assert backend.trace[0].error is None
    assert backend.call("nothing") == ""


def test_arguments_stay_as_the_bot_gave_them(backend: ToolBackend) -> None:
    given = [{"by": "Kim"}]
    backend.call("note", ticket="T1", notes=given)
    backend.data["tickets"]["T1"]["notes"][0]["by"] = "Ola"
    assert given == [{"by": "Kim"}]
    assert backend.trace[0].arguments == {"ticket": "T1", "notes": [{"by": "Kim"}]}


def test_deeply_nested_arguments_break_nothing(backend: ToolBackend) -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(ToolRefused, match="Error: maximum recursion depth"):
        backend.call("note", ticket="T1", notes=nested)
    assert backend.changes() == {}


def test_nothing_happens_after_the_terminating_tool(backend: ToolBackend) -> None:
    assert not backend.finished
    assert backend.call("hand_over") == "ok"
    assert backend.finished
    with pytest.raises(ToolRefused, match="after the call that ended the dialogue"):
        backend.call("close", ticket="T1")
    assert backend.changes() == {}
    assert len(backend.trace) == 2


def test_a_terminating_call_that_fails_ends_it_too_as_in_tau_bench(backend: ToolBackend) -> None:
    with pytest.raises(ToolRefused, match="unexpected keyword"):
        backend.call("hand_over", summary="x")
    assert backend.finished


def test_dialogues_do_not_see_each_other(domain: ToolDomain) -> None:
    first, second = ToolBackend(domain), ToolBackend(domain)
    first.call("close", ticket="T1")
    assert first.changes() == {"tickets": {"T1": {"open": False, "notes": []}}}
    assert first.state_hash() == consistent_hash(first.data) != second.state_hash()
    assert second.state_hash() == base_hash(domain) == consistent_hash(TABLES)
    assert domain.tables == TABLES


def test_snapshot_and_restore(backend: ToolBackend) -> None:
    backend.call("close", ticket="T1")
    del backend.data["tickets"]["T2"]
    backend.data["log"] = {"1": "closed"}
    before, kept = backend.state_hash(), json.loads(json.dumps(backend.snapshot()))
    assert kept["changes"] == {
        "tickets": {"T1": {"open": False, "notes": []}, "T2": None},
        "log": {"1": "closed"},
    }
    backend.call("note", ticket="T1", notes=[1])
    backend.call("hand_over")
    backend.data.clear()
    backend.restore(kept)
    assert backend.state_hash() == before
    assert not backend.finished
    backend.data["tickets"]["T1"]["notes"].append("new")
    backend.restore(kept)  # the snapshot is not the state
    assert backend.state_hash() == before
    assert len(backend.trace) == 3  # history stays


@pytest.mark.parametrize("snapshot", [{}, {"bookings": []}, {"finished": 1, "tables": 3}])
def test_what_is_no_snapshot(backend: ToolBackend, snapshot: dict[str, Any]) -> None:
    backend.call("close", ticket="T1")
    before = backend.state_hash()
    with pytest.raises(BackendError, match="not a snapshot"):
        backend.restore(snapshot)
    assert backend.state_hash() == before
