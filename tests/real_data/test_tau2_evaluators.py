"""Our rewards beside those that tau2's own evaluators give the same calls and words.

These need a checkout of tau2 (TAU2_BENCH_HOME) with its databases, what it needs installed, and
Python 3.12; if one is missing they skip, saying which.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.domain import DOMAINS, domain_of
from pytest_todeval.worlds.tau2.package import import_in_private
from pytest_todeval.worlds.tau2.reward import tau2_rewards
from tests.support.tau2_world import dialogue

TASKS = {"airline": 2, "retail": 1, "telecom": 7, "mock": 10}
"""Tasks per domain, spread over the file; TODEVAL_TAU2_TASKS sets another number."""


@pytest.fixture
def home() -> Path:
    given = os.environ.get("TAU2_BENCH_HOME")
    if not given or not (Path(given) / "data" / "tau2").is_dir():
        pytest.skip("no tau2 found: set TAU2_BENCH_HOME to a checkout of tau2-bench")
    return Path(given)


def tasks_of(home: Path, domain: str) -> list[dict[str, Any]]:
    folder = home / "data" / "tau2" / "domains" / domain
    files = [folder / name for name in ("tasks.json", "tasks_small.json")]
    file = next((file for file in files if file.exists()), None)
    if file is None:
        pytest.skip(f"{folder} holds no tasks")
    tasks: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    number = int(os.environ.get("TODEVAL_TAU2_TASKS", TASKS[domain]))
    return tasks[:: -(-len(tasks) // number)]


@dataclass(frozen=True)
class Theirs:
    """tau2's evaluators, in modules of their own: nothing but JSON passes between them and us."""

    domain: str
    modules: Mapping[str, Any]

    def breakdown(
        self, task: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]
    ) -> dict[str, float] | None:
        """By component of the task's basis; None if an assertion breaks, which stops tau2."""
        parsed = self.modules["tau2.data_model.tasks"].Task.model_validate(task)
        trajectory = [self._message(message) for message in messages]
        make = self.modules[f"tau2.domains.{self.domain}.environment"].get_environment
        environment = self._evaluator("env", "EnvironmentEvaluator")
        try:
            info = environment.calculate_reward(make, parsed, trajectory)
        except ValueError:
            return None
        rewards = {"DB": 1.0, "ENV_ASSERTION": 1.0}  # of a task that states nothing for them
        rewards.update(info.reward_breakdown or {})
        for short, name in (("action", "ActionEvaluator"), ("communicate", "CommunicateEvaluator")):
            info = self._evaluator(short, name).calculate_reward(parsed, trajectory)
            rewards.update(info.reward_breakdown)
        basis = {part.value for part in parsed.evaluation_criteria.reward_basis}
        return {part: value for part, value in rewards.items() if part in basis}

    def environment(self, task: Mapping[str, Any]) -> Any:
        """A fresh one of tau2's own in the task's initial state."""
        environment = self.modules[f"tau2.domains.{self.domain}.environment"].get_environment()
        state = self.modules["tau2.data_model.tasks"].Task.model_validate(task).initial_state
        given = state and (state.initialization_data, state.initialization_actions)
        environment.set_state(*(given or (None, None)), (state and state.message_history) or [])
        return environment

    def hashes(self, environment: Any) -> str:
        """As `Tau2Backend.state_hash` has them."""
        found = environment.get_db_hash(), environment.get_user_db_hash()
        return "+".join(digest for digest in found if digest)

    def call(self, call: Mapping[str, Any]) -> Any:
        """A call in tau2's own form."""
        return self.modules["tau2.data_model.message"].ToolCall.model_validate(call)

    def _evaluator(self, module: str, name: str) -> Any:
        return getattr(self.modules[f"tau2.evaluator.evaluator_{module}"], name)

    def _message(self, message: Mapping[str, Any]) -> Any:
        names = {"assistant": "AssistantMessage", "user": "UserMessage", "tool": "ToolMessage"}
        kind = getattr(self.modules["tau2.data_model.message"], names[message["role"]])
        return kind.model_validate(message)


@cache
def theirs_of(home: Path, domain: str) -> Theirs:
    names = [f"tau2.evaluator.evaluator_{part}" for part in ("env", "action", "communicate")]
    names += [f"tau2.domains.{domain}.environment", "tau2.data_model.tasks"]
    return Theirs(domain, import_in_private(home, (*names, "tau2.data_model.message")))


@pytest.fixture(params=DOMAINS)
def theirs(request: pytest.FixtureRequest, home: Path) -> Theirs:
    domain: str = request.param
    try:
        domain_of(home, domain).environment(tasks_of(home, domain)[0])
        return theirs_of(home, domain)
    except (DataMissing, UsageError) as missing:
        pytest.skip(str(missing))


Action = Mapping[str, Any]


def reference(task: Mapping[str, Any]) -> list[Action]:
    return list((task["evaluation_criteria"] or {}).get("actions") or ())


def said(task: Mapping[str, Any]) -> str:
    return " and ".join((task["evaluation_criteria"] or {}).get("communicate_info") or ["bye"])


