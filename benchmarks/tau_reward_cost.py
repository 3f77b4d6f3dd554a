"""What the reward of one dialogue costs here, and what tau-bench itself takes for it.

    python benchmarks/tau_reward_cost.py TAU_BENCH [--tasks N] [--rounds N]

TAU_BENCH is a checkout. For each test task its gold actions are played as if a bot had called them,
and the state is scored: by tau-bench's rules (fresh tables from JSON, play, full hash; fresh tables
again, the gold actions, full hash), and here (a fresh view, play, hash; the same again for the gold
state, or that state kept from an earlier trial). Both in one process, in turn; the best round.
"""

import argparse
import ast
import time
from collections.abc import Callable, Iterable
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.state_hash import base_hash
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.backends.tool_domain import ToolDomain
from pytest_todeval.worlds.tau_bench.domain import CheckoutModules
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld

Actions = list[tuple[str, dict[str, Any]]]
HASH_FUNCTIONS = ("to_hashable", "consistent_hash")


def main() -> None:
    """Print one line per domain."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--tasks", type=int, default=None, help="only the first N of each domain")
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    full_hash = their_hash(args.checkout)
    print(f"{'domain':<9}{'tasks':>6}{'theirs ms':>11}{'ours ms':>9}{'ratio':>8}", end="")
    print(f"{'gold kept ms':>14}{'ratio':>8}{'once ms':>9}{'differ':>8}")
    for name in ("retail", "airline"):
        report(args, name, full_hash)


def report(args: argparse.Namespace, name: str, full_hash: Callable[[Any], str]) -> None:
    """One row: mean milliseconds per dialogue, the ratio to theirs, and hashes that differ."""
    once, domain = timed(loaded, args.checkout, name)
    load = CheckoutModules(args.checkout, name).load(f"tau_bench.envs.{name}.data").load_data
    tasks = gold_actions(args.checkout / f"tau_bench/envs/{name}/tasks_test.py")[: args.tasks]
    best = [float("inf")] * 3
    for _ in range(args.rounds):
        seconds = [0.0] * 3
        differ = 0
        for actions in tasks:
            theirs, expected = timed(their_reward, domain, load, actions, full_hash)
            ours, found = timed(our_reward, domain, actions)
            kept, _ = timed(our_state, domain, actions)
            seconds = [s + t for s, t in zip(seconds, (theirs, ours, kept), strict=True)]
            differ += expected != found
        best = [min(b, s / len(tasks) * 1000) for b, s in zip(best, seconds, strict=True)]
    theirs, ours, kept = best
    print(
        f"{name:<9}{len(tasks):>6}{theirs:>11.1f}{ours:>9.2f}{f'1/{theirs / ours:.0f}':>8}", end=""
    )
    print(f"{kept:>14.2f}{f'1/{theirs / kept:.0f}':>8}{once * 1000:>9.0f}{differ:>8}")


def timed(call: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Seconds of processor time and result: others on the machine do not count."""
    start = time.process_time()
    result = call(*arguments)
    return time.process_time() - start, result


def loaded(checkout: Path, name: str) -> ToolDomain:
    """The domain with all that is worked out once per process."""
    domain = TauBenchWorld(name, checkout).tool_domain()
    base_hash(domain)
    return domain


def our_reward(domain: ToolDomain, actions: Actions) -> list[str]:
    """Both hashes, as if the gold state had not been kept."""
    return [our_state(domain, actions) for _ in range(2)]


def our_state(domain: ToolDomain, actions: Actions) -> str:
    """The hash after the actions, on a fresh view."""
    backend = ToolBackend(domain)
    for name, arguments in actions:
        if name not in domain.terminating:
            try:
                backend.call(name, **arguments)
            except ToolRefused:
                continue
    return backend.state_hash()


def their_reward(
    domain: ToolDomain, load: Callable[[], Any], actions: Actions, full_hash: Callable[[Any], str]
) -> list[str]:
    """Both hashes that `Env.reset`, `step` and `calculate_reward` come to."""
    return [their_state(domain, load(), actions, full_hash) for _ in range(2)]


def their_state(
    domain: ToolDomain, data: Any, actions: Actions, full_hash: Callable[[Any], str]
) -> str:
    """The hash after the actions, on fresh tables, as `Env.step` plays them."""
    for name, arguments in actions:
        if name in domain.tools and name not in domain.terminating:
            try:
                domain.tools[name].invoke(data, **deepcopy(arguments))
            except Exception:
                continue
    return full_hash(data)


def their_hash(checkout: Path) -> Callable[[Any], str]:
    """`consistent_hash(to_hashable(data))` of the checkout, without importing what it imports."""
    source = (checkout / "tau_bench/envs/base.py").read_text()
    found: dict[str, Any] = {"sha256": sha256}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name in HASH_FUNCTIONS:
            node.returns, node.args.args[0].annotation = None, None
            exec(ast.unparse(node), found)
    return lambda data: str(found["consistent_hash"](found["to_hashable"](data)))


def gold_actions(file: Path) -> list[Actions]:
    """The actions of every task in a file, in order."""
    calls = [n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Call)]
    tasks = [n for n in calls if isinstance(n.func, ast.Name) and n.func.id == "Task"]
    return [list(actions_of(task)) for task in sorted(tasks, key=lambda n: n.lineno)]


def actions_of(task: ast.Call) -> Iterable[tuple[str, dict[str, Any]]]:
    """Name and arguments of a task's actions."""
    given = {k.arg: k.value for k in task.keywords}
    for action in getattr(given.get("actions"), "elts", []):
        values = {k.arg: ast.literal_eval(k.value) for k in action.keywords}
        yield values["name"], values["kwargs"]


if __name__ == "__main__":
    main()
