"""The benchmarks' own users beside ours that read their prompts: the same requests, word for word.

Theirs are tau-bench's `load_user` and tau2's `UserSimulator`, run from the checkouts with a stub in
place of litellm, which keeps what it is asked. Ours ask a stand-in server, which keeps the bodies.
"""

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.errors import DataMissing, SimulatorFault, UsageError
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.testing import Answer, StandInServer
from pytest_todeval.worlds.registry import load
from pytest_todeval.worlds.tau2.package import import_in_private
from pytest_todeval.worlds.tau2.upstream import Tau2Upstream
from pytest_todeval.worlds.tau_bench.upstream import TauBenchUpstream

STRATEGIES = ("llm", "react", "verify", "reflection")
SEEDS = range(8)
TURNS = 6
BOT = ["Sure.", "  One, two\nthree ", "ünï ☃ {braces}", "Say ###STOP###", "Error: sorry", "Done?"]
STUBS = ("litellm", "litellm.caching", "litellm.caching.caching", "litellm.main")

Body = Mapping[str, Any]


@dataclass
class Conversation:
    """What a user said, and what its model was asked for it."""

    bodies: list[Body] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    ended: str = "went on"
    """`left`, `raised` or `went on`."""


def plain(messages: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Role, content, calls and the call answered; what is None as if it were not there.

    Calls are numbered: their ids are the model's.
    """
    ids: dict[str, int] = {}
    found = []
    for message in messages:
        kept = {name: message.get(name) for name in ("role", "content")}
        calls = []
        for call in message.get("tool_calls") or ():
            ids[call["id"]] = len(ids)
            function = call["function"]
            calls.append((ids[call["id"]], function["name"], json.loads(function["arguments"])))
        answered = ids.get(message.get("tool_call_id", ""))
        told = {**kept, "calls": calls, "answered": answered}
        found.append({k: v for k, v in told.items() if v not in (None, [])})
    return found


def parameters(body: Body) -> Mapping[str, Any]:
    """What an endpoint is sent beside model and messages."""
    theirs = ("messages", "model", "custom_llm_provider", "num_retries")
    return {k: v for k, v in body.items() if k not in theirs and v is not None}


def asked(conversation: Conversation) -> list[tuple[object, object]]:
    return [(plain(body["messages"]), parameters(body)) for body in conversation.bodies]


class TauAnswers:
    """What the model of tau-bench's user answers: the same to the same requests."""

    def __init__(self, strategy: str, seed: int) -> None:
        self.random, self.strategy = Random(f"{strategy} {seed}"), strategy
        self.left = self.random.randint(3, TURNS + 6)

    def __call__(self, messages: Sequence[Mapping[str, Any]]) -> str:
        last = str(messages[-1]["content"])
        if last.endswith("Classification:"):
            return self.random.choice(["true", "True.", "false", "No: FALSE", "that is untrue"])
        if "Reflection:" in last and len(messages) == 1:
            form = ["Reflection: hm.\n\nResponse: better {}", "Response:\nsay {}", "no label {}"]
            return self.random.choice([*form[:2] * 4, form[2]]).format(self.random.random())
        self.left -= 1
        words = f"Message {self.random.random()} \"with\" 'quotes'\nünï"
        if self.left <= 0:
            words = self.random.choice(["###STOP###", f"{words} ###STOP###"])
        if self.strategy != "react":
            return words
        forms = ["Thought:\nhm\n\nUser Response:\n{}", "User Response:\n {} ", "Thought: {}"]
        return self.random.choice([*forms * 4, "{}", "Thought: a Thought: {}"]).format(words)


class LitellmMessage(SimpleNamespace):
    """As text it is what litellm's own is."""

    def __str__(self) -> str:
        return (
            f"Message(content={self.content!r}, role='assistant', tool_calls=None, "
            "function_call=None, provider_specific_fields=None)"
        )

    def model_dump(self) -> dict[str, Any]:
        return {"content": self.content, "role": "assistant", "tool_calls": None}


@dataclass
class Stub:
    """In place of litellm."""

    answer: Callable[[Sequence[Mapping[str, Any]]], str] = lambda messages: "User Response: Hi."
    bodies: list[Body] = field(default_factory=list)

    def completion(self, **body: Any) -> Any:
        self.bodies.append({**body, "messages": [dict(each) for each in body["messages"]]})
        message = LitellmMessage(content=self.answer(body["messages"]))
        return SimpleNamespace(
            choices=[SimpleNamespace(message=message)], _hidden_params={"response_cost": 0}
        )


@pytest.fixture(scope="module")
def tau_bench(tau_home: Path) -> Iterator[tuple[Any, Stub]]:
    """tau-bench's module of users with a stub for litellm; neither stays in `sys.modules`."""
    stub, before = Stub(), dict(sys.modules)
    litellm: Any = ModuleType("litellm")
    litellm.completion, litellm.provider_list = stub.completion, ["stub"]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tau_home))
        patch.setitem(sys.modules, "litellm", litellm)
        yield importlib.import_module("tau_bench.envs.user"), stub
    for name in [n for n in sys.modules if n.partition(".")[0] == "tau_bench" and n not in before]:
        del sys.modules[name]


