"""The backend of a task over tools and tables: tau-bench's rules for calls."""

import copy
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pytest

from pytest_todeval.backends.own import as_backend
from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.state_hash import base_hash
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import TableTool, ToolDomain
from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import UsageError
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from tests.support.library_world import SetField, library
from tests.support.tau_world import consistent_hash
from tests.support.threads import run_together

TABLES = {"tickets": {"T1": {"open": True, "notes": []}, "T2": {"open": False, "notes": []}}}


@dataclass(frozen=True)
class Function:
    name: str
    function: Callable[..., Any]

    @cached_property
    def schema(self) -> dict[str, Any]:
        return {"type": "function", "function": {"name": self.name, "parameters": {}}}

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        answer: str = self.function(data, **arguments)
        return answer


def close(data: Any, ticket: str) -> str:
    data["tickets"][ticket]["open"] = False
    return json.dumps(data["tickets"][ticket])


def note(data: Any, ticket: str, notes: list[Any]) -> str:
    data["tickets"][ticket]["notes"] = notes
    notes.append("seen")
    return "Error: the printer is on fire"


def count(data: Any) -> str:
    record = data["tickets"]["T1"]
    seen = record.get("count", 0)
    time.sleep(0.002)
    record["count"] = seen + 1
    return str(seen)


TOOLS: dict[str, Callable[..., Any]] = {
    "count": count,
    "close": close,
    "note": note,
    "nothing": lambda data: None,
    "hand_over": lambda data: "ok",
}


@pytest.fixture
def domain() -> ToolDomain:
    tools = {name: Function(name, function) for name, function in TOOLS.items()}
    return ToolDomain("desk", copy.deepcopy(TABLES), tools, "Be kind.", frozenset({"hand_over"}))


@pytest.fixture
def backend(domain: ToolDomain) -> ToolBackend:
    return ToolBackend(domain)


def test_it_is_a_backend(backend: ToolBackend) -> None:
    assert as_backend(backend).tools == backend.tools
    assert [tool["function"]["name"] for tool in backend.tools] == list(TOOLS)
    assert (backend.bookings(), backend.query("tickets", {"open": "yes"})) == ((), ())
    assert backend.policy == "Be kind."


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


def test_the_trace_keeps_arguments_as_they_were_when_called(backend: ToolBackend) -> None:
    given: list[Any] = []
    backend.call("note", ticket="T1", notes=given)
    given.append("for the next call")
    assert backend.trace[0].arguments == {"ticket": "T1", "notes": []}


def test_what_cannot_be_copied_is_refused_and_traced(backend: ToolBackend) -> None:
    lock = threading.Lock()
    with pytest.raises(ToolRefused, match="Error: cannot pickle"):
        backend.call("close", ticket=lock)
    assert backend.trace[0].arguments == {"ticket": lock}
    assert backend.changes() == {}


def test_what_a_bot_does_to_the_schemas_is_its_own_affair(domain: ToolDomain) -> None:
    tools: Any = ToolBackend(domain).tools
    tools[0]["function"]["strict"] = True
    assert "strict" not in ToolBackend(domain).tools[0]["function"]


def test_calls_from_threads_lose_nothing(backend: ToolBackend) -> None:
    run_together(threading.Thread(target=backend.call, args=("count",)) for _ in range(8))
    assert backend.data["tickets"]["T1"]["count"] == 8
    assert [call.result for call in backend.trace] == list("01234567")


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


def test_changes_are_records_changed_added_and_removed(backend: ToolBackend) -> None:
    backend.call("close", ticket="T1")
    del backend.data["tickets"]["T2"]
    backend.data["log"] = {"1": "closed"}
    assert json.loads(json.dumps(backend.changes())) == {
        "tickets": {"T1": {"open": False, "notes": []}, "T2": None},
        "log": {"1": "closed"},
    }


def test_a_bot_that_calls_without_end_has_used_up_its_steps(domain: ToolDomain) -> None:
    backend = ToolBackend(domain, max_steps=4)

    def bot(text: str) -> str:
        while True:
            backend.call("nothing")
            time.sleep(0.01)

    goal = Goal("g", "desk", (), ("Help.",), raw={"actions": []})
    dialogue = run_dialogue(goal, ScriptedUser(["Help."]), bot, backend, Limits(turn_timeout=1))
    assert (dialogue.stop_reason, dialogue.fault) == (StopReason.TURN_LIMIT, None)
    assert not rewards(dialogue, backend)["reward"]
    backend.finished = True  # else the bot would go on in its thread


