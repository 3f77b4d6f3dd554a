"""Reference bots and the papers' systems, to test against and to learn from."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.systems.chat import ChatSystem
    from pytest_todeval.systems.desk import DeskBot
    from pytest_todeval.systems.papers.autotod import AutoTODSystem
    from pytest_todeval.systems.papers.function_calling import FunctionCallingSystem
    from pytest_todeval.systems.papers.modular_llm import ModularLLMSystem
    from pytest_todeval.systems.papers.modular_prog import ModularProgSystem
    from pytest_todeval.systems.papers.monolithic import MonolithicSystem
    from pytest_todeval.systems.papers.pipeline import PipelineSystem
    from pytest_todeval.systems.rules import RuleSystem

_HOMES = {
    "AutoTODSystem": "papers.autotod",
    "ChatSystem": "chat",
    "DeskBot": "desk",
    "FunctionCallingSystem": "papers.function_calling",
    "ModularLLMSystem": "papers.modular_llm",
    "ModularProgSystem": "papers.modular_prog",
    "MonolithicSystem": "papers.monolithic",
    "PipelineSystem": "papers.pipeline",
    "RuleSystem": "rules",
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
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
