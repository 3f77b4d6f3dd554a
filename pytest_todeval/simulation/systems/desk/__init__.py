"""A rule-based bot for the service desk."""

from pytest_todeval.simulation.systems.desk.bot import DeskBot

__all__ = ["DeskBot"]
