"""Agents of pydantic-ai as the bot."""

from collections.abc import Callable
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.core.tool_calls import ToolCall
from pytest_todeval.simulation.frameworks.parts import Calls, made, text_of, usage_of

UNREACHED = "ModelConnectionError"
"""What pydantic-ai raises if a model is not reached."""


class PydanticAISystem:
    """An agent of pydantic-ai.

    `deps` is a class or function that makes the dependencies of one dialogue, or the dependencies
    themselves. `text` takes what the user reads from a structured output. `run` are further
    arguments of `agent.run`.
    """

    def __init__(
        self, agent: Any, *, deps: Any = None, text: Callable[[Any], str] | None = None, **run: Any
    ) -> None:
        self._agent, self._deps, self._text, self._run = agent, deps, text, run

    def __repr__(self) -> str:
        return f"<PydanticAISystem {getattr(self._agent, 'name', None) or 'agent'}>"

    def __call__(self) -> "PydanticAIBot":
        """Returns the bot of one dialogue."""
        return PydanticAIBot(self._agent, {"deps": made(self._deps), **self._run}, self._text)


class PydanticAIBot:
    """One dialogue, with its message history."""

    def __init__(self, agent: Any, run: dict[str, Any], text: Any) -> None:
        self._agent, self._run, self._text = agent, run, text
        self._messages: list[Any] = []

    async def respond(self, text: str) -> Reply:
        """Returns the agent's answer, with its tool calls and tokens."""
        try:
            result = await self._agent.run(text, message_history=self._messages, **self._run)
        except Exception as error:
            if type(error).__name__ == UNREACHED:  # whose fault that is depends on the type
                raise ConnectionError(str(error)) from error
            raise
        self._messages, new = result.all_messages(), result.new_messages()
        used = ((each.input_tokens, each.output_tokens) for each in _usages(new))
        said = text_of(result.output, self._text, "PydanticAISystem")
        return Reply(said, tool_calls=_calls(new), usage=usage_of(used))


def _usages(messages: list[Any]) -> list[Any]:
    return [each.usage for each in messages if each.kind == "response"]


def _calls(messages: list[Any]) -> tuple[ToolCall, ...]:
    calls = Calls()
    for part in (part for message in messages for part in message.parts):
        if part.part_kind == "tool-call":
            calls.called(part.tool_call_id, part.tool_name, part.args)
        elif part.part_kind == "tool-return":
            calls.came_back(part.tool_call_id, part.content)
        elif part.part_kind == "retry-prompt" and part.tool_name is not None:
            calls.came_back(part.tool_call_id, None, part.model_response())
    return calls.all()
