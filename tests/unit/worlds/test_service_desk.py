"""The service desk: its tools do what they say and refuse the rest; its tasks hold together."""

import copy
import inspect
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.metrics.reward import gold_of
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.service_desk import domain, tools
from pytest_todeval.worlds.service_desk.domain import service_desk
from pytest_todeval.worlds.service_desk.world import ServiceDeskWorld
from tests.support.service_desk_world import GOALS, fresh, goal_named

DOMAIN = service_desk()
TABLES = DOMAIN.tables


def ids(goal: Goal) -> str:
    return goal.id


def call(backend: ToolBackend, tool: str, **arguments: Any) -> Any:
    return json.loads(backend.call(tool, **arguments))


# Tables


@pytest.mark.parametrize("table", ["employees", "devices", "tickets", "licences"])
def test_tables_are_small_and_not_tiny(table: str) -> None:
    assert 20 <= len(TABLES[table]) <= 40
    keys = {frozenset(record) for record in TABLES[table].values()}
    assert len(keys) == 1


def test_tables_refer_to_what_there_is() -> None:
    employees = {*TABLES["employees"], None}
    devices = {*TABLES["devices"], None}
    assert {e["manager"] for e in TABLES["employees"].values()} <= employees
    assert {d["holder"] for d in TABLES["devices"].values()} <= employees
    assert {t["employee"] for t in TABLES["tickets"].values()} < employees
    assert {t["device"] for t in TABLES["tickets"].values()} <= devices
    for licence in TABLES["licences"].values():
        assert set(licence["holders"]) < employees
        assert len(licence["holders"]) <= licence["seats"]
    for employee in TABLES["employees"].values():
        assert set(employee["approvals"]) <= set(TABLES["licences"])


def test_who_holds_a_device_uses_it() -> None:
    for device in TABLES["devices"].values():
        assert (device["holder"] is not None) == (device["status"] == "in_use")


@pytest.mark.parametrize("field", ["email", "badge", "name"])
def test_employees_can_be_told_apart(field: str) -> None:
    values = [employee[field] for employee in TABLES["employees"].values()]
    assert len(set(values)) == len(values)


# Tools


def test_tools_and_their_schemas_say_the_same() -> None:
    functions = (name for name, each in vars(tools).items() if inspect.isfunction(each))
    assert set(DOMAIN.tools) == {name for name in functions if not name.startswith("_")}
    for name, tool in DOMAIN.tools.items():
        told = tool.schema["function"]["parameters"]
        takes = list(inspect.signature(getattr(tools, name)).parameters.values())[1:]
        assert list(told["properties"]) == [p.name for p in takes]
        assert told["required"] == [p.name for p in takes if p.default is p.empty]


@pytest.mark.parametrize(
    ("tool", "argument", "values"),
    [
        ("open_ticket", "subject", tools.SUBJECTS),
        ("close_ticket", "resolution", tools.RESOLUTIONS),
        ("hand_over_to_person", "reason", tools.REASONS),
    ],
)
def test_schemas_name_the_values_that_are_taken(
    tool: str, argument: str, values: tuple[str, ...]
) -> None:
    told = DOMAIN.tools[tool].schema["function"]["parameters"]["properties"][argument]
    assert told["enum"] == list(values)


def test_an_employee_is_found_whatever_the_case() -> None:
    found = call(fresh(), "find_employee", email=" Priya.Venkat@Larkfield.example ")
    assert found["employee_id"] == "E105"
    assert found["manager_name"] == "Ines Calloway"
    assert found["devices"] == ["D205"]


def test_the_head_of_a_department_has_no_manager() -> None:
    assert (
        call(fresh(), "find_employee", email="ines.calloway@larkfield.example")["manager_name"]
        is None
    )


def test_tickets_are_numbered_on() -> None:
    backend = fresh()
    opened = [
        call(backend, "open_ticket", employee_id="E101", subject="network")["ticket_id"]
        for _ in range(2)
    ]
    assert opened == ["T327", "T328"]
    assert len(call(backend, "list_tickets", employee_id="E101")) == 3


def test_a_password_is_another_one_each_time_and_the_same_in_each_run() -> None:
    passwords = []
    for _ in range(2):
        backend = fresh()
        for _ in range(2):
            told = call(backend, "reset_password", employee_id="E105")
            passwords.append(told["temporary_password"])
    assert passwords[:2] == passwords[2:]
    assert passwords[0] != passwords[1]
    assert backend.data["employees"]["E105"]["account"] == "active"


def test_a_suspended_account_stays_so() -> None:
    backend = fresh()
    backend.call("reset_password", employee_id="E114")
    assert backend.data["employees"]["E114"]["account"] == "suspended"


