"""The monolithic system of clem:todd (3.3.2, template A.7.2): one model, a schema of calls."""

import json
from collections.abc import Mapping
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import Reply
from pytest_todeval.core.protocol import Breach, violated
from pytest_todeval.research.systems.call_schema import FOLLOW_UP, MESSAGE, CallSchema
from pytest_todeval.research.systems.calling import CallConversation
from pytest_todeval.research.systems.system import CLEM_TODD, BotSetup, PaperSystem
from pytest_todeval.simulation.systems.chat.tools import BackendTools
from pytest_todeval.simulation.systems.chat.turn import TOLD, EndlessCalls

SAID = "(said to the user)"
"""What the model is told of a follow-up."""


class MonolithicSystem(PaperSystem):
    """One model that does everything by calls: it looks up, books, and speaks by `followup`.

        @pytest.fixture(scope="session")
        def tod_system():
            return MonolithicSystem("gpt-4o-mini")

    It takes any tools, those of tasks too, whose policy is added to its instructions. Its belief
    state is what it looks up and books with. Raises EndlessCalls after `max_steps` calls in a turn.
    """

    _venues_only = False
    _figures = CLEM_TODD

    def _bot(self, setup: BotSetup) -> "MonolithicBot":
        messages = self._instructed("monolithic_system", setup)
        conversation = CallConversation(setup.client, "model", messages)
        calls = CallSchema(setup.tools, published=self._published)
        return MonolithicBot(setup, conversation, calls, self._max_steps)


class MonolithicBot:
    """One dialogue of a `MonolithicSystem`."""

    def __init__(
        self, setup: BotSetup, conversation: CallConversation, calls: CallSchema, max_steps: int
    ) -> None:
        self._conversation, self._calls = conversation, calls
        self._tools, self._max_steps = BackendTools(setup.backend), max_steps
        self._schemas, self._replies = list(calls.schemas), 0

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user."""
        self._conversation.hear(text)
        for _ in range(self._max_steps + 1):
            call = self._conversation.next_call(self._schemas)
            if call.name == FOLLOW_UP:
                self._conversation.tell(call, SAID)
                return self._reply(text, str(call.arguments[MESSAGE]))
            self._conversation.tell(call, self._made(call.name, call.arguments, text))
            if is_over(self._tools, self._replies):
                return self._reply(text, "")
        told = f"after {self._max_steps} calls in one turn there is still no message to the user"
        violated(Breach.ENDLESS, told)
        raise EndlessCalls(told)

    def _made(self, name: str, arguments: Mapping[str, Any], text: str) -> str:
        """A call, made in answer to `text`: what the model is told of it, JSON or `Error: ...`."""
        try:
            found = self._calls.run(name, arguments)
        except ToolRefused as refusal:
            told = str(refusal)
            return told if told.startswith(TOLD) else f"Error: {told}"
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)

    def _reply(self, text: str, message: str) -> Reply:
        """The message that answers `text`; empty if the dialogue is over before there is one."""
        self._replies += 1
        usage = self._conversation.client.take_usage()
        return Reply(message, state=self._calls.belief, usage=usage)


def is_over(tools: BackendTools, replies: int) -> bool:
    """Says whether a call has ended the dialogue, or used up the steps of its task."""
    return tools.finished or tools.steps_left(replies) <= 0
