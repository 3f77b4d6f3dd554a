"""A chat model with instructions and tools, as a bot: `ChatSystem("gpt-4o-mini")`."""

from pytest_todeval.simulation.systems.chat.bot import ChatBot, ChatSystem
from pytest_todeval.simulation.systems.chat.turn import EndlessCalls

__all__ = ["ChatBot", "ChatSystem", "EndlessCalls"]