def theirs_of_tau_bench(module: Any, stub: Stub, strategy: str, goal: Goal, seed: int) -> object:
    stub.answer = Stub().answer
    user = module.load_user(strategy, "m", "stub")  # it asks as soon as it is made, of no task
    found = Conversation()
    stub.answer, stub.bodies = TauAnswers(strategy, seed), found.bodies
    try:
        found.said.append(user.reset(instruction=goal.raw["instruction"]))
        for text in BOT[: TURNS - 1]:
            found.said.append(user.step(text))
            if "###STOP###" in found.said[-1]:
                found.ended = "left"
                break
    except ValueError:
        found.ended = "raised"
    return found


def ours_of_tau_bench(home: Path, strategy: str, goal: Goal, seed: int) -> object:
    name = "tau_bench" if strategy == "llm" else f"tau_bench_{strategy}"
    answer = TauAnswers(strategy, seed)
    with StandInServer(lambda request: answer(request.messages)) as server:
        settings = ModelSettings("m", server.base_url, retries=0)
        user = TauBenchUpstream(home, "retail").user(name, goal, settings, backend=None, trial=0)
        found = conversation(user)
        found.bodies = [request.body for request in server.requests]
        assert server.failures == ()
    return found


def conversation(user: Any, before: Turn | None = None) -> Conversation:
    """The user of ours with the scripted bot."""
    found, turn = Conversation(), before
    try:
        for number in range(TURNS):
            spoken = user.respond(turn)
            found.said.append(spoken.text)
            if spoken.stop is not None:
                assert spoken.stop is StopReason.USER_DONE
                found.ended = "left"
                break
            turn = Turn(number + 1, spoken.text, BOT[number])
    except SimulatorFault:
        found.ended = "raised"
    return found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_tau_bench_asks_its_users_model_the_same(
    tau_bench: tuple[Any, Stub], tau_home: Path, strategy: str
) -> None:
    module, stub = tau_bench
    endings = set()
    for seed in SEEDS:
        domain = ("airline", "retail")[seed % 2]
        goal = load(f"tau_bench/{domain}", settings={"tau-home": tau_home}).goals[seed * 5]
        wanted: Any = theirs_of_tau_bench(module, stub, strategy, goal, seed)
        got: Any = ours_of_tau_bench(tau_home, strategy, goal, seed)
        assert asked(got) == asked(wanted), (seed, goal.id)
        assert (got.said, got.ended) == (wanted.said, wanted.ended), (seed, goal.id)
        endings.add(wanted.ended)
    assert "left" in endings
    assert ("raised" in endings) == (strategy in ("react", "reflection"))


# tau2


@pytest.fixture(scope="module")
def tau2_home() -> Path:
    given = os.environ.get("TAU2_BENCH_HOME")
    if not given or not (Path(given) / "data" / "tau2").is_dir():
        pytest.skip("no tau2 found: set TAU2_BENCH_HOME to a checkout of tau2-bench")
    return Path(given)


class Response(SimpleNamespace):
    """What tau2 asks of litellm's."""

    model = "stub"

    def get(self, name: str) -> None:
        """No usage."""

    def to_dict(self) -> dict[str, Any]:
        return {}


@dataclass
class Tau2Answers:
    """What the model of tau2's user answers; now and then it calls a tool of its own."""

    tools: Sequence[str]
    seed: int
    made: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)

    def __call__(self) -> Answer:
        self.made += 1
        if self.tools and self.random.random() < 0.3:
            names = [
                self.random.choice([*self.tools, "brew_tea"]) for _ in range(self.made % 2 + 1)
            ]
            beside = self.random.choice([None, "One moment."])
            return Answer(beside, tool_calls=[(name, {}) for name in names])
        words = f"Message {self.random.random()} ünï"
        token = self.random.choice([*[""] * 9, "###STOP###", "###TRANSFER###"])
        return Answer(f"{words} {token}".strip())


