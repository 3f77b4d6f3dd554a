"""The tools that a user has of its own, and where they come from (tau2-bench: dual control)."""

import socket
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.errors import BackendError, TodevalError, UsageError

OUT_OF_REACH = (ConnectionError, TimeoutError, socket.gaierror)


class UserTools(Protocol):
    """What the user of one dialogue may call."""

    @property
    def schemas(self) -> Sequence[Mapping[str, Any]]:
        """In the form chat-completions APIs take."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Returns what came of it; `Error: ...` if there is no such tool, or if it says no."""
        ...


def tools_of(backend: object) -> UserTools | None:
    """The user's tools of a backend with `user_tools` (schemas) and `call_user(tool, **arguments)`.

    None if it has none. What a tool raises is told to the model as `Error: ...`; if the
    backend itself breaks or is not reached, BackendError. Raises UsageError if `user_tools` are
    no list of schemas.
    """
    schemas, call = getattr(backend, "user_tools", None), getattr(backend, "call_user", None)
    if not schemas or not callable(call):
        return None
    names_of(schemas, f"`user_tools` of the backend {type(backend).__name__}")
    return _BackendTools(tuple(schemas), call)


def names_of(schemas: object, whose: str) -> tuple[str, ...]:
    """The names of the tools. Raises UsageError for what is no list of schemas; `whose` it is."""
    listed = schemas if isinstance(schemas, Sequence) else [None]
    names = [_name(schema) for schema in listed]
    if None in names:
        raise UsageError(
            f"the {whose} are {schemas!r:.80}, expected a list of JSON schemas, e.g. "
            '[{"type": "function", "function": {"name": "look", "parameters": {...}}}]'
        )
    return tuple(str(name) for name in names)


def _name(schema: object) -> str | None:
    function = schema.get("function") if isinstance(schema, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    return name if isinstance(name, str) and name else None


class _BackendTools:
    def __init__(self, schemas: Sequence[Mapping[str, Any]], call: Callable[..., object]) -> None:
        self.schemas = schemas
        self._call = call

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        try:
            result = self._call(name, **arguments)
        except ToolRefused as refusal:
            return _error(str(refusal))
        except TodevalError:
            raise
        except OUT_OF_REACH as error:
            raise BackendError(f"the user's tool {name!r:.80} was not reached: {error}") from error
        except Exception as error:
            return _error("".join(traceback.format_exception_only(error)).strip())
        if not isinstance(result, str):
            raise BackendError(
                f"the user's tool {name!r:.80} gave {type(result).__name__}, expected text"
            )
        return result


def _error(why: str) -> str:
    return why if why.startswith("Error:") else f"Error: {why}"
