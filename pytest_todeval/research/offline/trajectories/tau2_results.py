"""A results file of tau2, as its runs write them since version 0.1.

`{"info": {...}, "tasks": [...], "simulations": [...]}`; or a folder with `results.json`, which has
the rest, and `simulations/*.json`. Nothing that a file names is looked up or called here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.backends.arithmetic import too_large
from pytest_todeval.errors import InvalidFile
from pytest_todeval.research.offline.record import Record, kind, read_json
from pytest_todeval.worlds.tau2.simulation import BASIS

Message = Mapping[str, Any]

SAME_DOMAIN = {"telecom-workflow": "telecom"}
"""Names of tau2's for a domain whose policy alone is another."""
SOLO_AGENTS = ("llm_agent_solo", "gym_agent_solo")
SOLO_USERS = ("dummy_user",)
ROLES = ("system", "user", "assistant", "tool")
FULL_DUPLEX = "full duplex: it has ticks and no messages"
SPEAKERS = ("user", "assistant")
"""Whose messages hold words and calls."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """One trial of a task, as tau2 stored it."""

    task: Mapping[str, Any]
    trial: int
    ended: str
    """`termination_reason`: `user_stop`, `max_steps`, ..."""
    reward: float | None
    """As stored; None if the file does not say."""
    parts: Mapping[str, float]
    """As stored, by the names of `BASIS`; empty if the dialogue ended prematurely."""
    of_other_task: bool
    """Whether the stored reward checks other actions than the task has."""
    messages: tuple[Message, ...]
    unscorable: str
    """Why it cannot be scored here; empty if it can."""
    where: str
    """File and place, for messages."""


@dataclass(frozen=True, slots=True)
class Tau2Results:
    """What a file says."""

    domain: str | None
    """None if the file does not say; `telecom` for `telecom-workflow`."""
    simulations: tuple[Simulation, ...]


def read_tau2_results(path: Path, tasks: Mapping[str, Mapping[str, Any]] | None) -> Tau2Results:
    """Returns the simulations of a file or folder, in its order.

    Their tasks are those that the file holds; if it holds none, `tasks` by id. A simulation that
    does not say its `trial` is the task's next one. Raises InvalidFile naming what is wrong, and
    where; also if a task names a function that is no tool or check of a domain.
    """
    meta, simulations = _files(path)
    info = meta.part("info")
    known = _known_tasks(meta) or dict(tasks or {})
    if not known:
        raise InvalidFile(
            f"{path}: holds no `tasks`; name the --domain, so that they are read there"
        )
    reading = _Simulations(known, _solo(info.value))
    domain = info.part("environment_info").value.get("domain_name")
    found = tuple(map(reading.one, simulations))
    return Tau2Results(SAME_DOMAIN.get(domain, domain) if isinstance(domain, str) else None, found)


def _files(path: Path) -> tuple[Record, list[Record]]:
    """Returns what `results.json` says, and each simulation with its place."""
    file = path / "results.json" if path.is_dir() else path
    meta = read_json(file)
    if not isinstance(meta, dict) or not ("simulations" in meta or "simulation_index" in meta):
        raise InvalidFile(
            f"{file}: expected tau2's results, an object with `tasks` and `simulations`, got "
            f"{kind(meta)}"
        )
    told = Record(meta, str(file))
    found = [
        Record.of(each, f"{file}: simulations[{place}]")
        for place, each in enumerate(told.items("simulations"))
    ]
    if not found:
        folder = sorted((file.parent / "simulations").glob("*.json"))
        found = [Record.of(read_json(each), str(each)) for each in folder]
    if not found:
        raise InvalidFile(f"{file}: no simulations, neither in it nor in a folder beside it")
    return told, found


def _solo(info: Mapping[str, Any]) -> str:
    """Why the run's simulations cannot be scored: the agent played alone, with the user's tools."""
    for side, names in (("agent_info", SOLO_AGENTS), ("user_info", SOLO_USERS)):
        about = info.get(side)
        if isinstance(about, dict) and about.get("implementation") in names:
            return f"solo mode ({about['implementation']}): the agent has the user's tools"
    return ""


def _known_tasks(meta: Record) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    for task in meta.records("tasks"):
        found[_named(task, "id")] = task.value
        _check_task(task)
    return found


def _named(record: Record, key: str) -> str:
    """Returns a text that is not empty."""
    return record.text(key) or record.fail(key, "a text")


def _check_task(task: Record) -> None:
    """That it has tau2's shape, and names no function but what tools and checks are called."""
    state, criteria = task.part("initial_state"), task.part("evaluation_criteria")
    for call in state.records("initialization_actions"):
        _check_call(call, "func_name")
    for call in criteria.records("env_assertions"):
        _check_call(call, "func_name")
    for call in criteria.records("actions"):
        _check_call(call, "name")
    for field in ("communicate_info", "nl_assertions", "reward_basis"):
        if not all(isinstance(each, str) for each in criteria.items(field)):
            criteria.fail(field, "texts, or null")


