"""The chat bot: one `ChatSystem` for a session, one `ChatBot` for each of its dialogues."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_todeval.backends.protocol import steps_of
from pytest_todeval.core.dialogue import Reply, Turn
from pytest_todeval.errors import InvalidFile, UsageError
from pytest_todeval.models.client import ChatClient
from pytest_todeval.models.completion import sendable
from pytest_todeval.models.prompt import Prompts
from pytest_todeval.models.settings import ModelSettings
from pytest_todeval.models.tool_calls import ReadCall, assistant_message
from pytest_todeval.simulation.systems.chat.function import Function, FunctionTool
from pytest_todeval.simulation.systems.chat.observation import observed
from pytest_todeval.simulation.systems.chat.tools import BackendTools, FunctionTools, Tools
from pytest_todeval.simulation.systems.chat.turn import ChatTurn

MAX_STEPS = 10


class ChatSystem:
    """A bot made of a chat model, instructions and tools, in one function-calling loop.

    It is the monolithic system of clem:todd (section 4.2, template A.7.2), but for two things: the
    model answers in plain text, while the paper makes it reply through a function as well (the
    protocol keeps text and calls apart by itself), and it may make several calls before it answers.

        @pytest.fixture(scope="session")
        def tod_system():
            return ChatSystem("gpt-4o-mini", instructions="You book hotels. ...")

    `instructions` are text or the Path of a text file; without any, the backend's `policy` if it
    has one, else those of the prompt document `chat_system`. `tools` are Python functions, or pairs
    of a JSON schema (in the form chat-completions APIs take) and a function; without any, the tools
    of the `backend` fixture, if it has some. `max_steps` is the number of rounds of tool calls
    in one turn; without it the backend's own, or 10. `prompts` is a folder with prompt documents
    that replace the shipped ones (`chat_*`).

    A tool that ends the dialogue (`backend.finished`) ends the turn, and so does the last step that
    the backend allows the dialogue (`backend.max_steps`). If the backend wants one call at a
    time (`backend.first_call_only`, as tau-bench does) the others of an answer are dropped; if
    its answers are to be read as they are (`backend.verbatim`) nothing is added to them.

    Raises UsageError for what is none of this, InvalidFile for a file that cannot be read.
    """

    def __init__(
        self,
        model: str | ModelSettings | ChatClient,
        instructions: str | Path | None = None,
        tools: Sequence[Function | tuple[Mapping[str, Any], Function]] | None = None,
        *,
        max_steps: int | None = None,
        prompts: str | Path | None = None,
    ) -> None:
        if max_steps is not None and (type(max_steps) is not int or max_steps < 1):
            raise UsageError(f"max_steps is {max_steps!r}, expected a whole number above 0")
        self._client = ChatClient.of(model)
        self._prompts = Prompts(prompts)
        self._instructions = None if instructions is None else _text(instructions)
        self._functions = None if tools is None else FunctionTool.all_of(tools)
        self._max_steps = max_steps

    def __repr__(self) -> str:
        return f"<ChatSystem {self._client.model}>"

    def __call__(self, backend: Any = None, opening: Sequence[Turn] = ()) -> "ChatBot":
        """Returns the bot of one dialogue, which goes on from `opening`, tool calls included.

        Raises UsageError if the backend has `tools` and `call`, but not in our form.
        """
        tools = self._tools(backend)
        told = self._instructions or str(getattr(backend, "policy", "")).strip()
        told = sendable(told) or self._prompts.get("chat_system").messages[0][1]
        steps = self._max_steps or steps_of(backend) or MAX_STEPS
        before = [{"role": "system", "content": told}, *remembered(opening)]
        return ChatBot(self._client, before, tools, steps, self._prompts)

    def _tools(self, backend: Any) -> Tools:
        if self._functions is None and callable(getattr(backend, "call", None)):
            return BackendTools(backend)
        return FunctionTools(self._functions or (), backend)


class ChatBot:
    """One dialogue with a chat model: all messages so far, those to and from tools included."""

    def __init__(
        self,
        client: ChatClient,
        messages: Sequence[Mapping[str, Any]],
        tools: Tools,
        max_steps: int,
        prompts: Prompts,
    ) -> None:
        self._client, self._tools, self._max_steps = client, tools, max_steps
        self._prompts = prompts
        self._messages = list(messages)
        self._replies = 0

    def respond(self, text: str) -> Reply:
        """Answers one turn of the user; if it raises, the turn is as if it had not been.

        Raises EndlessCalls if the model still wants tools after `max_steps` rounds, and what the
        client and the tools raise if their endpoint or backend is not in order.
        """
        said = {"role": "user", "content": sendable(text)}
        turn = ChatTurn(self._client, self._tools, [*self._messages, said], self._prompts)
        answer = turn.answer(self._max_steps, self._replies)
        self._messages = turn.messages
        self._replies += 1
        return Reply(answer, tool_calls=tuple(turn.calls), usage=turn.usage)


def _text(instructions: str | Path) -> str:
    text = _read(instructions) if isinstance(instructions, Path) else instructions
    if not isinstance(text, str) or not text.strip():
        raise UsageError(
            f"instructions are {instructions!r:.60}, expected text, or the Path of a text file"
        )
    return sendable(text)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidFile(f"{path}: cannot be read: {error}") from None


def remembered(opening: Sequence[Turn]) -> list[dict[str, Any]]:
    """Returns the messages of user, bot and tools, as if the model had been there.

    The ids of the calls are ours, and the same in every run: cassettes match by them.
    """
    return [message for turn in opening for message in _messages(turn)]


def _messages(turn: Turn) -> Iterator[dict[str, Any]]:
    if turn.user:
        yield {"role": "user", "content": sendable(turn.user)}
    for number, call in enumerate(turn.tool_calls, 1):
        id, written = f"before_{-turn.index}_{number}", json.dumps(dict(call.arguments))
        made = ReadCall(id, call.name, call.arguments, written)
        yield assistant_message("", [made])
        told = observed(call.result)[1] if call.error is None else call.error
        yield {"role": "tool", "tool_call_id": made.id, "content": sendable(told)}
    yield {"role": "assistant", "content": sendable(turn.system)}
