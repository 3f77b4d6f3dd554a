"""Exported runs are read back by the benchmarks' own tools, which reckon the same numbers.

tau-bench's are `EnvRunResult`, `display_metrics` and what `auto_error_identification` shows of a
trajectory; tau2's `Results.load`, `compute_metrics`, its display and its evaluators.
"""

import importlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_todeval.cli import main
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.errors import DataMissing, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.runs.reports.results import dialogue_entry, environment, results, write_results
from pytest_todeval.simulation.llm_user import LLMUser
from pytest_todeval.simulation.llm_user.user_tools import tools_of
from pytest_todeval.simulation.loop import Limits, run_dialogue
from pytest_todeval.systems import ChatSystem
from pytest_todeval.testing import StandInServer
from pytest_todeval.worlds.tau2 import own_reward
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.own_reward import own_rewards
from pytest_todeval.worlds.tau2.package import import_in_private
from pytest_todeval.worlds.tau2.reward import tau2_rewards
from tests.real_data.test_tau2_live import STUBS, Models, Script, Writer, clumsy, golden, home

TASKS = (1, 13, 20, 21)
"""Of the stored trajectories; each has four trials."""
STOP = "###STOP###"

__all__ = ["home"]  # a fixture


@pytest.fixture
def tau_bench(tau_home: Path) -> Iterator[ModuleType]:
    """tau-bench's `run` with a stub for litellm; neither stays in `sys.modules`."""
    before = dict(sys.modules)
    litellm: Any = ModuleType("litellm")
    litellm.completion, litellm.provider_list = None, ["stub"]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tau_home))
        patch.setitem(sys.modules, "litellm", litellm)
        for name in ("tau_bench.model_utils", "tau_bench.model_utils.args"):  # its models' clients
            patch.setitem(sys.modules, name, _anything(name))
        yield importlib.import_module("tau_bench.run")
    ours = ("tau_bench", "auto_error_identification")
    for name in [n for n in sys.modules if n.partition(".")[0] in ours and n not in before]:
        del sys.modules[name]


def _anything(name: str) -> ModuleType:
    stub: Any = ModuleType(name)
    stub.default_api_from_args = stub.API = stub.api_parser = object
    made: ModuleType = stub
    return made


def pass_k_of(printed: str) -> dict[int, float]:
    """What `display_metrics` prints."""
    return {int(k): float(value) for k, value in re.findall(r"k=(\d+): ([0-9.]+)", printed)}


def plain(message: Mapping[str, Any]) -> tuple[object, ...]:
    calls = [call["function"] for call in message.get("tool_calls") or ()]
    named = [(call["name"], json.loads(call["arguments"])) for call in calls]
    result = message["role"] == "tool"  # of today's tables, not those of then
    # of the user's last words the token's place is not kept
    said = "" if result or named else message["content"].replace(STOP, "").strip()
    return message["role"], named, said, STOP in (message["content"] or "")


