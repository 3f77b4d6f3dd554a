"""A results file of tau2, as its runs write them since version 0.1.

`{"info": {...}, "tasks": [...], "simulations": [...]}`; or a folder with `results.json`, which has
the rest, and `simulations/*.json`. Nothing that a file names is looked up or called here.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_todeval.backends.arithmetic import too_large
from pytest_todeval.errors import InvalidFile

Message = Mapping[str, Any]

BASES = ("DB", "ENV_ASSERTION", "ACTION", "COMMUNICATE", "NL_ASSERTION")
"""The parts of a reward."""
SAME_DOMAIN = {"telecom-workflow": "telecom"}
"""Names of tau2's for a domain whose policy alone is another."""
SOLO_AGENTS = ("llm_agent_solo", "gym_agent_solo")
SOLO_USERS = ("dummy_user",)
ROLES = ("system", "user", "assistant", "tool")
SPEAKERS = ("user", "assistant")
"""Whose messages hold words and calls."""
CALLING = ("initial_state.initialization_actions", "evaluation_criteria.env_assertions")
"""Where a task names functions of tau2's own toolkits, by `func_name`."""


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
    """As stored, by the names of `BASES`; empty if the dialogue ended prematurely."""
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
    """The simulations of a file or folder, in its order.

    Their tasks are those that the file holds; if it holds none, `tasks` by id. A simulation that
    does not say its `trial` is the task's next one. Raises InvalidFile naming what is wrong, and
    where; also if a task names a function that is no tool or check of a domain.
    """
    meta, simulations = _files(path)
    info = _object(f"{path}: info", meta.get("info") or {})
    known = _known_tasks(path, meta.get("tasks")) or dict(tasks or {})
    if not known:
        raise InvalidFile(
            f"{path}: holds no `tasks`; name the --domain, so that they are read there"
        )
    reading = _Simulations(known, _solo(info))
    environment = _object(f"{path}: info.environment_info", info.get("environment_info") or {})
    domain = environment.get("domain_name")
    found = tuple(reading.one(where, each) for where, each in simulations)
    return Tau2Results(SAME_DOMAIN.get(domain, domain) if isinstance(domain, str) else None, found)


def _files(path: Path) -> tuple[Mapping[str, Any], list[tuple[str, Any]]]:
    """What `results.json` says, and each simulation with its place."""
    file = path / "results.json" if path.is_dir() else path
    meta = _json(file)
    if not isinstance(meta, dict) or not ("simulations" in meta or "simulation_index" in meta):
        raise InvalidFile(
            f"{file}: expected tau2's results, an object with `tasks` and `simulations`, got "
            f"{_kind(meta)}"
        )
    inside = meta.get("simulations") or []
    if not isinstance(inside, list):
        raise InvalidFile(f"{file}: simulations: expected a list, got {_kind(inside)}")
    found = [(f"{file}: simulations[{place}]", each) for place, each in enumerate(inside)]
    if not found:
        folder = file.parent / "simulations"
        found = [(str(each), _json(each)) for each in sorted(folder.glob("*.json"))]
    if not found:
        raise InvalidFile(f"{file}: no simulations, neither in it nor in a folder beside it")
    return meta, found


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidFile(f"{path}: cannot be read as JSON: {error}") from error


def _solo(info: Mapping[str, Any]) -> str:
    """Why the run's simulations cannot be scored: the agent played alone, with the user's tools."""
    for side, names in (("agent_info", SOLO_AGENTS), ("user_info", SOLO_USERS)):
        about = info.get(side)
        if isinstance(about, dict) and about.get("implementation") in names:
            return f"solo mode ({about['implementation']}): the agent has the user's tools"
    return ""


def _known_tasks(path: Path, tasks: object) -> dict[str, Mapping[str, Any]]:
    if tasks is None:
        return {}
    if not isinstance(tasks, list):
        raise InvalidFile(f"{path}: tasks: expected a list, got {_kind(tasks)}")
    found: dict[str, Mapping[str, Any]] = {}
    for place, task in enumerate(tasks):
        where = f"{path}: tasks[{place}]"
        checked = _object(where, task)
        found[_text(where, "id", checked.get("id"))] = checked
        _check_task(where, checked)
    return found


def _check_task(where: str, task: Mapping[str, Any]) -> None:
    """That it has tau2's shape, and names no function but what tools and checks are called."""
    state = _object(f"{where}.initial_state", task.get("initial_state") or {})
    criteria = _object(f"{where}.evaluation_criteria", task.get("evaluation_criteria") or {})
    parts = {"initial_state": state, "evaluation_criteria": criteria}
    for name in CALLING:
        part, _, field = name.partition(".")
        for each in _objects(f"{where}.{name}", parts[part].get(field)):
            _check_call(f"{where}.{name}", each.get("func_name"), each.get("arguments"))
    for each in _objects(f"{where}.evaluation_criteria.actions", criteria.get("actions")):
        _check_call(f"{where}.evaluation_criteria.actions", each.get("name"), each.get("arguments"))
    for field in ("communicate_info", "nl_assertions", "reward_basis"):
        values = criteria.get(field)
        if values is not None and not _are_texts(values):
            raise InvalidFile(f"{where}.evaluation_criteria.{field}: expected texts, or null")


