"""Reference bots and the papers' systems, to test against and to learn from."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.research.systems.autotod import AutoTODSystem
    from pytest_todeval.research.systems.function_calling import FunctionCallingSystem
    from pytest_todeval.research.systems.modular_llm import ModularLLMSystem
    from pytest_todeval.research.systems.modular_prog import ModularProgSystem
    from pytest_todeval.research.systems.monolithic import MonolithicSystem
    from pytest_todeval.research.systems.pipeline import PipelineSystem
    from pytest_todeval.simulation.systems.chat import ChatSystem
    from pytest_todeval.simulation.systems.desk import DeskBot
    from pytest_todeval.simulation.systems.rules import RuleSystem

_HOMES = {
    "AutoTODSystem": "research.systems.autotod",
    "ChatSystem": "simulation.systems.chat",
    "DeskBot": "simulation.systems.desk",
    "FunctionCallingSystem": "research.systems.function_calling",
    "ModularLLMSystem": "research.systems.modular_llm",
    "ModularProgSystem": "research.systems.modular_prog",
    "MonolithicSystem": "research.systems.monolithic",
    "PipelineSystem": "research.systems.pipeline",
    "RuleSystem": "simulation.systems.rules",
}

__all__ = [
    "AutoTODSystem",
    "ChatSystem",
    "DeskBot",
    "FunctionCallingSystem",
    "ModularLLMSystem",
    "ModularProgSystem",
    "MonolithicSystem",
    "PipelineSystem",
    "RuleSystem",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"pytest_todeval.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
