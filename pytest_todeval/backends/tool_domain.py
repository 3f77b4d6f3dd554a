"""A domain of tools over tables, in the shape of tau-bench: what a task is played in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pytest_todeval.backends.protocol import ToolRefused, tool_schema
from pytest_todeval.errors import UsageError, known_names

Tables = Mapping[str, Mapping[str, Any]]
"""Table -> id -> record (plain JSON)."""


@runtime_checkable
class Tool(Protocol):
    """One tool: `invoke` gets the tables, which it may change, and answers text."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Returns its JSON schema, in the form chat-completions APIs take."""
        ...

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        """Calls it; whatever it raises is told to the bot."""
        ...


@dataclass(frozen=True, eq=False)
class ToolDomain:
    """Tables, tools and policy; loaded once per process and never changed.

    Raises UsageError if a tool is none (a plain function, say): a bot would be told that its call
    failed.

    Equal only to itself, so that what is worked out once per domain can be kept by it.
    """

    name: str
    """E.g. `tau_bench/retail`."""
    tables: Tables
    """As loaded. A dialogue works on a copy-on-write view."""
    tools: Mapping[str, Tool]
    policy: str
    terminating: frozenset[str] = frozenset()
    """Names of the tools that end the dialogue."""

    def __post_init__(self) -> None:
        for name, tool in self.tools.items():
            if not isinstance(tool, Tool):
                raise UsageError(
                    f"tool {name!r} of {self.name}: got {type(tool).__name__} {tool!r:.60}, "
                    "expected an object with `schema` and `invoke`, e.g. pytest_todeval.TableTool"
                )
        unknown = sorted(self.terminating - set(self.tools))
        if unknown:
            raise UsageError(
                f"terminating tools of {self.name}: there is no tool {unknown[0]!r}; "
                f"{known_names(unknown[0], self.tools)}"
            )


@dataclass(frozen=True)
class TableTool:
    """A tool of a `ToolDomain`: what a model is told of it, and what it does."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """Argument -> its JSON schema, e.g. `{"type": "string", "description": "..."}`."""
    required: tuple[str, ...]
    function: Callable[..., str]
    """Takes the tables, which it may change, and the arguments by name; answers text. It raises
    ToolRefused to say no, and then has changed nothing."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Returns its JSON schema, in the form chat-completions APIs take."""
        return tool_schema(self.name, self.description, self.parameters, self.required)

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        """Calls it on the tables. Raises ToolRefused if it says no."""
        unknown = sorted(set(arguments) - set(self.parameters))
        missing = [name for name in self.required if name not in arguments]
        if unknown or missing:
            what = f"takes no {unknown[0]!r:.60}" if unknown else f"needs {missing[0]!r}"
            raise ToolRefused(f"{self.name} {what}")
        return self.function(data, **arguments)