def _check_call(where: str, name: object, arguments: object) -> None:
    """A private name could reach more than a tool; a calculator's power could take for ever."""
    if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
        raise InvalidFile(f"{where}: expected the name of a tool or check, got {_kind(name)}")
    given = _object(f"{where}: {name}: arguments", arguments)
    if too_large(given.get("expression")):
        raise InvalidFile(f"{where}: {name}: its number would be too large")


@dataclass
class _Simulations:
    """What is read of them, one after another."""

    tasks: Mapping[str, Mapping[str, Any]]
    solo: str

    def __post_init__(self) -> None:
        self.places: dict[tuple[str, int], str] = {}
        self.trials: Counter[str] = Counter()

    def one(self, where: str, entry: object) -> Simulation:
        given = _object(where, entry)
        id = given.get("task_id")
        task_id = _text(where, "task_id", str(id) if type(id) is int else id)
        if task_id not in self.tasks:
            raise InvalidFile(f"{where}: task {task_id!r:.80} is not among the file's tasks")
        trial = self._trial(where, task_id, given.get("trial"))
        info = _object(f"{where}.reward_info", given.get("reward_info") or {})
        messages, ticks = given.get("messages"), given.get("ticks")
        spoken = "" if messages or not ticks else "full duplex: it has ticks and no messages"
        return Simulation(
            task=self.tasks[task_id],
            trial=trial,
            ended=_text(where, "termination_reason", given.get("termination_reason")),
            reward=_number(f"{where}.reward_info.reward", info.get("reward")),
            parts=_parts(f"{where}.reward_info.reward_breakdown", info.get("reward_breakdown")),
            of_other_task=_of_other_task(where, info, self.tasks[task_id]),
            messages=tuple(_messages(f"{where}.messages", messages)),
            unscorable=self.solo or spoken,
            where=where,
        )

    def _trial(self, where: str, task: str, trial: object) -> int:
        if trial is None:
            trial = self.trials[task]
        elif type(trial) is not int or trial < 0:
            raise InvalidFile(f"{where}.trial: expected a whole number from 0, got {_kind(trial)}")
        if (task, trial) in self.places:
            raise InvalidFile(
                f"{where}: task {task!r:.80}, trial {trial} is already at "
                f"{self.places[task, trial]}; if files were joined, give each run of a task its "
                "own `trial`"
            )
        self.places[task, trial] = where
        self.trials[task] += 1
        return trial


def _parts(where: str, breakdown: object) -> dict[str, float]:
    given = _object(where, breakdown or {})
    found = {name: _number(f"{where}.{name}", given.get(name)) for name in BASES}
    return {name: value for name, value in found.items() if value is not None}


def _of_other_task(where: str, info: Mapping[str, Any], task: Mapping[str, Any]) -> bool:
    checks = _objects(f"{where}.reward_info.action_checks", info.get("action_checks"))
    actions = (task.get("evaluation_criteria") or {}).get("actions") or ()
    checked = [_named(check.get("action")) for check in checks]
    return bool(checked) and checked != [_named(action) for action in actions]


def _named(action: object) -> object:
    """What is called, without remarks that versions of tau2 differ in."""
    if not isinstance(action, dict):
        return action
    return action.get("name"), action.get("arguments")


def _messages(where: str, messages: object) -> Iterator[Message]:
    for place, message in enumerate(_objects(where, messages)):
        here = f"{where}[{place}]"
        if message.get("role") not in ROLES:
            known = ", ".join(ROLES)
            raise InvalidFile(
                f"{here}: expected a role of {known}, got {_kind(message.get('role'))}"
            )
        if not isinstance(message.get("content"), str | None):
            raise InvalidFile(f"{here}.content: expected text, or null")
        for number, call in enumerate(_objects(f"{here}.tool_calls", message.get("tool_calls"))):
            _text(f"{here}.tool_calls[{number}]", "name", call.get("name"))
            _object(f"{here}.tool_calls[{number}].arguments", call.get("arguments"))
        yield message


def _objects(where: str, values: object) -> Sequence[Mapping[str, Any]]:
    if values is None:
        return ()
    if not isinstance(values, list):
        raise InvalidFile(f"{where}: expected a list, or null, got {_kind(values)}")
    return [_object(f"{where}[{place}]", each) for place, each in enumerate(values)]


def _object(where: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InvalidFile(f"{where}: expected an object, got {_kind(value)}")
    return value


def _text(where: str, name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidFile(f"{where}.{name}: expected text, got {_kind(value)}")
    return value


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(each, str) for each in values)


def _number(where: str, value: object) -> float | None:
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 <= value <= 1:  # type: ignore[operator]
        raise InvalidFile(f"{where}: expected a number from 0 to 1, got {_kind(value)}")
    return float(value)  # type: ignore[arg-type]


def _kind(value: object) -> str:
    return f"{type(value).__name__} {value!r:.60}"
