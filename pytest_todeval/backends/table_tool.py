"""A tool over tables, told in words and made of a function."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused

__all__ = ["TableTool"]


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
        """Its JSON schema, in the form chat-completions APIs take."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": dict(self.parameters),
                    "required": list(self.required),
                    "additionalProperties": False,
                },
            },
        }

    def invoke(self, data: Any, /, **arguments: Any) -> str:
        """Call it on the tables. Raises ToolRefused if it says no."""
        unknown = sorted(set(arguments) - set(self.parameters))
        missing = [name for name in self.required if name not in arguments]
        if unknown or missing:
            what = f"takes no {unknown[0]!r:.60}" if unknown else f"needs {missing[0]!r}"
            raise ToolRefused(f"{self.name} {what}")
        return self.function(data, **arguments)
