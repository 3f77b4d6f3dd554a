"""What the adapters share: calls with their results, usage added up, and an agent's output."""

import json
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any

from pytest_todeval.core.dialogue import Usage
from pytest_todeval.core.tool_calls import ToolCall
from pytest_todeval.errors import UsageError


def framework(module: str, package: str) -> Any:
    """A module of a framework. Raises UsageError, naming the package, if it is not installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and module.startswith(error.name.partition(".")[0]):
            raise UsageError(f"{module} is not installed: pip install {package}") from None
        raise


def made(value: Any) -> Any:
    """Returns what belongs to one dialogue: made by a class or function, else the value itself."""
    return value() if callable(value) else value


def arguments_of(given: Any) -> Mapping[str, Any]:
    """Returns the arguments of a call, which frameworks keep as JSON text or as a mapping."""
    if isinstance(given, str):
        try:
            given = json.loads(given or "{}")
        except (ValueError, RecursionError):
            return {"arguments": given}
    return given if isinstance(given, Mapping) else {}


class Calls:
    """The tool calls of a turn, in order; results are matched by the ids of calls."""

    def __init__(self) -> None:
        self._calls: dict[Any, ToolCall] = {}
        self._finished: set[Any] = set()

    def called(self, id: Any, name: str, arguments: Any) -> None:
        """Adds a call whose result is still to come."""
        self._calls[id] = ToolCall(name, arguments_of(arguments))

    def reported(self, id: Any, call: ToolCall) -> None:
        """Puts a call in place of the one that has this id."""
        self._calls[id] = call

    def came_back(self, id: Any, result: Any, error: str | None = None) -> None:
        """Gives the call its result or its error."""
        if (call := self._calls.get(id)) is not None:
            self._finished.add(id)
            self._calls[id] = ToolCall(
                call.name, call.arguments, plain(result) if error is None else None, error
            )

    def all(self) -> tuple[ToolCall, ...]:
        """All calls of the turn."""
        return tuple(self._calls.values())

    def take_finished(self) -> tuple[ToolCall, ...]:
        """The calls that came back; the others stay."""
        found = tuple(self._calls.pop(id) for id in [*self._calls] if id in self._finished)
        self._finished.clear()
        return found


def plain(value: Any) -> Any:
    """Returns a tool's result as plain JSON."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    try:
        return json.loads(json.dumps(value, default=str))
    except (TypeError, ValueError):
        return str(value)


def usage_of(pairs: Iterable[tuple[int | None, int | None]]) -> Usage | None:
    """The tokens of a turn, from prompt and completion tokens of each request; None without any."""
    known = [(prompt or 0, completion or 0) for prompt, completion in pairs]
    if not any(map(any, known)):
        return None
    return Usage(sum(prompt for prompt, _ in known), sum(completion for _, completion in known))


def text_of(output: Any, text: Callable[[Any], str] | None, system: str) -> str:
    """Returns what of an agent's output the user reads. Raises UsageError if nobody has said it."""
    if text is not None:
        return text(output)
    if isinstance(output, str) or output is None:
        return output or ""
    names = [*getattr(type(output), "model_fields", ())] or [*vars(output)]
    raise UsageError(
        f"the agent's output is a {type(output).__name__}, and nothing says what of it the user "
        f"reads: write {system}(agent, text=lambda output: output.{(names or ['...'])[0]}). "
        f"It has: {', '.join(names)}"
    )
