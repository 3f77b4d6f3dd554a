"""A tau2 task's message history, as the turns that its dialogue goes on from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_todeval.core.dialogue import ToolCall, Turn
from pytest_todeval.errors import InvalidFile

ROLES = ("user", "assistant", "tool")


def opening_of(messages: object, where: str) -> tuple[Turn, ...]:
    """The turns of `initial_state.message_history`, which the goal numbers; none if it is null.

    What the user called and was told by tools of its own is left out: no published task has any.
    The first turn has no words of the user if the agent greeted it.

    Raises InvalidFile, with `where` in front, for what is no history, and for one that does not end
    with the agent's words: whose turn it would be then, no published task tells.
    """
    if messages is None:
        return ()
    if not isinstance(messages, list):
        raise InvalidFile(f"{where}: found {type(messages).__name__}, expected messages, or null")
    reading = _HistoryReading()
    for number, message in enumerate(messages):
        reading.take(message, f"{where}[{number}]")
    if reading.user is not None or reading.calls:
        raise InvalidFile(f"{where}: ends before the agent has answered; expected its words last")
    return tuple(reading.turns)


@dataclass
class _HistoryReading:
    turns: list[Turn] = field(default_factory=list)
    user: str | None = None
    """What the user said and the agent has not answered yet."""
    calls: dict[str, ToolCall] = field(default_factory=dict)
    """The agent's since then, by id."""
    agent: list[str] = field(default_factory=list)
    """What it said beside its calls."""

    def take(self, message: object, where: str) -> None:
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(message, dict) or role not in ROLES:
            raise InvalidFile(f"{where}: expected a message with a role: {', '.join(ROLES)}")
        text, made = message.get("content"), message.get("tool_calls") or []
        if not isinstance(text, (str, type(None))) or not isinstance(made, list):
            raise InvalidFile(f"{where}: expected text in `content`, and a list in `tool_calls`")
        if role == "tool":
            self._answered(message, where)
        elif role == "assistant":
            self._agent(text or "", made, where)
        elif not made:
            self._spoken(text or "", where)

    def _spoken(self, text: str, where: str) -> None:
        if self.user is not None or self.calls or not text.strip():
            raise InvalidFile(f"{where}: expected words of the user, once in each turn")
        self.user = text

    def _agent(self, text: str, made: Sequence[object], where: str) -> None:
        if not made and not text.strip():
            raise InvalidFile(f"{where}: expected words of the agent, or calls")
        self.agent += [text] if text.strip() else []
        for number, call in enumerate(made):
            self._called(call, f"{where}.tool_calls[{number}]")
        if not made:
            said = "\n".join(self.agent)
            self.turns.append(Turn(0, self.user or "", said, tuple(self.calls.values())))
            self.user, self.calls, self.agent = None, {}, []

    def _called(self, call: object, where: str) -> None:
        given: Mapping[str, Any] = call if isinstance(call, dict) else {}
        id, name, arguments = given.get("id", ""), given.get("name"), given.get("arguments")
        if not (isinstance(name, str) and isinstance(arguments, dict) and isinstance(id, str)):
            raise InvalidFile(f"{where}: expected an object with `id`, `name` and `arguments`")
        if id in self.calls:
            raise InvalidFile(f"{where}: the id {id!r:.80} is that of a call before it")
        self.calls[id] = ToolCall(name, arguments)

    def _answered(self, message: Mapping[str, Any], where: str) -> None:
        if message.get("requestor", "assistant") == "user":
            return
        id, text = message.get("id", ""), message.get("content")
        if not isinstance(id, str) or id not in self.calls:
            raise InvalidFile(f"{where}: answers no call of the agent in its turn: id {id!r:.80}")
        came = {"error": text or "Error"} if message.get("error") is True else {"result": text}
        self.calls[id] = replace(self.calls[id], **came)
