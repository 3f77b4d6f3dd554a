"""State tracking as function calling, after FnCTOD (Li et al. 2024), through `ChatSystem`.

One function per domain, whose arguments are the belief state: the model calls it with what the user
wants, and answers from what comes back.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pytest_todeval.backends.protocol import tool_schema
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.research.systems.dialogue_manager import DialogueManager
from pytest_todeval.research.systems.system import BotSetup, PaperSystem
from pytest_todeval.research.systems.venue_tools import VenueTools
from pytest_todeval.simulation.systems.chat.bot import ChatBot, ChatSystem


class FunctionCallingSystem(PaperSystem):
    """A chat model with one function per domain; what it calls it with is the belief state.

        @pytest.fixture(scope="session")
        def tod_system():
            return FunctionCallingSystem("gpt-4o-mini")

    The function looks up, and books once everything for a booking is known.
    """

    def _bot(self, setup: BotSetup) -> "FunctionCallingBot":
        manager = DialogueManager(setup.tools)
        functions = [(_schema(d, setup.tools), _function(d, manager)) for d in setup.tools.domains]
        told = self._prompts.get("function_calling_system").render()
        chat = ChatSystem(self._client, told[0]["content"], functions, max_steps=self._max_steps)(
            None, setup.opening
        )
        return FunctionCallingBot(chat, manager)


class FunctionCallingBot:
    """One dialogue of a `FunctionCallingSystem`."""

    def __init__(self, chat: ChatBot, manager: DialogueManager) -> None:
        self._chat, self._manager = chat, manager

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user."""
        reply = self._chat.respond(text)
        self._manager.said(reply.text)
        return replace(reply, state=self._manager.belief)


def _schema(domain: str, tools: VenueTools) -> Mapping[str, Any]:
    means = (
        f"Tell what the user wants in the domain {domain}: every slot that was told so far, "
        "`dontcare` if the user does not mind. Returns what there is, and the booking if all that "
        "it needs is told."
    )
    return tool_schema(f"find_book_{domain}", means, tools.texts(domain), ())


def _function(domain: str, manager: DialogueManager) -> Callable[..., Any]:
    def function(**slots: Any) -> Any:
        manager.take(domain, slots)
        return manager.serve(domain)

    return function
