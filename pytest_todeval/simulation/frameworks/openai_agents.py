"""Agents of the OpenAI Agents SDK as the bot."""

from collections.abc import Callable
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.core.tool_calls import handoff
from pytest_todeval.simulation.frameworks.parts import Calls, framework, made, text_of, usage_of


class AgentsSystem:
    """An agent of the OpenAI Agents SDK, with all that it hands over to.

    `context` is a class or function that makes the context of one dialogue, or the context itself.
    `text` takes what the user reads from a structured output. `run` are further arguments of
    `Runner.run`, such as `max_turns` or `run_config`; without a `run_config` nothing is traced.
    """

    def __init__(
        self,
        agent: Any,
        *,
        context: Any = None,
        text: Callable[[Any], str] | None = None,
        **run: Any,
    ) -> None:
        self._agent, self._context, self._text, self._run = agent, context, text, run

    def __repr__(self) -> str:
        return f"<AgentsSystem {getattr(self._agent, 'name', '?')}>"

    def __call__(self) -> "AgentsBot":
        """Returns the bot of one dialogue. Raises UsageError if the SDK is not installed."""
        agents = framework("agents", "openai-agents")
        run = {"run_config": agents.RunConfig(tracing_disabled=True), **self._run}
        return AgentsBot(agents, self._agent, {"context": made(self._context), **run}, self._text)


class AgentsBot:
    """One dialogue: goes on with the agent that answered last."""

    def __init__(self, agents: Any, agent: Any, run: dict[str, Any], text: Any) -> None:
        self._agents, self._agent, self._run, self._text = agents, agent, run, text
        self._items: list[Any] = []

    async def respond(self, text: str) -> Reply:
        """Returns the answer of the agents, with their tool calls, hand-offs and tokens."""
        asked = [*self._items, {"role": "user", "content": text}]
        result = await self._agents.Runner.run(self._agent, asked, **self._run)
        self._items, self._agent = result.to_input_list(), result.last_agent
        used = (
            (each.usage.input_tokens, each.usage.output_tokens) for each in result.raw_responses
        )
        said = text_of(result.final_output, self._text, "AgentsSystem")
        return Reply(said, tool_calls=_calls(result.new_items), usage=usage_of(used))


def _calls(items: Any) -> tuple[Any, ...]:
    calls = Calls()
    for item in items:
        raw = item.raw_item
        if item.type in ("tool_call_item", "handoff_call_item"):
            name = _field(raw, "name") or _field(raw, "type")
            calls.called(_id(raw), str(name), _field(raw, "arguments"))
        elif item.type == "tool_call_output_item":
            calls.came_back(_id(raw), item.output)
        elif item.type == "handoff_output_item":
            calls.reported(_id(raw), handoff(item.target_agent.name))
    return calls.all()


def _id(raw: Any) -> Any:
    return _field(raw, "call_id") or _field(raw, "id")


def _field(raw: Any, name: str) -> Any:
    return raw.get(name) if isinstance(raw, dict) else getattr(raw, name, None)
