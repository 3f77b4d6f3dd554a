"""Whole dialogues with scripted models, played by tau2's own code and by ours: both agree.

Theirs is `Orchestrator` with `LLMAgent` and `UserSimulator`, and `evaluate_simulation`, from the
checkout, with a stub in place of litellm. Ours is `ChatSystem` and `LLMUser` over a stand-in
server. Left out is where ours departs on purpose (docs/tasks.md): words beside calls that name what
had to be said, a user that ends what has not begun or is out of scope, arguments that are no JSON,
empty answers, sentences for a judge, assertions that break; of a dialogue that nobody ended, all
but its reward.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.core.goal import Goal
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.simulation.llm_user import LLMUser
from pytest_todeval.simulation.llm_user.user_tools import tools_of
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import Answer, StandInServer
from pytest_todeval.worlds.registry import load
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.package import import_in_private
from pytest_todeval.worlds.tau2.reward import ENDED, MAX_ERRORS, tau2_rewards
from tests.support.live_calls import Call, spoilt

DOMAINS = ("mock", "retail", "telecom")
SEEDS = range(2)
FEWER = 160
"""Messages by which the limit is lowered for scripts that go up to it: theirs is 200."""
LONG = 60
"""Answers that are never used up, with the lowered limit."""
STUBS = ("litellm", "litellm.caching", "litellm.caching.caching", "litellm.main")

WHOLE = 0.6
"""Share of the calls that are left as they are."""


@dataclass(frozen=True)
class Script:
    """A task and what its models say, whatever they are asked."""

    domain: str
    goal: Goal
    bot: Sequence[Answer]
    user: Sequence[Answer]
    fewer: int
    """Messages that the dialogue may have less than tau2 allows; each of our steps is two."""


@dataclass(frozen=True)
class Course:
    """How a dialogue went that the user ended."""

    parts: Mapping[str, bool]
    """What the task's `reward_basis` names."""
    state: str
    """The hashes of both databases."""
    asked: Mapping[str, int]
    """How often the models of bot and user were."""
    read: Sequence[tuple[str, str, Sequence[Call]]]
    """The last request to the bot's model after the policy: role, content, calls."""
    observations: Sequence[str]
    users_observations: Sequence[str]
    heard: Sequence[str]
    """What the user heard of the bot."""


@dataclass(frozen=True)
class Played:
    """What came of a dialogue."""

    reward: float
    course: Course | None
    """None if the dialogue did not come to its end."""


class Models:
    """The models of both sides of one dialogue, named `bot` and `user`."""

    def __init__(self, script: Script) -> None:
        self._answers = {"bot": script.bot, "user": script.user}
        self.asked = {"bot": 0, "user": 0}
        self.read: list[tuple[str, str, list[Call]]] = []

    def answer(self, side: str, messages: Sequence[Mapping[str, Any]]) -> Answer:
        self.asked[side] += 1
        if side == "bot":
            self.read = [_plain(message) for message in messages[1:]]
        return self._answers[side][self.asked[side] - 1]


def _plain(message: Mapping[str, Any]) -> tuple[str, str, list[Call]]:
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    named = [(call["name"], json.loads(call["arguments"])) for call in calls]
    return message["role"], message["content"] or "", named


# Theirs


class Response(SimpleNamespace):
    """What tau2 asks of litellm's."""

    model = "stub"

    def get(self, name: str) -> None:
        """No usage."""

    def to_dict(self) -> dict[str, Any]:
        return {}


