"""Plain functions as the tools of a backend."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.core.dialogue import ToolCall
from pytest_todeval.errors import known_names
from pytest_todeval.simulation.systems.chat.function import FunctionTool


def with_tools(
    backend: Any, tools: Sequence[Callable[..., Any] | tuple[Mapping[str, Any], Callable[..., Any]]]
) -> "FunctionBackend":
    """Returns the backend with these functions as its tools: `tools`, `call` and `trace`.

    A function's schema comes of its signature and docstring; a parameter `backend` is given the
    backend. Raises UsageError for a function that can be no tool.
    """
    return FunctionBackend(backend, FunctionTool.all_of(tools))


class FunctionBackend:
    """A backend, and tools that work on it; all else it is asked for is the backend's own."""

    def __init__(self, backend: Any, tools: Sequence[FunctionTool]) -> None:
        self._backend = backend
        self._functions = {tool.name: tool for tool in tools}
        self.trace: list[ToolCall] = []
        """Every call, refused ones included."""

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """Returns the tools' schemas, as chat-completions APIs take them."""
        return [tool.schema for tool in self._functions.values()]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """What the function returns. Raises ToolRefused for an unknown tool and wrong arguments."""
        try:
            if tool not in self._functions:
                known = known_names(tool, self._functions)
                raise ToolRefused(f"there is no tool {tool!r:.80}; {known}")
            result = self._functions[tool].call(arguments, self._backend)
        except Exception as error:
            self.trace.append(ToolCall(tool, arguments, error=str(error)))
            raise
        self.trace.append(ToolCall(tool, arguments, result))
        return result

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._backend, name)
