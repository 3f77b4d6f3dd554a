"""The modules of clem:todd's modular systems: intent, slots, response (templates A.7.5 to A.7.7).

Each is a prompt and a schema of one call; none keeps anything between two turns.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.backends.protocol import tool_schema
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.reading.reader import one_of
from pytest_todeval.research.systems.call_schema import FOLLOW_UP_SCHEMA, MESSAGE
from pytest_todeval.research.systems.calling import CallConversation, MeteredClient
from pytest_todeval.research.systems.venue_tools import VenueTools

BOOKING_REQUEST = "booking-request"
INTENTS = (
    *(BOOKING_REQUEST, "booking-success", "booking-failure"),
    *("dbretrieval-request", "dbretrieval-success", "dbretrieval-failure", "detection-unknown"),
)
"""The intents of template A.7.5."""
NO_DOMAIN = "donotcare"
MOST_SAID = 20
"""Messages before this one that a module is shown."""


class Modules:
    """The three modules over one model."""

    def __init__(self, client: MeteredClient, prompts: Prompts, tools: VenueTools) -> None:
        self._client, self._prompts, self._tools = client, prompts, tools

    def intent(self, history: Sequence[Mapping[str, str]], user: str) -> tuple[str, str]:
        """Returns what the user wants, one of `INTENTS`, and in which domain (or `NO_DOMAIN`)."""
        domains = [*self._tools.domains, NO_DOMAIN]
        parts = {"intent": one_of(INTENTS), "domain": one_of(domains)}
        means = "Tell the intent and the domain of the user's message."
        call = tool_schema("detectintent", means, parts, list(parts))
        found = self._asked(
            "intent",
            call,
            {"history": _lately(history), "user": user},
            domains=_listed(domains),
            intents=_listed(INTENTS),
        )
        return str(found["intent"]), str(found["domain"])

    def slots(
        self,
        history: Sequence[Mapping[str, str]],
        user: str,
        domain: str,
        known: Mapping[str, str],
    ) -> dict[str, str]:
        """Returns the slots that the user's message tells or takes back (an empty value)."""
        means = "Tell the slots of the user's message."
        call = tool_schema("extractslots", means, self._tools.texts(domain), ())
        shown = {"history": _lately(history), "domain": domain, "state": dict(known), "user": user}
        found = self._asked("slots", call, shown)
        return {slot: str(value) for slot, value in found.items()}

    def response(self, shown: Mapping[str, Any]) -> str:
        """Returns what the bot says, given what is known."""
        return str(self._asked("response", FOLLOW_UP_SCHEMA, shown)[MESSAGE])

    def _asked(
        self, module: str, call: Mapping[str, Any], shown: Mapping[str, Any], **places: str
    ) -> Mapping[str, Any]:
        text = json.dumps(shown, ensure_ascii=False, indent=1)
        messages = self._prompts.get(f"modular_{module}").render(input=text, **places)
        conversation = CallConversation(self._client, module, [dict(m) for m in messages])
        return conversation.next_call([call]).arguments


def _listed(names: Sequence[str]) -> str:
    return "\n".join(f"- {name}" for name in names)


def _lately(history: Sequence[Mapping[str, str]]) -> list[str]:
    who = {"user": "User", "assistant": "System"}
    return [f"{who.get(m['role'], m['role'])}: {m['content']}" for m in history[-MOST_SAID:]]