class Checkout:
    """tau2's own orchestrator, agent, user and evaluators."""

    def __init__(self) -> None:
        self._models: Models | None = None
        self._modules: Mapping[str, ModuleType] = {}

    def load(self, home: Path) -> None:
        """Raises what `import_in_private` raises."""
        names = ["orchestrator.orchestrator", "agent.llm_agent", "user.user_simulator"]
        names += ["evaluator.evaluator", "registry", "config", "data_model.tasks"]
        self._modules = import_in_private(home, tuple(f"tau2.{name}" for name in names))

    def completion(self, model: str, messages: Any, **options: Any) -> Response:
        """In place of litellm's."""
        assert self._models is not None
        answer = self._models.answer(model, messages)
        calls = [
            SimpleNamespace(id=f"call_{n}", function=SimpleNamespace(name=name, arguments=given))
            for n, (name, given) in enumerate(answer.calls)
        ]
        message = SimpleNamespace(role="assistant", content=answer.content, tool_calls=calls)
        return Response(choices=[SimpleNamespace(message=message, finish_reason="stop")])

    def play(self, script: Script) -> Played:
        task = self._module("data_model.tasks").Task.model_validate(script.goal.raw)
        environment = self._module("registry").registry.get_env_constructor(script.domain)()
        self._models = models = Models(script)
        try:
            run = self._orchestrator(script, environment, task).run()
        finally:
            self._models = None
        evaluator = self._module("evaluator.evaluator")
        wanted = evaluator.EvaluationType.ALL
        info = evaluator.evaluate_simulation(run, task, wanted, False, script.domain)
        ended = run.termination_reason.value == "user_stop"
        reward = float(info.reward)
        return Played(
            reward, _their_course(run, info, environment, task, models) if ended else None
        )

    def _orchestrator(self, script: Script, environment: Any, task: Any) -> Any:
        llm_agent = self._module("agent.llm_agent").LLMAgent
        agent = llm_agent(environment.get_tools(), environment.get_policy(), llm="bot")
        tools = environment.get_user_tools() if environment.user_tools is not None else None
        simulator = self._module("user.user_simulator").UserSimulator
        user = simulator(llm="user", instructions=str(task.user_scenario), tools=tools)
        orchestrator = self._module("orchestrator.orchestrator").Orchestrator
        steps = self._module("config").DEFAULT_MAX_STEPS - script.fewer
        return orchestrator(script.domain, agent, user, environment, task, max_steps=steps)

    def _module(self, name: str) -> Any:
        return self._modules[f"tau2.{name}"]


def _their_course(run: Any, info: Any, environment: Any, task: Any, models: Models) -> Course:
    history = (task.initial_state and task.initial_state.message_history) or ()
    messages = run.messages[len(history) or 1 :]  # without any, the fixed greeting
    tools = [message for message in messages if message.role == "tool"]
    hashes = environment.get_db_hash(), environment.get_user_db_hash()
    return Course(
        parts={part.value: bool(value) for part, value in info.reward_breakdown.items()},
        state="+".join(digest for digest in hashes if digest),
        asked=models.asked,
        read=models.read if history else models.read[1:],
        observations=[m.content for m in tools if m.requestor == "assistant"],
        users_observations=[m.content for m in tools if m.requestor == "user"],
        heard=[m.content for m in messages if m.role == "assistant" and not m.tool_calls],
    )


@pytest.fixture(scope="module")
def home() -> Path:
    given = os.environ.get("TAU2_BENCH_HOME")
    if not given or not (Path(given) / "data" / "tau2").is_dir():
        pytest.skip("no tau2 found: set TAU2_BENCH_HOME to a checkout of tau2-bench")
    return Path(given)


@pytest.fixture(scope="module")
def theirs(home: Path) -> Checkout:
    """tau2 with a stub for litellm; neither stays in `sys.modules`."""
    checkout = Checkout()
    with pytest.MonkeyPatch.context() as patch:
        for name in STUBS:
            patch.setitem(sys.modules, name, _stub(name, checkout))
        try:
            checkout.load(home)
        except (DataMissing, UsageError) as missing:
            pytest.skip(str(missing))
    return checkout


def _stub(name: str, checkout: Checkout) -> ModuleType:
    stub: Any = ModuleType(name)
    stub.completion, stub.completion_cost = checkout.completion, lambda **_: 0.0
    stub.Cache = stub.ModelResponse = stub.Usage = SimpleNamespace
    stub.disable_cache = lambda: None
    made: ModuleType = stub
    return made


# Ours


def ours(home: Path, script: Script) -> Played:
    """The same dialogue, as the marker `tau2` has it played."""
    goal, models = script.goal, Models(script)
    backend = Tau2Backend(home, script.domain, goal.raw)
    backend.max_steps -= script.fewer // 2
    with StandInServer(lambda asked: models.answer(asked.body["model"], asked.messages)) as server:
        bot, model = (
            ChatClient(ModelSettings(name, server.base_url, retries=0)) for name in models.asked
        )
        user = LLMUser(goal, model, "llm", tools=tools_of(backend))
        limits = Limits(max_turns=backend.max_steps)
        dialogue = run_dialogue(goal, user, ChatSystem(bot), backend, limits)
        assert server.failures == ()
    verdicts = tau2_rewards(dialogue, backend, goal.raw)
    reward = verdicts.pop("reward").value or 0.0
    if dialogue.stop_reason not in ENDED or not verdicts:
        return Played(reward, None)
    course = Course(
        parts={n.removeprefix("reward_").upper(): bool(v) for n, v in verdicts.items()},
        state=backend.state_hash(),
        asked=models.asked,
        read=models.read,
        observations=_told(backend.trace),
        users_observations=_told(backend.user_trace),
        heard=[turn.system for turn in dialogue.turns if turn.system],
    )
    return Played(reward, course)


