"""Whole dialogues with scripted models, played by tau-bench's own code and by ours: both agree.

Theirs is `ToolCallingAgent.solve` over `Env` with the user `llm`, from the checkout, with a stub in
place of litellm. Ours is `ChatSystem` and `LLMUser` over a stand-in server. Left out is where ours
departs on purpose: arguments that are no JSON, empty answers, a user that ends what has not begun.
"""

import importlib
import json
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS, ToolBackend
from pytest_todeval.evaluate.metrics.reward import is_done, rewards
from pytest_todeval.simulation.llm_user import LLMUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import Answer, StandInServer
from pytest_todeval.worlds.registry import load
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld
from tests.support.chat_world import client_of
from tests.support.live_calls import Call, spoilt

ENVIRONMENTS = {"retail": "MockRetailDomainEnv", "airline": "MockAirlineDomainEnv"}
STOP = "###STOP###"
SEEDS = range(6)
LONG = 2 * TAU_BENCH_STEPS

WHOLE = 0.7
"""Share of the calls that are left as they are."""
TRANSFER: Call = ("transfer_to_human_agents", {"summary": "It is beyond me."})


@dataclass(frozen=True)
class Script:
    """A task and what its models say, whatever they are asked."""

    domain: str
    task: int
    bot: Sequence[Answer]
    user: Sequence[str]


@dataclass(frozen=True)
class Played:
    """What came of a dialogue."""

    reward: float
    parts: tuple[bool, bool] | None
    """r_actions and r_outputs; None if the dialogue did not come to its end."""
    state: str | None
    """The hash of the tables when it was scored."""
    asked: tuple[int, int]
    """How often the models of bot and user were."""
    read: Sequence[tuple[str, str, Sequence[Call]]]
    """The last request to the bot's model: role, content and calls of each message."""
    observations: Sequence[str]
    heard: Sequence[str]
    """What the user heard of the bot."""


class Models:
    """The models of both sides of one dialogue."""

    def __init__(self, script: Script) -> None:
        self._bot, self._user = script.bot, script.user
        self.asked = {"bot": 0, "user": 0}
        self.read: list[tuple[str, str, list[Call]]] = []

    def answer(self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Any] | None) -> Answer:
        side = "bot" if tools else "user"
        self.asked[side] += 1
        if side == "user":
            return Answer(self._user[self.asked["user"] - 1])
        self.read = [_plain(message) for message in messages]
        return self._bot[self.asked["bot"] - 1]


def _plain(message: Mapping[str, Any]) -> tuple[str, str, list[Call]]:
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    named = [(call["name"], json.loads(call["arguments"])) for call in calls]
    content = message["content"] or ""
    return message["role"], content.strip() if message["role"] == "system" else content, named


# Theirs


class Checkout:
    """tau-bench's own environments and agent."""

    def __init__(self) -> None:
        self._models: Models | None = None
        self._environments: dict[str, Any] = {}

    def completion(self, messages: Any, tools: Any = None, **options: Any) -> Any:
        """In place of litellm's; environments ask as soon as they are made."""
        answer = self._models.answer(messages, tools) if self._models else Answer("Hi.")
        calls = [
            {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": given}}
            for n, (name, given) in enumerate(answer.calls)
        ]
        told = {"role": "assistant", "content": answer.content, "tool_calls": calls or None}
        message = SimpleNamespace(content=answer.content, model_dump=lambda: deepcopy(told))
        return SimpleNamespace(
            choices=[SimpleNamespace(message=message)], _hidden_params={"response_cost": 0}
        )

    def environment(self, domain: str) -> Any:
        if domain not in self._environments:
            module = importlib.import_module(f"tau_bench.envs.{domain}.env")
            made = getattr(module, ENVIRONMENTS[domain])("llm", "m", "stub", "test", 0)
            stored = pickle.dumps(made.data_load_func())  # JSON takes ten times as long to read
            made.data_load_func = lambda: pickle.loads(stored)
            self._environments[domain] = made
        return self._environments[domain]

    def play(self, script: Script) -> Played:
        environment, models = self.environment(script.domain), Models(script)
        module = importlib.import_module("tau_bench.agents.tool_calling_agent")
        agent = module.ToolCallingAgent(environment.tools_info, environment.wiki, "m", "stub")
        self._models = models
        try:
            with _hashes_of(environment) as hashes:
                solved = agent.solve(environment, script.task)
        finally:
            self._models = None
        return Played(
            reward=float(solved.reward),
            parts=_their_parts(hashes, solved.info),
            state=hashes[0] if hashes else None,
            asked=(models.asked["bot"], models.asked["user"]),
            read=models.read,
            observations=[m["content"] for m in solved.messages if m["role"] == "tool"],
            heard=[m["content"] for m in environment.user.messages[2:] if m["role"] == "user"],
        )


@contextmanager
def _hashes_of(environment: Any) -> Iterator[list[str]]:
    """The hashes it computes: of the tables as they were left, then as the gold actions do."""
    hashes: list[str] = []
    compute: Callable[[], str] = environment.get_data_hash
    environment.get_data_hash = lambda: hashes.append(compute()) or hashes[-1]  # type: ignore[func-returns-value]
    try:
        yield hashes
    finally:
        del environment.get_data_hash


def _their_parts(hashes: Sequence[str], info: Mapping[str, Any]) -> tuple[bool, bool] | None:
    if not hashes:
        return None
    left, gold = hashes
    return left == gold, bool(info["reward_info"]["info"].get("r_outputs", 1.0))


@pytest.fixture(scope="module")
def theirs(tau_home: Path) -> Iterator[Checkout]:
    """tau-bench with a stub for litellm; neither stays in `sys.modules`."""
    pytest.importorskip("pydantic")
    checkout, before = Checkout(), dict(sys.modules)
    litellm: Any = ModuleType("litellm")
    litellm.completion, litellm.provider_list = checkout.completion, ["stub"]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tau_home))
        patch.setitem(sys.modules, "litellm", litellm)
        yield checkout
    for name in [n for n in sys.modules if n.partition(".")[0] == "tau_bench" and n not in before]:
        del sys.modules[name]


