"""What environment and reward of one dialogue cost here, and what tau2 itself takes for them.

    python benchmarks/tau2_cost.py TAU2 [--domains NAME ...] [--tasks N] [--rounds N]

TAU2 is a checkout; Python 3.12 with what tau2 needs. For tasks spread over each domain's file the
reference actions are played as if a bot had called them, and the databases scored: by tau2
(`get_environment`, play, then its evaluator with an environment for the replay and one for the gold
state), and here (views of databases that are loaded once, play, replay, the gold state anew or kept
from an earlier trial). Both in one process, in turn; the best round.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Dialogue, Turn
from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import StopReason
from pytest_todeval.core.verdict import Verdict
from pytest_todeval.worlds.tau2 import domain
from pytest_todeval.worlds.tau2.backend import Tau2Backend
from pytest_todeval.worlds.tau2.package import import_in_private
from pytest_todeval.worlds.tau2.reward import tau2_rewards

Task = Mapping[str, Any]
Rewards = Mapping[str, bool]
PARTS = ("DB", "ENV_ASSERTION")
MODULES = ("tau2.data_model.tasks", "tau2.evaluator.evaluator_env", "tau2.data_model.message")


def main() -> None:
    """Print one line per domain."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--domains", nargs="+", choices=domain.DOMAINS, default=domain.DOMAINS)
    parser.add_argument("--tasks", type=int, default=20, help="tasks per domain")
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    print(f"{'domain':<9}{'tasks':>6}{'theirs ms':>11}{'ours ms':>9}{'ratio':>8}", end="")
    print(f"{'gold kept ms':>14}{'ratio':>8}{'once ms':>9}{'differ':>8}")
    for name in args.domains:
        report(args, name)


def report(args: argparse.Namespace, name: str) -> None:
    """One row: mean milliseconds per dialogue, the ratio to theirs, and dialogues that differ."""
    tasks, theirs = tasks_of(args.checkout, name, args.tasks), Theirs(args.checkout, name)
    once, _ = timed(our_dialogue, args.checkout, name, tasks[0])
    best = [float("inf")] * 3
    for _ in range(args.rounds):
        seconds = [0.0] * 3
        differ = 0
        for task in tasks:
            taken, (environment, expected) = timed(theirs.dialogue, task)
            domain._gold.cache_clear()
            anew, (backend, found) = timed(our_dialogue, args.checkout, name, task)
            kept, (_, again) = timed(our_dialogue, args.checkout, name, task)
            seconds = [s + t for s, t in zip(seconds, (taken, anew, kept), strict=True)]
            same = backend.state_hash() == joined_hashes(environment)
            differ += not (same and expected == found == again)
        best = [min(b, s / len(tasks) * 1000) for b, s in zip(best, seconds, strict=True)]
    taken, anew, kept = best
    print(
        f"{name:<9}{len(tasks):>6}{taken:>11.1f}{anew:>9.2f}{f'1/{taken / anew:.0f}':>8}"
        f"{kept:>14.2f}{f'1/{taken / kept:.0f}':>8}{once * 1000:>9.0f}{differ:>8}"
    )


def timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Seconds of processor time and result: others on the machine do not count."""
    start = time.process_time()
    result = call(*arguments)
    return time.process_time() - start, result


def tasks_of(home: Path, name: str, number: int) -> list[Task]:
    """Tasks with criteria, spread over the domain's file."""
    folder = home / "data" / "tau2" / "domains" / name
    tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    found = [task for task in tasks if task["evaluation_criteria"]]
    return found[:: -(-len(found) // number)]


def actions_of(task: Task) -> list[Mapping[str, Any]]:
    """The calls of the reference solution."""
    return task["evaluation_criteria"].get("actions") or []


def our_dialogue(home: Path, name: str, task: Task) -> tuple[Tau2Backend, Rewards]:
    """The backend after the reference solution, and the reward of its databases."""
    backend = Tau2Backend(home, name, task)
    for action in actions_of(task):
        by_user = action.get("requestor") == "user"
        try:
            (backend.call_user if by_user else backend.call)(action["name"], **action["arguments"])
        except ToolRefused:
            continue
    goal = Goal(str(task["id"]), name, ())
    dialogue = Dialogue(goal, (Turn(1, "", ""),), stop_reason=StopReason.USER_DONE)
    verdicts = tau2_rewards(dialogue, backend, task, judge=taken_as_given)
    names = {part: f"reward_{part.lower()}" for part in PARTS}
    return backend, {
        part: verdicts[name].passed for part, name in names.items() if name in verdicts
    }


def taken_as_given(sentence: str, dialogue: Dialogue) -> Verdict:
    """A judge that takes no time."""
    return Verdict("sentence", True, "")


class Theirs:
    """tau2's environments and its evaluator of end states, in modules of their own."""

    def __init__(self, home: Path, name: str) -> None:
        self.modules = import_in_private(home, (*MODULES, f"tau2.domains.{name}.environment"))
        self.make = self.modules[f"tau2.domains.{name}.environment"].get_environment

    def dialogue(self, task: Task) -> tuple[Any, Rewards]:
        """The environment after the reference solution, and the reward of its databases."""
        tasks, evaluator, message = (self.modules[name] for name in MODULES)
        parsed, environment = tasks.Task.model_validate(task), self.make()
        state = parsed.initial_state
        history = list((state and state.message_history) or ())
        environment.set_state(
            state and state.initialization_data, state and state.initialization_actions, history
        )
        messages = list(history)
        for number, action in enumerate(actions_of(task)):
            call = {"requestor": "assistant", **action, "id": str(number)}
            made = message.ToolCall(**{name: call[name] for name in message.ToolCall.model_fields})
            speaks = message.UserMessage if made.requestor == "user" else message.AssistantMessage
            messages.append(speaks(role=made.requestor, tool_calls=[made]))
            messages.append(environment.get_response(made))
        evaluate = evaluator.EnvironmentEvaluator.calculate_reward
        found = evaluate(self.make, parsed, messages).reward_breakdown or {}
        basis = [part.value for part in parsed.evaluation_criteria.reward_basis]
        return environment, {part: bool(found.get(part, 1)) for part in PARTS if part in basis}


def joined_hashes(environment: Any) -> str:
    """As `Tau2Backend.state_hash` has them."""
    found = environment.get_db_hash(), environment.get_user_db_hash()
    return "+".join(digest for digest in found if digest)


if __name__ == "__main__":
    main()
