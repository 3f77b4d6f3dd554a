"""Runs that are counted as the benchmarks count them: faults, names, and numbers kept apart."""

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome, StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import JudgeFault, SimulatorFault, UsageError
from pytest_todeval.play.cast import Cast
from pytest_todeval.play.play import Play
from pytest_todeval.play.settings import PlaySettings
from pytest_todeval.play.who import OWN_USERS
from pytest_todeval.simulation.faults import FAULTS
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import Answer, StandInServer
from pytest_todeval.worlds.goal_set import GoalSet
from pytest_todeval.worlds.tau2 import own_reward
from pytest_todeval.worlds.tau2.upstream import Tau2Upstream
from pytest_todeval.worlds.tau2.user import Tau2Guidelines
from pytest_todeval.worlds.tau_bench.upstream import TauBenchUpstream
from pytest_todeval.worlds.upstream import with_reasons
from pytest_todeval.worlds.world import World
from tests.support.chat_world import client_of

GOAL = Goal("test-0", "tau_bench/retail", (), ("You want a lamp.",))
TAU = TauBenchUpstream(Path("nowhere"), "retail")


def ended(reason: StopReason, words: str = "") -> Dialogue:
    return Dialogue(
        GOAL, stop_reason=reason, fault=FAULTS.get(reason), detail="why", last_words=words
    )


def test_the_names_of_own_users_are_those_that_a_run_may_ask_for() -> None:
    assert (*TauBenchUpstream.users, *Tau2Upstream.users) == OWN_USERS


@pytest.mark.parametrize("reason", FAULTS)
def test_in_tau_bench_every_fault_of_a_run_is_the_bots(reason: StopReason) -> None:
    counted = TAU.counted(ended(reason))
    if reason is StopReason.EAR_FAULT:  # nobody hears for tau-bench
        assert counted.fault is Outcome.JUDGE_FAULT
    else:
        assert counted.fault is Outcome.FAILED
        assert "why" in counted.detail


def test_what_ended_by_itself_is_left_as_it_is() -> None:
    for reason in (StopReason.USER_DONE, StopReason.TURN_LIMIT, StopReason.SYSTEM_DONE):
        dialogue = ended(reason)
        assert TAU.counted(dialogue) is dialogue
    stale = Dialogue(GOAL, fault=Outcome.STALE_CASSETTE)
    assert TAU.counted(stale) is stale


class Part(Enum):
    """What tau2 calls the parts of a reward."""

    DB, ACTION = "DB", "ACTION"


GUIDELINES = Tau2Guidelines("p", "t", "s", "Hi.", ("<end>", "<out>"), "<out>", 0.0, 1, "d")


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        (StopReason.SYSTEM_ERROR, Outcome.INFRASTRUCTURE),
        (StopReason.EMPTY_REPLY, Outcome.INFRASTRUCTURE),
        (StopReason.SIMULATOR_FAULT, Outcome.INFRASTRUCTURE),
        (StopReason.NETWORK, Outcome.INFRASTRUCTURE),
        (StopReason.TURN_TIMEOUT, Outcome.INFRASTRUCTURE),
        (StopReason.DIALOGUE_TIMEOUT, Outcome.FAILED),
        (StopReason.TURN_LIMIT, None),
        (StopReason.USER_DONE, None),
    ],
)
def test_in_tau2_what_raises_is_left_out(
    monkeypatch: pytest.MonkeyPatch, reason: StopReason, fault: Outcome | None
) -> None:
    monkeypatch.setattr(
        "pytest_todeval.worlds.tau2.upstream.own_guidelines", lambda home: GUIDELINES
    )
    ways = Tau2Upstream(Path("nowhere"), "retail")
    assert ways.counted(ended(reason, "Bye.")).fault is fault
    out = ways.counted(ended(StopReason.SIMULATOR_FAULT, "I cannot know. <out>"))
    assert (out.stop_reason, out.fault) == (StopReason.USER_DONE, None)


