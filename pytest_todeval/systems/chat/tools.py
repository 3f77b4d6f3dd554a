"""The tools of one dialogue: those of its backend, or functions."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from pytest_todeval.backends.protocol import ToolRefused, calls_of, steps_of
from pytest_todeval.errors import UsageError, known_names
from pytest_todeval.systems.chat.function import FunctionTool, name_in


class Tools(Protocol):
    """What a model may call in one dialogue."""

    @property
    def schemas(self) -> Sequence[Mapping[str, Any]]:
        """In the form chat-completions APIs take."""
        ...

    @property
    def finished(self) -> bool:
        """Whether a call has ended the dialogue."""
        ...

    @property
    def first_call_only(self) -> bool:
        """Whether only the first call of an answer counts."""
        ...

    @property
    def verbatim(self) -> bool:
        """Whether the model reads the tools' own answers, and nothing beside them."""
        ...

    @property
    def asks_again(self) -> bool:
        """Whether a model that says nothing is asked once more."""
        ...

    def steps_left(self, replies: int) -> float:
        """Replies and calls that the dialogue may have yet, after so many replies."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool. Raises ToolRefused if there is none of this name, or if it says no."""
        ...


class BackendTools:
    """The tools of a backend, which checks the arguments itself."""

    def __init__(self, backend: Any) -> None:
        tools = getattr(backend, "tools", ())
        if isinstance(tools, str | Mapping) or not isinstance(tools, Sequence):
            raise UsageError(
                f"the `tools` of the backend {type(backend).__name__} are {type(tools).__name__}, "
                "expected a list of JSON schemas; or give ChatSystem `tools` of your own"
            )
        self.schemas = tuple(tools)
        self._names = [name_in(schema, "backend.tools") for schema in self.schemas]
        self._backend = backend
        self.first_call_only = bool(getattr(backend, "first_call_only", False))
        self.verbatim = bool(getattr(backend, "verbatim", False))
        self.asks_again = bool(getattr(backend, "asks_again", True))

    @property
    def finished(self) -> bool:
        """Whether a call has ended the dialogue."""
        return bool(getattr(self._backend, "finished", False))

    def steps_left(self, replies: int) -> float:
        """As the backend allows and counts them."""
        return _steps_left(self._backend, replies)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """What the backend's tool returns."""
        if not self.verbatim:  # else the backend has an answer of its own, and counts the call
            _check_known(name, self._names)
        return self._backend.call(name, **arguments)


class FunctionTools:
    """Functions as tools; a parameter `backend` of theirs is given the dialogue's."""

    finished = False
    first_call_only = False
    verbatim = False
    asks_again = True

    def __init__(self, tools: Sequence[FunctionTool], backend: Any) -> None:
        self.schemas = tuple(tool.schema for tool in tools)
        self._tools = {tool.name: tool for tool in tools}
        self._backend = backend

    def steps_left(self, replies: int) -> float:
        """As the backend, which the functions may call, allows and counts them."""
        return _steps_left(self._backend, replies)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """What the function returns."""
        _check_known(name, self._tools)
        return self._tools[name].call(arguments, self._backend)


def _steps_left(backend: Any, replies: int) -> float:
    most = steps_of(backend)
    return math.inf if most is None else most - replies - calls_of(backend)


def _check_known(name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ToolRefused(f"there is no tool {name!r:.80}: {known_names(name, names)}")
