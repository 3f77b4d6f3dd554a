"""A model that answers by exactly one call of a declared schema, and what becomes of other answers.

Each answer that is no such call breaks the protocol (`core.protocol`). Where that is not strict,
the model is told what is wrong and asked again; words may be taken for a call that says them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_todeval import log
from pytest_todeval.core.dialogue import Usage
from pytest_todeval.core.protocol import Breach, violated, wrong_call
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion, sendable
from pytest_todeval.models.reading.objects import find_objects
from pytest_todeval.models.reading.reader import Unreadable
from pytest_todeval.models.tool_calls import ReadCall, assistant_message, read_calls
from pytest_todeval.models.usage import Spent
from pytest_todeval.research.systems.call_schema import FOLLOW_UP, MESSAGE
from pytest_todeval.simulation.systems.chat.turn import EndlessCalls

SHOWN = 300
MOST_WRONG = 3
"""Answers in a row that are no call of the schema before the bot gives up."""


class MeteredClient(ChatClient):
    """A client for one dialogue's bot: it adds up what its answers took, and times them."""

    def __init__(self, client: ChatClient) -> None:
        super().__init__(client.settings)
        self._inner = client
        self.doing = "model"
        """The name of the spans of its answers: the module that asks."""
        self._spent: list[Spent] = []

    def complete(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> Completion:
        """As a `ChatClient` does it."""
        with log.span(self.doing):
            answer = self._inner.complete(messages, **options)
        self._spent.append(answer.spent)
        return answer

    def take_usage(self) -> Usage:
        """Returns the tokens since this was asked last."""
        spent, self._spent = self._spent, []
        return Usage(sum(s.prompt_tokens for s in spent), sum(s.completion_tokens for s in spent))


@dataclass
class CallConversation:
    """Messages to and from a model whose answers are calls."""

    client: MeteredClient
    name: str
    """The module that asks: of its spans, and in errors."""
    messages: list[dict[str, Any]]
    wrong_in_a_row: int = 0

    def hear(self, text: str) -> None:
        """Something for the model to read."""
        self.messages.append({"role": "user", "content": sendable(text)})

    def tell(self, call: ReadCall, content: str) -> None:
        """What came of a call."""
        if call.id:
            self.messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": sendable(content)}
            )
        else:
            self.hear(content)

    def next_call(self, schemas: Sequence[Mapping[str, Any]]) -> ReadCall:
        """Returns the next call of the model that keeps to the schemas.

        Words in place of a call stand for a follow-up, if there is one among the schemas. Raises
        EndlessCalls after several answers in a row that are none; ProtocolViolated for the first if
        the protocol is strict.
        """
        while True:
            self.client.doing = self.name
            answer = self.client.complete(self.messages, tools=schemas)
            call, told = self._read(answer, schemas)
            if not told:
                self.wrong_in_a_row = 0
                return call
            self.wrong_in_a_row += 1
            if self.wrong_in_a_row >= MOST_WRONG:
                raise EndlessCalls(f"{self.name}: {MOST_WRONG} answers in a row: {told}")
            self.tell(call, f"Error: {told}")

    def _read(
        self, answer: Completion, schemas: Sequence[Mapping[str, Any]]
    ) -> tuple[ReadCall, str]:
        """Returns the call that an answer is, and what is wrong with it; the answer is kept."""
        made = sum(message["role"] == "tool" for message in self.messages)
        calls = read_calls(answer, made)
        if not calls or answer.refusal:
            return self._words(answer.refusal or answer.text, schemas)
        if len(calls) > 1:
            names = ", ".join(call.name for call in calls)
            violated(Breach.SEVERAL_CALLS, f"{len(calls)} calls at once: {names:.{SHOWN}}")
        call = calls[0]
        self.messages.append(assistant_message("", [call]))
        if call.wrong:
            violated(Breach.UNREADABLE_CALL, f"{call.name:.80}: {call.wrong}")
            return call, call.wrong
        return call, _held_against(call, schemas)

    def _words(self, text: str, schemas: Sequence[Mapping[str, Any]]) -> tuple[ReadCall, str]:
        violated(Breach.NO_CALL, f"{text!r:.{SHOWN}} is no call")
        self.messages.append({"role": "assistant", "content": text or "(nothing)"})
        call = _call_in(text)
        if call is not None:
            return call, _held_against(call, schemas)
        said = ReadCall("", FOLLOW_UP, {MESSAGE: text}, "{}")
        if text.strip() and "{" not in text and not wrong_call(schemas, FOLLOW_UP, said.arguments):
            return said, ""
        return said, "answer by one call of the functions that you were given, and without words"


def _held_against(call: ReadCall, schemas: Sequence[Mapping[str, Any]]) -> str:
    found = wrong_call(schemas, call.name, call.arguments)
    if found is None:
        return ""
    violated(*found)
    return found[1]


def _call_in(text: str) -> ReadCall | None:
    """A call written as text, `{"name": ..., "arguments": {...}}`, as models without tools do."""
    try:
        objects, _ = find_objects(text)
    except Unreadable:
        return None
    if len(objects) != 1:
        return None
    found = objects[0].get("function", objects[0])
    name = found.get("name") if isinstance(found, dict) else None
    arguments = found.get("arguments", found.get("parameters")) if isinstance(found, dict) else None
    if not isinstance(name, str) or not isinstance(arguments, dict):
        return None
    return ReadCall("", name, arguments, "{}")
