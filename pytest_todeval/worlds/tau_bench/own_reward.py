"""Rewards that tau-bench's own code computes: a dialogue's actions, made once more in its `Env`."""

import pickle
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from pytest_todeval.backends.tool_backend import TAU_BENCH_STEPS
from pytest_todeval.core.dialogue import Dialogue
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.errors import DataMissing
from pytest_todeval.evaluate.metrics.reward import METRIC_SET
from pytest_todeval.worlds.tau_bench.domain import CLONE, CheckoutModules
from pytest_todeval.worlds.tau_bench.trajectory import steps_of_dialogue

ASKS_MODELS = "litellm"
"""What tau-bench asks models with: none is asked to score, so it need not be installed."""
_verdict = partial(Verdict, metric_set=METRIC_SET)


def own_rewards(home: Path, domain: str, dialogue: Dialogue) -> dict[str, Verdict]:
    """`reward`, with `reward_actions` or `reward_outputs`, whichever tau-bench tells of.

    The goal's id names split and place of the task. Raises DataMissing if the checkout's code
    cannot be run.
    """
    split, _, place = dialogue.goal.id.rpartition("-")
    modules = _scoring(home, domain)
    environment = modules.environment(split, int(place))
    environment.user = _Spoken()
    for name, arguments, told in list(steps_of_dialogue(dialogue))[:TAU_BENCH_STEPS]:
        environment.user.next = told
        try:
            answer = environment.step(modules.action(name=name, kwargs=dict(arguments)))
        except Exception as error:  # as tau-bench's run breaks, with reward 0
            why = f"it broke: {type(error).__name__}: {error}"
            return {"reward": _verdict("reward", False, why, value=0.0)}
        if answer.done:
            return _verdicts(answer.reward, answer.info.reward_info.info)
    why = "neither was the user done nor a terminating tool called"
    return {"reward": _verdict("reward", False, why, value=0.0)}


class _Spoken:
    """In place of tau-bench's user: says what was said."""

    next = ""

    def step(self, content: str) -> str:
        return self.next

    def get_total_cost(self) -> float:
        return 0.0


class _ScoringModules(CheckoutModules):
    """A domain's environment and what it is made of."""

    def environment(self, split: str, place: int) -> Any:
        """Returns a fresh one, set to the task at this place of the split."""
        module = self.load(f"tau_bench.envs.{self.domain}.env")
        base = self.load("tau_bench.envs.base").Env
        kinds = (each for each in vars(module).values() if isinstance(each, type))
        kind: Any = next(each for each in kinds if issubclass(each, base) and each is not base)
        return kind(user_strategy="human", task_split=split, task_index=place)

    @property
    def action(self) -> Any:
        return self.load("tau_bench.types").Action

    def __init__(self, home: Path, domain: str) -> None:
        asks: Any = ModuleType(ASKS_MODELS)
        asks.completion = _asks
        super().__init__(home, domain, {ASKS_MODELS: asks})
        self.domain = domain


@lru_cache(maxsize=8)
def _scoring(home: Path, domain: str) -> _ScoringModules:
    modules = _ScoringModules(home, domain)
    try:
        environment: Any = modules.load(f"tau_bench.envs.{domain}.env")
        environment.load_data = _once(environment.load_data)
        modules.load("tau_bench.types")
    except Exception as error:
        raise DataMissing(
            f"tau-bench in {home} cannot score: {type(error).__name__}: {error}. Get all of it "
            f"with `{CLONE}`, or leave out --todeval-upstream=scored"
        ) from error
    return modules


def _once(load: Callable[[], Any]) -> Callable[[], Any]:
    """Tables read from JSON once; each time after that, a tenth as long, from a copy in memory."""
    stored: list[bytes] = []

    def loaded() -> Any:
        if not stored:
            stored.append(pickle.dumps(load()))
        return pickle.loads(stored[0])

    return loaded


def _asks(**request: object) -> NoReturn:
    raise RuntimeError("scoring asks no model")


def _verdicts(reward: float, told: Any) -> dict[str, Verdict]:
    why = f"tau-bench's own code: {told}"
    found = {"reward": _verdict("reward", reward == 1, why, value=float(reward))}
    outputs = getattr(told, "outputs", None)
    if outputs is None:
        found["reward_actions"] = _verdict("reward_actions", bool(told.r_actions), str(told))
    else:
        missing = [output for output, said in outputs.items() if not said]
        why = f"never said: {', '.join(missing)}" if missing else "said all"
        found["reward_outputs"] = _verdict("reward_outputs", not missing, why)
    return found