def test_tau2s_own_code_scores_what_it_has_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    ways, asked = Tau2Upstream(Path("nowhere"), "retail"), list[object]()
    parts = {name: Verdict(name, True, "ours") for name in ("reward", "reward_db")}
    theirs = {name: replace(each, passed=False, reason="theirs") for name, each in parts.items()}
    place = "pytest_todeval.worlds.tau2"
    found: Mapping[str, Verdict] | Exception = parts

    def rewards(*given: object) -> Mapping[str, Verdict]:
        if isinstance(found, Exception):
            raise found
        return found

    def own(home: Path, domain: str, *given: object) -> Mapping[str, Verdict]:
        asked.append((home, domain))
        return theirs

    monkeypatch.setattr(f"{place}.upstream.tau2_rewards", rewards)
    monkeypatch.setattr(f"{place}.own_reward.own_rewards", own)
    done = ended(StopReason.USER_DONE)
    assert {name: each.reason for name, each in ways.scored(done, None).items()} == {
        "reward": "theirs; found here: ours",
        "reward_db": "theirs; found here: ours",
    }
    found = JudgeFault("sentences")
    assert ways.scored(done, None) == theirs
    found = {"reward": Verdict("reward", True, "all of it")}
    assert not ways.scored(done, None)["reward"].passed
    assert asked == [(ways.home, "retail")] * 3
    found = SimulatorFault("ten failed calls")
    ours = ways.scored(done, None)["reward"]
    assert (ours.passed, ours.value, ours.definition) == (False, 0.0, "tau2 1")
    assert ours.reason == "ten failed calls; upstream it counts as reward 0"
    assert len(asked) == 3


@pytest.mark.parametrize(("reward", "passed"), [(1.0, True), (0.0, False), (0.5, False)])
def test_the_reward_that_tau2s_own_code_computes(
    monkeypatch: pytest.MonkeyPatch, reward: float, passed: bool
) -> None:
    shown: list[Any] = []
    part = {Part.DB: 1.0, Part.ACTION: 0.0}

    def evaluate(run: Any, task: Any, kind: str, solo: bool, domain: str) -> Any:
        shown.append((task, kind, solo, domain))
        return SimpleNamespace(reward=reward, reward_breakdown=part, info={"note": "x" * 600})

    def validated(given: Any) -> Any:
        return given

    kinds = SimpleNamespace(ALL="all")
    evaluator = SimpleNamespace(evaluate_simulation=evaluate, EvaluationType=kinds)
    model = SimpleNamespace(model_validate=validated)
    modules = {
        own_reward.EVALUATOR: evaluator,
        own_reward.TASKS: SimpleNamespace(Task=model),
        own_reward.RUNS: SimpleNamespace(SimulationRun=model),
    }
    monkeypatch.setattr(own_reward, "_scoring", lambda home: modules)
    task = {"id": "t1"}
    found = own_reward.own_rewards(Path("h"), "mock", ended(StopReason.USER_DONE), task)
    assert shown == [(task, "all", False, "mock")]
    assert {name: each.passed for name, each in found.items()} == {
        "reward": passed,
        "reward_db": True,
        "reward_action": False,
    }
    assert (found["reward"].value, found["reward"].definition) == (reward, "tau2 1")
    assert (len(found["reward"].reason), found["reward_db"].reason) == (500, "tau2's own code: 1")

    evaluator.evaluate_simulation = lambda *_: 1 / 0
    broken = own_reward.own_rewards(Path("h"), "mock", ended(StopReason.USER_DONE), task)["reward"]
    assert (broken.passed, broken.value) == (False, 0.0)
    assert broken.reason == "tau2's own evaluation broke: ZeroDivisionError: division by zero"


class OwnWays:
    """A benchmark's ways that count everything, and score everything as 1."""

    users = ("tau_bench",)

    def user(self, name: str, goal: Goal, settings: Any, backend: Any, trial: int) -> Any:
        return SimpleNamespace(name=name, model=settings.model, trial=trial)

    def counted(self, dialogue: Dialogue) -> Dialogue:
        return TAU.counted(dialogue)

    def verdicts(self, dialogue: Dialogue, backend: Any, judge: Any) -> dict[str, Verdict]:
        return {"reward": Verdict("reward", False, "no", metric_set="tau-bench", value=0.0)}

    def scored(self, dialogue: Dialogue, backend: Any) -> dict[str, Verdict]:
        return {"reward": Verdict("reward", True, "yes", metric_set="tau-bench", value=1.0)}