def _told(trace: Sequence[ToolCall]) -> list[str]:
    return [call.error or call.result for call in trace]


# Scripts


class Writer:
    """Writes scripts by chance; the same ones from the same seed."""

    def __init__(self, home: Path, domain: str, seed: str) -> None:
        self.random = Random(f"{domain} {seed}")
        self.domain = domain
        try:
            goals = load(f"tau2/{domain}", settings={"tau2-home": home}).goals
        except DataMissing as missing:
            pytest.skip(str(missing))
        self.goals = [goal for goal in goals if _computed(goal)]
        self.goal = self.random.choice(self.goals)
        self.informs = [str(told) for told in _criteria(self.goal).get("communicate_info") or ()]
        backend = Tau2Backend(home, domain, self.goal.raw)
        self.users_tools = [str(schema["function"]["name"]) for schema in backend.user_tools]

    def script(self, bot: Sequence[Answer], user: Sequence[Answer], fewer: int = 0) -> Script:
        """With more to say, should they be asked further."""
        idle = [Answer(self.text()) for _ in range(LONG)]
        more = self.messages(LONG)
        return Script(self.domain, self.goal, [*bot, *idle], [*user, *more], fewer)

    def messages(self, number: int) -> list[Answer]:
        """Each another one: a user that repeats itself is asked once more."""
        return [Answer(f"Message {n}: {self.random.random()}.") for n in range(number)]

    def farewell(self) -> Answer:
        token = self.random.choice(["###STOP###", "###STOP###", "###TRANSFER###"])
        form = self.random.choice(["{}", "Bye. {}", "{} and thanks", "Is that all? {}"])
        return Answer(form.format(token))

    def gold(self, goal: Goal) -> list[tuple[str, Call]]:
        """Who makes the call (`assistant` or `user`), and the call."""
        actions = _criteria(goal).get("actions") or ()
        return [(a.get("requestor", "assistant"), (a["name"], a["arguments"])) for a in actions]

    def bots(self, goal: Goal) -> list[Call]:
        return [call for by, call in self.gold(goal) if by == "assistant"]

    def idle(self) -> Call:
        """A call that fails."""
        missing: list[Call] = [("brew_tea", {}), ("get_user_details", {"user_id": None, "data": 1})]
        return self.random.choice([*missing, ("calculate", {"expression": "1 / 0"})])

    def call(self) -> Call:
        """One of another task, now and then spoilt, or one that fails."""
        others = self.bots(self.random.choice(self.goals))
        return spoilt(self.random, self.random.choice([*others, self.idle()]), WHOLE)

    def calling(self, *calls: Call) -> Answer:
        """Perhaps with words beside the calls, which nobody hears."""
        return Answer("One moment." if self.random.random() < 0.2 else None, tool_calls=calls)

    def chatter(self) -> list[Answer]:
        """Replies, some share of them, and calls; more than the lowered limit allows."""
        share = self.random.choice([0.1, 0.3, 0.6, 1.0])
        call: Call = ("transfer_to_human_agents", {"summary": "It is beyond me."})
        return [
            Answer(self.text()) if self.random.random() < share else self.calling(call)
            for _ in range(LONG)
        ]

    def text(self) -> str:
        told = ["Sure.", "One, two\nthree", "ünï ☃", "Say ###STOP###", "Error: sorry"]
        return self.random.choice(told)


def _criteria(goal: Goal) -> Mapping[str, Any]:
    criteria: Mapping[str, Any] = goal.raw.get("evaluation_criteria") or {}
    return criteria


def _computed(goal: Goal) -> bool:
    """Whether there are criteria, of which none needs a judge."""
    criteria = _criteria(goal)
    judged = criteria.get("nl_assertions") and "NL_ASSERTION" in criteria.get("reward_basis", ())
    stated = criteria.get("actions") is not None or criteria.get("env_assertions") is not None
    return stated and not judged