# Ours


def ours(tau_home: Path, script: Script) -> Played:
    """The same dialogue, as the marker `tau_bench` has it played."""
    goals = load(f"tau_bench/{script.domain}", settings={"tau-home": tau_home}).goals
    goal, models = goals[script.task], Models(script)
    domain = TauBenchWorld(script.domain, tau_home).tool_domain()
    backend = ToolBackend(domain, TAU_BENCH_STEPS, first_call_only=True)
    with StandInServer(lambda request: models.answer(request.messages, request.tools)) as server:
        client = client_of(server)
        user = LLMUser(goal, client, "llm")
        dialogue = run_dialogue(goal, user, ChatSystem(client), backend)
        assert server.failures == ()
    verdicts, done = rewards(dialogue, backend), is_done(dialogue, backend)
    parts = bool(verdicts["reward_actions"]), bool(verdicts["reward_outputs"])
    return Played(
        reward=verdicts["reward"].value or 0.0,
        parts=parts if done else None,
        state=backend.state_hash() if done else None,
        asked=(models.asked["bot"], models.asked["user"]),
        read=models.read,
        observations=[call.error or call.result for call in dialogue.tool_calls],
        heard=[turn.system for turn in dialogue.turns if turn.system],
    )


# Scripts


class Writer:
    """Writes scripts by chance; the same ones from the same seed."""

    def __init__(self, theirs: Checkout, seed: str) -> None:
        self.random = Random(seed)
        self.domain = self.random.choice(sorted(ENVIRONMENTS))
        self.tasks = theirs.environment(self.domain).tasks
        asking = [n for n, task in enumerate(self.tasks) if task.outputs]  # one in seven
        all_tasks = range(len(self.tasks))
        self.task = self.random.choice(self.random.choice([asking, all_tasks]))
        self.outputs = list(self.tasks[self.task].outputs)
        self.told = self.outputs if self.random.random() < 0.6 else []
        """The outputs that the bot may say by the way."""

    def script(self, bot: Sequence[Answer], leaves: int | None) -> Script:
        """With a user that leaves in its message of this number, in one form or another."""
        user = [f"Message {n}: {self.random.random()}." for n in range(LONG)]
        if leaves is not None:
            around = ["{}", "{}", "Thanks, bye. {}", "{} and thanks", "Well {} then", "**{}**"]
            around.append("Is that all? {}")
            user[leaves] = self.random.choice(around).format(STOP)
        return Script(self.domain, self.task, bot, user)

    def gold(self, task: int) -> list[Call]:
        return [(action.name, action.kwargs) for action in self.tasks[task].actions]

    def call(self) -> Call:
        """Any call: of another task, of a tool that is not there, of one that fails."""
        others = self.gold(self.random.randrange(len(self.tasks)))
        return spoilt(self.random, self.random.choice([*others, self.idle(), self.idle()]), WHOLE)

    def idle(self) -> Call:
        """A call that changes nothing, and ends nothing."""
        calls: list[Call] = [
            ("brew_tea", {}),
            ("calculate", {"expression": "1 / 0"}),
            ("think", {"thought": "Hm."}),
            ("get_user_details", {"user_id": "nobody"}),
            ("get_user_details", {"data": 1, "user_id": None}),
        ]
        return self.random.choice(calls)

    def calling(self, *calls: Call) -> Answer:
        """Perhaps with words beside the call, or further calls behind it; neither counts."""
        beside = self.text() if self.random.random() < 0.2 else None
        behind = [TRANSFER, self.call()] if self.random.random() < 0.2 else []
        return Answer(beside, tool_calls=[*calls, *behind])

    def text(self) -> str:
        """A reply, which may hold the outputs, as they are or with commas."""
        told = " and ".join(self.told)
        grouped = " ".join(f"{output[:1]},{output[1:]}" for output in self.told)
        plain = ["Sure.", "  One, two\nthree ", "ünï ☃", f"Say {STOP}", "Error: sorry"]
        return self.random.choice([f"It is {told.upper()}.", f"So {grouped}", *plain, *plain])

    def chatter(self, replies: float) -> list[Answer]:
        """Replies, this share of them, and idle calls; more than a dialogue may have."""
        return [
            Answer(self.text()) if self.random.random() < replies else self.calling(self.idle())
            for _ in range(LONG)
        ]


