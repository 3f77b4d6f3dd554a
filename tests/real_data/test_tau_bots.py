"""Whole dialogues over tau-bench's tasks: a bot that plays the gold actions, and one that idles."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.backends.tool_backend import ToolBackend
from pytest_todeval.core.goal import Goal
from pytest_todeval.evaluate.metrics.reward import rewards
from pytest_todeval.simulation.loop import run_dialogue
from pytest_todeval.simulation.scripted import ScriptedUser
from pytest_todeval.worlds.registry import load
from pytest_todeval.worlds.tau_bench.world import TauBenchWorld

Bot = Callable[[Goal, ToolBackend], str]
SPLITS = [
    ("retail", "test", 115, 7),
    ("retail", "train", 500, 5),
    ("retail", "dev", 20, 1),
    ("airline", "test", 50, 19),
]
"""Domain, split, tasks, and how many of them are passed by doing nothing."""


def idle(goal: Goal, backend: ToolBackend) -> str:
    return "Goodbye."


def golden(goal: Goal, backend: ToolBackend) -> str:
    """Play the gold actions, those that fail on purpose too, and say the outputs."""
    for action in goal.raw["actions"]:
        if action["name"] not in backend.domain.terminating:
            try:
                backend.call(action["name"], **action["kwargs"])
            except ToolRefused:
                continue
    return f"Done. {' '.join(goal.raw['outputs'])}"


def earned(tau_home: Path, domain: str, split: str, bot: Bot) -> int:
    """How many tasks of the split the bot earns the reward of."""
    goals = load(f"tau_bench/{domain}", split=split, settings={"tau-home": tau_home})
    return sum(bool(played(tau_home, domain, goal, bot)["reward"]) for goal in goals.goals)


def played(tau_home: Path, domain: str, goal: Goal, bot: Bot) -> dict[str, Any]:
    backend = ToolBackend(TauBenchWorld(domain, tau_home).tool_domain())
    user = ScriptedUser([goal.message[0]])
    dialogue = run_dialogue(goal, user, lambda text: bot(goal, backend), backend)
    return rewards(dialogue, backend)


@pytest.mark.parametrize(("domain", "split", "tasks", "without_teeth"), SPLITS)
def test_the_gold_actions_earn_every_reward(
    tau_home: Path, domain: str, split: str, tasks: int, without_teeth: int
) -> None:
    assert earned(tau_home, domain, split, golden) == tasks


@pytest.mark.parametrize(("domain", "split", "tasks", "without_teeth"), SPLITS)
def test_doing_nothing_earns_what_is_without_teeth(
    tau_home: Path, domain: str, split: str, tasks: int, without_teeth: int
) -> None:
    assert earned(tau_home, domain, split, idle) == without_teeth