class Theirs:
    """tau2's own user simulator and environments."""

    def __init__(self, home: Path) -> None:
        self.bodies: list[Body] = []
        self.answer: Tau2Answers | None = None
        names = ["user.user_simulator", "data_model.tasks", "data_model.message", "config"]
        names += ["orchestrator.orchestrator", "registry"]
        self.modules = import_in_private(home, tuple(f"tau2.{name}" for name in names))

    def completion(self, **body: Any) -> Response:
        """In place of litellm's."""
        assert self.answer is not None
        self.bodies.append(json.loads(json.dumps(body)))
        answer = self.answer()
        number = sum(m["role"] == "tool" for m in body["messages"])
        calls = [
            SimpleNamespace(
                id=f"call_{number + n}", function=SimpleNamespace(name=name, arguments=given)
            )
            for n, (name, given) in enumerate(answer.calls, 1)
        ]
        message = SimpleNamespace(role="assistant", content=answer.content, tool_calls=calls)
        return Response(choices=[SimpleNamespace(message=message, finish_reason="stop")])

    def talk(self, domain: str, goal: Goal, seed: int, trial: int) -> Conversation:
        self.bodies = []
        task = self["data_model.tasks"].Task.model_validate(goal.raw)
        environment = self["registry"].registry.get_env_constructor(domain)()
        state = task.initial_state
        history = list((state and state.message_history) or ())
        environment.set_state(
            state and state.initialization_data, state and state.initialization_actions, history
        )
        user = self.user(environment, task, trial)
        self.answer = Tau2Answers([tool.name for tool in user.tools or ()], seed)
        message = history[-1] if history else self["orchestrator.orchestrator"]
        message = getattr(message, "DEFAULT_FIRST_AGENT_MESSAGE", message)
        valid = self["user.user_simulator"].is_valid_user_history_message
        memory = user.get_init_state([each for each in history[:-1] if valid(each)])
        found = Conversation(self.bodies)
        for text in BOT[:TURNS]:
            spoken, memory = user.generate_next_message(message, memory)
            while spoken.is_tool_call():
                results = [environment.get_response(call) for call in spoken.tool_calls]
                wrapped = self["data_model.message"].MultiToolMessage
                message = wrapped(role="tool", tool_messages=results)
                spoken, memory = user.generate_next_message(message, memory)
            found.said.append(spoken.content)
            if user.is_stop(spoken):
                found.ended = "left"
                break
            kind = self["data_model.message"].AssistantMessage
            message = kind(role="assistant", content=text)
        return found

    def user(self, environment: Any, task: Any, trial: int) -> Any:
        """As its runner builds one for a trial."""
        try:
            tools = environment.get_user_tools(include=task.user_tools) or None
        except Exception:
            tools = None
        config = self["config"]
        user = self["user.user_simulator"].UserSimulator(
            llm="m",
            instructions=str(task.user_scenario),
            tools=tools,
            llm_args=config.DEFAULT_LLM_ARGS_USER,
        )
        random = Random(config.DEFAULT_SEED)
        user.set_seed([random.randint(0, 1000000) for _ in range(trial + 1)][trial])
        return user

    def __getitem__(self, name: str) -> Any:
        return self.modules[f"tau2.{name}"]


@pytest.fixture(scope="module")
def tau2(tau2_home: Path) -> Theirs:
    """tau2 with a stub for litellm; neither stays in `sys.modules`."""
    holder: dict[str, Theirs] = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in STUBS:
            stub: Any = ModuleType(name)
            stub.completion = lambda **body: holder["theirs"].completion(**body)
            stub.completion_cost = lambda **_: 0.0
            stub.Cache = stub.ModelResponse = stub.Usage = SimpleNamespace
            stub.disable_cache = lambda: None
            patch.setitem(sys.modules, name, stub)
        try:
            holder["theirs"] = Theirs(tau2_home)
        except (DataMissing, UsageError) as missing:
            pytest.skip(str(missing))
    return holder["theirs"]


@pytest.mark.parametrize(
    ("domain", "split"), [("mock", "base"), ("retail", "base"), ("telecom", "small")]
)
def test_tau2_asks_its_users_model_the_same(
    tau2: Theirs, tau2_home: Path, domain: str, split: str
) -> None:
    goals = load(f"tau2/{domain}", split=split, settings={"tau2-home": tau2_home}).goals
    endings, called = set(), 0
    for seed in SEEDS:
        goal = goals[seed % len(goals)]
        wanted = tau2.talk(domain, goal, seed, trial=seed % 3)
        got = ours_of_tau2(tau2_home, domain, goal, seed, trial=seed % 3)
        assert asked(got) == asked(wanted), (seed, goal.id)
        assert (got.said, got.ended) == (wanted.said, wanted.ended), (seed, goal.id)
        endings.add(wanted.ended)
        called += any(m.get("tool_calls") for body in wanted.bodies for m in body["messages"])
    assert {"left", "went on"} <= endings
    assert bool(called) == (domain != "retail")


def ours_of_tau2(home: Path, domain: str, goal: Goal, seed: int, trial: int) -> Conversation:
    from pytest_todeval.worlds.tau2.backend import Tau2Backend

    backend = Tau2Backend(home, domain, goal.raw)
    answer = Tau2Answers([schema["function"]["name"] for schema in backend.user_tools], seed)
    with StandInServer(lambda request: answer()) as server:
        settings = ModelSettings("m", server.base_url, retries=0)
        user = Tau2Upstream(home, domain).user("tau2", goal, settings, backend, trial)
        found = conversation(user, goal.opening[-1] if goal.opening else None)
        found.bodies = [request.body for request in server.requests]
        assert server.failures == ()
    return found
