"""The bot of this repository, which serves the demo's town. Yours goes here."""

from pytest_todeval.systems import RuleSystem

__all__ = ["TownBot"]


class TownBot(RuleSystem):
    """Finds and books restaurants, hotels and trains."""
