"""The calls that a user's model makes before it speaks."""

from dataclasses import dataclass
from typing import Any

from pytest_todeval.errors import SimulatorFault
from pytest_todeval.models.completion import Completion
from pytest_todeval.models.fence import fenced
from pytest_todeval.models.tool_calls import ReadCall, assistant_message, read_calls
from pytest_todeval.simulation.llm_user.conversation import shown
from pytest_todeval.simulation.llm_user.user_tools import UserTools

MOST_CALLS = 30
"""Calls before one message: more than any person makes between two sentences."""

Messages = list[dict[str, Any]]
"""A conversation as chat-completions APIs take it, calls of tools and their results included."""


@dataclass(frozen=True)
class Calling:
    """Runs the calls, and has their results for the model."""

    tools: UserTools
    told: list[str]
    """Where every result is kept, too."""

    def answered(self, answer: Completion, messages: Messages) -> Messages:
        """An answer's calls, run one after the other, and the results, as the model is sent them.

        `messages` are those before the answer. Raises SimulatorFault, and runs none of them, if
        the calls since the bot's last words are more than `MOST_CALLS`; BackendError.
        """
        made = _results(messages)
        since = _results(messages[last_heard(messages) :]) + len(answer.tool_calls)
        if since > MOST_CALLS:
            raise SimulatorFault(
                f"the user's model calls tools without end: {since} calls before one message, at "
                f"most {MOST_CALLS}; the last is {answer.tool_calls[-1].name!r:.80}"
            )
        calls = read_calls(answer, made)
        return [assistant_message(answer.text, calls), *(self._result(call) for call in calls)]

    def _result(self, call: ReadCall) -> dict[str, Any]:
        if call.wrong:
            result = f"Error: {call.wrong}"
        else:
            result = self.tools.call(call.name, call.arguments)
        told = shown(result)
        self.told.append(told)
        return {"role": "tool", "tool_call_id": call.id, "content": fenced("result", told)}


def _results(messages: Messages) -> int:
    return sum(message["role"] == "tool" for message in messages)


def last_heard(messages: Messages) -> int:
    """Returns where the bot's last message stands, which calls of tools may follow."""
    return max(at for at, message in enumerate(messages) if message["role"] == "user")
