"""The tools of one dialogue: those of its backend, or functions."""

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused, calls_of, steps_of
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.simulation.systems.chat.function import FunctionTool, name_in


class Tools(ABC):
    """What a model may call in one dialogue; `backend` is the dialogue's."""

    first_call_only = False
    """Whether only the first call of an answer counts."""
    verbatim = False
    """Whether the model reads the tools' own answers, and nothing beside them."""
    asks_again = True
    """Whether a model that says nothing is asked once more."""

    def __init__(self, schemas: Sequence[Mapping[str, Any]], backend: Any) -> None:
        self.schemas = tuple(schemas)
        """In the form chat-completions APIs take."""
        self._backend = backend

    @property
    def finished(self) -> bool:
        """Says whether a call has ended the dialogue."""
        return False

    def steps_left(self, replies: int) -> float:
        """Replies and calls that the backend allows the dialogue yet, after so many replies."""
        most = steps_of(self._backend)
        return math.inf if most is None else most - replies - calls_of(self._backend)

    @abstractmethod
    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Calls a tool. Raises ToolRefused if there is none of this name, or if it says no."""


class BackendTools(Tools):
    """The tools of a backend, which checks the arguments itself."""

    def __init__(self, backend: Any) -> None:
        tools = getattr(backend, "tools", ())
        if isinstance(tools, str | Mapping) or not isinstance(tools, Sequence):
            raise UsageError(
                f"the `tools` of the backend {type(backend).__name__} are {type(tools).__name__}, "
                "expected a list of JSON schemas; or give ChatSystem `tools` of your own"
            )
        super().__init__(tools, backend)
        self._names = [name_in(schema, "backend.tools") for schema in self.schemas]
        self.first_call_only = bool(getattr(backend, "first_call_only", False))
        self.verbatim = bool(getattr(backend, "verbatim", False))
        self.asks_again = bool(getattr(backend, "asks_again", True))

    @property
    def finished(self) -> bool:
        """Says whether a call has ended the dialogue."""
        return bool(getattr(self._backend, "finished", False))

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Returns what the backend's tool returns."""
        if not self.verbatim:  # else the backend has an answer of its own, and counts the call
            _check_known(name, self._names)
        return self._backend.call(name, **arguments)


class FunctionTools(Tools):
    """Functions as tools; a parameter `backend` of theirs is given the dialogue's."""

    def __init__(self, tools: Sequence[FunctionTool], backend: Any) -> None:
        super().__init__([tool.schema for tool in tools], backend)
        self._tools = {tool.name: tool for tool in tools}

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Returns what the function returns."""
        _check_known(name, self._tools)
        return self._tools[name].call(arguments, self._backend)


def _check_known(name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ToolRefused(f"there is no tool {name!r:.80}: {known_names(name, names)}")