class OwnWorld(World):
    def upstream(self) -> Any:
        return OwnWays()

    def backend(self, goal: Goal) -> Any:
        return SimpleNamespace(asks_again=True)

    def evaluate(self, dialogue: Dialogue, backend: Any, judge: Any = None) -> dict[str, Verdict]:
        return {"reward": Verdict("reward", False, "ours", metric_set="tau-bench", value=0.0)}


def play(world: World, upstream: str = "", **cast: Any) -> Play:
    found = GoalSet(GOAL.source, (GOAL,), "", world)
    return Play(
        goal=GOAL,
        goal_set=found,
        trial=2,
        how=PlaySettings(),
        cast=Cast(**cast),
        upstream=upstream,
    )


@pytest.mark.parametrize(
    ("upstream", "definition", "value"),
    [
        ("", "tau-bench 1", 0.0),
        ("counted", "tau-bench upstream 1", 0.0),
        ("scored", "tau-bench upstream scored 1", 1.0),
    ],
)
def test_numbers_so_counted_have_definitions_of_their_own(
    upstream: str, definition: str, value: float
) -> None:
    (reward,) = play(OwnWorld(), upstream).evaluate(ended(StopReason.USER_DONE), None).values()
    assert (reward.definition, reward.value) == (definition, value)


def test_a_benchmarks_verdicts_have_the_reasons_found_here() -> None:
    theirs = {"reward": Verdict("reward", True, "theirs: 1"), "more": Verdict("more", True, "m")}
    ours = {"reward": Verdict("reward", False, "lamp 3 is not sold", turns=(2,))}
    found = with_reasons(theirs, ours)
    assert found["reward"].passed, "what counts is theirs"
    assert (found["reward"].reason, found["reward"].turns) == (
        "theirs: 1; found here: lamp 3 is not sold",
        (2,),
    )
    assert found["more"] is theirs["more"]


def test_faults_are_counted_so_only_if_asked_for() -> None:
    broken = ended(StopReason.SIMULATOR_FAULT)
    assert play(OwnWorld()).counted(broken) is broken
    assert play(OwnWorld(), "counted").counted(broken).fault is Outcome.FAILED
    assert play(World(), "counted").counted(broken) is broken, "goals of no benchmark stay ours"


def test_a_silent_model_is_asked_once_more_unless_the_benchmark_counts() -> None:
    assert play(OwnWorld()).backend().asks_again
    assert not play(OwnWorld(), "counted").backend().asks_again
    assert play(World(), "counted").backend() is None


@pytest.mark.parametrize(("again", "said"), [(True, "Which lamp?"), (False, "")])
def test_so_the_chat_bot_does(again: bool, said: str) -> None:
    backend = SimpleNamespace(tools=[], call=print, asks_again=again)
    with StandInServer.script([Answer(""), "Which lamp?"]) as server:
        assert ChatSystem(client_of(server))(backend).respond("A lamp.").text == said
        assert len(server.requests) == 1 + again


def test_the_benchmarks_own_user_plays_unless_another_is_named() -> None:
    model = {"model": "user:m"}
    assert play(OwnWorld(), "counted", **model).plays_user == "tau_bench"
    assert play(OwnWorld(), "", **model).plays_user == "vanilla"
    assert play(OwnWorld(), "counted", user="react", **model).plays_user == "react"
    user = play(OwnWorld(), "counted", **model).model_user("tau_bench", None)
    assert (user.name, user.model, user.trial) == ("tau_bench", "m", 2)


@pytest.mark.parametrize(("world", "name"), [(World(), "tau_bench"), (OwnWorld(), "tau2")])
def test_a_user_of_another_benchmark_is_refused(world: World, name: str) -> None:
    with pytest.raises(UsageError, match=f"the user '{name}' plays the tasks of its own benchmark"):
        play(world, model="user:m").model_user(name, None)
    with pytest.raises(UsageError, match="needs a model"):
        play(OwnWorld()).model_user("tau_bench", None)