def _check_call(call: Record, key: str) -> None:
    """A private name could reach more than a tool; a calculator's power could take for ever."""
    name = call.value.get(key)
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
        call.fail(key, "the name of a tool or check")
    if too_large(call.record("arguments").value.get("expression")):
        raise InvalidFile(f"{call.where}: {call.path}{name}: its number would be too large")


@dataclass
class _Simulations:
    """What is read of them, one after another."""

    tasks: Mapping[str, Mapping[str, Any]]
    solo: str

    def __post_init__(self) -> None:
        self.places: dict[tuple[str, int], str] = {}
        self.trials: Counter[str] = Counter()

    def one(self, given: Record) -> Simulation:
        id = given.value.get("task_id")
        task_id = str(id) if type(id) is int else _named(given, "task_id")
        if task_id not in self.tasks:
            raise InvalidFile(f"{given.where}: task {task_id!r:.80} is not among the file's tasks")
        trial = self._trial(given, task_id)
        info = given.part("reward_info")
        breakdown = info.part("reward_breakdown")
        parts = {name: breakdown.share(name) for name in BASIS}
        messages = tuple(_messages(given))
        spoken = "" if messages or not given.value.get("ticks") else FULL_DUPLEX
        return Simulation(
            task=self.tasks[task_id],
            trial=trial,
            ended=_named(given, "termination_reason"),
            reward=info.share("reward"),
            parts={name: value for name, value in parts.items() if value is not None},
            of_other_task=_of_other_task(info, self.tasks[task_id]),
            messages=messages,
            unscorable=self.solo or spoken,
            where=given.where,
        )

    def _trial(self, given: Record, task: str) -> int:
        told = given.value.get("trial") is not None
        trial = given.whole("trial") if told else self.trials[task]
        if (task, trial) in self.places:
            raise InvalidFile(
                f"{given.where}: task {task!r:.80}, trial {trial} is already at "
                f"{self.places[task, trial]}; if files were joined, give each run of a task its "
                "own `trial`"
            )
        self.places[task, trial] = given.where
        self.trials[task] += 1
        return trial


def _of_other_task(info: Record, task: Mapping[str, Any]) -> bool:
    actions = (task.get("evaluation_criteria") or {}).get("actions") or ()
    checked = [_called(check.value.get("action")) for check in info.records("action_checks")]
    return bool(checked) and checked != [_called(action) for action in actions]


def _called(action: object) -> object:
    """Returns what is called, without remarks that versions of tau2 differ in."""
    if not isinstance(action, dict):
        return action
    return action.get("name"), action.get("arguments")


def _messages(given: Record) -> Iterator[Message]:
    for message in given.records("messages"):
        if message.value.get("role") not in ROLES:
            message.fail("role", f"a role of {', '.join(ROLES)}")
        if not isinstance(message.value.get("content"), str | None):
            message.fail("content", "text, or null")
        for call in message.records("tool_calls"):
            _named(call, "name")
            call.record("arguments")
        yield message.value
