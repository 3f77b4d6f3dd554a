"""User simulators played by a model, after the papers; see `strategy` for whose each one is."""

from pytest_todeval.simulation.llm_user.strategy import STRATEGIES
from pytest_todeval.simulation.llm_user.user import LLMUser

__all__ = ["STRATEGIES", "LLMUser"]
