"""Modular-Prog of clem:todd (3.3.2): intent, slots, manager, response, in this order each turn."""

from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.research.systems.dialogue_manager import DialogueManager
from pytest_todeval.research.systems.modules import BOOKING_REQUEST, NO_DOMAIN, Modules
from pytest_todeval.research.systems.system import CLEM_TODD, BotSetup, PaperSystem, said_before


class ModularProgSystem(PaperSystem):
    """Four modules in a fixed order: models for intent, slots and response, a program as manager.

        @pytest.fixture(scope="session")
        def tod_system():
            return ModularProgSystem("gpt-4o-mini")

    Its belief state is that of its manager.
    """

    _figures = CLEM_TODD

    def _bot(self, setup: BotSetup) -> "ModularProgBot":
        return ModularProgBot(setup, Modules(setup.client, self._prompts, setup.tools))


class ModularProgBot:
    """One dialogue of a `ModularProgSystem`."""

    def __init__(self, setup: BotSetup, modules: Modules) -> None:
        self._client, self._modules = setup.client, modules
        self._manager = DialogueManager(setup.tools)
        self._history = said_before(setup.opening)

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user."""
        intent, domain = self._modules.intent(self._history, text)
        done: dict[str, Any] = {}
        if domain != NO_DOMAIN:
            known = self._manager.belief.get(domain, {})
            self._manager.take(domain, self._modules.slots(self._history, text, domain, known))
            done = self._manager.serve(domain, books=intent == BOOKING_REQUEST)
        lately = [message["content"] for message in self._history[-2:]]
        shown = {"history": lately, "user": text, "intent": _after(intent, done)}
        message = self._modules.response({**shown, **done})
        self._manager.said(message)
        self._history += [_said("user", text), _said("assistant", message)]
        return Reply(message, state=self._manager.belief, usage=self._client.take_usage())


def _said(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}


def _after(intent: str, done: dict[str, Any]) -> str:
    """Returns the intent as it stands after the manager has acted (A.7.5 names these, too)."""
    booking = done.get("booking") or {}
    if intent == BOOKING_REQUEST and booking:
        return "booking-success" if "made" in booking else "booking-failure"
    if "database" in done and intent != BOOKING_REQUEST:
        return "dbretrieval-success" if done["database"].get("count") else "dbretrieval-failure"
    return intent
