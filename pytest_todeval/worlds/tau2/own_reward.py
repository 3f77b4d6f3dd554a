"""Rewards that tau2's own evaluators compute of a dialogue, as tau2 would have stored it."""

from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.worlds.tau2.package import import_in_private
from pytest_todeval.worlds.tau2.simulation import simulation

METRIC_SET = "tau2"
EVALUATOR, TASKS = "tau2.evaluator.evaluator", "tau2.data_model.tasks"
RUNS = "tau2.data_model.simulation"


def own_rewards(
    home: Path, domain: str, dialogue: Dialogue, task: Mapping[str, Any]
) -> dict[str, Verdict]:
    """`reward` and its parts by tau2's `evaluate_simulation`.

    Sentences that a judge must read are asked of the model that tau2 itself asks. Raises what
    `import_in_private` raises: all that tau2 needs has to be installed, litellm too.
    """
    modules = _scoring(home)
    parsed = modules[TASKS].Task.model_validate(task)
    told = simulation(dialogue, str(task.get("id")), 0.0, id="run")
    run = modules[RUNS].SimulationRun.model_validate(told | {"reward_info": None})
    evaluator = modules[EVALUATOR]
    try:
        info = evaluator.evaluate_simulation(
            run, parsed, evaluator.EvaluationType.ALL, False, domain
        )
    except Exception as error:  # an assertion of the task's breaks, for one: so does tau2's run
        why = f"tau2's own evaluation broke: {type(error).__name__}: {error}"
        return {"reward": Verdict("reward", False, why[:500], metric_set=METRIC_SET, value=0.0)}
    verdict = partial(Verdict, metric_set=METRIC_SET)
    reason = f"tau2's own code: {info.info}"[:500]
    found = {"reward": verdict("reward", info.reward == 1, reason, value=float(info.reward))}
    for part, value in (info.reward_breakdown or {}).items():
        name = f"reward_{part.value.lower()}"
        found[name] = verdict(name, value == 1, f"tau2's own code: {value:g}")
    return found


@lru_cache(maxsize=4)
def _scoring(home: Path) -> Mapping[str, ModuleType]:
    return import_in_private(home, (EVALUATOR, TASKS, RUNS))