@pytest.mark.parametrize("ends_by", ["nothing", "hand_over"])
@pytest.mark.parametrize(("calls", "reason"), [(3, None), (4, StopReason.TURN_LIMIT)])
def test_calls_past_the_limit_come_too_late_even_in_the_last_turn(
    domain: ToolDomain, ends_by: str, calls: int, reason: StopReason | None
) -> None:
    backend = ToolBackend(domain, max_steps=4)

    def bot(text: str) -> str:
        for tool in ["nothing"] * (calls - 1) + [ends_by]:
            backend.call(tool)
        for _ in range(5 if backend.finished else 0):
            with pytest.raises(ToolRefused):
                backend.call("nothing")
        return "Bye."

    calls += ends_by == "hand_over"  # its reply is no step
    goal = Goal("g", "desk", (), ("Help.",), raw={"actions": []})
    dialogue = run_dialogue(goal, ScriptedUser(["Help."]), bot, backend)
    assert dialogue.stop_reason is (reason or dialogue.stop_reason)
    assert bool(rewards(dialogue, backend)["reward"]) is (reason is None)


def test_a_domain_takes_tools_only() -> None:
    with pytest.raises(
        UsageError, match=r"tool 'close' of desk: got function <function .*TableTool"
    ):
        ToolDomain("desk", {}, {"close": lambda tables: "closed"}, "")  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="there is no tool 'hand_ovr'; Known: none"):
        ToolDomain("desk", {}, {}, "", frozenset({"hand_ovr"}))


def test_a_table_tool_is_a_function_with_words() -> None:
    def close(tables: Any, ticket: str, why: str = "solved") -> str:
        tables["tickets"][ticket]["why"] = why
        return f"closed {ticket}"

    told = {"ticket": {"type": "string"}, "why": {"type": "string"}}
    tool = TableTool("close", "Close a ticket.", told, ("ticket",), close)
    assert tool.schema["function"]["parameters"] == {
        "type": "object",
        "properties": told,
        "required": ["ticket"],
        "additionalProperties": False,
    }
    shop = ToolBackend(ToolDomain("desk", {"tickets": {"T1": {}}}, {"close": tool}, ""))
    assert shop.call("close", ticket="T1") == "closed T1"
    assert shop.changes() == {"tickets": {"T1": {"why": "solved"}}}
    for arguments, refusal in (({}, "close needs 'ticket'"), ({"id": 1}, "close takes no 'id'")):
        with pytest.raises(ToolRefused, match=refusal):
            shop.call("close", **arguments)


def test_which_calls_change_something_is_told_without_making_them_again() -> None:
    """A set of calls that were made in the same state before is not made once more."""
    tool = SetField()
    domain = replace(library(), tools={tool.name: tool}, terminating=frozenset())
    set_3 = ToolCall("set_field", {"loan": "L1", "field": "weeks", "value": 3})
    same = ToolCall("set_field", {"loan": "L1", "field": "weeks", "value": 2})
    other = ToolCall("set_field", {"loan": "L1", "field": "weeks", "value": 2.0})
    refused = ToolCall("set_field", {"loan": "L9", "field": "weeks", "value": 3})
    calls = [same, refused, set_3, set_3, same, other]
    expected = [False, False, True, False, True, True]
    assert ToolBackend(domain).changed_by(calls) == expected
    assert len(tool.played) == 6
    assert ToolBackend(domain).changed_by(calls) == expected
    assert len(tool.played) == 9  # those that change something


def test_calls_after_the_end_change_nothing_though_they_did_before_it() -> None:
    call = ToolCall("set_field", {"loan": "L1", "field": "weeks", "value": 3})
    over = ToolCall("hand_over")
    domain = replace(library(), terminating=frozenset({"hand_over"}))
    assert ToolBackend(domain).changed_by([call, over, call]) == [True, False, False]
    assert ToolBackend(domain).changed_by([over, call]) == [False, False]
    assert ToolBackend(domain).changed_by([over, call]) == [False, False]


@pytest.mark.parametrize("value", [object(), {1}, [float("nan")], "\ud800", 10**400])
def test_arguments_of_any_kind_can_be_made_again(value: object) -> None:
    call = ToolCall("set_field", {"loan": "L1", "field": "weeks", "value": value})
    for _ in range(2):
        assert ToolBackend(library()).changed_by([call, call])[0]


def test_a_call_of_any_name_can_be_made_again() -> None:
    for _ in range(2):
        assert ToolBackend(library()).changed_by([ToolCall("\ud800"), ToolCall("")]) == [False] * 2
