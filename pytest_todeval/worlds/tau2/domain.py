"""One of tau2's domains: makes environments for its tasks, and gold end states."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pytest_todeval.errors import DataMissing, OracleFault, UsageError, known_names
from pytest_todeval.worlds.tau2.environment import Database, Environment, Requestor, Task
from pytest_todeval.worlds.tau2.package import import_in_private, not_whole
from pytest_todeval.worlds.tau2.state import (
    Changes,
    Hashes,
    SharedState,
    joined,
    their_hashes,
)

DOMAINS = ("airline", "retail", "telecom", "mock")
LFS_POINTER = b"version https://git-lfs"
MAX_SAID = 500
"""Characters of an error: one about a database may list thousands of records."""


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """A tool call as it is replayed."""

    by: Requestor
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReferenceState:
    """The end state of a task's reference solution."""

    hashes: Hashes
    changes: Changes
    errors: tuple[str, ...] = ()
    """Calls of the reference solution that failed, as tau2 lets them, with why."""


@dataclass(frozen=True, eq=False)
class Tau2Domain:
    """Made by `domain_of`; kept for the whole process."""

    name: str
    home: Path
    new_environment: Callable[..., Environment]
    read_task: Callable[[Mapping[str, Any]], Task]
    tool_call: Callable[..., Any]

    @cached_property
    def schemas(self) -> Mapping[Requestor, Sequence[Mapping[str, Any]]]:
        """Returns the tools of both sides, in the form chat-completions APIs take.

        tau2 builds models to state them, which takes longer than all else in a dialogue.
        """
        environment = self._fresh()
        users = () if environment.user_tools is None else environment.get_user_tools()
        return {
            "assistant": [tool.openai_schema for tool in environment.get_tools()],
            "user": [tool.openai_schema for tool in users],
        }

    def task(self, task: Mapping[str, Any]) -> Task:
        """Returns the task as tau2 reads it. Raises OracleFault if this tau2 does not take it."""
        try:
            return self.read_task(task)
        except ValueError as error:
            raise OracleFault(
                f"tau2 in {self.home} cannot read task {task.get('id')!r}: {error}"
            ) from error

    def environment(self, task: Mapping[str, Any]) -> Environment:
        """Returns a fresh environment in the task's initial state.

        Raises OracleFault if the initial state cannot be set, DataMissing if databases are
        missing or broken.
        """
        environment = self._fresh()
        initial = self.task(task).initial_state
        try:
            environment.set_state(
                initial and initial.initialization_data,
                initial and initial.initialization_actions,
                list((initial and initial.message_history) or ()),
            )
        except Exception as error:
            raise OracleFault(
                f"the initial state of task {task.get('id')!r} cannot be set: {error}"
            ) from error
        return environment

    def replayed(self, task: Mapping[str, Any], calls: Iterable[ReplayedCall]) -> Environment:
        """Returns a fresh environment after `calls`, of which those that only read are passed over.

        So tau2's evaluator has it. A tau2 that cannot tell which do plays all. Raises as
        `environment` does.
        """
        environment = self.environment(task)
        changes_state = getattr(environment, "_is_mutating_tool", lambda tool: True)
        for call in calls:
            if changes_state(call.tool):
                environment.get_response(self.call(call))
        environment.sync_tools()
        return environment

    def solved(self, task: Mapping[str, Any]) -> tuple[Environment, tuple[str, ...]]:
        """An environment after the task's reference solution, and which of its calls failed."""
        environment = self.environment(task)
        criteria = self.task(task).evaluation_criteria
        errors = []
        for action in (criteria and criteria.actions) or ():
            try:  # as tau2 does: not synchronised after each call, errors passed over
                environment.make_tool_call(
                    tool_name=action.name, requestor=action.requestor, **action.arguments
                )
            except Exception as error:
                errors.append(f"{action.name}: {error}")
        return environment, tuple(errors)

    def call(self, call: ReplayedCall) -> Any:
        """A call in tau2's own form; a tool may change what it is given without changing ours."""
        return self.tool_call(
            name=call.tool, arguments=deepcopy(dict(call.arguments)), requestor=call.by, id="call"
        )

    @cached_property
    def hash_on_file(self) -> str:
        """tau2's hash of the databases before any dialogue; `+` that of the user's, if any."""
        return joined(self.hashes(self._fresh()))

    def hashes(self, environment: Environment) -> Hashes:
        """tau2's own; if databases are shared, at the cost of what was touched."""
        return self._on_file.hashes(environment) if self._shares else their_hashes(environment)

    def changes(self, environment: Environment) -> Changes:
        """Returns what an environment's databases hold other than those on file."""
        return self._on_file.changes(environment)

    def gold(self, task: Mapping[str, Any]) -> ReferenceState:
        """Returns the gold end state: computed once per task, then kept."""
        return _gold(self, json.dumps(task, sort_keys=True))

    def _fresh(self) -> Environment:
        return self._made(self._on_file.views() if self._shares else {})

    def _made(self, databases: Mapping[str, Database]) -> Environment:
        try:
            return self.new_environment(**databases)
        except Exception as error:  # tau2 reads its files, whatever stands in them
            folder = self.home / "data" / "tau2" / "domains" / self.name
            raise DataMissing(
                f"tau2's domain {self.name} cannot be loaded from {folder}: "
                f"{_broken(folder, error)}. Bring its data with:\n"
                "  git clone https://github.com/sierra-research/tau2-bench"
            ) from error

    @cached_property
    def _on_file(self) -> SharedState:
        return SharedState(self._made({}))

    @cached_property
    def _shares(self) -> bool:
        return self._on_file.can_be_shared(self.new_environment)


def _broken(folder: Path, error: Exception) -> str:
    for file in sorted(folder.glob("*db.*")):
        with suppress(OSError), file.open("rb") as opened:
            if opened.read(len(LFS_POINTER)) == LFS_POINTER:
                return f"{file.name} is a Git LFS pointer to the file (`git lfs pull` brings it)"
    return f"{type(error).__name__}: {str(error)[:MAX_SAID]}"


@cache
def domain_of(home: Path, domain: str) -> Tau2Domain:
    """A domain of the tau2 whose checkout (or data) is at `home`; imported once per process.

    Raises UsageError for another domain than airline, retail, telecom and mock, and on a Python
    older than tau2 needs; DataMissing if tau2's tools or what they need are not installed.
    """
    if domain not in DOMAINS:
        raise UsageError(f"tau2 tasks cannot be run in {domain!r}: {known_names(domain, DOMAINS)}")
    place = f"tau2.domains.{domain}.environment"
    names = (place, "tau2.data_model.tasks", "tau2.data_model.message")
    modules = import_in_private(home, names)
    try:
        return Tau2Domain(
            domain,
            home,
            modules[place].get_environment,
            modules["tau2.data_model.tasks"].Task.model_validate,
            modules["tau2.data_model.message"].ToolCall,
        )
    except AttributeError as error:
        raise not_whole(home, str(error)) from error


@cache
def _gold(domain: Tau2Domain, task: str) -> ReferenceState:
    environment, errors = domain.solved(json.loads(task))
    return ReferenceState(domain.hashes(environment), domain.changes(environment), errors)
