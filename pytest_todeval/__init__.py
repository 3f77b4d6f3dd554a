"""Dialogue regression tests for task-oriented bots.

A **goal** says what a simulated user wants.
A **user simulator** talks to the **TOD system** (your bot), which works on a **backend**.
What was said and done is a **dialogue**.
**Evaluators** turn a dialogue into **verdicts** (yes or no, with a reason) and **scores**.
Tests assert on these; results files, reports and gates are made from them.
Every dialogue ends in exactly one **outcome**, which says who answers for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.backends.protocol import ToolRefused
    from pytest_todeval.backends.records import records_of
    from pytest_todeval.backends.tool_domain import TableTool, ToolDomain
    from pytest_todeval.core.dialogue import Booking, Dialogue, Reply, Turn, Usage
    from pytest_todeval.core.fingerprint import fingerprint
    from pytest_todeval.core.goal import DomainGoal, Goal
    from pytest_todeval.core.outcome import Outcome, StopReason
    from pytest_todeval.core.score import Score, ScoreSeries
    from pytest_todeval.core.tool_calls import CallCheck, ToolCall, ToolCalls, handoff
    from pytest_todeval.core.verdict import Sample, Verdict
    from pytest_todeval.errors import TodevalError
    from pytest_todeval.evaluate.judge.judge import Judge
    from pytest_todeval.evaluate.judge.llm_judge.judge import LLMJudge
    from pytest_todeval.evaluate.judge.rule_judge import RuleJudge
    from pytest_todeval.goals.made_up.asked import MadeUp, synthetic, unfulfillable, unrealistic
    from pytest_todeval.models.settings import ModelSettings
    from pytest_todeval.recording.bot_server.bot_server import BotServer
    from pytest_todeval.recording.gateway.gateway import Gateway
    from pytest_todeval.simulation.agenda import AgendaUser
    from pytest_todeval.simulation.http import HttpSystem
    from pytest_todeval.simulation.llm_user import LLMUser
    from pytest_todeval.simulation.llm_user.strategy import Form, Strategy, Supervision
    from pytest_todeval.simulation.loop import Limits, run_dialogue
    from pytest_todeval.simulation.scripted import ScriptedUser, proceed
    from pytest_todeval.simulation.session import BotSession
    from pytest_todeval.simulation.systems.chat import ChatSystem
    from pytest_todeval.simulation.systems.with_tools import with_tools
    from pytest_todeval.simulation.user import UserSimulator, Utterance
    from pytest_todeval.worlds.goal_set import GoalSet
    from pytest_todeval.worlds.tasks import TaskWorld
    from pytest_todeval.worlds.trivial import Trivial
    from pytest_todeval.worlds.world import SentenceJudge, World

__version__ = "0.1.0"

_HOMES = {
    "backends.protocol": ("ToolRefused",),
    "backends.records": ("records_of",),
    "backends.tool_domain": ("TableTool", "ToolDomain"),
    "core.dialogue": ("Booking", "Dialogue", "Reply", "Turn", "Usage"),
    "core.fingerprint": ("fingerprint",),
    "core.goal": ("DomainGoal", "Goal"),
    "core.outcome": ("Outcome", "StopReason"),
    "core.score": ("Score", "ScoreSeries"),
    "core.tool_calls": ("CallCheck", "ToolCall", "ToolCalls", "handoff"),
    "core.verdict": ("Sample", "Verdict"),
    "errors": ("TodevalError",),
    "goals.made_up.asked": ("MadeUp", "synthetic", "unfulfillable", "unrealistic"),
    "evaluate.judge.judge": ("Judge",),
    "evaluate.judge.rule_judge": ("RuleJudge",),
    "evaluate.judge.llm_judge.judge": ("LLMJudge",),
    "models.settings": ("ModelSettings",),
    "recording.bot_server.bot_server": ("BotServer",),
    "recording.gateway.gateway": ("Gateway",),
    "simulation.agenda": ("AgendaUser",),
    "simulation.http": ("HttpSystem",),
    "simulation.llm_user": ("LLMUser",),
    "simulation.llm_user.strategy": ("Form", "Strategy", "Supervision"),
    "simulation.loop": ("Limits", "run_dialogue"),
    "simulation.scripted": ("ScriptedUser", "proceed"),
    "simulation.session": ("BotSession",),
    "simulation.user": ("UserSimulator", "Utterance"),
    "simulation.systems.chat": ("ChatSystem",),
    "simulation.systems.with_tools": ("with_tools",),
    "worlds.goal_set": ("GoalSet",),
    "worlds.tasks": ("TaskWorld",),
    "worlds.trivial": ("Trivial",),
    "worlds.world": ("SentenceJudge", "World"),
}

__all__ = [
    "AgendaUser",
    "Booking",
    "BotServer",
    "BotSession",
    "CallCheck",
    "ChatSystem",
    "Dialogue",
    "DomainGoal",
    "Form",
    "Gateway",
    "Goal",
    "GoalSet",
    "HttpSystem",
    "Judge",
    "LLMJudge",
    "LLMUser",
    "Limits",
    "MadeUp",
    "ModelSettings",
    "Outcome",
    "Reply",
    "RuleJudge",
    "Sample",
    "Score",
    "ScoreSeries",
    "ScriptedUser",
    "SentenceJudge",
    "StopReason",
    "Strategy",
    "Supervision",
    "TableTool",
    "TaskWorld",
    "TodevalError",
    "ToolCall",
    "ToolCalls",
    "ToolDomain",
    "ToolRefused",
    "Trivial",
    "Turn",
    "Usage",
    "UserSimulator",
    "Utterance",
    "Verdict",
    "World",
    "fingerprint",
    "handoff",
    "proceed",
    "records_of",
    "run_dialogue",
    "synthetic",
    "unfulfillable",
    "unrealistic",
    "with_tools",
]


def __getattr__(name: str) -> Any:
    # Lazy (PEP 562): pytest imports this package in every run, also if nobody uses it.
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
