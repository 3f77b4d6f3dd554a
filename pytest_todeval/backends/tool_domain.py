"""A domain of tools over tables, in the shape of tau-bench: what a task is played in."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pytest_todeval.errors import UsageError, known_names

__all__ = ["Tool", "ToolDomain"]

Tables = Mapping[str, Mapping[str, Any]]
"""Table -> id -> record (plain JSON)."""


@runtime_checkable
class Tool(Protocol):
    """One tool: `invoke` gets the tables, which it may change, and answers text."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """Its JSON schema, in the form chat-completions APIs take."""
        ...

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        """Call it; whatever it raises is told to the bot."""
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
