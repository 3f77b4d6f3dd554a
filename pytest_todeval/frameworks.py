"""Bots made with agent frameworks, as `tod_system`: a line in a conftest for each.

    from pytest_todeval.frameworks import AgentsSystem

    @pytest.fixture(scope="session")
    def tod_system():
        return AgentsSystem(triage_agent)

Each is a factory, called once per dialogue. It keeps the history and reports tool calls, hand-offs
and usage. A framework is imported when a dialogue begins, never before.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_todeval.simulation.frameworks.adk import AdkSystem
    from pytest_todeval.simulation.frameworks.langgraph import LangChainSystem, LangGraphSystem
    from pytest_todeval.simulation.frameworks.openai_agents import AgentsSystem
    from pytest_todeval.simulation.frameworks.pydantic_ai import PydanticAISystem

_HOMES = {
    "AdkSystem": "simulation.frameworks.adk",
    "AgentsSystem": "simulation.frameworks.openai_agents",
    "LangChainSystem": "simulation.frameworks.langgraph",
    "LangGraphSystem": "simulation.frameworks.langgraph",
    "PydanticAISystem": "simulation.frameworks.pydantic_ai",
}

__all__ = ["AdkSystem", "AgentsSystem", "LangChainSystem", "LangGraphSystem", "PydanticAISystem"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"pytest_todeval.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
