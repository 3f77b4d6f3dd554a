"""A complete bot by rules: understanding, state, policy, wording."""

from pytest_todeval.simulation.systems.rules.bot import RuleSystem

__all__ = ["RuleSystem"]
