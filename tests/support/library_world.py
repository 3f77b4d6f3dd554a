"""A small domain in the shape of tau-bench, written for these tests, and trajectories in it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_todeval.backends.tool_domain import Tool, ToolDomain
from pytest_todeval.core.goal import Goal

Action = Mapping[str, Any]
Message = dict[str, Any]


@dataclass(frozen=True)
class Named:
    name: str

    @property
    def schema(self) -> Mapping[str, Any]:
        return {"type": "function", "function": {"name": self.name, "parameters": {}}}


@dataclass(frozen=True)
class SetField(Named):
    """Sets a field of a loan; raises if there is no such loan."""

    name: str = "set_field"
    played: list[str] = field(default_factory=list, compare=False)

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        loan = arguments["loan"]
        self.played.append(loan)
        if loan not in data["loans"]:
            raise ValueError("loan not found")
        data["loans"][loan][arguments["field"]] = arguments["value"]
        return json.dumps(data["loans"][loan])


@dataclass(frozen=True)
class Remove(Named):
    name: str = "remove"

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        return json.dumps(data["loans"].pop(arguments["loan"]))


@dataclass(frozen=True)
class HandOver(Named):
    name: str = "hand_over"

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        return "handed over"


def library() -> ToolDomain:
    """A library's loans, with tools that set a field, remove a loan, and hand over."""
    tools: list[Tool] = [SetField(), Remove(), HandOver()]
    loans = {
        "L1": {"book": "atlas", "weeks": 2, "notes": ["torn"]},
        "L2": {"book": "herbal", "weeks": 3, "notes": []},
    }
    by_name = {str(tool.schema["function"]["name"]): tool for tool in tools}
    return ToolDomain("library", {"loans": loans}, by_name, "Be kind.", frozenset({"hand_over"}))


def set_field(loan: str, field: str, value: object) -> Action:
    return {"name": "set_field", "kwargs": {"loan": loan, "field": field, "value": value}}


def task(actions: Sequence[Action] = (), outputs: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "user_id": "reader",
        "instruction": "You extend a loan.",
        "actions": list(actions),
        "outputs": list(outputs),
    }


def goal(actions: Sequence[Action] = (), outputs: Sequence[str] = ()) -> Goal:
    return Goal("t-0", "library", (), raw=task(actions, outputs))


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def bot(text: str) -> Message:
    return {"role": "assistant", "content": text}


def call(action: Action, result: str, *, text: str | None = None) -> list[Message]:
    """A call as the tool-calling form stores it, with what came back."""
    function = {"name": action["name"], "arguments": json.dumps(action["kwargs"])}
    made = {"id": "c1", "type": "function", "function": function}
    return [
        {"role": "assistant", "content": text, "tool_calls": [made]},
        {"role": "tool", "tool_call_id": "c1", "name": action["name"], "content": result},
    ]


def react(action: Action, result: str | None = None) -> list[Message]:
    """An action as the ReAct form stores it, with what came back."""
    written = json.dumps({"name": action["name"], "arguments": action["kwargs"]})
    said = bot(f"Thought:\nI have an idea. Action: none yet.\nAction:\n{written}")
    return [said] if result is None else [said, user(f"API output: {result}")]