def golden(writer: Writer) -> Script:
    """The gold actions with words between them, then the outputs; the user leaves at the end."""
    bot = [Answer(writer.text())]
    for call in writer.gold(writer.task):
        bot += [Answer(writer.text())] if writer.random.random() < 0.4 else []
        bot.append(writer.calling(call))
    bot.append(Answer(f"Done: {', '.join(writer.outputs)}."))
    replies = sum(not answer.tool_calls for answer in bot)
    return writer.script([*bot, *writer.chatter(0.5)], replies)


def clumsy(writer: Writer) -> Script:
    """Spoilt actions, any calls, the same one many times; user or tool end it early."""
    gold = [writer.calling(spoilt(writer.random, call, WHOLE)) for call in writer.gold(writer.task)]
    again = [writer.calling(writer.idle())] * writer.random.randint(2, 6)
    any_calls = [writer.calling(writer.call()) for _ in range(writer.random.randrange(4))]
    bot = [*gold, *again, *any_calls, *(Answer(writer.text()) for _ in range(4))]
    writer.random.shuffle(bot)
    end = [writer.calling(TRANSFER)] if writer.random.random() < 0.5 else []
    return writer.script([*bot, *end, *writer.chatter(0.5)], writer.random.randint(2, 7))


def endless(writer: Writer) -> Script:
    """Past the limit of steps, in any mixture of replies and calls."""
    gold = [writer.calling(call) for call in writer.gold(writer.task)]
    share = writer.random.choice([0.0, 0.05, 0.3, 0.6, 1.0])
    return writer.script([*gold, *writer.chatter(share)], None)


def late(writer: Writer) -> Script:
    """The user, or a tool, ends it about where the limit of steps does."""
    gold = [writer.calling(call) for call in writer.gold(writer.task)]
    bot = [*gold, *writer.chatter(writer.random.choice([0.3, 0.6, 1.0]))]
    step = TAU_BENCH_STEPS + writer.random.randint(-3, 1)
    if writer.random.random() < 0.5:
        return writer.script([*bot[:step], writer.calling(TRANSFER), *bot], None)
    replies = sum(not answer.tool_calls for answer in bot[:step])
    return writer.script(bot, replies)


@pytest.mark.parametrize(
    ("write", "ends", "earned"),
    [
        (golden, {True}, {1.0}),
        (clumsy, {True}, {0.0, 1.0}),
        (endless, {False}, {0.0}),
        (late, {True, False}, {0.0, 1.0}),
    ],
)
def test_a_dialogue_comes_to_what_it_comes_to_in_tau_bench(
    theirs: Checkout,
    tau_home: Path,
    write: Callable[[Writer], Script],
    ends: set[bool],
    earned: set[float],
) -> None:
    values, ended = set(), set()
    for seed in SEEDS:
        script = write(Writer(theirs, f"{write.__name__} {seed}"))
        wanted = theirs.play(script)
        assert ours(tau_home, script) == wanted, (seed, script.domain, script.task)
        values.add(wanted.reward)
        ended.add(wanted.parts is not None)
    assert (ended, values) == (ends, earned)  # else the scripts do not show what they are for
