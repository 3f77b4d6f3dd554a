"""One turn of a chat bot: the model is asked, its tools are run, until it says something."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_todeval import log
from pytest_todeval.core.dialogue import ToolCall, Usage
from pytest_todeval.core.protocol import Breach, is_held, violated, wrong_call
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import Completion, sendable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.tool_calls import CUT, ReadCall, assistant_message, read_calls
from pytest_todeval.simulation.systems.chat.observation import attempted
from pytest_todeval.simulation.systems.chat.tools import Tools

PATIENCE = 3
"""From this many equal calls in a row on, the model is told that it repeats itself."""
TOLD = ("Error:", "Unknown action")
"""How tau-bench's tools tell an error; it is passed on word for word."""


class EndlessCalls(Exception):
    """A model wanted more rounds of tool calls in one turn than `max_steps`: the bot's failure."""


class ChatTurn:
    """What the bot does between the words of the user and its answer."""

    def __init__(
        self,
        client: ChatClient,
        tools: Tools,
        messages: Sequence[Mapping[str, Any]],
        prompts: Prompts,
    ) -> None:
        self.messages = list(messages)
        self.calls: list[ToolCall] = []
        self._client, self._tools, self._prompts = client, tools, prompts
        self._answers: list[Completion] = []
        self._repeated: tuple[tuple[str, str], int] = (("", ""), 0)

    @property
    def usage(self) -> Usage:
        """Returns the tokens of all answers; what they cost, prices tell."""
        spent = [answer.spent for answer in self._answers]
        return Usage(sum(s.prompt_tokens for s in spent), sum(s.completion_tokens for s in spent))

    def answer(self, max_steps: int, replies: int) -> str:
        """Returns what the bot says in the end, after so many `replies` in the dialogue before.

        Empty if the model said nothing, asked twice, and if its calls have used up the steps
        of the dialogue. What it says beside tool calls is kept for the model and not told to the
        user. Raises EndlessCalls.
        """
        for step in range(max_steps + 1):
            answer = self._asked()
            if answer.refusal or not answer.tool_calls:
                return self._said(answer)
            if step < max_steps:
                self._run(answer)
                if self._tools.finished:
                    # tau-bench takes a message with a call for the call: its text is not said
                    return "" if self._tools.first_call_only else answer.text
                if self._tools.steps_left(replies) <= 0:
                    return ""
        told = (
            f"after {max_steps} rounds of tool calls the model asks for another one "
            f"({', '.join(call.name for call in answer.tool_calls):.200}) instead of answering"
        )
        violated(Breach.ENDLESS, told)
        raise EndlessCalls(told)

    def _asked(self) -> Completion:
        answer = self._complete(self.messages)
        silent = not (answer.text.strip() or answer.refusal or answer.tool_calls)
        if silent and self._tools.asks_again:
            reminder = self._prompts.get("chat_empty").render()
            answer = self._complete([*self.messages, *reminder])
        return answer

    def _complete(self, messages: Sequence[Mapping[str, Any]]) -> Completion:
        answer = self._client.complete(messages, tools=self._tools.schemas)
        self._answers.append(answer)
        _report(answer)
        if self._tools.first_call_only:
            return replace(answer, tool_calls=answer.tool_calls[:1])
        return answer

    def _said(self, answer: Completion) -> str:
        text = answer.refusal or answer.text
        self.messages.append({"role": "assistant", "content": text})
        return text

    def _run(self, answer: Completion) -> None:
        """Run the calls of an answer one after the other, and answer each."""
        made = sum(message["role"] == "tool" for message in self.messages)
        calls = read_calls(answer, made)
        self.messages.append(assistant_message(answer.text, calls))
        for call in calls:
            content = self._observation(call) + self._note(call)
            self.messages.append({"role": "tool", "tool_call_id": call.id, "content": content})

    def _observation(self, call: ReadCall) -> str:
        self._hold_to_protocol(call)
        if not call.wrong:
            result, text, error = attempted(lambda: self._tools.call(call.name, call.arguments))
        else:
            result, text, error = None, "", call.wrong
        # Also through the log, so that a turn that fails later does not lose it.
        log.tool_call(call.name, call.arguments, result=result, error=error)
        self.calls.append(ToolCall(call.name, call.arguments, result, error))
        if error is not None:
            text = error if error.startswith(TOLD) else f"Error: {error}"
        return sendable(text)

    def _hold_to_protocol(self, call: ReadCall) -> None:
        """Tells if a call is none, or none that was declared; raises if the protocol is strict."""
        if not is_held():
            return
        if call.wrong:
            violated(Breach.UNREADABLE_CALL, f"{call.name:.80}: {call.wrong}")
        elif found := wrong_call(self._tools.schemas, call.name, call.arguments):
            violated(*found)

    def _note(self, call: ReadCall) -> str:
        if self._tools.verbatim:
            return ""
        before, count = self._repeated
        count = count + 1 if call.identity == before else 1
        self._repeated = call.identity, count
        if count < PATIENCE:
            return ""
        (note,) = self._prompts.get("chat_repeated").render(count=str(count))
        return f"\n\n{note['content']}"


def _report(answer: Completion) -> None:
    """A span for each answer of the model; its name tells if it is not a plain one."""
    kind = "refused" if answer.refusal else "cut off" if answer.finish in CUT else ""
    name = f"model ({kind})" if kind else "model"
    record = {"span": name, "seconds": answer.spent.latency}
    logging.getLogger(log.LOGGER_NAME).info("span", extra=record)
