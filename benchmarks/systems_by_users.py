"""The papers' systems and the reference bot by users: success, US-spread, tokens per success.

    python -m benchmarks.systems_by_users --goals 10

In-process, over goals of the demo that book. All models are played by one by rules, which
answers as a good model would: the numbers test the plumbing, and say nothing of models.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pytest_todeval.core.goal import Goal
from pytest_todeval.core.outcome import Outcome
from pytest_todeval.goals.select import select
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.runs.reports.matrix import matrices, matrix_lines
from pytest_todeval.runs.reports.results import dialogue_entry
from pytest_todeval.runs.reports.schema import DialogueEntry
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.variation import make_variation
from pytest_todeval.systems import (
    AutoTODSystem,
    FunctionCallingSystem,
    ModularLLMSystem,
    ModularProgSystem,
    MonolithicSystem,
    PipelineSystem,
    RuleSystem,
)
from pytest_todeval.testing import StandInServer
from pytest_todeval.worlds import registry
from pytest_todeval.worlds.goal_set import GoalSet
from tests.support.systems_world import rule_model

USERS = {
    "plain": {},
    "terse": {"style": "terse"},
    "chatty": {"style": "chatty"},
    "typos": {"variation": "typos"},
    "speech": {"variation": "speech"},
    "hard": {"variation": "hard"},
}
"""Users by name: the style of the agenda user, and in what other words bots hear it."""
PAPERS = {
    "monolithic": MonolithicSystem,
    "modular-prog": ModularProgSystem,
    "modular-llm": ModularLLMSystem,
    "autotod": AutoTODSystem,
    "pipeline": PipelineSystem,
    "functions": FunctionCallingSystem,
}


def entry(goals: GoalSet, goal: Goal, bot: str, system: Any, name: str) -> DialogueEntry:
    """One dialogue, as a results file has it."""
    backend, how = goals.world.backend(goal), USERS[name]
    user = goals.world.user(goal, style=how.get("style", "plain"))
    varied = make_variation(how["variation"], goal, 0) if "variation" in how else None
    played = run_dialogue(goal, user, system, backend=backend, variation=varied)
    if played.fault is None:
        played = replace(played, verdicts=goals.world.evaluate(played, backend))
    done = played.fault is None and all(
        verdict.passed and not verdict.undecided for verdict in played.verdicts.values()
    )
    outcome = played.fault or (Outcome.PASSED if done else Outcome.FAILED)
    return dialogue_entry(played, test=goal.name, outcome=outcome, bot=bot, user=name)


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--goals", type=int, default=10)
    given = parser.parse_args()
    goals = registry.load("demo")
    chosen = select(goals.goals, booking=True, limit=given.goals, seed=1)
    with StandInServer(rule_model) as server:
        model = ModelSettings("by-rules", base_url=server.base_url)
        systems: Mapping[str, Any] = {
            "rules": RuleSystem,
            **{name: kind(model) for name, kind in PAPERS.items()},
        }
        entries = [
            entry(goals, goal, name, system, user)
            for name, system in systems.items()
            for user in USERS
            for goal in chosen
        ]
    for matrix in matrices(entries):
        print("\n".join(matrix_lines(matrix)), end="\n\n")
    faults = [each for each in entries if each["outcome"] not in ("passed", "failed")]
    print(f"{len(entries)} dialogues, {len(faults)} with a fault")
    for each in faults[:10]:
        print(f"  {each['outcome']}: {each['bot']} {each['user']} {each['goal']}: {each['detail']}")


if __name__ == "__main__":
    main()
