"""What the shipped rules and the rule judge find against the healthy reference bot: false alarms.

    python benchmarks/rule_false_alarms.py --data ../shared/data/multiwoz --split val

Without --data the demo world is played. Prints seconds per part and every finding.
"""

import argparse
import time
from collections import Counter
from pathlib import Path

from pytest_todeval.backends.multiwoz import MultiwozBackend, MultiwozDatabase
from pytest_todeval.backends.satisfiable import unsatisfiable
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
from pytest_todeval.evaluate.metrics.task_success import evaluate
from pytest_todeval.goals import store
from pytest_todeval.goals.multiwoz import load_goals
from pytest_todeval.rules import shipped
from pytest_todeval.simulation.agenda import AgendaUser
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.systems import RuleSystem
from pytest_todeval.worlds import registry

BY_EVIDENCE = tuple(name for name in shipped() if not name.startswith("autoeval_tod"))
"""The shipped sets that take no model."""


def main() -> None:
    options = _options()
    goals, database = _world(options.data, options.split)
    seconds = dict.fromkeys(("play", "evaluate", "judge"), 0.0)
    found: Counter[str] = Counter()
    played = 0
    for goal in goals[: options.limit]:
        if unsatisfiable(goal, database) is None:
            played += 1
            _judge(goal, database, seconds, found)
    times = ", ".join(f"{part} {spent:.1f} s" for part, spent in seconds.items())
    print(f"{played} goals: {times}")
    print(f"findings: {dict(found) or 'none'}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--split", default="val")
    parser.add_argument("--limit", type=int)
    return parser.parse_args()


def _world(data: Path | None, split: str) -> tuple[tuple[Goal, ...], MultiwozDatabase]:
    if data is not None:
        return load_goals(data, split), MultiwozDatabase.load(data)
    demo = registry.load("demo")
    return demo.goals, MultiwozDatabase.load(store.DEMO)


def _judge(
    goal: Goal, database: MultiwozDatabase, seconds: dict[str, float], found: Counter[str]
) -> None:
    started = time.perf_counter()
    backend = MultiwozBackend(database, goal)
    dialogue = run_dialogue(goal, AgendaUser(goal, database.vocabulary()), RuleSystem, backend)
    played = time.perf_counter()
    verdicts = evaluate(dialogue, backend)
    evaluated = time.perf_counter()
    judge = RuleJudge(backend=backend)
    broken = judge.rules(dialogue, BY_EVIDENCE).broken
    low = [
        score
        for series in judge.turns(dialogue).scores.values()
        for score in series
        if score.value is not None and score.value < 4
    ]
    seconds["play"] += played - started
    seconds["evaluate"] += evaluated - played
    seconds["judge"] += time.perf_counter() - evaluated
    for verdict in verdicts.values():
        if not verdict:
            _report(found, goal, verdict.name, verdict.reason)
    for result in broken:
        _report(found, goal, result.rule, f"turn {result.turn}: {result.reason}")
    for score in low:
        _report(found, goal, score.name, f"turn {score.turn}: {score.value}, {score.reason}")


def _report(found: Counter[str], goal: Goal, what: str, reason: str) -> None:
    found[what] += 1
    print(f"{goal.name} {what}: {reason}")


if __name__ == "__main__":
    main()
