"""Graphs of LangGraph, agents of LangChain and other runnables as the bot."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_todeval.core.dialogue import Reply
from pytest_todeval.simulation.frameworks.parts import Calls, framework, usage_of

INTERRUPTED = "__interrupt__"


class LangGraphSystem:
    """A compiled graph whose state has `messages`, such as one of LangChain's `create_agent`.

    A graph with a checkpointer keeps the history itself, under a thread of each dialogue; another
    is given all messages each turn. What a graph asks by `interrupt(...)` is its reply, and the
    user's next words resume it. `state` are further keys of the input, `config` and `context` go to
    the graph as they are.
    """

    def __init__(
        self,
        graph: Any,
        *,
        state: Mapping[str, Any] | None = None,
        config: Mapping[str, Any] | None = None,
        context: Any = None,
    ) -> None:
        self._graph, self._state, self._config = graph, state or {}, config or {}
        self._more = {} if context is None else {"context": context}

    def __repr__(self) -> str:
        return f"<LangGraphSystem {getattr(self._graph, 'name', 'graph')}>"

    def __call__(self) -> "LangGraphBot":
        """Returns the bot of one dialogue."""
        own = {"thread_id": uuid.uuid4().hex, **self._config.get("configurable", {})}
        config = {**self._config, "configurable": own}
        return LangGraphBot(self._graph, self._state, {"config": config, **self._more})


class LangGraphBot:
    """One dialogue: one thread of a graph."""

    def __init__(self, graph: Any, state: Mapping[str, Any], run: dict[str, Any]) -> None:
        self._graph, self._state, self._run = graph, state, run
        self._keeps = bool(getattr(graph, "checkpointer", None))
        self._messages: list[Any] = []
        self._interrupted = False
        self._open = Calls()
        """Calls that an interrupt left without a result."""

    async def respond(self, text: str) -> Reply:
        """Returns the graph's answer, with its tool calls and tokens."""
        core = framework("langchain_core.messages", "langchain-core")
        told = core.HumanMessage(text)
        given: Any = {**self._state, "messages": [told] if self._keeps else [*self._messages, told]}
        if self._interrupted:
            given = framework("langgraph.types", "langgraph").Command(resume=text)
        before = {each.id for each in self._messages}
        known = len(self._messages)
        result = await self._graph.ainvoke(given, **self._run)
        self._messages = [*result["messages"]]
        asked = [str(each.value) for each in result.get(INTERRUPTED, ())]
        self._interrupted = bool(asked)
        # A graph may shorten its messages: what has an id that was not there is of this turn.
        ids = all(each.id for each in self._messages)
        new = [m for m in self._messages if m.id not in before] if ids else self._messages[known:]
        reply = reply_of(new, self._open)
        if not asked:
            self._open = Calls()
            return reply
        return Reply("\n".join(asked), tool_calls=self._open.take_finished(), usage=reply.usage)


class LangChainSystem:
    """A runnable that takes messages and answers with one or with text: `prompt | model`.

    `key` is the name under which a prompt takes the messages, if it takes a mapping.
    """

    def __init__(self, runnable: Any, key: str | None = None) -> None:
        self._runnable, self._key = runnable, key

    def __call__(self) -> "LangChainBot":
        """Returns the bot of one dialogue."""
        return LangChainBot(self._runnable, self._key)


class LangChainBot:
    """One dialogue, with its messages."""

    def __init__(self, runnable: Any, key: str | None) -> None:
        self._runnable, self._key = runnable, key
        self._messages: list[Any] = []

    async def respond(self, text: str) -> Reply:
        """Returns the runnable's answer."""
        core = framework("langchain_core.messages", "langchain-core")
        self._messages.append(core.HumanMessage(text))
        given = self._messages if self._key is None else {self._key: self._messages}
        answer = await self._runnable.ainvoke(given)
        if isinstance(answer, str):
            answer = core.AIMessage(answer)
        self._messages.append(answer)
        return reply_of([answer], Calls())


def reply_of(messages: Sequence[Any], calls: Calls) -> Reply:
    """The reply of a turn's messages, whose calls are added to those that are still open."""
    said, used = "", []
    for message in messages:
        if message.type == "ai":
            said = text_in(message.content) or said
            meta = message.usage_metadata or {}
            used.append((meta.get("input_tokens"), meta.get("output_tokens")))
            for call in message.tool_calls:
                calls.called(call["id"], call["name"], call["args"])
        elif message.type == "tool":
            failed = message.status == "error"
            text = text_in(message.content)
            calls.came_back(message.tool_call_id, _plain(text), text if failed else None)
    return Reply(said, tool_calls=calls.all(), usage=usage_of(used))


def text_in(content: Any) -> str:
    """Returns the text of a message, whose content may be a list of blocks."""
    if isinstance(content, str):
        return content
    blocks = (each if isinstance(each, str) else each.get("text", "") for each in content)
    return "".join(filter(None, blocks))


def _plain(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