def variants(task: Mapping[str, Any]) -> Iterator[tuple[str, list[Action], str]]:
    """The reference solution, and ways to miss it."""
    actions = reference(task)
    yield "reference", actions, said(task)
    yield "nothing", [], "bye"
    yield "silent", actions, "bye"
    if not actions:
        return
    yield "last left out", actions[:-1], said(task)
    last = actions[-1]
    wrong = {name: f"{value}x" for name, value in last["arguments"].items()}
    yield "wrong arguments", [*actions[:-1], {**last, "arguments": wrong}], said(task)
    yield "last done twice", [*actions, last], said(task)
    other = "assistant" if last.get("requestor") == "user" else "user"
    yield "by the other side", [*actions[:-1], {**last, "requestor": other}], said(task)
    yield "unknown tool", [*actions, {"name": "no_such_tool", "arguments": {}}], said(task)


def played(backend: Tau2Backend, actions: Sequence[Action]) -> Iterator[dict[str, Any]]:
    """Make the calls; the messages that tau2 would keep of them."""
    for number, action in enumerate(actions):
        by = action.get("requestor", "assistant")
        call = {"id": str(number), "name": action["name"], "arguments": action["arguments"]}
        make = backend.call_user if by == "user" else backend.call
        try:
            text, error = make(action["name"], **action["arguments"]), False
        except ToolRefused as refusal:
            text, error = str(refusal), True
        yield {"role": by, "tool_calls": [{**call, "requestor": by}]}
        answer = {"id": str(number), "content": text, "requestor": by, "error": error}
        yield {"role": "tool", **answer}


def yes(sentence: str, dialogue: Dialogue) -> Verdict:
    return Verdict("sentence", True, "taken as given", basis="judged by nobody")


def ours(rewards: Mapping[str, Verdict]) -> dict[str, float]:
    parts = {name.removeprefix("reward_").upper(): value for name, value in rewards.items()}
    return {
        name: float(value.passed)
        for name, value in parts.items()
        if name not in ("REWARD", "NL_ASSERTION")
    }


def history(task: Mapping[str, Any]) -> list[dict[str, Any]]:
    return list((task.get("initial_state") or {}).get("message_history") or ())


def test_the_reference_solution_has_the_reward(home: Path, theirs: Theirs) -> None:
    for task in tasks_of(home, theirs.domain):
        if task["evaluation_criteria"].get("actions") is None:  # it has no reference solution
            continue
        backend = Tau2Backend(home, theirs.domain, task)
        list(played(backend, reference(task)))
        rewards = tau2_rewards(dialogue(said(task)), backend, task, yes)
        # mock's reference solutions leave out what the user is to do, which assertions look at
        part = "reward_db" if theirs.domain == "mock" else "reward"
        assert rewards[part], task["id"]


def test_every_component_is_theirs(home: Path, theirs: Theirs) -> None:
    compared = failed = 0
    for task in tasks_of(home, theirs.domain):
        for name, actions, words in variants(task):
            backend = Tau2Backend(home, theirs.domain, task)
            messages = [*history(task), *played(backend, actions)]
            messages.append({"role": "assistant", "content": words})
            got = ours(tau2_rewards(dialogue(words), backend, task, yes))
            expected = theirs.breakdown(task, messages)
            if expected is None:
                assert got["ENV_ASSERTION"] == 0, (task["id"], name)
                continue
            assert got == expected, (task["id"], name)
            compared += 1
            failed += not all(got.values())
    assert 0 < failed < compared


def test_answers_and_hashes_are_theirs_and_no_dialogue_sees_another(
    home: Path, theirs: Theirs
) -> None:
    for task in tasks_of(home, theirs.domain):
        backend, other = (Tau2Backend(home, theirs.domain, task) for _ in range(2))
        at_first, alone = other.state_hash(), theirs.environment(task)
        assert at_first == theirs.hashes(alone)
        made = iter(list(played(backend, reference(task))))
        for spoken, answered in zip(made, made, strict=True):
            found = alone.get_response(theirs.call(spoken["tool_calls"][0]))
            assert (answered["content"], answered["error"]) == (found.content, found.error)
        assert backend.state_hash() == theirs.hashes(alone), task["id"]
        assert other.state_hash() == at_first, task["id"]


def test_what_its_tools_do_is_hashed_without_asking_tau2(
    home: Path, theirs: Theirs, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = tasks_of(home, theirs.domain)[0]
    backend = Tau2Backend(home, theirs.domain, task)
    list(played(backend, reference(task)))
    monkeypatch.setattr(
        type(backend._environment), "get_db_hash", lambda self: pytest.fail("asked")
    )
    assert backend.state_hash()


def test_the_users_tools_are_there_under_dual_control(home: Path, theirs: Theirs) -> None:
    task = tasks_of(home, theirs.domain)[0]
    backend = Tau2Backend(home, theirs.domain, task)
    assert backend.tools
    assert bool(backend.user_tools) == (theirs.domain in ("telecom", "mock"))
    alone = theirs.environment(task)
    assert backend.tools == [tool.openai_schema for tool in alone.get_tools()]
    for schema in (*backend.tools, *backend.user_tools):
        assert schema["function"]["parameters"]["type"] == "object"
