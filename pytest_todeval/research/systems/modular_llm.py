"""Modular-LLM of clem:todd (3.3.2, template A.7.3): a model chooses the next module."""

import json
from collections.abc import Mapping
from typing import Any

from pytest_todeval.backends.protocol import tool_schema
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.models.reading.reader import one_of
from pytest_todeval.research.systems.call_schema import CallSchema
from pytest_todeval.research.systems.calling import CallConversation
from pytest_todeval.research.systems.modules import NO_DOMAIN, Modules
from pytest_todeval.research.systems.monolithic import MonolithicBot
from pytest_todeval.research.systems.system import CLEM_TODD, BotSetup, PaperSystem, said_before

NEXT = "processnextsubsystem"
INTENT, SLOTS, RESPONSE = "intent_detection", "slot_extraction", "response_generation"
MEANS = (
    "Hand over to a subsystem: intent_detection tells the intent and domain of the user's message, "
    "slot_extraction its slots in the `domain`, response_generation words a message from `data` "
    "(the rows, the booking, what is missing)."
)
LONGEST_DATA = 20_000
"""Characters of what the manager hands to the response."""


class ModularLLMSystem(PaperSystem):
    """A model as manager, which chooses module after module: intent, slots, response, look-ups and
    bookings, and at last what the user is told.

        @pytest.fixture(scope="session")
        def tod_system():
            return ModularLLMSystem("gpt-4o-mini")

    It takes any tools, those of tasks too. Its belief state is what slot extraction found, and what
    was looked up and booked with. Raises EndlessCalls after `max_steps` modules and calls in a
    turn.
    """

    _venues_only = False
    _figures = CLEM_TODD

    def _bot(self, setup: BotSetup) -> "ModularLLMBot":
        messages = self._instructed("modular_manager", setup)
        manager = CallConversation(setup.client, "manager", messages)
        calls = CallSchema(setup.tools, published=self._published)
        modules = Modules(setup.client, self._prompts, setup.tools)
        return ModularLLMBot(setup, manager, calls, modules, self._max_steps)


class ModularLLMBot(MonolithicBot):
    """One dialogue of a `ModularLLMSystem`."""

    def __init__(
        self,
        setup: BotSetup,
        manager: CallConversation,
        calls: CallSchema,
        modules: Modules,
        max_steps: int,
    ) -> None:
        super().__init__(setup, manager, calls, max_steps)
        self._modules, self._history = modules, said_before(setup.opening)
        self._schemas.insert(0, _next_subsystem([*setup.tools.domains, NO_DOMAIN]))

    def _made(self, name: str, arguments: Mapping[str, Any], text: str) -> str:
        if name != NEXT:
            return super()._made(name, arguments, text)
        found = self._subsystem(str(arguments["subsystem"]), arguments, text)
        return json.dumps(found, ensure_ascii=False)

    def _subsystem(self, name: str, arguments: Mapping[str, Any], text: str) -> dict[str, Any]:
        if name == INTENT:
            intent, domain = self._modules.intent(self._history, text)
            return {"intent": intent, "domain": domain}
        domain = str(arguments.get("domain", NO_DOMAIN))
        if name == RESPONSE:
            data = arguments.get("data", {})
            if len(json.dumps(data)) > LONGEST_DATA:
                return {"note": f"`data` is longer than {LONGEST_DATA} characters"}
            history = [message["content"] for message in self._history[-2:]]
            shown = {"history": history, "user": text, "domain": domain, "data": data}
            return {"message": self._modules.response(shown)}
        if domain == NO_DOMAIN:
            return {"slots": {}, "note": "name the domain whose slots are wanted"}
        state = self._calls.belief.setdefault(domain, {})
        found = self._modules.slots(self._history, text, domain, state)
        state.update(found)
        for taken_back in (slot for slot, value in found.items() if not value.strip()):
            del state[taken_back]
        return {"slots": found, "state": dict(state)}

    def _reply(self, text: str, message: str) -> Reply:
        said = [{"role": "user", "content": text}, {"role": "assistant", "content": message}]
        self._history += said
        return super()._reply(text, message)


def _next_subsystem(domains: list[str]) -> Mapping[str, Any]:
    parts = {
        "subsystem": one_of([INTENT, SLOTS, RESPONSE]),
        "domain": one_of(domains),
        "data": {"type": "object", "description": "what the response is to be made from"},
    }
    return tool_schema(NEXT, MEANS, parts, ["subsystem"])
