"""Modular-Prog of clem:todd (3.3.2): intent, slots, manager, response, in this order each turn."""

from collections.abc import Sequence
from typing import Any

from pytest_todeval.core.dialogue import Reply, Turn
from pytest_todeval.systems.papers.calling import MeteredClient
from pytest_todeval.systems.papers.dialogue_manager import DialogueManager
from pytest_todeval.systems.papers.modules import BOOKING_REQUEST, NO_DOMAIN, Modules
from pytest_todeval.systems.papers.system import PaperSystem, said_before
from pytest_todeval.systems.papers.venue_tools import VenueTools

__all__ = ["ModularProgSystem"]


class ModularProgSystem(PaperSystem):
    """Four modules in a fixed order: models for intent, slots and response, a program as manager.

        @pytest.fixture(scope="session")
        def tod_system():
            return ModularProgSystem("gpt-4o-mini")

    Its belief state is that of its manager.
    """

    def _bot(
        self,
        backend: Any,
        tools: VenueTools,
        client: MeteredClient,
        opening: Sequence[Turn],
    ) -> "ModularProgBot":
        modules = Modules(client, self._prompts, tools)
        return ModularProgBot(client, modules, DialogueManager(tools), said_before(opening))


class ModularProgBot:
    """One dialogue of a `ModularProgSystem`."""

    def __init__(
        self,
        client: MeteredClient,
        modules: Modules,
        manager: DialogueManager,
        history: list[dict[str, str]],
    ) -> None:
        self._client, self._modules, self._manager = client, modules, manager
        self._history = history

    def respond(self, text: str) -> Reply:
        """Answer one turn of the user."""
        intent, domain = self._modules.intent(self._history, text)
        done: dict[str, Any] = {}
        if domain != NO_DOMAIN:
            known = self._manager.belief.get(domain, {})
            self._manager.take(domain, self._modules.slots(self._history, text, domain, known))
            done = self._manager.serve(domain, books=intent == BOOKING_REQUEST)
        shown = {"history": self._said_lately(), "user": text, "intent": _after(intent, done)}
        message = self._modules.response({**shown, **done})
        self._manager.said(message)
        self._history += [_said("user", text), _said("assistant", message)]
        return Reply(message, state=self._manager.belief, usage=self._client.take_usage())

    def _said_lately(self) -> list[str]:
        """What the response is shown of the dialogue: the last exchange."""
        return [message["content"] for message in self._history[-2:]]


def _said(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}


def _after(intent: str, done: dict[str, Any]) -> str:
    """The intent as it stands after the manager has acted (A.7.5 names these, too)."""
    booking = done.get("booking") or {}
    if intent == BOOKING_REQUEST and booking:
        return "booking-success" if "made" in booking else "booking-failure"
    if "database" in done and intent != BOOKING_REQUEST:
        return "dbretrieval-success" if done["database"].get("count") else "dbretrieval-failure"
    return intent
