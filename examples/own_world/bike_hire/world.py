"""The bike hire as a world of pytest-todeval."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bike_hire.rider import Rider
from bike_hire.tools import TOOLS
from pytest_todeval import (
    Dialogue,
    Goal,
    GoalSet,
    SentenceJudge,
    TaskWorld,
    ToolDomain,
    UserSimulator,
    Verdict,
    fingerprint,
)
from pytest_todeval.errors import UsageError, known_names

__all__ = ["BikeHireWorld"]

NAME = "bike_hire"
HERE = Path(__file__).parent
TOLD_BY = ("goals.json", "tables.json", "policy.md", "tools.py")
"""The files that results depend on: the fingerprint tells their versions apart."""


class BikeHireWorld(TaskWorld):
    """Riders hire bikes and bring them back; some must be refused.

    `TaskWorld` plays goals over the tables of `tool_domain` and rewards what tau-bench rewards: the
    tables end as after the goal's `actions`, and the rider was told its `outputs`.
    """

    user_prompt = "hurried"  # how a model plays the rider; a strategy of this package

    def load(self, split: str | None = None) -> GoalSet:
        """All goals, or those of a split: `hire` or `refusal`."""
        records: list[dict[str, Any]] = json.loads(_text("goals.json"))
        splits = sorted({record["split"] for record in records})
        if split is not None and split not in splits:
            raise UsageError(f"{NAME} has no split {split!r}: {known_names(split, splits)}")
        goals = [_goal(record) for record in records if split in (None, record["split"])]
        parts = (_text(name).encode() for name in TOLD_BY)
        return GoalSet(NAME, tuple(goals), fingerprint(parts), self)

    def tool_domain(self) -> ToolDomain:
        """The tools over the tables; made once, as nothing changes it."""
        return _domain()

    def user(self, goal: Goal, *, style: str = "plain", seed: int = 0) -> UserSimulator:
        """A rider, if no model plays the user."""
        return Rider(goal.raw)

    def evaluate(
        self, dialogue: Dialogue, backend: Any, judge: SentenceJudge | None = None
    ) -> Mapping[str, Verdict]:
        """The reward, and whether the bot told the lock code of every bike that it hired out."""
        return {**super().evaluate(dialogue, backend, judge), "lock_code": _lock_code(dialogue)}


@cache
def _domain() -> ToolDomain:
    tools = {tool.name: tool for tool in TOOLS}
    return ToolDomain(NAME, json.loads(_text("tables.json")), tools, _text("policy.md"))


def _goal(record: Mapping[str, Any]) -> Goal:
    return Goal(record["id"], NAME, (), message=(record["instruction"],), raw=record)


def _lock_code(dialogue: Dialogue) -> Verdict:
    hired = [
        (turn, json.loads(call.result)["lock_code"])
        for turn in dialogue.turns
        for call in turn.tool_calls
        if call.name == "hire_bike" and call.error is None
    ]
    untold = [(turn.index, code) for turn, code in hired if code not in turn.system]
    if untold:
        turns = tuple(index for index, _ in untold)
        return Verdict("lock_code", False, f"the code {untold[0][1]} was not told", turns)
    turns = tuple(turn.index for turn, _ in hired)
    reason = "every lock code was told" if hired else "no bike was hired out"
    return Verdict("lock_code", True, reason, turns, applicable=bool(hired))


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
