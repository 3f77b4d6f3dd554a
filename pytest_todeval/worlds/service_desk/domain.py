"""The service desk as a domain: tables, tools and policy, read from the files beside this one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.backends.table_tool import TableTool
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.worlds.service_desk import tools

__all__ = ["service_desk"]

HERE = Path(__file__).parent
TABLES = ("employees", "devices", "tickets", "licences")


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


def _tool(told: Mapping[str, Any]) -> TableTool:
    return TableTool(
        name=told["name"],
        description=told["description"],
        parameters=told["parameters"],
        required=tuple(told["required"]),
        function=getattr(tools, told["name"]),
    )