def golden(writer: Writer) -> Script:
    """The reference calls of both in their order, words between them, then all that is to be said.

    tau2 asks the user again after its calls, so that its next answer is its message.
    """
    bot, user = [], writer.messages(1)
    for by, call in writer.gold(writer.goal):
        if by == "assistant":
            bot.append(writer.calling(call))
        else:
            user.append(writer.calling(call))
        if by == "user" or writer.random.random() < 0.3:
            bot.append(Answer(writer.text()))
            user += writer.messages(1)
    bot.append(Answer(f"Done: {', '.join(writer.informs)}."))
    return writer.script(bot, [*user, writer.farewell()])


def clumsy(writer: Writer) -> Script:
    """Spoilt calls, several at a time, of tools that are not there; the user makes some, too."""
    gold = [[spoilt(writer.random, call, WHOLE)] for call in writer.bots(writer.goal)]
    others = [[writer.call() for _ in range(1 + n % 2)] for n in range(writer.random.randrange(4))]
    calls = [writer.calling(*calls) for calls in (*gold, *others)]
    bot = [*calls, *(Answer(writer.text()) for _ in range(4))]
    writer.random.shuffle(bot)
    user = writer.messages(1)
    for message in writer.messages(writer.random.randint(2, 7)):
        if writer.users_tools and writer.random.random() < 0.5:
            name = writer.random.choice([*writer.users_tools, "brew_tea"])
            user.append(writer.calling((name, {})))
        user.append(message)
    return writer.script(bot, [*user, writer.farewell()])


def failing(writer: Writer) -> Script:
    """As many failed calls as end a dialogue, or one less; then the reference."""
    wrong: list[Call] = [
        ("brew_tea", {"n": n}) for n in range(MAX_ERRORS - writer.random.choice([0, 1]))
    ]
    solution = golden(writer)
    return writer.script([*(writer.calling(call) for call in wrong), *solution.bot], solution.user)


def endless(writer: Writer) -> Script:
    """Past the limit of steps, in any mixture of replies and calls; the reference is made."""
    bot = [writer.calling(call) for call in writer.bots(writer.goal)]
    return writer.script([*bot, *writer.chatter()], [], FEWER)


def late(writer: Writer) -> Script:
    """The user leaves on the last reply that the limit allows, one sooner, or one too late.

    What it calls of its own tools counts as the bot's calls do.
    """
    number = writer.random.randrange(4) if writer.users_tools else 0
    calls = [writer.calling((name, {})) for name in writer.users_tools[:1] * number]
    bot = [*(writer.calling(call) for call in writer.bots(writer.goal)), *writer.chatter()]
    allowed = Tau2Backend.max_steps - FEWER // 2 - number
    last = allowed + writer.random.choice([-1, 0, 0, 1, 1])
    bot[last - 1] = Answer(writer.text())
    messages = writer.messages(sum(not answer.tool_calls for answer in bot[:last]))
    user = [*messages[:1], *calls[:1], *messages[1:], *calls[1:], writer.farewell()]
    return writer.script(bot, user, FEWER)


@pytest.mark.parametrize(
    ("write", "ends", "earned"),
    [
        (golden, {True}, {1.0}),
        (clumsy, {True}, {0.0, 1.0}),
        (failing, {True, False}, {0.0, 1.0}),
        (endless, {False}, {0.0}),
        (late, {True, False}, {0.0, 1.0}),
    ],
)
def test_a_dialogue_comes_to_what_it_comes_to_in_tau2(
    theirs: Checkout,
    home: Path,
    write: Callable[[Writer], Script],
    ends: set[bool],
    earned: set[float],
) -> None:
    values, ended = set(), set()
    for domain, seed in _scripts():
        script = write(Writer(home, domain, f"{write.__name__} {seed}"))
        wanted = theirs.play(script)
        assert ours(home, script) == wanted, (seed, domain, script.goal.id)
        values.add(wanted.reward)
        ended.add(wanted.course is not None)
    assert (ended, values) == (ends, earned)  # else the scripts do not show what they are for


def _scripts() -> Iterator[tuple[str, int]]:
    return ((domain, seed) for domain in DOMAINS for seed in SEEDS)