def test_tau_bench_reads_its_own_runs_back(
    tau_bench: ModuleType, tau_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = json.loads((tau_home / "historical_trajectories/gpt-4o-airline.json").read_bytes())
    stored = [each for each in stored if each["task_id"] in TASKS]
    file, scored, out = (tmp_path / name for name in ("stored.json", "scored.json", "out.json"))
    file.write_text(json.dumps(stored))
    asked = ["--domain", "airline", "--tau-home", str(tau_home)]
    assert main(["score", str(file), "--format", "tau-bench", *asked, "--json", str(scored)]) == 0
    export = ["export", str(scored), "--format", "tau-bench", "--tau-home", str(tau_home)]
    assert main([*export, "-o", str(out)]) == 0
    runs = [tau_bench.EnvRunResult(**each) for each in json.loads(out.read_bytes())]

    known = {(each["task_id"], each["trial"]): each for each in stored}
    assert {(run.task_id, run.trial): run.reward for run in runs} == {
        key: each["reward"] for key, each in known.items()
    }
    for run in runs:
        wanted = known[run.task_id, run.trial]
        assert [*map(plain, run.traj[1:])] == [*map(plain, wanted["traj"][1:])]
        assert run.info["task"]["instruction"]
        assert run.traj[0]["role"] == "system"
        assert run.traj[0]["content"]

    errors = importlib.import_module("auto_error_identification")
    failed = [run for run in runs if run.reward <= 1e-3]  # as it chooses
    for run in failed:
        task = errors.AIRLINE_TASKS[run.task_id]
        shown = errors.display_context(task.instruction, task.actions, [], run.traj)
        assert run.traj[-1]["content"] in shown
    assert failed

    capsys.readouterr()
    tau_bench.display_metrics(runs)
    ours = json.loads(scored.read_bytes())["summary"]["metrics"]
    theirs = pass_k_of(capsys.readouterr().out)
    assert theirs == pytest.approx({k: ours[f"pass^{k}"]["rate"] for k in (1, 2, 3, 4)})
    again = ["score", str(out), "--format", "tau-bench", *asked]
    assert main([*again, "--json", str(tmp_path / "again.json")]) == 0
    found = json.loads((tmp_path / "again.json").read_bytes())["summary"]["metrics"]
    assert found["pass^4"]["rate"] == ours["pass^4"]["rate"]


@pytest.fixture
def tau2(home: Path) -> Mapping[str, Any]:
    """tau2's results, metrics and evaluators, with a stub for litellm."""
    names = ["data_model.simulation", "data_model.tasks", "metrics.agent_metrics"]
    names += ["evaluator.evaluator", "utils.display"]
    with pytest.MonkeyPatch.context() as patch:
        for name in STUBS:
            stub: Any = ModuleType(name)
            stub.completion = stub.completion_cost = stub.disable_cache = lambda **_: None
            stub.Cache = stub.ModelResponse = stub.Usage = object
            patch.setitem(sys.modules, name, stub)
        try:
            own_reward._scoring(home)  # as `--todeval-upstream=scored` has them, kept
            return import_in_private(home, tuple(f"tau2.{name}" for name in names))
        except (DataMissing, UsageError) as missing:
            pytest.skip(str(missing))


def played(home: Path, script: Script, trial: int) -> Dialogue:
    """A dialogue with scripted models, with tau2's rewards."""
    backend, models = Tau2Backend(home, script.domain, script.goal.raw), Models(script)
    with StandInServer(lambda asked: models.answer(asked.body["model"], asked.messages)) as server:
        bot, model = (
            ChatClient(ModelSettings(name, server.base_url, retries=0)) for name in models.asked
        )
        user = LLMUser(script.goal, model, "llm", tools=tools_of(backend))
        limits = Limits(max_turns=backend.max_steps)
        dialogue = run_dialogue(script.goal, user, ChatSystem(bot), backend, limits, trial)
    return replace(dialogue, verdicts=tau2_rewards(dialogue, backend, script.goal.raw))


@pytest.mark.parametrize("domain", ["mock", "retail"])
def test_tau2_reads_runs_back_and_reckons_the_same(
    tau2: Mapping[str, Any], home: Path, tmp_path: Path, domain: str
) -> None:
    dialogues = [
        played(home, write(Writer(home, domain, f"export {task}")), trial)
        for task in range(3)
        for trial, write in enumerate((golden, clumsy))
    ]
    keys: dict[tuple[str, int], Dialogue] = {}
    for dialogue in dialogues:  # the scripts of one task are of one goal, else they are no trials
        keys.setdefault((dialogue.goal.id, dialogue.trial), dialogue)
    file, out = tmp_path / "results.json", tmp_path / "out.json"
    entries = [
        dialogue_entry(
            dialogue,
            test=f"test.py::test_serves[{dialogue.goal.name}]",
            outcome=dialogue.fault or (Outcome.PASSED if dialogue.reward else Outcome.FAILED),
        )
        for dialogue in keys.values()
    ]
    about = environment(goal_sets={}, metrics={}, settings={})
    write_results(file, results(entries, about))
    asked = ["export", str(file), "--format", "tau2", "--tau2-home", str(home), "-o", str(out)]
    assert main(asked) == 0

    found = tau2["tau2.data_model.simulation"].Results.load(out)
    rewards = {(run.task_id, run.trial): run.reward_info.reward for run in found.simulations}
    assert rewards == {key: each.reward.value for key, each in keys.items()}
    assert set(rewards.values()) == {0.0, 1.0}
    metrics = tau2["tau2.metrics.agent_metrics"].compute_metrics(found)
    assert metrics.avg_reward == pytest.approx(sum(rewards.values()) / len(rewards))
    of_task: dict[str, list[float]] = {}
    for (task, _), reward in rewards.items():
        of_task.setdefault(task, []).append(reward)
    mean = sum(sum(each) / len(each) for each in of_task.values()) / len(of_task)
    assert metrics.pass_hat_ks[1] == pytest.approx(mean)
    evaluator = tau2["tau2.evaluator.evaluator"]
    tasks = {task.id: task for task in found.tasks}
    for run in found.simulations:
        info = evaluator.evaluate_simulation(
            run, tasks[run.task_id], evaluator.EvaluationType.ALL, False, domain
        )
        assert info.reward == run.reward_info.reward
        told = keys[run.task_id, run.trial].verdicts
        parts = {name.value: value for name, value in (info.reward_breakdown or {}).items()}
        if run.termination_reason.value == "user_stop":
            assert run.reward_info.reward_breakdown == info.reward_breakdown, parts
            assert len(parts) == len(told) - 1
            dialogue = keys[run.task_id, run.trial]
            scored = own_rewards(home, domain, dialogue, dialogue.goal.raw)
            assert {name: (each.value, bool(each)) for name, each in scored.items()} == {
                name: (each.value, bool(each)) for name, each in told.items()
            }
        tau2["tau2.utils.display"].ConsoleDisplay.display_simulation(run, show_details=True)