def test_a_swap_takes_the_newest_spare_at_the_site() -> None:
    backend = fresh()
    assert call(backend, "swap_device", device_id="D202")["new_device_id"] == "D227"
    assert backend.data["devices"]["D227"]["holder"] == "E102"
    assert backend.data["devices"]["D202"] == {
        **TABLES["devices"]["D202"],
        "holder": None,
        "status": "retired",
    }
    assert call(backend, "swap_device", device_id="D201")["new_device_id"] == "D226"
    with pytest.raises(ToolRefused, match="no spare laptop at Harbour House"):
        backend.call("swap_device", device_id="D203")


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("find_employee", {"email": "nobody@larkfield.example"}, "no employee"),
    ("find_employee", {"email": None}, "no employee"),
    ("get_device", {"device_id": "D999"}, "no device 'D999'"),
    ("get_device", {"device_id": ["D201"]}, "no device"),
    ("list_tickets", {"employee_id": "E999"}, "no employee"),
    ("open_ticket", {"employee_id": "E101", "subject": "coffee"}, "subject is 'coffee'"),
    ("open_ticket", {"employee_id": "E101", "subject": {}}, "subject is"),
    ("open_ticket", {"employee_id": "E101", "subject": "lost_device"}, "give a device_id"),
    (
        "open_ticket",
        {"employee_id": "E101", "subject": "network", "device_id": "D201"},
        "only then",
    ),
    ("close_ticket", {"ticket_id": "T301", "resolution": "solved"}, "closed already"),
    ("close_ticket", {"ticket_id": "T303", "resolution": "gone"}, "resolution is 'gone'"),
    ("reset_password", {"employee_id": "E124"}, "disabled"),
    ("assign_licence", {"employee_id": "E101", "licence_id": "L01"}, "already"),
    ("assign_licence", {"employee_id": "E101", "licence_id": "L08"}, "no seat"),
    ("swap_device", {"device_id": "D226"}, "not in use"),
    ("swap_device", {"device_id": "D218"}, "no spare monitor at Northfield"),
    ("hand_over_to_person", {"reason": "tired"}, "reason is 'tired'"),
    ("get_device", {}, "needs 'device_id'"),
    ("get_device", {"device_id": "D201", "colour": "red"}, "takes no 'colour'"),
    ("get_device", {"device_id": "D201", "data": {}}, "takes no 'data'"),
    ("get_device", {"device_id": "D201", "self": 1}, "takes no 'self'"),
]


@pytest.mark.parametrize(("tool", "arguments", "why"), REFUSED)
def test_what_a_tool_refuses_changes_nothing(tool: str, arguments: Any, why: str) -> None:
    backend = fresh()
    with pytest.raises(ToolRefused, match=f"^Error: .*{re.escape(why)}"):
        backend.call(tool, **arguments)
    assert backend.changes() == {}


def test_the_policy_names_what_the_tools_take() -> None:
    names = set(re.findall(r"`(\w+)`", DOMAIN.policy))
    known = {*tools.SUBJECTS, *tools.RESOLUTIONS, *tools.REASONS}
    states = {employee["account"] for employee in TABLES["employees"].values()}
    assert names <= known | states | {"security"}
    assert set(tools.REASONS) <= names
    assert states <= names


# Tasks


def test_there_are_enough_tasks_of_each_sort() -> None:
    assert len(GOALS) == 24
    assert len({goal.id for goal in GOALS}) == 24
    assert sum(bool(goal.raw["outputs"]) for goal in GOALS) >= 15
    unchanged = [goal for goal in GOALS if not gold_of(DOMAIN, goal).changes]
    assert sum(goal.raw["trivial"] for goal in unchanged) >= 3
    assert sum(not goal.raw["trivial"] for goal in unchanged) >= 3


@pytest.mark.parametrize("goal", GOALS, ids=ids)
def test_a_task_is_whole(goal: Goal) -> None:
    assert set(goal.raw) == {
        "user_id",
        "instruction",
        "actions",
        "outputs",
        "says",
        "trivial",
    }
    employee = TABLES["employees"][goal.raw["user_id"]]
    said = " ".join(goal.raw["says"])
    assert employee["name"] in goal.message[0]
    assert employee["email"] in said
    assert (employee["badge"] in said) == (goal.id != "wrong-badge")
    assert re.search(r"(?i)bye", goal.raw["says"][-1])
    for action in goal.raw["actions"]:
        assert set(action) == {"name", "kwargs"}
        assert action["name"] in DOMAIN.tools


@pytest.mark.parametrize("goal", GOALS, ids=ids)
def test_gold_actions_work_but_for_the_one_that_fails_on_purpose(goal: Goal) -> None:
    expected = ["swap_device"] if goal.id == "no-spare-monitor" else []
    assert [error.split(":")[0] for error in gold_of(DOMAIN, goal).errors] == expected


@pytest.mark.parametrize("goal", GOALS, ids=ids)
def test_outputs_are_what_the_tools_tell_and_nothing_the_user_knows(goal: Goal) -> None:
    tables = copy.deepcopy(dict(TABLES))
    told = ""
    for action in goal.raw["actions"]:
        try:
            told += DOMAIN.tools[action["name"]].invoke(tables, **action["kwargs"])
        except ToolRefused:
            continue
    for output in goal.raw["outputs"]:
        assert output in told
        assert output not in " ".join(goal.raw["says"]) + goal.message[0]
        assert re.fullmatch(r"[A-Za-z0-9 ]+", output)  # written in one way only


@pytest.mark.parametrize("goal", GOALS, ids=ids)
def test_tasks_that_a_bot_passes_by_doing_nothing_are_marked(goal: Goal) -> None:
    idle = gold_of(DOMAIN, goal).hash == fresh().state_hash() and not goal.raw["outputs"]
    assert goal.raw["trivial"] == idle


@pytest.mark.parametrize(
    "file", ["tasks.yaml", "policy.md", "tools.py", "tools.json", "licences.json"]
)
def test_another_world_has_another_fingerprint(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = domain.load_service_desk()[1]
    copies = {found.name: shutil.copy(found, tmp_path) for found in domain.TOLD_BY}
    monkeypatch.setattr(domain, "TOLD_BY", tuple(map(Path, copies.values())))
    assert domain.load_service_desk()[1] == before
    with Path(copies[file]).open("a") as changed:
        changed.write("\n")
    assert domain.load_service_desk()[1] != before


def test_the_goal_set_says_where_its_tools_are() -> None:
    goal_set = registry.load("service_desk")
    assert goal_set.world == ServiceDeskWorld()
    assert goal_named("lost-phone").name == "service_desk/lost-phone"
    assert not goal_set.world.published
