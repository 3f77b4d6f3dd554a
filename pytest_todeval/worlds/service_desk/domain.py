"""The service desk as a domain: tables, tools and policy, read from the files beside this one."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.worlds.service_desk import tools

__all__ = ["DeskTool", "service_desk"]

HERE = Path(__file__).parent
TABLES = ("employees", "devices", "tickets", "licences")


@dataclass(frozen=True)
class DeskTool:
    """One tool of the service desk: what a model is told of it, and what it does."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    required: tuple[str, ...]
    function: Callable[..., str]

    @property
    def schema(self) -> Mapping[str, Any]:
        """Its JSON schema, in the form chat-completions APIs take."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": dict(self.parameters),
                    "required": list(self.required),
                    "additionalProperties": False,
                },
            },
        }

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        """Call it on the tables. Raises ToolRefused where it says no, having changed nothing."""
        unknown = sorted(set(arguments) - set(self.parameters))
        missing = [name for name in self.required if name not in arguments]
        if unknown or missing:
            what = f"takes no {unknown[0]!r:.60}" if unknown else f"needs {missing[0]!r}"
            raise ToolRefused(f"{self.name} {what}")
        return self.function(data, **arguments)


def service_desk() -> ToolDomain:
    """The IT service desk of an invented company, written for this project.

    Read anew from the package's files each time.
    """
    found = [_tool(told) for told in _read("tools")]
    return ToolDomain(
        name="service_desk",
        tables={table: _read(table) for table in TABLES},
        tools={tool.name: tool for tool in found},
        policy=(HERE / "policy.md").read_text(encoding="utf-8"),
        terminating=frozenset({"hand_over_to_person"}),
    )


def _read(name: str) -> Any:
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def _tool(told: Mapping[str, Any]) -> DeskTool:
    return DeskTool(
        name=told["name"],
        description=told["description"],
        parameters=told["parameters"],
        required=tuple(told["required"]),
        function=getattr(tools, told["name"]),
    )
