"""What a tool returned, as plain JSON and as the text that the model reads; or why it did not."""

import json
import socket
import traceback
from collections.abc import Callable, Mapping, Set
from typing import Any

from pytest_todeval.backends.protocol import ToolRefused
from pytest_todeval.errors import TodevalError

Observation = tuple[Any, str]
"""The result as plain JSON, and as text."""
OUT_OF_REACH = (TodevalError, ConnectionError, TimeoutError, socket.gaierror)
"""What leaves the bot when a tool raises it: not the bot's fault, and nothing it could mend."""


class NotJson(Exception):
    """A tool returned what JSON cannot hold."""


def observed(result: Any) -> Observation:
    """Returns the result, in the same bytes in every run; text stays as it is.

    Dataclasses, pydantic models, dates and the like become what pydantic makes of them. Raises
    NotJson for an object that only its `repr` could describe, which differs from run to run.
    """
    from pydantic_core import PydanticSerializationError, to_json

    try:
        data = to_json(_ordered(result), inf_nan_mode="null")
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        told = str(error).partition("\n")[0]
        raise NotJson(f"it returned {type(result).__name__}, which is no JSON: {told}") from None
    plain = json.loads(data)
    return plain, plain if isinstance(plain, str) else data.decode()


def attempted(call: Callable[[], Any]) -> tuple[Any, str, str | None]:
    """What a tool returned, observed, and what it told in place of that: why it says no, or broke.

    Raises what is `OUT_OF_REACH`.
    """
    try:
        return *observed(call()), None
    except OUT_OF_REACH:
        raise
    except ToolRefused as refusal:
        return None, "", str(refusal)
    except Exception as raised:
        return None, "", "".join(traceback.format_exception_only(raised)).strip()


def _ordered(value: Any) -> Any:
    """Sets as sorted lists: their own order changes from process to process."""
    if isinstance(value, Mapping):
        return {key: _ordered(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_ordered(item) for item in value]
    if isinstance(value, Set):
        return sorted((_ordered(item) for item in value), key=repr)
    return value
