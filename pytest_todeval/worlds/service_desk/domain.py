"""The service desk: tables, tools, policy and tasks, read from the files beside this one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.backends.tool_domain import TableTool, ToolDomain
from pytest_todeval.core.documents import read_document
from pytest_todeval.core.fingerprint import fingerprint
from pytest_todeval.core.goal import Goal
from pytest_todeval.worlds.service_desk import tools

HERE = Path(__file__).parent
TABLES = ("employees", "devices", "tickets", "licences")
TASKS = HERE / "tasks.yaml"
TOLD_BY = (TASKS, *sorted(HERE.glob("*.json")), HERE / "policy.md", HERE / "tools.py")
"""All that a result depends on, which the fingerprint tells apart."""


def service_desk() -> ToolDomain:
    """Returns the IT service desk of an invented company, written for this project.

    Read anew from the package's files each time.
    """
    found = [TableTool(**told, function=getattr(tools, told["name"])) for told in _read("tools")]
    return ToolDomain(
        name="service_desk",
        tables={table: _read(table) for table in TABLES},
        tools={tool.name: tool for tool in found},
        policy=(HERE / "policy.md").read_text(encoding="utf-8"),
        terminating=frozenset({"hand_over_to_person"}),
    )


def _read(name: str) -> Any:
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


def load_service_desk() -> tuple[tuple[Goal, ...], str]:
    """Goals over the service desk, one per task of `tasks.yaml`, and their fingerprint.

    `raw` holds `user_id`, `instruction`, `actions` (`name`, `kwargs`), `outputs`, `says` (the lines
    of a scripted user) and `trivial` (whether a bot that does nothing passes it). The fingerprint
    is over tasks, tables, policy and tools.
    """
    goals = tuple(_goal(task) for task in read_document(TASKS).value)
    return goals, fingerprint(file.read_bytes() for file in TOLD_BY)


def _goal(task: Mapping[str, Any]) -> Goal:
    raw = {"trivial": False, **{key: value for key, value in task.items() if key != "id"}}
    return Goal(task["id"], "service_desk", (), message=(task["instruction"],), raw=raw)
