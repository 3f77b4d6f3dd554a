"""The tools and tables of a real checkout, against tau-bench's own functions and stored runs."""

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.state_hash import base_hash
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld

BASE = {
    "retail": "5a4b2cb59f4d12dea7e4adff24a7f8fada510ead49372ea4a729a82bbb5f49b5",
    "airline": "4587e6b48ad2b2c4f3e1fecb40aabec7bb2286513273b8f8cec3f5865222f290",
}
ALL_GOLD = {
    "retail": "9a7de3a575b3636cb607c254963b0dff63f0befbb103acf5be1fe92d050e596b",
    "airline": "5310cab3f690fd58256af14073a3006603bff104994b5e237c508200763e61d6",
}
"""sha256 over the hashes after each test task's gold actions, one after another, as tau-bench's own
functions give them on fresh tables (`benchmarks/tau_reward_cost.py` compares them all again)."""

Calls = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module", params=sorted(BASE))
def domain(request: pytest.FixtureRequest, tau_home: Path) -> ToolDomain:
    return TauBenchWorld(request.param, tau_home).tool_domain()


@pytest.fixture(scope="module")
def their_hash(tau_home: Path) -> Callable[[Any], str]:
    """tau-bench's own hash of all tables, taken from its source."""
    found: dict[str, Any] = {"sha256": hashlib.sha256}
    for node in ast.parse((tau_home / "tau_bench/envs/base.py").read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name in ("to_hashable", "consistent_hash"):
            node.returns, node.args.args[0].annotation = None, None
            exec(ast.unparse(node), found)
    return lambda data: str(found["consistent_hash"](found["to_hashable"](data)))


def tasks(shared_data: Path, domain: ToolDomain) -> list[dict[str, Any]]:
    file = shared_data / domain.name / "tasks_test.json"
    if not file.is_file():
        pytest.skip(f"no {file.name} of {domain.name} in the real data")
    found: list[dict[str, Any]] = json.loads(file.read_text())
    return found


def gold(task: Mapping[str, Any], domain: ToolDomain) -> Calls:
    calls = [(action["name"], action["kwargs"]) for action in task["actions"]]
    return [call for call in calls if call[0] not in domain.terminating]


def played(domain: ToolDomain, calls: Iterable[tuple[str, dict[str, Any]]]) -> ToolBackend:
    backend = ToolBackend(domain)
    for name, arguments in calls:
        try:
            backend.call(name, **arguments)
        except ToolRefused:
            continue
    return backend


def test_sizes_and_base_hash(domain: ToolDomain, their_hash: Callable[[Any], str]) -> None:
    name = domain.name.removeprefix("tau_bench/")
    assert base_hash(domain) == BASE[name] == their_hash(deepcopy(dict(domain.tables)))
    sizes = {table: len(records) for table, records in domain.tables.items()}
    assert (len(domain.tools), sizes) == {
        "retail": (16, {"orders": 1000, "products": 50, "users": 500}),
        "airline": (14, {"flights": 300, "reservations": 2000, "users": 500}),
    }[name]
    assert domain.terminating == {"transfer_to_human_agents"}
    assert len(domain.policy) > 4000


def test_every_gold_sequence_hashes_as_theirs(
    domain: ToolDomain, shared_data: Path, their_hash: Callable[[Any], str]
) -> None:
    all_tasks = tasks(shared_data, domain)
    unchanged = rendered = changed = 0
    hashes = []
    for number, task in enumerate(all_tasks):
        backend = played(domain, gold(task, domain))
        found = backend.state_hash()
        hashes.append(found)
        rendered += backend.state.rendered
        changed += sum(len(records) for records in backend.changes().values())
        if found == base_hash(domain):
            assert backend.changes() == {}
            unchanged += 1
        if number % 15 == 0:
            assert found == their_hash(deepcopy(backend.data)), task["user_id"]
    name = domain.name.removeprefix("tau_bench/")
    assert hashlib.sha256("".join(hashes).encode()).hexdigest() == ALL_GOLD[name]
    # rendered: two retail gold sequences write two records as they already were
    known = {"retail": (115, 11, 170, 172), "airline": (50, 20, 62, 62)}
    assert (len(all_tasks), unchanged, changed, rendered) == known[name]
    assert base_hash(domain) == their_hash(deepcopy(dict(domain.tables)))  # nothing got through


def test_answers_and_states_are_those_of_their_tools_on_plain_tables(
    domain: ToolDomain, shared_data: Path, their_hash: Callable[[Any], str]
) -> None:
    plain = deepcopy({name: dict(table) for name, table in domain.tables.items()})
    backend = ToolBackend(domain)
    for task in tasks(shared_data, domain)[:30]:  # all on the same tables, one after another
        for name, arguments in gold(task, domain):
            assert answer(backend, name, arguments) == their_answer(domain, plain, name, arguments)
    assert backend.data == plain
    assert backend.state_hash() == their_hash(plain)


def answer(backend: ToolBackend, name: str, arguments: dict[str, Any]) -> str:
    try:
        return backend.call(name, **arguments)
    except ToolRefused as refusal:
        return str(refusal)


def their_answer(domain: ToolDomain, data: Any, name: str, arguments: dict[str, Any]) -> str:
    try:
        return domain.tools[name].invoke(data, **deepcopy(arguments))
    except Exception as error:
        return f"Error: {error}"


def test_stored_trajectories_end_in_the_stored_state(tau_home: Path, shared_data: Path) -> None:
    folder = shared_data / "tau_bench" / "airline"
    stored = json.loads((folder / "trajectories_gpt-4o.json").read_text())
    expected = json.loads((folder / "trajectories_gpt-4o.expected.json").read_text())
    hashes = {(e["task_id"], e["trial"]): e["data_hash"] for e in expected}
    domain = TauBenchWorld("airline", tau_home).tool_domain()
    compared = 0
    for run in stored:
        known = hashes[run["task_id"], run["trial"]]
        if known is not None:  # the run came to its end
            assert played(domain, calls_of(run["traj"])).state_hash() == known
            compared += 1
    assert compared == sum(known is not None for known in hashes.values()) > 40


def calls_of(messages: Iterable[Mapping[str, Any]]) -> Calls:
    """The first tool call of each message of the bot."""
    made = [m["tool_calls"][0]["function"] for m in messages if m.get("tool_calls")]
    return [(call["name"], json.loads(call["arguments"])) for call in made]


def test_the_package_itself_is_not_imported(tau_home: Path) -> None:
    code = (
        "import sys, pathlib; from pytest_todeval.worlds.tau_bench.world import TauBenchWorld;"
        f"TauBenchWorld('retail', pathlib.Path({str(tau_home)!r})).tool_domain();"
        "print([m for m in sys.modules if m.split('.')[0] in ('tau_bench', 'litellm', 'pydantic')])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
